/** GET /actions/{action} */
import t from 'tap';
import { createLab, connectLab, LAB_SLUG } from '../support/lab.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t, { sources: [createLab().source] });
const { client, sql } = server;
const one = await connectLab(sql, server.workspace_id, { account_label: 'ada' });
const get = (action: string, who = client) => who.expect(200, 'getAction', { path: { action } });

t.test('an action with its schemas, as lists have it', async (t) => {
  const action = await get('lab.item.delete');
  t.match(action, { name: 'lab.item.delete', output_schema: null,
    input_schema: { properties: { text: { type: 'string' } } },
    connections: [{ connection_id: one, account_label: 'ada' }] });
  const { data } = await client.expect(200, 'listActions',
    { query: { integration: LAB_SLUG, include_schemas: true } });
  t.strictSame(action, data.find(({ name }) => name === action.name));
});

t.test('one of what is not connected has no connections', async (t) => {
  const other = await otherWorkspace(server);
  t.strictSame((await get('lab.item.delete', other)).connections, []);
});

t.test('what does not exist for the key is not found', async (t) => {
  const missing = (action: string) => client.expect(404, 'getAction', { path: { action } });
  const stolen = await missing('lab.item.steal');
  t.match(stolen, { code: 'not_found', details: { suggestions: Array },
    error: 'No action is named "lab.item.steal". Similar ones: lab.item.' });
  await client.expect(201, 'createGrant', { body: {
    workspace_id: server.workspace_id, actions: 'lab.item.*', decision: 'deny' } });
  const denied = await missing('lab.item.delete');
  const unknown = await missing('lab.item.deleted');
  t.equal(denied.error.replace('delete', 'deleted'), unknown.error, 'nor told from an unknown one');
});

t.test('what is no name is refused', async (t) => {
  t.match(await client.expect(400, 'getAction', { path: { action: 'x'.repeat(256) } }),
    { code: 'invalid_request', param: 'action' });
});
