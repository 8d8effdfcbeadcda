import { once } from 'node:events';
import t from 'tap';
import { EventHub } from '../../src/runs/eventHub.ts';
import { createLog } from '../../src/log.ts';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { collect, prompt } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import { refusePoison } from '../support/poison.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

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

t.test('a run that gets further between is not given up, whatever it is lost with', async (t) => {
  let calls = 0;
  const node = await testServer(t, { database: api, config: { max_attempts: 2 },
    sources: [testSource('lab', { held: { perform: async (_request, signal) => {
      calls += 1;
      // Each is lost when it is made first, and has its result when it is made again.
      if (calls % 2 === 1) await once(signal, 'abort');
      return calls;
    } } })] });
  const losses = 4;
  const run = await client.expect(202, 'createRun', { path: { session_id: await newSession() },
    body: prompt(Array(losses).fill('call lab.test.held').join('\n')) });
  for (let loss = 1; loss <= losses; loss++) {
    await untilSeen('a call under way', () => calls, (seen) => seen === 2 * loss - 1);
    await sql`insert into workers (id, host, lease_until)
      values (${`wrk_dead_${loss}`}, 'test', '-infinity')`;
    await sql`update runs set worker_id = ${`wrk_dead_${loss}`} where id = ${run.id}`;
  }
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.equal(events.at(-1)!.type, 'run.completed');
  t.equal(events.filter(({ type }) => type === 'run.started').length, 1 + losses);
  await node.service.stop();
});

t.test('a run that faults of ours interrupt again and again is given up', async (t) => {
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('@rehearsal words=2') });
  await sql`update runs set status = 'running', head = false, attempt = 3, worker_id = '',
    started_at = now() where id = ${run.id}`;
  await sql`insert into run_events (workspace_id, run_id, seq, type, data)
    select ${workspace_id}, ${run.id}, n, 'run.started',
      format('{"attempt":%s,"model":"rehearsal"}', n - 1)::json
    from generate_series(2, 4) n`;
  await sql`update runs set last_seq = 4 where id = ${run.id}`;
  await testServer(t, { database: api, config: { max_attempts: 3 } });
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.match(events.at(-1), { type: 'run.failed',
    data: { error: { code: 'internal_error', message: /Faults on our side/ } } });
});

t.test('being handed over by workers that stop costs no attempt', async (t) => {
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('call lab.test.held') });
  for (let n = 0; n < 3; n++) {
    const held = heldAction();
    const node = await testServer(t, { database: api, config: { max_attempts: 1 },
      sources: [testSource('lab', { held: held.action })] });
    await held.begun;
    await node.service.stop();
  }
  const last = heldAction();
  last.release();
  await testServer(t, { database: api, config: { max_attempts: 1 },
    sources: [testSource('lab', { held: last.action })] });
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.equal(events.at(-1)!.type, 'run.completed');
  t.same(events.filter((event) => event.type === 'run.started').length, 4);
  t.equal((await client.expect(200, 'getRun', { path: { run_id: run.id } })).attempts, 4);
});

t.test('steps, tokens and time go on counting where the lost worker was', async (t) => {
  const [first, second] = [heldAction(), heldAction()];
  const lost = await testServer(t, { database: api, config: { lease_ms: 600_000 },
    sources: [testSource('lab', { held: first.action })] });
  const session_id = await newSession();
  const begin = (rest: object) => client.expect(202, 'createRun', {
    path: { session_id },
    body: prompt('call gateway.connections.list\ncall lab.test.held\n'
      + 'call gateway.connections.list', rest) });
  const run = await begin({ max_steps: 3 });
  await first.begun;
  const [before] = await sql`select steps, input_tokens, started_at from runs where id = ${run.id}`;
  t.equal(before!.steps, 2);
  await loseWorkers();
  second.release();
  const next = await testServer(t, { database: api,
    sources: [testSource('lab', { held: second.action })] });
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  const end = events.at(-1)!;
  t.match(end, { type: 'run.failed', data: { error: { code: 'max_steps_exceeded' } } });
  const [after] = await sql`select steps, input_tokens, started_at from runs where id = ${run.id}`;
  t.equal(after!.steps, 3);
  t.equal(after!.started_at, before!.started_at);
  t.ok(after!.input_tokens > before!.input_tokens);
  t.match(end, { data: { usage: { input_tokens: after!.input_tokens } } });
  await lost.service.stop();

  // Of its time, what has passed until the first worker was lost is gone.
  await next.service.stop();
  const slow = await begin({ timeout_s: 60 });
  await sql`update runs set status = 'running', head = false, attempt = 1, worker_id = 'gone',
    started_at = now() - interval '61 seconds', last_seq = 2 where id = ${slow.id}`;
  await sql`insert into run_events (workspace_id, run_id, seq, type, data)
    values (${workspace_id}, ${slow.id}, 2, 'run.started', '{"attempt":1,"model":"rehearsal"}')`;
  await testServer(t, { database: api });
  const late = await collect(client.events('streamRunEvents', { path: { run_id: slow.id } }));
  t.match(late.at(-1), { type: 'run.failed', data: { error: { code: 'timeout' } } });
});

