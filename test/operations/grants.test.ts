/** /admin/grants: what a workspace, or a key, may do. */
import t, { type Test } from 'tap';
import type { Client, Schemas } from '../support/client.ts';
import { readPage, readPages } from '../support/pages.ts';
import { connectPets, petDocument, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { nextMillisecond } from '../support/until.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
for (const { id } of (await client.expect(200, 'listGrants')).data) {
  await client.call('deleteGrant', { path: { grant_id: id } }); // those of the first workspace
}
await client.expect(201, 'createIntegration', { body: petIntegration(store) });
const [first, second] = [await connectPets(client, workspace_id),
  await connectPets(client, workspace_id)];
const session_id = await newSession(client);

/** A grant that is gone at the end of the test. */
async function grant(
  t: Pick<Test, 'teardown'>, actions: string, decision: Schemas['GrantDecision'],
  changes: Partial<Schemas['CreateGrantRequest']> = {}): Promise<Schemas['Grant']> {
  const made = await client.expect(201, 'createGrant',
    { body: { workspace_id, actions, decision, ...changes } });
  t.teardown(() => client.call('deleteGrant', { path: { grant_id: made.id } }));
  return made;
}

/** The code that an agent gets for adding a pet; null if the pet was added. */
async function codeOfWrite(connection_id = first.id): Promise<string | null> {
  const { tool_calls } = await completeRun(client, session_id,
    `call pets.pets.create {"body": {"name": "Rex"}} connection_id=${connection_id}`);
  return tool_calls[0]!.error?.code ?? null;
}

/** The code that an application gets for listing pets; null if it got them. */
async function codeOfRead(connection_id = first.id, inside: Client = client) {
  const { status, body } = await inside.call('createActionInvocation',
    { body: { action: 'pets.pets.list', connection_id } });
  return status === 201 ? null : (body as Schemas['ApiError']).code;
}

t.test('without one, reading is allowed and the rest is not', async (t) => {
  t.equal(await codeOfRead(), null);
  t.equal(await codeOfWrite(), 'not_permitted');
});

t.test('one is made, listed and removed', async (t) => {
  const body = { workspace_id, actions: 'pets.pets.*', decision: 'allow' };
  const answer = await client.call('createGrant', { body });
  if (answer.status !== 201) return t.fail(JSON.stringify(answer.body));
  const { id, created_at, matches, ...rest } = answer.body;
  t.equal(matches, 4, 'all that there are');
  t.match(id, /^grt_/);
  t.equal(answer.headers.get('location'), `/v1/admin/grants/${id}`);
  t.strictSame(rest, { object: 'grant', ...body, approval_scope: 'api_key', api_key_id: null,
    connection_id: null, expires_at: null });
  t.strictSame((await client.expect(200, 'listGrants')).data, [{ id, created_at, ...rest }]);
  t.equal(await codeOfWrite(), null, 'it holds from the next call on');
  await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
  t.equal(await codeOfWrite(), 'not_permitted', 'and no longer');
  t.match(await client.expect(404, 'deleteGrant', { path: { grant_id: id } }),
    { code: 'not_found', error: /No grant/ });
});

t.test('it says how many actions its pattern matches', async (t) => {
  for (const [actions, matches] of [['pets.pets.lst', 0], ['nope', 0], ['pets.pets.list', 1],
    ['pets.*', 4]] as const) {
    t.equal((await grant(t, actions, 'deny')).matches, matches, actions);
  }
  const hidden = await client.expect(201, 'createIntegration', { body: petIntegration(store,
    { slug: 'others', workspace_ids: [] }) });
  t.equal((await grant(t, 'others.*', 'allow')).matches, 0, 'none of what it is not offered');
  await client.expect(204, 'deleteIntegration', { path: { slug: hidden.slug } });
});

t.test('a preview says which those are, and grants nothing', async (t) => {
  const preview = (actions: string) =>
    client.expect(200, 'previewGrant', { body: { workspace_id, actions } });
  const { data: before } = await client.expect(200, 'listGrants');
  t.strictSame(await preview('pets.*.create'), {
    object: 'grant_preview', matches: 1, effects: { read: 0, write: 1, destructive: 0 },
    actions: [{ name: 'pets.pets.create', integration: 'pets', title: 'Add a pet',
      effect: 'write' }] });
  await grant(t, 'pets.*', 'deny');
  const all = await preview('pets.*');
  t.match(all, { matches: 4, effects: { read: 2, write: 1, destructive: 1 } },
    'also of what is denied');
  t.strictSame(all.actions.map(({ name }) => name),
    ['pets.pets.create', 'pets.pets.delete', 'pets.pets.get', 'pets.pets.list']);
  t.match(await preview('nope.*'),
    { matches: 0, effects: { read: 0, write: 0, destructive: 0 }, actions: [] });
  t.equal((await client.expect(200, 'listGrants')).data.length, before.length + 1);
  const paths = Object.fromEntries(Array.from({ length: 60 }, (_, n) =>
    [`/things/${n}`, { get: { operationId: `getThing${n}`, responses: {} } }]));
  await client.expect(201, 'createIntegration', { body: petIntegration(store, { slug: 'many',
    document: JSON.stringify({ ...petDocument(), paths }) }) });
  const many = await preview('many.*');
  t.strictSame([many.matches, many.actions.length], [60, 50]);
  t.match(await client.expect(404, 'previewGrant',
    { body: { workspace_id: 'wsp_none', actions: '*' } }), { code: 'not_found' });
  t.match(await client.expect(400, 'previewGrant', { body: { workspace_id, actions: 'a b' } }),
    { code: 'invalid_request', param: '/actions' });
});

t.test('of those that match, the most restrictive holds', async (t) => {
  await grant(t, '*', 'allow');
  t.equal(await codeOfWrite(), null);
  await grant(t, 'pets.*', 'require_approval');
  t.equal(await codeOfWrite(), 'approval_required');
  t.equal(await codeOfRead(), 'approval_required');
  await grant(t, 'pets.pets.create', 'deny');
  t.equal(await codeOfWrite(), 'unknown_action', 'what is denied does not exist');
  t.equal(await codeOfRead(), 'approval_required');
});

t.test('a pattern matches as it says', async (t) => {
  for (const [actions, code] of [
    ['pets.pets.create', null], ['pets.*', null], ['*', null], ['pets.*.create', null],
    ['*.create', 'not_permitted'], ['pets', 'not_permitted'], ['pets.pets', 'not_permitted'],
    ['pets.pets.creat', 'not_permitted'], ['pets.pets.create.*', 'not_permitted'],
  ] as const) {
    const { id } = await grant(t, actions, 'allow');
    t.equal(await codeOfWrite(), code, actions);
    await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
  }
});

t.test('for one key alone', async (t) => {
  const { id, api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'other' } });
  await grant(t, 'pets.*', 'deny', { api_key_id: id });
  t.equal(await codeOfRead(first.id, client.as(api_key)), 'unknown_action');
  t.equal(await codeOfRead(), null);
});

