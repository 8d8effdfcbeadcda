/** POST /admin/api_keys */
import t from 'tap';
import { testServer } from '../support/server.ts';

const { client, sql, workspace_id } = await testServer(t);
const create = (body: object) => client.expect(201, 'createApiKey',
  { body: { workspace_id, name: 'backend', ...body } });

t.test('a key is shown once, and works at once', async (t) => {
  const { api_key, ...key } = await create({});
  t.match(key, { id: /^key_/, object: 'api_key', workspace_id, name: 'backend', status: 'active',
    last_used_at: null, expires_at: null, revoked_at: null });
  t.match(api_key, /^gth_[0-9A-Za-z]{49}$/);
  t.equal(key.hint, `…${api_key.slice(-4)}`);
  t.equal((await client.as(api_key).call('listSessions')).status, 200);
  const { data } = await client.expect(200, 'listApiKeys');
  t.notMatch(JSON.stringify(data), api_key);
  t.strictSame(data.find(({ id }) => id === key.id),
    { ...key, dashboard: false, open_runs: 0, pending_approvals: 0 });
  const [row] = await sql`select to_jsonb(k)::text as text from api_keys k where id = ${key.id}`;
  t.notMatch(row!.text, api_key.slice(4, 20), 'only its hash is stored');
});

t.test('a key that expires', async (t) => {
  t.match(await create({ expires_at: '2036-11-21T12:00:00+01:00' }),
    { status: 'active', expires_at: '2036-11-21T11:00:00.000Z' });
  t.match(await create({ expires_at: '2036-11-21T00:00:00+23:59' }),
    { expires_at: '2036-11-20T00:01:00.000Z' });
  t.match(await create({ expires_at: '9999-12-31T23:59:60Z' }),
    { expires_at: '9999-12-31T23:59:59.000Z' });
  const { id, api_key } = await create({ expires_at: '2036-11-21T12:00:00Z' });
  await sql`update api_keys set expires_at = now() where id = ${id}`;
  t.match(await client.as(api_key).expect(401, 'listSessions'), { code: 'invalid_api_key' });
  const { data } = await client.expect(200, 'listApiKeys');
  t.equal(data.find((key) => key.id === id)!.status, 'expired');
});

t.test('what is not valid is refused', async (t) => {
  const name = 'x';
  const bad: [body: object, param: string][] = [
    [{ name }, '/workspace_id'], [{ workspace_id }, '/name'], [{ workspace_id, name: '' }, '/name'],
    [{ workspace_id, name, expires_at: 'tomorrow' }, '/expires_at'],
    [{ workspace_id, name, expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ workspace_id, name, scopes: [] }, '/scopes'],
  ];
  for (const [body, param] of bad) {
    t.match(await client.expect(400, 'createApiKey', { body }), { code: 'invalid_request', param });
  }
});

t.test('an unknown workspace', async (t) => {
  const keyOf = (workspace_id: string) => ({ body: { workspace_id, name: 'x' } });
  t.match(await client.expect(404, 'createApiKey', keyOf('wsp_none')), { code: 'not_found' });
  t.match(await client.expect(400, 'createApiKey', keyOf('wsp_\0')),
    { code: 'invalid_request', param: '/workspace_id' });
});

t.test('an archived workspace gets none', async (t) => {
  const { id } = await client.expect(201, 'createWorkspace', { body: { name: 'archived' } });
  const set = (status: 'active' | 'archived') => client.expect(200, 'updateWorkspace',
    { path: { workspace_id: id }, body: { status } });
  await set('archived');
  t.match(await client.expect(409, 'createApiKey', { body: { workspace_id: id, name: 'x' } }),
    { code: 'workspace_archived', param: '/workspace_id' });
  t.strictSame((await sql`select from api_keys where workspace_id = ${id}`).length, 0);
  await set('active');
  await create({ workspace_id: id });
});

t.test('an api key makes no api keys', async (t) => {
  t.match(await client.expect(401, 'createApiKey',
    { body: { workspace_id, name: 'x' }, token: client.api_key! }), { code: 'invalid_api_key' });
});
