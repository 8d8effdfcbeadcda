/** Nodes of each role on one database: who serves, who executes, and what reaches whom. */
import t from 'tap';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { collect, prompt } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, endlessRun, eventsOf, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const api = await testServer(t, { config: { role: 'api' } });
const other = await testServer(t, { config: { role: 'api' }, database: api });
const { client, sql, workspace_id } = api;
await connectTo(sql, workspace_id, 'lab');

/** A worker that hears of nothing but by NOTIFY, unless the test says otherwise. */
const QUIET = { role: 'worker', lease_ms: 600_000, claim_poll_ms: 60_000 };

const get = (base_url: string, path: string, init?: RequestInit) =>
  fetch(base_url.replace('/v1', path), init);

t.test('a worker serves nothing but its health', async (t) => {
  const { service } = await testServer(t, { config: QUIET, database: api });
  const { base_url } = service;
  t.equal((await get(base_url, '/healthz')).status, 200);
  t.match(await (await get(base_url, '/readyz')).json(), { status: 'ready' });
  const paths = ['/', '/docs', '/v1/sessions', '/v1/openapi.json', '/v1/admin/workspaces'];
  for (const path of paths) {
    const response = await get(base_url, path, { redirect: 'manual' });
    t.equal(response.status, 404, path);
    t.match(await response.json(), { code: 'not_found', error: /role is worker/ });
  }
  t.equal((await get(base_url, '/healthz', { method: 'POST' })).status, 404);
});

t.test('a worker that cannot renew its lease is not ready', async (t) => {
  const { service } = await testServer(t,
    { config: { ...QUIET, lease_ms: 300 }, database: api });
  await sql`alter table workers rename to workers_away`;
  t.teardown(() => sql`alter table if exists workers_away rename to workers`);
  const readiness = async () => {
    const response = await get(service.base_url, '/readyz');
    return { status: response.status, says: JSON.stringify(await response.json()) };
  };
  await untilSeen('a node without a lease', readiness,
    ({ status, says }) => status === 503 && says.includes('["lease"]'));
  await sql`alter table workers_away rename to workers`;
  await untilSeen('a node that has its lease again', readiness, ({ status }) => status === 200);
});

t.test('an api node executes nothing; a worker does, also actions of the service', async (t) => {
  const run = await queueRun(client, await newSession(client, 'one'),
    'call gatehouse.sessions.list {"query": {"limit": 1}}');
  const reading = collect(other.client.as(client.api_key!)
    .events('streamRunEvents', { path: { run_id: run.id } }));
  t.equal((await sql`select from workers`).length, 0);
  t.equal((await client.expect(200, 'getRun', { path: { run_id: run.id } })).status, 'queued');
  await testServer(t, { config: QUIET, database: api });
  const events = await reading;
  t.equal(events.at(-1)!.type, 'run.completed', 'seen on another api node');
  t.match(events.find(({ type }) => type === 'tool_call.completed'), {
    data: { name: 'gatehouse.sessions.list', result: { result: { object: 'list' } } } });
  const next = await completeRun(client, await newSession(client), '@rehearsal words=2');
  t.equal(next.status, 'completed', 'a worker is told of what is queued');
});

t.test('several workers share the runs, each within its concurrency', async (t) => {
  let [running, most] = [0, 0];
  const arrived = Promise.withResolvers<void>();
  const source = testSource('lab', { read: { perform: async () => {
    running += 1;
    most = Math.max(most, running);
    if (running === 4) arrived.resolve();
    await arrived.promise;
    running -= 1;
  } } });
  await Promise.all([1, 2].map(() => testServer(t,
    { config: { ...QUIET, concurrency: 2 }, database: api, sources: [source] })));
  const runs = await Promise.all(Array.from({ length: 8 }, async () =>
    queueRun(client, await newSession(client), 'call lab.test.read')));
  const ends = await Promise.all(runs.map(async ({ id }) =>
    (await eventsOf(client, id)).at(-1)!.type));
  t.same(ends, Array.from(ends, () => 'run.completed'));
  t.equal(most, 4, 'two on each, at once');
});

t.test('cancelling needs no worker', async (t) => {
  const run = await queueRun(client, await newSession(client), '@rehearsal words=2');
  const cancelled = await other.client.as(client.api_key!)
    .expect(200, 'cancelRun', { path: { run_id: run.id } });
  t.equal(cancelled.status, 'cancelled');
  t.equal((await eventsOf(client, run.id)).at(-1)!.type, 'run.cancelled');
});

t.test('a cancel aborts the model and the actions of another node', async (t) => {
  const held = heldAction();
  await testServer(t, { config: QUIET, database: api,
    sources: [testSource('lab', { held: held.action })] });
  const thinking = await endlessRun(client, await newSession(client));
  const acting = await queueRun(client, await newSession(client), 'call lab.test.held');
  const signal = await held.begun;
  for (const { id } of [thinking, acting]) {
    await client.expect(200, 'cancelRun', { path: { run_id: id } });
  }
  const answered_ms = performance.now();
  await aborted(signal);
  const waited_ms = performance.now() - answered_ms;
  t.comment(`measured: aborted ${waited_ms.toFixed(0)} ms after the answer`);
  // However slow the machine is: the worker looks at the database by itself once in a minute.
  t.ok(waited_ms < 30_000, 'it was told');
  // The one that was thinking is over as well: a worker of no concurrency could take no other.
  await untilSeen('the record of the call', async () => await sql`
    select status, error from action_invocations where run_id = ${acting.id}`,
  ({ length }) => length === 1);
  t.match((await eventsOf(client, acting.id)).slice(-2), [
    { type: 'tool_call.failed', data: { error: { code: 'cancelled' } } },
    { type: 'run.cancelled' }]);
});

t.test('what was missed while the connection was lost is made up for when it stands', async (t) => {
  const held = heldAction();
  await testServer(t, { config: { ...QUIET, concurrency: 1 }, database: api,
    sources: [testSource('lab', { held: held.action })] });
  const run = await queueRun(client, await newSession(client), 'call lab.test.held');
  const signal = await held.begun;
  // As if the node that cancelled had been unable to tell.
  await sql`select cancel_run(${workspace_id}, ${run.id}, 'requested')`;
  t.notOk(signal.aborted);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`;
  await aborted(signal);
  const next = await completeRun(client, await newSession(client), '@rehearsal words=2');
  t.equal(next.status, 'completed', 'and the worker hears again');
});

t.test('a cancel that nobody told of is found out all the same', async (t) => {
  const held = heldAction();
  await testServer(t, { config: { ...QUIET, claim_poll_ms: 100 }, database: api,
    sources: [testSource('lab', { held: held.action })] });
  const run = await client.expect(202, 'createRun', {
    path: { session_id: await newSession(client) }, body: prompt('call lab.test.held') });
  const signal = await held.begun;
  await sql`select cancel_run(${workspace_id}, ${run.id}, 'requested')`;
  await aborted(signal);
  t.ok(signal.aborted);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
