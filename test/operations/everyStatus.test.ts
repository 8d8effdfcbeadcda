/**
 * Every operation answers with every status that openapi.yaml declares for it: real servers, real
 * databases, real faults. What stands in NOT_EXERCISED is declared and not shown here; the list may
 * only shrink.
 */
import t, { type Test } from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { newToken } from '../../src/accounts/token.ts';
import type { CallOptions, Client } from '../support/client.ts';
import { signedIn } from '../support/dashboard.ts';
import { faultyServers } from '../support/faults.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { connectPets, petDocument, petIntegration, send, startPetStore,
} from '../support/petStore.ts';
import { faultsOf } from '../support/rateLimit.ts';
import { completeRun, endlessRun, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { whileStrangersWait } from '../support/strangers.ts';
import { untilSeen } from '../support/until.ts';

/** `operationId status` → why it is not exercised. */
export const NOT_EXERCISED: Readonly<Record<string, string>> = {};
const NOT_EXERCISED_AT_MOST = 0;

const BODY_LIMIT_BYTES = 4_096;
const DOCUMENT_LIMIT_BYTES = 8_192;
const lab = createLab();
const server = await testServer(t, { sources: [lab.source],
  config: { streams_per_key: 1, action_timeout_ms: 3_000, body_limit_bytes: BODY_LIMIT_BYTES,
    document_limit_bytes: DOCUMENT_LIMIT_BYTES } });
const { client, sql, workspace_id } = server;
const faulty = await faultyServers(t);
// Whoever asks five times in a second asks too often.
const hurriedServer = await testServer(t,
  { config: { concurrency: 0, rate_per_key: 1, auth_failures_per_minute: 1 } });
const { client: hurried } = hurriedServer;
const notConnected = await otherWorkspace(server);
await connectLab(sql, workspace_id);
const session_id = await newSession(client);
const run_id = (await completeRun(client, session_id, '@rehearsal words=1')).id;
const { invocation_id } = await client.expect(201, 'createActionInvocation',
  { body: { action: 'gateway.connections.list' } });
const store = await startPetStore(t);
const pets = { slug: 'pets' };
await client.expect(201, 'createIntegration', { body: petIntegration(store) });
const connection_id = (await connectPets(client, workspace_id)).id;
const approval_id = await newApproval('pets.pets.get', { path: { pet_id: '1' } });
const revoked = await newKey();
const ofRevoked = { path: { api_key_id: revoked.id } };
await client.expect(204, 'revokeApiKey', ofRevoked);
const { id: dashboard_session_id } = await client.expect(201, 'createDashboardSession',
  { body: { admin_token: client.admin_token } });
const oldToken = await client.expect(201, 'createAdminToken', { body: { name: 'old' } });
const viewer = await signedIn(server, 'viewer');
/** Who asks for an operation of those who are signed in, of this server and of the others. */
const browsers = new Map<Client, Client>([
  [client, await signedIn(server, 'admin')], [hurried, await signedIn(hurriedServer, 'admin')],
  ...faulty.browsers,
]);

/** A request by whoever may make it. */
function by(asker: Client, id: OperationId): Client {
  return operations[id].security === 'dashboardSession' ? browsers.get(asker)! : asker;
}

function newKey() {
  return client.expect(201, 'createApiKey', { body: { workspace_id, name: 'key' } });
}

function newGrant(actions: string, decision = 'allow') {
  return client.expect(201, 'createGrant', { body: { workspace_id, actions, decision } });
}

/** Has a call of this action ask for an approval. */
async function newApproval(action: string, input: object): Promise<string> {
  await newGrant(action, 'require_approval');
  await client.expect(403, 'createActionInvocation', { body: { action, input } });
  return (await client.expect(200, 'listApprovals')).data[0]!.id;
}

const hello = { input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }] };
const EVENTS = { accept: 'text/event-stream' };
const refusedForNow = ({ status }: { status: string | number }) => Number(status) === 429;

