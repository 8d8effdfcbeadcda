/** /admin/connections: accounts, their secrets and their states. */
import t, { type Test } from 'tap';
import type { OperationId } from '../../generated/operations.ts';
import type { CallOptions, Schemas } from '../support/client.ts';
import { readPage, readPages } from '../support/pages.ts';
import { connectPets, petIntegration, send, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';
import { nextMillisecond, untilLocked } from '../support/until.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a secret in a text');

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
for (const slug of ['pets', 'other']) {
  await client.expect(201, 'createIntegration', { body: petIntegration(store, { slug }) });
}
type Credentials = Schemas['Credentials'];
const SECRET = 'sEcret-of-the-pet-store/+';

const pathOf = ({ id }: { id: string }) => ({ path: { connection_id: id } });
const update = (connection: { id: string }, body: object) =>
  client.call('updateConnection', { ...pathOf(connection), body });
const check = (connection: { id: string }) =>
  client.expect(200, 'checkConnection', pathOf(connection));
const get = (connection: { id: string }) =>
  client.expect(200, 'getConnection', pathOf(connection));
const list = (connection_id: string, action = 'pets.pets.list') =>
  client.call('createActionInvocation', { body: { action, connection_id } });

/** A connection that is gone at the end of the test. */
async function connect(
  t: Test, changes: Partial<Schemas['CreateConnectionRequest']> = {},
): Promise<Schemas['Connection']> {
  const connection = await connectPets(client, workspace_id, changes);
  t.teardown(() => client.call('deleteConnection', pathOf(connection)));
  return connection;
}

t.test('an account is connected', async (t) => {
  const account_label = 'shop@pets.example';
  const answer = await client.call('createConnection', { body: {
    workspace_id, integration: 'pets', name: 'Pets', account_label,
    credentials: { type: 'bearer', token: SECRET } } });
  if (answer.status !== 201) return t.fail(JSON.stringify(answer.body));
  t.match(answer.body, { id: /^con_/, object: 'connection', workspace_id, integration: 'pets',
    name: 'Pets', account_label, auth_type: 'bearer', status: 'connected', status_reason: null,
    granted_scopes: [], expires_at: null, settings: null, authorization_url: null,
    authorization_expires_at: null });
  t.equal(answer.headers.get('location'), `/v1/admin/connections/${answer.body.id}`);
  t.strictSame(await get(answer.body), answer.body);
  t.match(await list(answer.body.id), { status: 201, body: { result: { pets: [{}] } } });
  const { data } = await client.expect(200, 'listActions', { query: { integration: 'pets' } });
  t.strictSame(data[0]!.connections, [{ connection_id: answer.body.id, account_label }]);
  await client.expect(204, 'deleteConnection', pathOf(answer.body));
});

t.test('each kind of credentials is used as it should', async (t) => {
  const basic = Buffer.from(`shop:${SECRET}`).toString('base64');
  const kinds: [credentials: Credentials, sent: object][] = [
    [{ type: 'none' }, { headers: { authorization: undefined } }],
    [{ type: 'bearer', token: SECRET }, { headers: { authorization: `Bearer ${SECRET}` } }],
    [{ type: 'api_key', in: 'header', name: 'x-pets', value: SECRET },
      { headers: { 'x-pets': SECRET } }],
    [{ type: 'api_key', in: 'header', name: 'authorization', value: SECRET, prefix: 'Token' },
      { headers: { authorization: `Token ${SECRET}` } }],
    [{ type: 'api_key', in: 'query', name: 'key', value: SECRET },
      { target: `/pets?key=${encodeURIComponent(SECRET)}` }],
    [{ type: 'api_key', in: 'cookie', name: 'key', value: 'plain' },
      { headers: { cookie: 'key=plain' } }],
    [{ type: 'basic', username: 'shop', password: SECRET },
      { headers: { authorization: `Basic ${basic}` } }],
  ];
  for (const [credentials, sent] of kinds) {
    const connection = await connect(t, { credentials });
    t.match(connection, { auth_type: credentials.type, status: 'connected' });
    t.match(await list(connection.id), { status: 201 });
    t.match(store.visits.at(-1), sent, JSON.stringify(credentials));
  }
});