t.test('for one connection alone', async (t) => {
  await grant(t, 'pets.*', 'allow', { connection_id: first.id });
  t.equal(await codeOfWrite(first.id), null);
  t.equal(await codeOfWrite(second.id), 'not_permitted');
});

t.test('for a time', async (t) => {
  const { id, expires_at } = await grant(t, 'pets.*', 'allow',
    { expires_at: '2036-11-21T12:00:00+01:00' });
  t.equal(expires_at, '2036-11-21T11:00:00.000Z');
  t.equal(await codeOfWrite(), null);
  await sql`update grants set expires_at = now() where id = ${id}`;
  t.equal(await codeOfWrite(), 'not_permitted');
});

t.test('one that is over from the start is refused', async (t) => {
  const expires_at = new Date(Date.now() - 1).toISOString();
  const body = { workspace_id, actions: 'pets.*', decision: 'allow', expires_at };
  t.match(await client.expect(400, 'createGrant', { body }), { code: 'invalid_request',
    param: '/expires_at', error: /is in the past\. Give a later time, or leave it out/ });
  t.strictSame((await client.expect(200, 'listGrants')).data, []);
});

t.test('what is not valid is refused', async (t) => {
  const bad: [changes: object, param: string][] = [
    [{ actions: '' }, '/actions'], [{ actions: 'Pets.*' }, '/actions'],
    [{ actions: 'pets..list' }, '/actions'], [{ actions: 'pets.l*' }, '/actions'],
    [{ actions: 'x'.repeat(256) }, '/actions'], [{ decision: 'maybe' }, '/decision'],
    [{ decision: undefined }, '/decision'], [{ expires_at: 'tomorrow' }, '/expires_at'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    [{ effect: 'read' }, '/effect'], [{ approval_scope: 'everybody' }, '/approval_scope'],
    [{ approval_scope: 'workspace' }, '/approval_scope'],
  ];
  const good = { workspace_id, actions: 'pets.*', decision: 'allow' };
  for (const [changes, param] of bad) {
    t.match(await client.expect(400, 'createGrant', { body: { ...good, ...changes } }),
      { code: 'invalid_request', param }, JSON.stringify(changes));
  }
});

t.test('what it names has to be there, in its workspace', async (t) => {
  const other = await client.expect(201, 'createWorkspace', { body: { name: 'other' } });
  const key = await client.expect(201, 'createApiKey',
    { body: { workspace_id: other.id, name: 'key' } });
  const bad: [changes: object, error: RegExp][] = [
    [{ workspace_id: 'wsp_none' }, /No workspace/], [{ api_key_id: 'key_none' }, /No api key/],
    [{ api_key_id: key.id }, /No api key/], [{ connection_id: 'con_none' }, /No connection/],
    [{ workspace_id: other.id, connection_id: first.id }, /No connection/],
  ];
  for (const [changes, error] of bad) {
    const body = { workspace_id, actions: '*', decision: 'allow', ...changes };
    t.match(await client.expect(404, 'createGrant', { body }), { code: 'not_found', error });
  }
  t.strictSame((await readPage(client, 'listGrants')).ids, [], 'and none was made');
});

t.test('pages and filters', async (t) => {
  const other = await client.expect(201, 'createWorkspace', { body: { name: 'other' } });
  const ids: string[] = [];
  for (const id of [workspace_id, other.id, workspace_id]) {
    await nextMillisecond();
    ids.push((await grant(t, 'lab.*', 'allow', { workspace_id: id })).id);
  }
  const pages = (query: object) => readPages(client, 'listGrants', { limit: 2, ...query });
  t.strictSame(await pages({}), [[ids[2], ids[1]], [ids[0]]]);
  t.strictSame(await pages({ order: 'asc' }), [[ids[0], ids[1]], [ids[2]]]);
  t.strictSame(await pages({ workspace_id }), [[ids[2], ids[0]]]);
  t.strictSame(await pages({ workspace_id: 'wsp_none' }), [[]]);
  t.match(await client.expect(400, 'listGrants', { query: { cursor: 'garbage' } }),
    { code: 'invalid_cursor' });
});

t.test('for a time by the database\'s clock, on a node whose own is ahead', async (t) => {
  const now_ms = Date.now;
  const expires_at = new Date(now_ms() + 3_600_000).toISOString();
  await grant(t, 'pets.pets.list', 'deny', { expires_at });
  t.teardown(() => { Date.now = now_ms; });
  Date.now = () => now_ms() + 7_200_000;
  const ahead = await testServer(t, { database: server });
  const inside = ahead.client.as(client.api_key!);
  t.equal(await codeOfRead(first.id, inside), 'unknown_action', 'it holds there');
  const made = await ahead.client.expect(201, 'createGrant', { body: {
    workspace_id: ahead.workspace_id, actions: 'pets.*', decision: 'allow', expires_at } });
  t.equal(made.expires_at, expires_at, 'and is made there');
});