/** A request of each operation that succeeds. */
const GOOD: Record<OperationId, CallOptions> = {
  createSession: { body: {} }, listSessions: {},
  getSession: { path: { session_id } }, listSessionMessages: { path: { session_id } },
  updateSession: { path: { session_id }, body: { title: 'new' } },
  deleteSession: { path: { session_id: 'ses_none' } },
  createRun: { path: { session_id }, body: { ...hello, wait: true } },
  listRuns: {}, getRun: { path: { run_id } }, cancelRun: { path: { run_id } },
  streamRunEvents: { path: { run_id } },
  listActions: {}, searchActions: { body: { query: 'list sessions' } },
  getAction: { path: { action: 'gateway.connections.list' } },
  createActionInvocation: { body: { action: 'gateway.connections.list' } },
  listActionInvocations: {}, getActionInvocation: { path: { invocation_id } },
  getOpenapiDocument: {},
  createWorkspace: { body: { name: 'new' } },
  listWorkspaces: {}, getWorkspace: { path: { workspace_id } },
  updateWorkspace: { path: { workspace_id }, body: { name: 'Default' } },
  createApiKey: { body: { workspace_id, name: 'new' } },
  listApiKeys: {}, updateApiKey: { ...ofRevoked, body: { name: 'one' } }, revokeApiKey: ofRevoked,
  createAdminToken: { body: { name: 'new' } }, listAdminTokens: {},
  revokeAdminToken: { path: { admin_token_id: oldToken.id } },
  getDashboardSignIn: {}, createDashboardSession: { body: { admin_token: client.admin_token } },
  listDashboardSessions: {}, getCurrentDashboardSession: {}, endDashboardSession: {},
  revokeDashboardSession: { path: { dashboard_session_id } },
  createDashboardTicket: {},
  createIntegration: { body: petIntegration(store, { slug: 'more_pets' }) },
  listIntegrations: {},
  getIntegration: { path: pets },
  updateIntegration: { path: pets, body: { title: 'Pets' } },
  deleteIntegration: { path: { slug: 'none' } },
  refreshIntegration: { path: pets, body: {} },
  createConnection: { body: {
    workspace_id, integration: 'pets', name: 'new', credentials: { type: 'none' } } },
  listConnections: {},
  getConnection: { path: { connection_id } },
  updateConnection: { path: { connection_id }, body: { name: 'Pets' } },
  deleteConnection: { path: { connection_id: 'con_none' } },
  checkConnection: { path: { connection_id } },
  createGrant: { body: { workspace_id, actions: 'pets.*', decision: 'allow' } },
  previewGrant: { body: { workspace_id, actions: 'pets.*' } },
  listGrants: {}, deleteGrant: { path: { grant_id: 'grt_none' } },
  listApprovals: {},
  getApproval: { path: { approval_id } },
  decideApproval: { path: { approval_id }, body: { decision: 'approve' } },
  listAuditEntries: {}, verifyAuditLog: {}, getOverview: {},
};

type Recipe = (id: OperationId, good: CallOptions, t: Test) =>
  Promise<{ status: unknown; body: unknown }>;

/** How a status comes about, whatever the operation. */
const GENERAL: Record<number, Recipe> = {
  200: (id, good) => by(client, id).call(id, good),
  201: (id, good) => by(client, id).call(id, good),
  204: (id, good) => by(client, id).call(id, good),
  400: (id, good) => by(client, id).call(id, { ...good, query: { unknown_parameter: 1 } }),
  401: async (id, good, t) => {
    const answer = await client.call(id, { ...good, token: revoked.api_key });
    t.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    return answer;
  },
  403: (id, good) => viewer.call(id, good),
  404: (id, good) => client.call(id, { ...good, path: {} }),
  406: (id, good) => by(client, id).call(id, { ...good, headers: { accept: 'image/png' } }),
  413: (id, good) => {
    const limit_bytes = operations[id].large_body ? DOCUMENT_LIMIT_BYTES : BODY_LIMIT_BYTES;
    return client.call(id, { ...good, raw: JSON.stringify(good.body).padEnd(limit_bytes + 1) });
  },
  415: (id, good) => client.call(id, { ...good, headers: { 'content-type': 'text/plain' } }),
  429: async (id, good, t) => {
    const { headers, ...answer } = await untilSeen('too many requests',
      () => by(hurried, id).call(id, good), refusedForNow);
    t.strictSame(faultsOf(headers), []);
    t.match(answer.body, { code: 'rate_limited' });
    return answer;
  },
  500: async (id, good, t) => {
    const answer = await by(faulty.broken(id), id).call(id, good);
    t.notMatch(JSON.stringify(answer.body), /relation|select|update|insert/, 'for the log alone');
    return answer;
  },
  503: async (id, good, t) => {
    const answer = await by(faulty.unreachable, id).call(id, good);
    t.equal(answer.headers.get('retry-after'), '1');
    return answer;
  },
};