t.test('a secret goes in and never comes out', async (t) => {
  const said: string[] = [];
  const ask = async (id: OperationId, options: CallOptions) => {
    const response = await client.fetch(id, options);
    said.push(await response.text());
    return response.status;
  };
  // The other side repeats what it was sent, in its answers and in its errors.
  store.answer = ({ headers, target }, response) =>
    send(response, { headers, target }, said.length % 2 === 0 ? 200 : 400);
  for (const credentials of [
    { type: 'bearer', token: SECRET }, { type: 'basic', username: 'shop', password: SECRET },
    { type: 'api_key', in: 'query', name: 'key', value: SECRET },
    { type: 'oauth2', grant: 'client_credentials', token_url: `${store.url}/token`,
      client_id: 'client', client_secret: SECRET, access_token: `${SECRET}2` },
  ] as Credentials[]) {
    const body = { workspace_id, integration: 'pets', name: 'pets', credentials };
    t.equal(await ask('createConnection', { body }), 201);
    const made = JSON.parse(said.at(-1)!) as Schemas['Connection'];
    await ask('updateConnection', { ...pathOf(made), body: { credentials } });
    await ask('getConnection', pathOf(made));
    const call = { action: 'pets.pets.list', connection_id: made.id };
    for (const _ of [1, 2]) await ask('createActionInvocation', { body: call });
    await ask('checkConnection', pathOf(made));
    await ask('deleteConnection', pathOf(made));
  }
  store.answer = null;
  await ask('createConnection', { body: { credentials: { type: 'bearer', token: SECRET, x: 1 } } });
  for (const id of ['listConnections', 'listAuditEntries', 'listActionInvocations'] as const) {
    await ask(id, { query: { limit: 100 } });
  }
  const everything = said.join('\n');
  t.match(everything, /"target":"\/pets\?key=/, 'what is repeated comes through');
  for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET),
    Buffer.from(SECRET).toString('base64'), Buffer.from(`shop:${SECRET}`).toString('base64')]) {
    t.notOk(everything.includes(form), form);
  }
});

t.test('it is stored sealed', async (t) => {
  const { id } = await connect(t, { credentials: { type: 'bearer', token: SECRET } });
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  for (const { name } of tables) {
    const rows = await sql.unsafe(`select to_jsonb(x)::text as text from ${name} x`) as
      unknown as { text: string }[];
    t.notOk(rows.some(({ text }) => text.includes(SECRET)), name);
  }
  const [{ sealed } = { sealed: '' }] = await sql<{ sealed: string }[]>`
    select sealed from connection_secrets where connection_id = ${id}`;
  t.match(sealed, /^v1\./);
});

t.test('without a master key nothing is stored', async (t) => {
  const { url } = server;
  const bare = await testServer(t, { database: { url, sql },
    config: { master_keys: null, concurrency: 0 } }).catch((error: Error) => error);
  t.match(bare, { message: /GATEHOUSE_MASTER_KEYS/ }, 'no start with another\'s secrets');
  const { client: keyless, workspace_id } = await testServer(t, {
    config: { master_keys: null, concurrency: 0 } });
  await keyless.expect(201, 'createIntegration', { body: petIntegration(store) });
  const body = { workspace_id, integration: 'pets', name: 'pets',
    credentials: { type: 'bearer', token: SECRET } };
  t.match(await keyless.expect(503, 'createConnection', { body }), { code: 'unavailable' });
  t.strictSame((await readPage(keyless, 'listConnections', { integration: 'pets' })).ids, []);
  await keyless.expect(201, 'createConnection',
    { body: { ...body, credentials: { type: 'none' } } });
});

