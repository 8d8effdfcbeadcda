/**
 * An id of another workspace is answered as one that never was: the same status, headers and bytes,
 * but for the id itself and the ids of the request and of the recorded attempt.
 */
import t, { type Test } from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { prompt, type CallOptions } from '../support/client.ts';
import { readPage } from '../support/pages.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, eventsOf, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

const server = await testServer(t);
const { client: owner } = server;
const stranger = await otherWorkspace(server);
const session_id = await newSession(owner, 'private');
const run = await completeRun(owner, session_id, 'call gateway.connections.list');
const { invocation_id } = run.tool_calls[0]!;
const { connection_id } = await owner.expect(200, 'getActionInvocation',
  { path: { invocation_id: invocation_id! } });
const IDS: Record<string, string> = {
  session_id, run_id: run.id, invocation_id: invocation_id!, connection_id: connection_id!,
};

/** An id of the same length that never was. */
function neverWas(id: string): string {
  return id.slice(0, -4) + (id.endsWith('zzzz') ? 'yyyy' : 'zzzz');
}

/** Everything that the stranger sees of an answer, without what differs between any two. */
async function view(operation: OperationId, options: CallOptions, id: string) {
  const response = await stranger.fetch(operation, options);
  const headers = Object.fromEntries(response.headers);
  delete headers.date;
  delete headers['x-request-id'];
  delete headers.ratelimit;
  const text = (await response.text()).replaceAll(id, '<id>')
    .replace(/"request_id":"[^"]+"/g, '"request_id":"<id>"')
    .replace(/"invocation_id":"inv_[^"]+"/g, '"invocation_id":"<id>"');
  return { status: response.status, headers, text };
}

/** The answer for the owner's id, shown to be that for an id that never was. */
async function looksUnknown(
  t: Test, operation: OperationId, name: string, ask: (id: string) => CallOptions) {
  const id = IDS[name]!;
  const unknown = neverWas(id);
  const foreign = await view(operation, ask(id), id);
  t.strictSame(foreign, await view(operation, ask(unknown), unknown));
  return foreign;
}

t.test('in the path', async (t) => {
  const bodies: Partial<Record<OperationId, unknown[]>> = {
    updateSession: [{ title: 'mine now' }, { status: 'archived' }],
    createRun: [prompt('hello'), prompt('hello', { wait: true }), prompt('hello', { stream: true }),
      prompt('hello', { concurrency: 'interrupt' })],
  };
  const withIds = Object.entries(operations)
    .filter(([, { path, internal }]) => path.includes('_id}') && !internal);
  t.ok(withIds.length >= 7);
  for (const [id, { path }] of withIds) {
    const operation = id as OperationId;
    const name = /\{(\w+)\}/.exec(path)![1]!;
    for (const body of bodies[operation] ?? [undefined]) {
      for (const accept of ['application/json', 'text/event-stream, application/json;q=0.1']) {
        const { status, text } = await looksUnknown(t, operation, name,
          (value) => ({ path: { [name]: value }, headers: { accept }, body }));
        t.equal(status, 404, `${id} ${text}`);
      }
    }
  }
});

t.test('with an idempotency key', async (t) => {
  const { status } = await looksUnknown(t, 'createRun', 'session_id', (value) => (
    { path: { session_id: value }, headers: { 'idempotency-key': 'key' }, body: prompt('x') }));
  t.equal(status, 404);
});

t.test('in a filter', async (t) => {
  for (const [operation, name] of [
    ['listRuns', 'session_id'], ['listActionInvocations', 'run_id']] as const) {
    const { status, text } = await looksUnknown(t, operation, name,
      (value) => ({ query: { [name]: value } }));
    t.equal(status, 200);
    t.match(JSON.parse(text), { data: [] });
  }
});