/** How a status comes about that is particular to an operation. */
const PARTICULAR: Record<string, Recipe> = {
  'createSession 409': reusedKey({ title: 'other' }),
  'deleteSession 204': async (id) =>
    client.call(id, { path: { session_id: await newSession(client) } }),
  'deleteSession 409': async (id) => {
    const busy = await endlessRun(client, await newSession(client));
    return await client.call(id, { path: { session_id: busy.session_id } });
  },
  'createRun 202': (id) => client.call(id, { path: { session_id }, body: hello }),
  'createRun 409': async (id) => {
    const archived = { session_id: await newSession(client) };
    await client.call('updateSession', { path: archived, body: { status: 'archived' } });
    return await client.call(id, { path: archived, body: hello });
  },
  'createRun 429': (id, good) => whileStreaming(() =>
    client.call(id, { ...good, body: { ...hello, stream: true } })),
  'streamRunEvents 429': (id, good) => whileStreaming(() =>
    client.call(id, { ...good, headers: EVENTS })),
  'streamRunEvents 204': async (id, good) => {
    const { data } = await client.expect(200, 'streamRunEvents', good);
    const headers = { ...EVENTS, 'last-event-id': String(data.at(-1)!.sequence_number) };
    return await client.call(id, { ...good, headers });
  },
  'streamRunEvents 410': async (id) => {
    const old = await completeRun(client, session_id, '@rehearsal words=1');
    await sql`delete from run_events where run_id = ${old.id} and seq < 3`;
    return await client.call(id, { path: { run_id: old.id }, headers: EVENTS });
  },
  'createActionInvocation 403': (id) => client.call(id, { body: { action: 'lab.item.delete' } }),
  'createActionInvocation 404': (id) => client.call(id, { body: { action: 'lab.none.get' } }),
  'createActionInvocation 409': (id) =>
    notConnected.call(id, { body: { action: 'lab.echo.get' } }),
  'createActionInvocation 502': (id) => client.call(id, { body: { action: 'lab.error.get' } }),
  'createActionInvocation 504': (id) => client.call(id, { body: { action: 'lab.gate.hold' } }),
  'getOpenapiDocument 304': (id) => client.call(id, { headers: { 'if-none-match': '*' } }),
  'createApiKey 404': (id) =>
    client.call(id, { body: { workspace_id: 'wsp_none', name: 'new' } }),
  'createIntegration 409': (id) => client.call(id, { body: petIntegration(store) }),
  'createIntegration 502': (id) => client.call(id,
    { body: { slug: 'away', kind: 'openapi', ...NOWHERE } }),
  'updateIntegration 409': whileItChanges,
  'updateIntegration 502': (id) => client.call(id, { path: pets, body: NOWHERE }),
  'deleteIntegration 204': async (id) => {
    await client.expect(201, 'createIntegration',
      { body: petIntegration(store, { slug: 'old_pets' }) });
    return await client.call(id, { path: { slug: 'old_pets' } });
  },
  'deleteIntegration 409': (id) => client.call(id, { path: pets }),
  'refreshIntegration 409': async (id) => {
    const slug = 'restless';
    const document_url = `${store.url}/openapi.json`;
    await client.expect(201, 'createIntegration',
      { body: petIntegration(store, { slug, document_url }) });
    // It is tried several times, and each time another was faster.
    store.answer = (_visit, response) =>
      void sql`update integrations set revision = revision + 1 where slug = ${slug}`
        .then(() => send(response, store.document));
    const answer = await client.call(id, { path: { slug }, body: {} });
    store.answer = null;
    return answer;
  },
  'refreshIntegration 502': async (id) => {
    const slug = 'moved';
    const document_url = `${store.url}/openapi.json`;
    await client.expect(201, 'createIntegration',
      { body: petIntegration(store, { slug, document_url }) });
    store.answer = (_visit, response) => send(response, 'moved', 410);
    const answer = await client.call(id, { path: { slug }, body: {} });
    store.answer = null;
    return answer;
  },
  'getDashboardSignIn 429': (id) => whileStrangersWait(() => client.call(id)),
  'createDashboardSession 401': (id) => client.call(id, { body: { ticket: 'gtk_none' } }),
  'createDashboardSession 403': (id, good) =>
    client.call(id, { ...good, headers: { origin: 'https://elsewhere.example' } }),
  'createDashboardSession 429': (id) => untilSeen('too many guesses',
    () => hurried.call(id, { body: { ticket: 'gtk_none' } }), refusedForNow),
  // What takes something away is never refused to an operator; to who guesses, it is.
  ...Object.fromEntries(['revokeApiKey', 'revokeAdminToken', 'revokeDashboardSession',
    'deleteGrant', 'deleteConnection'].map(
    (what): [string, Recipe] => [`${what} 429`, (id, good) => untilSeen('too many guesses',
      () => hurried.call(id, { ...good, token: newToken('gta') }), refusedForNow)])),
  'createDashboardSession 500': (id) => faulty.broken(id).call(
    id, { body: { admin_token: faulty.broken(id).admin_token } }),
  'endDashboardSession 204': async (id) => counted(await signedIn(server, 'viewer')).call(id),
  ...Object.fromEntries(['Workspace', 'ApiKey', 'AdminToken', 'Connection'].map(
    (what) => [`create${what} 409`, reusedKey({ name: 'other' })])),
  'createGrant 409': reusedKey({ decision: 'deny' }),
  'createConnection 404': (id, { body }) =>
    client.call(id, { body: { ...body as object, integration: 'none' } }),
  'createConnection 502': async (id, { body }) => {
    await client.expect(201, 'createIntegration', { body: petIntegration(store, {
      slug: 'nobody_knows_me', document: { ...petDocument(), components: { securitySchemes: {
        account: { type: 'openIdConnect', openIdConnectUrl: `${store.url}/away` } } } } }) });
    return await discovering(() => client.call(id,
      { body: { ...body as object, integration: 'nobody_knows_me', credentials: CLIENT } }));
  },
  'updateConnection 502': async (id) => {
    const { id: connection_id } = await connectPets(
      client, workspace_id, { integration: 'nobody_knows_me' });
    return await discovering(() => client.call(id,
      { path: { connection_id }, body: { credentials: CLIENT } }));
  },
  'updateConnection 409': async (id, good) => client.call(id, { ...good, path: await builtin() }),
  'deleteConnection 204': async (id) => {
    const { id: unused } = await connectPets(client, workspace_id);
    return await client.call(id, { path: { connection_id: unused } });
  },
  'deleteConnection 409': async (id) => client.call(id, { path: await builtin() }),
  'createGrant 404': (id, { body }) =>
    client.call(id, { body: { ...body as object, workspace_id: 'wsp_none' } }),
  'previewGrant 404': (id) =>
    client.call(id, { body: { workspace_id: 'wsp_none', actions: 'pets.*' } }),
  'deleteGrant 204': async (id) =>
    client.call(id, { path: { grant_id: (await newGrant('lab.*')).id } }),
  'decideApproval 409': async (id) => {
    const path = { approval_id: await newApproval('lab.echo.get', {}) };
    await client.expect(200, id as 'decideApproval', { path, body: { decision: 'deny' } });
    return await client.call(id, { path, body: { decision: 'approve' } });
  },
};