t.test('what is not valid is refused', async (t) => {
  const good = { workspace_id, integration: 'pets', name: 'pets', credentials: { type: 'none' } };
  const oauth = { type: 'oauth2', grant: 'authorization_code', client_id: 'x',
    token_url: 'https://pets.example/token' };
  const key = { type: 'api_key', in: 'header', name: 'X-Key', value: 'good' };
  const unsendable: [credentials: object, param: string][] = [
    [{ type: 'bearer', token: 'a-token\n' }, 'token'],
    [{ type: 'bearer', token: 'a-€-token' }, 'token'],
    [{ ...key, value: 'a\r\nb' }, 'value'], [{ ...key, prefix: 'Tok\u0007en' }, 'prefix'],
    [{ ...key, in: 'cookie', value: 'ключ' }, 'value'], [{ ...key, name: 'X Key' }, 'name'],
    [{ type: 'basic', username: 'me', password: 'p\n', also: [
      { in: 'header', name: 'X-Key', value: 'v\n' }] }, 'also/0/value'],
    [{ ...oauth, authorize_url: 'https://pets.example/authorize', access_token: 'x\ny' },
      'access_token'],
  ];
  const bad: [changes: object, code: string, param: string][] = [
    [{ name: '' }, 'invalid_request', '/name'],
    [{ credentials: { type: 'none', token: 'x' } }, 'invalid_request', '/credentials/token'],
    [{ credentials: { type: 'bearer' } }, 'invalid_request', '/credentials/token'],
    [{ credentials: { type: 'telepathy' } }, 'invalid_request', '/credentials'],
    [{ credentials: 'a text' }, 'invalid_request', '/credentials'],
    [{ credentials: oauth }, 'invalid_request', '/credentials/authorize_url'],
    ...unsendable.map(([credentials, param]): [object, string, string] =>
      [{ credentials }, 'invalid_request', `/credentials/${param}`]),
    [{ credentials: { ...oauth, grant: 'client_credentials', token_url: 'http://10.0.0.1/token' } },
      'egress_refused', '/credentials/token_url'],
    [{ credentials: { ...oauth, authorize_url: 'http://localhost.:80@127.0.0.1/' } },
      'egress_refused', '/credentials/authorize_url'],
  ];
  for (const [changes, code, param] of bad) {
    t.match(await client.expect(400, 'createConnection', { body: { ...good, ...changes } }),
      { code, param }, JSON.stringify(changes));
  }
  const token = 'a-token\n';
  t.match((await client.expect(400, 'createConnection', { body: {
    ...good, credentials: { type: 'bearer', token } } })).error, /line break at its end.*Nothing/);
  const made = await client.expect(201, 'createConnection', { body: { ...good,
    credentials: { type: 'api_key', in: 'query', name: 'key', value: 'a\nb€' } } });
  await client.expect(204, 'deleteConnection', { path: { connection_id: made.id } });
  for (const [changes, error] of [
    [{ workspace_id: 'wsp_none' }, /No workspace has the id "wsp_none"/],
    [{ integration: 'nobody' }, /No integration has the id "nobody"/],
    [{ integration: 'gateway' }, /No integration has the id "gateway"/]] as const) {
    t.match(await client.expect(404, 'createConnection', { body: { ...good, ...changes } }),
      { code: 'not_found', error });
  }
});

t.test('one that is disabled is not used, until it is enabled', async (t) => {
  const connection = await connect(t);
  t.match(await update(connection, { status: 'disabled' }), { body: { status: 'disabled' } });
  t.match(await list(connection.id), { status: 409, body: { code: 'not_connected' } });
  t.match(await check(connection), { ok: false, status: 'disabled' });
  const credentials = { type: 'bearer', token: 'another' };
  t.match(await update(connection, { credentials }), { body: { status: 'disabled' } },
    'new credentials alone do not enable it');
  t.match(await update(connection, { status: 'connected' }), { body: { status: 'connected' } });
  t.match(await list(connection.id), { status: 201 });
  t.equal(store.visits.at(-1)!.headers.authorization, 'Bearer another');
  t.match(await update(connection, { status: 'disabled', credentials }),
    { body: { status: 'disabled' } });
  t.match(await update(connection, { status: 'connected', credentials }),
    { body: { status: 'connected' } });
});

t.test('one that is refused has to be reconnected', async (t) => {
  const connection = await connect(t, { account_label: 'shop' });
  store.answer = (_visit, response) => send(response, {}, 401);
  t.match(await list(connection.id), { status: 409, body: { code: 'needs_reconnect' } });
  t.match(await get(connection), { status: 'needs_reconnect', status_reason: String });
  t.match(await check(connection), { ok: false, status: 'needs_reconnect' });
  t.match(await update(connection, { status: 'connected' }),
    { status: 400, body: { code: 'invalid_request', param: '/status' } });
  store.answer = null;
  t.match(await list(connection.id), { status: 409, body: { code: 'needs_reconnect' } });
  const credentials = { type: 'bearer', token: 'renewed' };
  t.match(await update(connection, { credentials }), { status: 200, body: {
    id: connection.id, status: 'connected', status_reason: null, account_label: 'shop' } });
  t.match(await list(connection.id), { status: 201 });
  t.equal(store.visits.at(-1)!.headers.authorization, 'Bearer renewed');
});

