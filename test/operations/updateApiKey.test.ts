/** PATCH /admin/api_keys/{api_key_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';

const { client, workspace_id } = await testServer(t);
const created = await client.expect(201, 'createApiKey', { body: {
  workspace_id, name: 'backend', identities: ['Ada@Example.com', 'group:Support', 'sub:A1'] } });
const path = { api_key_id: created.id };

t.test('for whom it stands: addresses in lower case, each once', async (t) => {
  t.strictSame(created.identities, ['ada@example.com', 'group:Support', 'sub:A1']);
  const changed = await client.expect(200, 'updateApiKey',
    { path, body: { identities: ['@Example.com', '@example.com'] } });
  t.match(changed, { id: created.id, name: 'backend', identities: ['@example.com'],
    open_runs: 0, pending_approvals: 0 });
  const { data } = await client.expect(200, 'listApiKeys');
  t.strictSame(data.find(({ id }) => id === created.id), changed);
});

t.test('its name alone; the key itself goes on', async (t) => {
  const changed = await client.expect(200, 'updateApiKey', { path, body: { name: 'front' } });
  t.match(changed, { name: 'front', identities: ['@example.com'] });
  t.equal((await client.as(created.api_key).call('listSessions')).status, 200);
  const { data: [entry] } = await client.expect(200, 'listAuditEntries',
    { query: { event: 'api_key.changed' } });
  t.match(entry, { target: created.id, workspace_id, details: { fields: ['name'] } });
});

t.test('what is refused', async (t) => {
  const refused = async (body: object) =>
    (await client.expect(400, 'updateApiKey', { path, body: body as never })).param;
  t.equal(await refused({ identities: ['ada'] }), '/identities/0');
  t.equal(await refused({ identities: ['sub:'] }), '/identities/0');
  t.equal(await refused({ identities: Array(101).fill('a@b') }), '/identities');
  t.equal(await refused({ name: '' }), '/name');
  t.equal((await client.expect(400, 'updateApiKey', { path, body: {} })).code, 'invalid_request');
  t.match(await client.expect(404, 'updateApiKey',
    { path: { api_key_id: 'key_none' }, body: { name: 'x' } }), { code: 'not_found' });
});