/** A document that nobody answers for. */
const NOWHERE = {
  document_url: 'http://127.0.0.1:1/', egress_allow: ['127.0.0.1:1', ...store.egress_allow],
};

const CLIENT = { type: 'oauth2', client_id: 'c' };

/** Makes a request while the pet store does not say where its endpoints are. */
async function discovering<T>(request: () => Promise<T>): Promise<T> {
  store.answer = (_visit, response) => send(response, 'gone', 410);
  const answer = await request();
  store.answer = null;
  return answer;
}

/** A connection that belongs to the workspace. */
async function builtin() {
  const query = { integration: 'gateway' };
  const { data } = await client.expect(200, 'listConnections', { query });
  return { connection_id: data[0]!.id };
}

/** The request's key stands for another request: the good one before this change. */
function reusedKey(change: object): Recipe {
  return async (id, good) => {
    const keyed = { ...good, headers: { 'idempotency-key': `${id}, taken` } };
    await client.call(id, keyed);
    return await client.call(id, { ...keyed, body: { ...good.body as object, ...change } });
  };
}

/** The integration is another one when the operation comes to write it. */
async function whileItChanges(id: OperationId, good: CallOptions) {
  const { answer } = await sql.begin(async (tx) => {
    await tx`update integrations set revision = revision + 1 where slug = ${pets.slug}`;
    const answer = client.call(id, good);
    await untilSeen('a request that waits for the integration', async () => {
      // The transaction must not be idle: the database ends those after a few seconds.
      await tx`select 1`;
      return await sql`
        select query from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
    }, (waiting) => waiting.some(({ query }) => query.includes('update integrations')));
    return { answer };
  }, { limit_ms: 60_000 });
  return await answer;
}

/** With the key's one event stream in use. */
async function whileStreaming<T>(work: () => Promise<T>): Promise<T> {
  const open = await endlessRun(client, await newSession(client));
  const stream = client.events('streamRunEvents', { path: { run_id: open.id } });
  await stream.next();
  const result = await work();
  await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  for await (const event of stream) void event;
  return result;
}

const seen = new Set<string>();
function counted(asker: Client): Client {
  asker.on_answer = (id, status) => seen.add(`${id} ${status}`);
  return asker;
}
[client, notConnected, hurried, ...faulty.clients, viewer, ...browsers.values()].forEach(counted);
const declared = Object.entries(operations).flatMap(([id, { responses }]) =>
  Object.keys(responses).map((status) => ({ id: id as OperationId, status: Number(status) })));

for (const { id, status } of declared) {
  const pair = `${id} ${status}`;
  if (pair in NOT_EXERCISED) continue;
  t.test(pair, async (t) => {
    const recipe = PARTICULAR[pair] ?? GENERAL[status];
    if (!recipe) return t.fail(`${pair} is declared; write a recipe for it`);
    const { status: answered, body } = await recipe(id, GOOD[id], t);
    t.equal(answered, status, JSON.stringify(body)?.slice(0, 300));
  });
}

t.test('event streams are a success of their own', async (t) => {
  const streams = Object.entries(operations)
    .filter(([, { produces }]) => (produces as readonly string[]).includes('text/event-stream'));
  t.strictSame(streams.map(([id]) => id), ['createRun', 'streamRunEvents']);
  for (const [id, options] of [
    ['createRun', { path: { session_id }, body: { ...hello, stream: true } }],
    ['streamRunEvents', { path: { run_id } }]] as const) {
    const types: string[] = [];
    for await (const { type } of client.events(id, options)) types.push(type);
    t.equal(types.at(-1), 'run.completed', id);
  }
});

t.test('every declared pair has been seen, but for those that say why not', async (t) => {
  const missing = declared.map(({ id, status }) => `${id} ${status}`)
    .filter((pair) => !seen.has(pair));
  t.strictSame(missing.sort(), Object.keys(NOT_EXERCISED).sort());
  t.ok(missing.length <= NOT_EXERCISED_AT_MOST, 'the list may only shrink');
});