t.test('a check tells what comes of it', async (t) => {
  const connection = await connect(t);
  t.strictSame(await check(connection), { object: 'connection_check', ok: true,
    connection_id: connection.id, status: 'connected', action: 'pets.pets.list',
    message: 'pets.pets.list answered.' });
  store.answer = (_visit, response) => send(response, {}, 503);
  t.match(await check(connection), { ok: false, status: 'connected',
    message: 'pets answered 503 to this call. It was tried by pets.pets.list.',
  }, 'a fault of the other side changes nothing, and no record is named where there is none');
  store.answer = (_visit, response) => send(response, {}, 401);
  t.match(await check(connection),
    { ok: false, status: 'needs_reconnect', action: 'pets.pets.list' });
  const query = { target: connection.id, limit: 1 };
  t.match(await client.expect(200, 'listAuditEntries', { query }),
    { data: [{ event: 'connection.checked', outcome: 'failed',
      details: { action: 'pets.pets.list', status: 'needs_reconnect' } }] });
  store.answer = null;
  t.match(await check(connection), { ok: true, status: 'connected' }, 'it works again');
  t.match(await get(connection), { status: 'connected', status_reason: null });
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'other.pets.list', decision: 'deny' } });
  const idle = await connect(t, { integration: 'other' });
  t.match(await check(idle), { ok: true, action: null, message: /nothing was tried/ });
});

/** An account of an integration that lists at these addresses. */
async function accountOf(t: Test, slug: string, paths: readonly string[]) {
  const responses = { 200: { description: 'OK' } };
  await client.expect(201, 'createIntegration', { body: petIntegration(store, { slug,
    document: JSON.stringify({ openapi: '3.1.0', info: { title: slug, version: '1' },
      paths: Object.fromEntries(paths.map((path) =>
        [path, { get: { operationId: `list${path.slice(1)}`, responses } }])) }) }) });
  return await connect(t, { integration: slug });
}

t.test('a check goes on where an action is refused for itself alone', async (t) => {
  const paths = ['/a', '/bb', '/ccc', '/dddd'];
  const connection = await accountOf(t, 'lists', paths);
  t.teardown(() => { store.answer = null; });
  const checked = async (...statuses: number[]) => {
    const before = store.visits.length;
    store.answer = ({ target }, response) =>
      send(response, {}, statuses[paths.indexOf(target)] ?? 200);
    const { ok: works, action, message } = await check(connection);
    return [works, action?.split('.')[1], store.visits.length - before, message];
  };
  t.match(await checked(400, 404), [true, 'ccc', 3, 'lists.ccc.listccc answered.']);
  t.match(await checked(404, 404, 422), [false, 'ccc', 3,
    'lists answered 422 to this call. It was tried by lists.ccc.listccc.'], 'three are enough');
  t.match(await checked(503, 501), [true, 'ccc', 3], 'Docker has no nodes outside a swarm');
  t.match(await checked(500), [false, 'a', 1], 'another cannot be better');
  t.strictSame((await checked(404, 401)).slice(0, 2), [false, 'bb'], 'the account is refused');
  t.match(await get(connection), { status: 'needs_reconnect' });
  const named = await accountOf(t, 'named', ['/me', '/a']);
  store.answer = ({ target }, response) => send(response, {}, target === '/me' ? 503 : 200);
  t.match(await check(named), { ok: false, message: /503/ }, '/a may ask for no account');
});

t.test('a token endpoint that is away is nobody\'s fault here', async (t) => {
  const connection = await connect(t, { credentials: {
    type: 'oauth2', grant: 'client_credentials', client_id: 'x', client_secret: SECRET,
    token_url: `${store.url}/token` } });
  store.answer = (_visit, response) => void response.destroy();
  t.match(await list(connection.id), { status: 502, body: { code: 'upstream_error' } });
  t.match(await check(connection), { ok: false, status: 'connected', message: /token endpoint/ });
  store.answer = ({ target }, response) => send(response,
    target === '/token' ? { access_token: 'fetched', token_type: 'bearer' } : {});
  t.match(await check(connection), { ok: true });
  t.equal(store.visits.at(-1)!.headers.authorization, 'Bearer fetched');
  store.answer = null;
});

