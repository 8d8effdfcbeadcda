import t from 'tap';
import { EventHub } from '../../src/runs/eventHub.ts';
import { createLog } from '../../src/log.ts';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { collect, prompt } from '../support/client.ts';
import { faultsInLogs } from '../support/log.ts';
import { testServer } from '../support/server.ts';

// An API node without a worker, and workers that come and go on its database.
const api = await testServer(t, { config: { concurrency: 0 } });
const { client, sql, workspace_id } = api;
await connectTo(sql, workspace_id, 'lab');

async function newSession(): Promise<string> {
  return (await client.expect(201, 'createSession')).id;
}

/** Ends every worker's lease, as the loss of its host would. */
async function loseWorkers(): Promise<void> {
  await sql`update workers set lease_until = '-infinity'`;
}

t.test('runs wait for a worker, and one that comes takes them', async (t) => {
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('@rehearsal words=2') });
  t.equal(run.status, 'queued');
  const reading = collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  await testServer(t, { database: api });
  const events = await reading;
  t.equal(events.at(-1)!.type, 'run.completed', 'events reach the readers of another node');
});

t.test('a lost worker\'s run goes on from its last step; the zombie writes nothing', async (t) => {
  const [first, second] = [heldAction(), heldAction()];
  const one = await testServer(t, { database: api, config: { lease_ms: 600_000 },
    sources: [testSource('lab', { held: first.action })] });
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun',
    { path, body: prompt('call gateway.connections.list\ncall lab.test.held') });
  await first.begun;
  await loseWorkers();
  await testServer(t, { database: api, sources: [testSource('lab', { held: second.action })] });
  await second.begun;
  first.release(); // the zombie has its result, and must not be heard
  second.release();
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.equal(events.at(-1)!.type, 'run.completed');
  const starts = events.filter((event) => event.type === 'run.started');
  t.same(starts.map((event) => event.data.attempt), [1, 2]);
  const done = events.filter((event) => event.type === 'tool_call.completed');
  t.same(done.map((event) => event.data.name), ['gateway.connections.list', 'lab.test.held'],
    'the first call was not repeated, the open one has one result');
  t.same([first.calls, second.calls], [1, 1]);
  await one.service.stop();
});

t.test('stopping a worker hands its runs over at once', async (t) => {
  const [first, second] = [heldAction(), heldAction()];
  const one = await testServer(t, { database: api,
    sources: [testSource('lab', { held: first.action })] });
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('call lab.test.held') });
  await Promise.race([first.begun, second.begun]);
  const two = await testServer(t, { database: api,
    sources: [testSource('lab', { held: second.action })] });
  await one.service.stop();
  second.release();
  first.release();
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.equal(events.at(-1)!.type, 'run.completed');
  await two.service.stop();
});

t.test('a run that outlives too many workers is given up', async (t) => {
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('@rehearsal words=2') });
  await sql`update runs set status = 'running', head = false, attempt = 3, worker_id = 'gone',
    started_at = now() where id = ${run.id}`;
  await sql`insert into run_events (workspace_id, run_id, seq, type, data)
    select ${workspace_id}, ${run.id}, n, 'run.started',
      format('{"attempt":%s,"model":"rehearsal"}', n - 1)::json
    from generate_series(2, 4) n`;
  await sql`update runs set last_seq = 4 where id = ${run.id}`;
  await testServer(t, { database: api, config: { max_attempts: 3 } });
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.match(events.at(-1), { type: 'run.failed', data: { error: { code: 'worker_lost' } } });
});

t.test('two workers, many runs: each once, in the order of its session', async (t) => {
  await Promise.all([1, 2].map(() =>
    testServer(t, { database: api, config: { concurrency: 4, claim_poll_ms: 50 } })));
  const sessions = await Promise.all(Array.from({ length: 6 }, newSession));
  const runs = await Promise.all(Array.from({ length: 60 }, (_, index) =>
    client.expect(202, 'createRun', {
      path: { session_id: sessions[index % sessions.length]! },
      body: prompt(`@rehearsal words=${1 + (index % 5)}`) })));
  const logs = await Promise.all(runs.map((run) =>
    collect(client.events('streamRunEvents', { path: { run_id: run.id } }))));
  t.ok(logs.every((events) => events.at(-1)!.type === 'run.completed'));
  t.ok(logs.every((events) => events.filter((event) => event.type === 'run.started').length === 1));
});

t.test('lost hints cost a moment, not an event', async (t) => {
  const hub = new EventHub(sql, createLog('silent'));
  const path = { session_id: await newSession() };
  await testServer(t, { database: api });
  const run = await client.expect(202, 'createRun', { path, body: prompt('@rehearsal words=2') });
  await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  // A hub that was not open heard nothing of all that; its poll finds it.
  await hub.open();
  t.teardown(() => hub.close());
  const watcher = hub.watch(workspace_id, run.id);
  await watcher.changed(new AbortController().signal);
  watcher.close();
  t.pass('woken by the poll');
});

t.test('every log in this database is sound', async (t) => t.same(await faultsInLogs(sql), []));