t.test('what a step had begun and not committed is void, and its calls are closed', async (t) => {
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('call lab.test.held') });
  // What a worker leaves that is lost while the model writes the arguments of a call.
  await sql`update runs set status = 'running', head = false, attempt = 1, worker_id = 'gone',
    started_at = now(), last_seq = 4 where id = ${run.id}`;
  await sql`insert into run_events (workspace_id, run_id, seq, type, data) values
    (${workspace_id}, ${run.id}, 2, 'run.started', '{"attempt":1,"model":"rehearsal"}'),
    (${workspace_id}, ${run.id}, 3, 'tool_call.started',
      '{"tool_call_id":"call_1","name":"lab.test.held"}'),
    (${workspace_id}, ${run.id}, 4, 'tool_call.arguments.delta',
      '{"tool_call_id":"call_1","delta":"{\\"action\\":"}')`;
  const held = heldAction();
  held.release();
  await testServer(t, { database: api, sources: [testSource('lab', { held: held.action })] });
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  const calls = events.filter(({ type }) => /^tool_call\.(started|completed|failed)$/.test(type))
    .map(({ type, data }) => [type, (data as { tool_call_id: string }).tool_call_id] as const);
  t.same(calls.map(([type]) => type), ['tool_call.started', 'tool_call.failed',
    'tool_call.started', 'tool_call.completed']);
  t.equal(calls[0]![1], calls[1]![1]);
  t.not(calls[1]![1], calls[2]![1], 'the step is made anew, under new ids');
  t.match(events.find(({ type }) => type === 'tool_call.failed'),
    { data: { error: { code: 'interrupted' } } });
  t.equal(events.at(-1)!.type, 'run.completed');
});

t.test('what cannot be stored ends its own run, with an error that says so', async (t) => {
  await refusePoison(t, sql, 'tool_call.completed');
  await testServer(t, { database: api, sources: [testSource('lab', {
    held: { perform: async () => 'poison' }, fine: { perform: async () => 'fine' } })] });
  const [bad, good] = await Promise.all(['call lab.test.fine & call lab.test.held',
    'call lab.test.fine'].map(async (text) => await client.expect(202, 'createRun',
    { path: { session_id: await newSession() }, body: prompt(text) })));
  const events = await collect(client.events('streamRunEvents', { path: { run_id: bad!.id } }));
  t.match(events.at(-1), { type: 'run.failed', data: {
    error: { code: 'internal_error', message: /could not be stored/, retryable: false } } });
  t.equal(events.filter(({ type }) => type === 'run.started').length, 1, 'at once');
  const other = await collect(client.events('streamRunEvents', { path: { run_id: good!.id } }));
  t.equal(other.at(-1)!.type, 'run.completed');
});

t.test('the usage of a run is that of its committed steps, whoever tells it', async (t) => {
  await refusePoison(t, sql, 'message.output.completed');
  await testServer(t, { database: api });
  const run = await client.expect(202, 'createRun',
    { path: { session_id: await newSession() }, body: prompt('poison') });
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  const { error, usage } = await client.expect(200, 'getRun', { path: { run_id: run.id } });
  t.match(error, { code: 'internal_error', message: /could not be stored/ });
  t.match(events.at(-1), { type: 'run.failed', data: { usage } });
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
  const watcher = hub.watch(workspace_id, run.id, 'events');
  await watcher.changed();
  watcher.close();
  t.pass('woken by the poll');
});

t.test('a run that its worker knows nothing of goes on, however long claims take', async (t) => {
  // A claim begins with each look at what the worker executes, and is answered later than it.
  const [{ made }] = await sql<[{ made: string }]>`
    select pg_get_functiondef('claim_next'::regproc) as made`;
  await sql.unsafe(made.replace(/^begin$/m, 'begin perform pg_sleep(0.2);'));
  t.teardown(() => sql.unsafe(made));
  const run = await client.expect(202, 'createRun',
    { path: { session_id: await newSession() }, body: prompt('@rehearsal words=2') });
  await sql`insert into workers (id, host, lease_until) values ('wrk_other', 'test',
    now() + interval '9 minutes')`;
  await sql`update runs set status = 'running', head = false, attempt = 1, last_seq = 2,
    worker_id = 'wrk_other', started_at = now() where id = ${run.id}`;
  await sql`insert into run_events (workspace_id, run_id, seq, type, data)
    values (${workspace_id}, ${run.id}, 2, 'run.started', '{"attempt":1,"model":"rehearsal"}')`;
  const node = await testServer(t, { database: api, config: { lease_ms: 600 } });
  // As if the answer to its claim was lost, or handing it back failed while the database was away.
  await sql`update runs set worker_id = (
    select id from workers where lease_until between now() and now() + interval '1 minute')
    where id = ${run.id}`;
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.equal(events.at(-1)!.type, 'run.completed');
  await node.service.stop();
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