t.test('a change is of what is given', async (t) => {
  const connection = await connect(t);
  const named = await update(connection, { name: 'Renamed', account_label: 'a\0b' });
  t.match(named, { status: 200, body: { name: 'Renamed', account_label: 'a\uFFFDb',
    status: 'connected', auth_type: 'bearer' } });
  t.match(await update(connection, { account_label: null }),
    { body: { name: 'Renamed', account_label: null } });
  for (const [body, param] of [[{}, null], [{ status: 'pending' }, '/status'],
    [{ integration: 'other' }, '/integration']] as const) {
    t.match(await update(connection, body),
      { status: 400, body: { code: 'invalid_request', param } });
  }
});

t.test('it is switched off on a node that cannot open its secret', async (t) => {
  const connection = await connect(t);
  const node = await testServer(t, { database: server });
  const [was] = await sql<{ master_key_id: string }[]>`
    select master_key_id from workspace_keys where workspace_id = ${workspace_id}`;
  const sealedBy = async (master_key_id: string) => void await sql`
    update workspace_keys set master_key_id = ${master_key_id}
    where workspace_id = ${workspace_id}`;
  await sealedBy('another');
  t.teardown(() => sealedBy(was!.master_key_id));
  for (const body of [{ status: 'disabled' }, { name: 'off' }] as const) {
    t.match(await node.client.call('updateConnection', { ...pathOf(connection), body }),
      { status: 200, body });
  }
});

t.test('removing it removes its secret, and not what was done with it', async (t) => {
  const connection = await connect(t);
  const called = await list(connection.id);
  if (called.status !== 201) return t.fail(JSON.stringify(called.body));
  await client.expect(204, 'deleteConnection', pathOf(connection));
  t.equal((await sql`
    select 1 from connection_secrets where connection_id = ${connection.id}`).length, 0);
  t.match(await client.expect(200, 'getActionInvocation',
    { path: { invocation_id: called.body.invocation_id } }), { connection_id: connection.id });
  for (const answer of [
    await client.call('getConnection', pathOf(connection)), await update(connection, { name: 'x' }),
    await client.call('deleteConnection', pathOf(connection)),
    await client.call('checkConnection', pathOf(connection)),
  ]) t.match(answer, { status: 404, body: { code: 'not_found', error: /No connection/ } });
});

t.test('what is built in stays connected', async (t) => {
  const { data } = await client.expect(200, 'listConnections', { query: { workspace_id } });
  const own = data.find(({ integration }) => integration === 'gateway')!;
  for (const answer of [await update(own, { status: 'disabled' }),
    await client.call('deleteConnection', pathOf(own))]) {
    t.match(answer, { status: 409, body: { code: 'integration_in_use' } });
  }
  t.match(await get(own), { status: 'connected' });
  t.match(await check(own), { ok: true });
});

t.test('an integration that is removed meanwhile', async (t) => {
  const slug = 'brief';
  await client.expect(201, 'createIntegration', { body: petIntegration(store, { slug }) });
  const { answer } = await sql.begin(async (tx) => {
    await tx`delete from integrations where slug = ${slug}`;
    const answer = client.call('createConnection', { body: {
      workspace_id, integration: slug, name: 'late', credentials: { type: 'none' } } });
    await untilLocked(sql, 1, 'from integrations');
    return { answer };
  }, { limit_ms: 60_000 });
  t.match(await answer, { status: 404, body: { code: 'not_found' } });
  t.strictSame((await readPage(client, 'listConnections', { integration: slug })).ids, []);
});

t.test('pages and filters', async (t) => {
  const other = await client.expect(201, 'createWorkspace', { body: { name: 'other' } });
  const ids: string[] = [];
  for (const [owner, integration] of [
    [other.id, 'pets'], [workspace_id, 'pets'], [other.id, 'other'], [other.id, 'pets']] as const) {
    await nextMillisecond();
    ids.push((await connectPets(client, owner, { integration })).id);
  }
  const pages = (query: object) => readPages(client, 'listConnections', { limit: 2, ...query });
  t.strictSame(await pages({ integration: 'pets' }), [[ids[3], ids[1]], [ids[0]]]);
  t.strictSame(await pages({ integration: 'pets', order: 'asc' }), [[ids[0], ids[1]], [ids[3]]]);
  t.strictSame(await pages({ integration: 'pets', workspace_id: other.id }), [[ids[3], ids[0]]]);
  t.equal((await pages({ workspace_id: other.id })).flat().length, 5, 'the built-in ones, too');
  t.strictSame(await pages({ workspace_id: 'wsp_none' }), [[]]);
  t.match(await client.expect(400, 'listConnections', { query: { cursor: 'garbage' } }),
    { code: 'invalid_cursor' });
});
