/** GET /admin/workspaces/{workspace_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';

const { client, workspace_id } = await testServer(t);

t.test('one workspace', async (t) => {
  t.match(await client.expect(200, 'getWorkspace', { path: { workspace_id } }),
    { id: workspace_id, object: 'workspace', name: 'Default', model: null, limits: {} });
});

t.test('an unknown workspace', async (t) => {
  t.match(await client.expect(404, 'getWorkspace', { path: { workspace_id: 'wsp_none' } }),
    { code: 'not_found', error: /No workspace has the id "wsp_none"/ });
});

t.test('an api key opens nothing here, be it of this workspace', async (t) => {
  t.match(await client.expect(401, 'getWorkspace',
    { path: { workspace_id }, token: client.api_key! }), { code: 'invalid_api_key' });
});
