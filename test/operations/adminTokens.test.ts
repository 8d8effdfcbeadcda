/** /admin/admin_tokens: created, listed, expired and revoked; the audit log tells who acted. */
import t from 'tap';
import { Client } from '../support/client.ts';
import { readPage, readPages } from '../support/pages.ts';
import { testServer } from '../support/server.ts';
import { nextMillisecond, untilSeen } from '../support/until.ts';

const configured = 'of-the-configuration-'.padEnd(40, 'x');
const first = await testServer(t, { config: { admin_token: configured } });
const { client, sql } = first;
const second = await testServer(t, { database: first });
/** An operator with this token, at another node. */
const as = (admin_token: string) =>
  new Client({ base_url: second.client.base_url, api_key: client.api_key!, admin_token });
const create = (body: object = {}) =>
  client.expect(201, 'createAdminToken', { body: { name: 'deployment', ...body } });
const list = async () => (await client.expect(200, 'listAdminTokens')).data;
const found = async (id: string) => (await list()).find((one) => one.id === id);
const revoke = (admin_token_id: string) =>
  client.call('revokeAdminToken', { path: { admin_token_id } });

t.test('a token is shown once, and works at once on every node', async (t) => {
  const { admin_token, ...token } = await create();
  t.match(token, { id: /^adm_/, object: 'admin_token', name: 'deployment', status: 'active',
    last_used_at: null, expires_at: null, revoked_at: null });
  t.match(admin_token, /^gta_[0-9A-Za-z]{49}$/);
  t.equal(token.hint, `…${admin_token.slice(-4)}`);
  const operator = as(admin_token);
  t.equal((await operator.call('listWorkspaces')).status, 200);
  t.strictSame(await found(token.id), token);
  const [row] = await sql`select to_jsonb(a)::text as text from admin_tokens a
    where id = ${token.id}`;
  t.notMatch(row!.text, admin_token.slice(4, 20), 'only its hash is stored');
  t.match(await operator.expect(401, 'listSessions', { token: admin_token }),
    { code: 'invalid_api_key' }, 'it is no api key');
});

t.test('a revoked token is refused at once on every node, and stays in the list', async (t) => {
  const { id, admin_token } = await create();
  const operator = as(admin_token);
  t.equal((await operator.call('listWorkspaces')).status, 200);
  t.strictSame((await revoke(id)).status, 204);
  for (const one of [operator, new Client({ ...client, admin_token })]) {
    t.match(await one.expect(401, 'listWorkspaces'), { code: 'invalid_api_key' });
  }
  const revoked = await found(id);
  t.match(revoked, { status: 'revoked', revoked_at: String });
  t.equal((await revoke(id)).status, 204, 'again is fine');
  t.strictSame(await found(id), revoked, 'and changes nothing');
  t.match((await revoke('adm_none')).body, { code: 'not_found' });
});

t.test('a token that expires, and what it may create', async (t) => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id, admin_token } = await create({ expires_at });
  const operator = as(admin_token);
  const later = new Date(Date.now() + 7_200_000).toISOString();
  for (const body of [{ name: 'x' }, { name: 'x', expires_at: later }]) {
    t.match(await operator.expect(400, 'createAdminToken', { body }),
      { code: 'invalid_request', param: '/expires_at', error: /valid for longer/ });
  }
  t.match(await operator.expect(201, 'createAdminToken', { body: { name: 'x', expires_at } }),
    { expires_at });
  await sql`update admin_tokens set expires_at = now() where id = ${id}`;
  t.match(await operator.expect(401, 'listWorkspaces'), { code: 'invalid_api_key' });
  t.match(await found(id), { status: 'expired' });
  for (const [body, param] of [
    [{ name: '' }, '/name'], [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ name: 'x', workspace_id: 'wsp_1' }, '/workspace_id']] as const) {
    t.match(await client.expect(400, 'createAdminToken', { body }),
      { code: 'invalid_request', param });
  }
});

t.test('another admin token is another asker', async (t) => {
  const { admin_token } = await client.expect(201, 'createAdminToken', { body: { name: 'other' } });
  const options = { headers: { 'idempotency-key': 'asker' }, body: { name: 'a workspace' } };
  const mine = await client.expect(201, 'createWorkspace', options);
  const theirs = await client.expect(201, 'createWorkspace', { ...options, token: admin_token });
  t.not(theirs.id, mine.id);
  t.strictSame(await client.expect(201, 'createWorkspace', options), mine);
});

t.test('under one idempotency key there is one token, and it is not stored', async (t) => {
  const options = { headers: { 'idempotency-key': 'once' }, body: { name: 'once' } };
  const { id, admin_token } = await client.expect(201, 'createAdminToken', options);
  t.match(await client.expect(409, 'createAdminToken', options), {
    code: 'already_exists', error: new RegExp(`created ${id} already`),
    details: { admin_token_id: id } });
  t.match(await client.expect(409, 'createAdminToken', { ...options, body: { name: 'other' } }),
    { code: 'idempotency_key_reused' });
  t.notMatch(JSON.stringify(await sql`select * from idempotency_keys`), admin_token);
});

t.test('the audit log names the token that acted; the configured one has no id', async (t) => {
  const { id, admin_token } = await create();
  for (const [token, actor] of [[admin_token, id], [configured, null]] as const) {
    const operator = new Client({ ...client, admin_token: token });
    const made = await operator.expect(201, 'createWorkspace', { body: { name: 'x' } });
    t.match(await client.expect(200, 'listAuditEntries', { query: { target: made.id } }),
      { data: [{ event: 'workspace.created', actor: { type: 'admin', id: actor } }] });
  }
  t.notOk((await list()).some(({ hint }) => hint === `…${configured.slice(-4)}`));
});

t.test('pages hold everything once; uses are noted', async (t) => {
  await nextMillisecond();
  const { id } = await create();
  const { ids } = await readPage(client, 'listAdminTokens', { limit: 100 });
  t.equal(ids[0], id);
  t.strictSame((await readPages(client, 'listAdminTokens', { limit: 2 })).flat(), ids);
  const { admin_token } = await create({ name: 'used' });
  const node = await testServer(t, { database: first });
  await node.client.expect(200, 'listAdminTokens', { token: admin_token });
  await node.service.stop(); // it notes uses now and then, and when it stops
  await untilSeen('a use', list, (all) =>
    all.some(({ name, last_used_at }) => name === 'used' && last_used_at !== null));
});