t.test('in a call of an action', async (t) => {
  const calls: [action: string, name: string, input: (id: string) => object][] = [
    ['gatehouse.sessions.get', 'session_id', (id) => ({ path: { session_id: id } })],
    ['gatehouse.runs.get', 'run_id', (id) => ({ path: { run_id: id } })],
    ['gatehouse.runs.stream_events', 'run_id', (id) => ({ path: { run_id: id } })],
    ['gatehouse.action_invocations.get', 'invocation_id',
      (id) => ({ path: { invocation_id: id } })],
  ];
  for (const [action, name, input] of calls) {
    const { status, text } = await looksUnknown(t, 'createActionInvocation', name,
      (value) => ({ body: { action, input: input(value) } }));
    t.equal(status, 502, action);
    t.match(text, /"status":404/);
  }
  const { status } = await looksUnknown(t, 'createActionInvocation', 'connection_id',
    (value) => ({ body: { action: 'gateway.connections.list', connection_id: value } }));
  t.equal(status, 400);
});

t.test('an integration and a connection that the operator gave to another workspace', async (t) => {
  const store = await startPetStore(t);
  await owner.expect(201, 'createIntegration', { body: petIntegration(store, { slug: 'shared' }) });
  IDS.shared = (await connectPets(owner, server.workspace_id, { integration: 'shared' })).id;
  await connectPets(owner, await workspaceOf(stranger), { integration: 'shared' });
  // What is similar to a name is said of it, so the same name is asked for before it is there.
  const call = { body: { action: 'pets.pets.list' } };
  const before = await view('createActionInvocation', call, '-');
  t.equal(before.status, 404);
  const named = { path: { action: 'pets.pets.list' } };
  const unknown = await view('getAction', named, '-');
  t.equal(unknown.status, 404);
  await owner.expect(201, 'createIntegration',
    { body: petIntegration(store, { workspace_ids: [server.workspace_id] }) });
  await connectPets(owner, server.workspace_id);
  await owner.expect(201, 'createActionInvocation', call);
  t.strictSame(await view('createActionInvocation', call, '-'), before);
  t.strictSame(await view('getAction', named, '-'), unknown);
  const { status } = await looksUnknown(t, 'createActionInvocation', 'shared',
    (connection_id) => ({ body: { action: 'shared.pets.list', connection_id } }));
  t.equal(status, 400);
  const { text } = await view('searchActions', { body: { query: 'list pets' } }, '-');
  t.match(text, 'shared.pets.list');
  t.notMatch(text, '"pets.pets.list"');
  t.strictSame((await stranger.expect(200, 'listActions', { query: { integration: 'pets' } })).data,
    []);
  t.equal(store.visits.length, 1, 'of its owner');
});

/** The workspace of a key. */
async function workspaceOf({ api_key }: typeof owner): Promise<string> {
  const { data } = await owner.expect(200, 'listApiKeys');
  return data.find(({ hint }) => api_key!.endsWith(hint.slice(1)))!.workspace_id;
}

t.test('the stranger has changed nothing, and sees nothing in any list', async (t) => {
  t.match(await owner.expect(200, 'getSession', { path: { session_id } }),
    { title: 'private', status: 'active' });
  t.strictSame((await readPage(owner, 'listRuns')).ids, [run.id]);
  t.equal((await eventsOf(owner, run.id)).at(-1)!.type, 'run.completed');
  t.strictSame((await readPage(stranger, 'listSessions')).ids, []);
  t.strictSame((await readPage(stranger, 'listRuns')).ids, []);
  const attempts = await stranger.expect(200, 'listActionInvocations', { query: { limit: 100 } });
  t.ok(attempts.data.every(({ source }) => source === 'api'), 'only its own attempts');
  const actions = await stranger.expect(200, 'listActions', { query: { limit: 100 } });
  t.notMatch(JSON.stringify(actions), IDS.connection_id!);
});

t.test('who has no workspace is told nothing of what an api key reaches', async (t) => {
  const { error } = await owner.expect(404, 'getConnection',
    { path: { connection_id: 'con_none' } });
  t.equal(error, 'No connection has the id "con_none". Check the id.');
  const foreign = await stranger.expect(404, 'getRun', { path: { run_id: run.id } });
  t.equal(foreign.error, `No run has the id "${run.id}". Check the id. An api key reaches only what`
    + ' is in its own workspace.');
});
