/** What an operator creates, with an Idempotency-Key. */
import t from 'tap';
import { canonicalSha256 } from '../../src/canonicalJson.ts';
import type { CallOptions, Schemas } from '../support/client.ts';
import { Browser } from '../support/browser.ts';
import { petIntegration, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
await client.expect(201, 'createIntegration', { body: petIntegration(store) });

type Creates = 'createWorkspace' | 'createApiKey' | 'createGrant' | 'createConnection';
const BODIES: Record<Creates, object> = {
  createWorkspace: { name: 'one' },
  createApiKey: { workspace_id, name: 'one' },
  createGrant: { workspace_id, actions: 'pets.*', decision: 'allow' },
  createConnection: { workspace_id, integration: 'pets', name: 'one',
    credentials: { type: 'basic', username: 'me', password: 'a-password-of-the-tests' } },
};
const CHANGES: Record<Creates, object> = {
  createWorkspace: { name: 'two' }, createApiKey: { name: 'two' },
  createGrant: { decision: 'deny' },
  createConnection: { credentials: { type: 'basic', username: 'me', password: 'another one' } },
};
const OPERATIONS = Object.keys(BODIES) as Creates[];
const keyed = (key: string, body: object): CallOptions =>
  ({ headers: { 'idempotency-key': key }, body });

/** How many of everything there are, audit entries among them. */
async function counts() {
  const [row] = await sql`
    select (select count(*) from workspaces) as workspaces,
      (select count(*) from api_keys) as keys, (select count(*) from grants) as grants,
      (select count(*) from connections) as connections,
      (select count(*) from audit_entries) as entries`;
  return row;
}

t.test('a repeat creates nothing, and answers what was created', async (t) => {
  for (const id of OPERATIONS.filter((one) => one !== 'createApiKey')) {
    const first = await client.call(id, keyed('repeat', BODIES[id]));
    t.equal(first.status, 201, id);
    const before = await counts();
    const again = await client.call(id, keyed('repeat', BODIES[id]));
    t.strictSame([again.status, again.body], [201, first.body], id);
    t.equal(again.headers.get('location'), first.headers.get('location'));
    t.strictSame([first, again].map(({ headers }) => headers.get('idempotent-replayed')),
      [null, 'true'], 'and it says so');
    t.strictSame(await counts(), before, 'and nothing is told of it in the audit log');
    await sql`delete from idempotency_keys`;
  }
});

t.test('an api key is not stored, and not created twice', async (t) => {
  const body = BODIES.createApiKey;
  const { id, api_key } = await client.expect(201, 'createApiKey', keyed('shown', body));
  const before = await counts();
  t.match(await client.expect(409, 'createApiKey', keyed('shown', body)), {
    code: 'already_exists', param: 'idempotency-key', error: new RegExp(`created ${id} already`),
    details: { api_key_id: id } });
  t.strictSame(await counts(), before);
  t.notMatch(JSON.stringify(await sql`select * from idempotency_keys`), api_key);
});

t.test('the same key with another body', async (t) => {
  for (const id of OPERATIONS) {
    await client.expect(201, id, keyed(`reused ${id}`, BODIES[id]));
    const before = await counts();
    t.match(await client.expect(409, id,
      keyed(`reused ${id}`, { ...BODIES[id], ...CHANGES[id] })),
    { code: 'idempotency_key_reused', param: 'idempotency-key' }, id);
    t.strictSame(await counts(), before, id);
  }
  t.match(await client.expect(409, 'createGrant',
    keyed('reused createWorkspace', BODIES.createGrant)), { code: 'idempotency_key_reused' });
});

t.test('many at once create one', async (t) => {
  for (const id of OPERATIONS) {
    const before = await counts();
    const answers = (await Promise.all(Array.from({ length: 8 }, () =>
      client.call(id, keyed(`many ${id}`, BODIES[id]))))).map(({ status, body }) =>
      ({ status: Number(status), body: body as unknown }));
    const made = answers.flatMap(({ status, body }) =>
      status === 201 ? [(body as { id: string }).id] : []);
    t.ok(made.length > 0, id);
    t.equal(new Set(made).size, 1, id);
    for (const { status, body } of answers.filter((one) => one.status !== 201)) {
      t.match({ status, body }, { status: 409,
        body: { code: /^(idempotency_in_progress|already_exists)$/ } });
    }
    const after = await counts();
    t.equal(Number(after!.entries) - Number(before!.entries), 1, id);
  }
});

t.test('what fails leaves its key free; those of a workspace are others', async () => {
  const body = { ...BODIES.createGrant, workspace_id: 'wsp_none' };
  await client.expect(404, 'createGrant', keyed('free', body));
  await client.expect(201, 'createGrant', keyed('free', BODIES.createGrant));
  await client.expect(201, 'createSession', keyed('free', {}));
});

t.test('a connection that somebody has to consent to: each answer has an address', async (t) => {
  const url = 'https://accounts.example';
  const credentials = { type: 'oauth2', grant: 'authorization_code', client_id: 'c',
    authorize_url: `${url}/authorize`, token_url: `${url}/token` } as Schemas['Credentials'];
  const body = { ...BODIES.createConnection, credentials };
  const first = await client.expect(201, 'createConnection', keyed('consent', body));
  const again = await client.expect(201, 'createConnection', keyed('consent', body));
  t.equal(again.id, first.id);
  t.not(again.authorization_url, first.authorization_url);
  for (const { authorization_url } of [first, again]) {
    t.match(await new Browser().open(authorization_url!), { status: 303 });
  }
  const [ticket] = /[\w-]{43}$/.exec(again.authorization_url!)!;
  t.notMatch(JSON.stringify(await sql`select * from idempotency_keys`), ticket);
  await client.expect(204, 'deleteConnection', { path: { connection_id: first.id } });
  t.match(await client.expect(404, 'createConnection', keyed('consent', body)),
    { code: 'not_found' }, 'it is gone');
});

t.test('a password is not to be guessed by what is stored', async (t) => {
  await client.expect(201, 'createConnection', keyed('guess', BODIES.createConnection));
  const [row] = await sql<{ request_sha256: Buffer }[]>`
    select request_sha256 from idempotency_keys where key = 'guess'`;
  t.notOk(row!.request_sha256.equals(
    canonicalSha256(['createConnection', BODIES.createConnection])), 'it is no plain hash');
});

t.test('a repeat is not held to what would hold for a new one by now', async (t) => {
  const now_ms = Date.now;
  t.teardown(() => { Date.now = now_ms; });
  const expires_at = new Date(now_ms() + 3_600_000).toISOString();
  const later = { ...BODIES.createGrant, expires_at };
  const grant = await client.expect(201, 'createGrant', keyed('later', later));
  const key = { ...BODIES.createApiKey, expires_at };
  const { id } = await client.expect(201, 'createApiKey', keyed('later key', key));
  Date.now = () => now_ms() + 7_200_000;
  t.strictSame(await client.expect(201, 'createGrant', keyed('later', later)), grant);
  t.match(await client.expect(409, 'createApiKey', keyed('later key', key)),
    { code: 'already_exists', details: { api_key_id: id } });
  for (const [operation, body] of [['createGrant', later], ['createApiKey', key]] as const) {
    t.match(await client.expect(400, operation, keyed('new', body)), { param: '/expires_at' });
  }
  Date.now = now_ms;

  const configured = await testServer(t, { database: server,
    config: { compatible_base_url: 'http://127.0.0.1:1' } });
  const body = { name: 'modern', model: 'compatible/one' };
  const made = await configured.client.expect(201, 'createWorkspace',
    { ...keyed('model', body), token: client.admin_token! });
  t.strictSame(await client.expect(201, 'createWorkspace', keyed('model', body)), made);
  t.match(await client.expect(400, 'createWorkspace', keyed('new model', body)),
    { param: '/model' });
});
