/** `/metrics` of a service that does something: it has every metric, and the numbers are right. */
import t from 'tap';
import { failure } from '../../src/gateway/action/failure.ts';
import { openRuns } from '../../src/store/overview.ts';
import { fullName, GAUGES, METRICS, type MetricName } from '../../src/telemetry/metrics.ts';
import { connectTo, testSource } from '../support/actions.ts';
import { collect, prompt } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { embeddingServer } from '../support/embeddingServer.ts';
import { scrape, valueOf } from '../support/prometheus.ts';
import { completeRun, endlessRun, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const server = await testServer(t, {
  config: {
    concurrency: 1, auth_failures_per_minute: 1, ...(await embeddingServer(t)).config,
  },
  sources: [testSource('lab', {
    read: { perform: async () => ({ fine: true }) },
    write: { effect: 'write', perform: async () => {
      throw failure('The answer was lost.', { code: 'outcome_unknown' });
    } },
    broken: { perform: async () => { throw failure('no'); } },
  })],
});
const { client, service, sql, workspace_id } = server;
await connectTo(sql, workspace_id, 'lab');
await client.expect(201, 'createGrant',
  { body: { workspace_id, actions: 'lab.*', decision: 'allow' } });

const metrics = () => scrape(service.metrics_url);

/** What `work` adds to the sum of the samples with this name and these labels. */
async function added(
  work: () => Promise<unknown>, name: string, labels: Record<string, string> = {}) {
  const before = valueOf(await metrics(), name, labels);
  await work();
  return valueOf(await metrics(), name, labels) - before;
}

const play = async (text: string) => await completeRun(client, await newSession(client), text);

t.test('it is text that Prometheus reads, and not kept by anybody between', async (t) => {
  const response = await fetch(service.metrics_url);
  t.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  t.equal(response.headers.get('cache-control'), 'no-store');
  t.equal(service.metrics_url, service.base_url.replace('/v1', '/metrics'));
  const head = await fetch(service.metrics_url, { method: 'HEAD' });
  t.match([head.status, await head.text()], [200, '']);
});

t.test('runs that are executed again begin with 0', async (t) => {
  t.match(await (await fetch(service.metrics_url)).text(),
    /^gatehouse_run_attempts_total\{kind="again"\} 0$/m);
});

t.test('a run is counted', async (t) => {
  let run = await play('hello');
  const again = async () => { run = await play('call lab.test.read'); };
  const model = 'rehearsal';
  t.equal(await added(again, 'gatehouse_runs_ended_total', { status: 'completed', code: '' }), 1);
  t.equal(await added(again, 'gatehouse_run_duration_seconds_count', { status: 'completed' }), 1);
  t.equal(await added(again, 'gatehouse_run_attempts_total', { kind: 'first' }), 1);
  t.equal(await added(again, 'gatehouse_run_wait_seconds_count'), 1);
  t.equal(await added(again, 'gatehouse_model_first_delta_seconds_count', { model }), 2);
  t.equal(await added(again, 'gatehouse_model_step_duration_seconds_count',
    { model, outcome: 'ok' }), 2);
  t.equal(await added(again, 'gatehouse_action_duration_seconds_count',
    { integration: 'lab', outcome: 'ok' }), 1);
  t.equal(await added(again, 'gatehouse_model_tokens_total', { model, direction: 'input' }),
    run.usage!.input_tokens);
  t.equal(await added(again, 'gatehouse_model_tokens_total', { model, direction: 'output' }),
    run.usage!.output_tokens);
  const events = await added(again, 'gatehouse_events_appended_total');
  const [row] = await sql<{ last_seq: number }[]>`
    select last_seq from runs where id = ${run.id}`;
  t.equal(events, row!.last_seq - 2, 'all but what its creation and its claim write');
  t.equal(await added(again, 'gatehouse_append_flush_events_sum'), events);
  t.ok(await added(again, 'gatehouse_append_flush_duration_seconds_count') >= 3);
});

t.test('what goes wrong is counted by what it was', async (t) => {
  const cut = () => play('@rehearsal fail=cut_stream\ncall lab.test.read');
  const of = { model: 'rehearsal', code: 'model_error' };
  t.equal(await added(cut, 'gatehouse_model_retries_total', of), 4, 'model_retries');
  t.equal(await added(cut, 'gatehouse_model_errors_total', of), 5);
  t.equal(await added(cut, 'gatehouse_runs_ended_total',
    { status: 'failed', code: 'model_error' }), 1);
  t.equal(await added(() => play('call lab.test.write'), 'gatehouse_outcomes_unknown_total',
    { integration: 'lab' }), 1);
  const calls = 'gatehouse_action_duration_seconds_count';
  t.equal(await added(() => play('call lab.test.write'), calls,
    { integration: 'lab', outcome: 'unknown' }), 1);
  t.equal(await added(() => play('call lab.test.broken'), calls,
    { integration: 'lab', outcome: 'failed' }), 1);
  t.equal(await added(() => play('call gatehouse.sessions.create {"body": {}}'), calls,
    { integration: 'gatehouse', outcome: 'refused' }), 1);
  t.equal(await added(() => play('call no.such.action'), calls,
    { integration: 'none', outcome: 'refused' }), 1, 'a made-up name is no label');
});

t.test('requests are counted by operation and status', async (t) => {
  const name = 'gatehouse_http_request_duration_seconds_count';
  const session = () => newSession(client);
  t.equal(await added(session, name, { operation: 'createSession', status: '201' }), 1);
  const missing = () => client.call('getRun', { path: { run_id: 'run_none' } });
  t.equal(await added(missing, name, { operation: 'getRun', status: '404' }), 1);
  const nowhere = () => fetch(`${service.base_url}/nowhere/${workspace_id}`);
  t.equal(await added(nowhere, name, { operation: 'none', status: '404' }), 1);
});

t.test('a stream is open while it is read, and its events are counted', async (t) => {
  const path = { session_id: await newSession(client) };
  let events = 0;
  const sent = await added(async () => {
    events = (await collect(client.events(
      'createRun', { path, body: prompt('hello', { stream: true }) }))).length;
  }, 'gatehouse_events_sent_total');
  t.equal(sent, events);
  const run = await endlessRun(client, path.session_id);
  const stop = new AbortController();
  const open = async () => valueOf(await metrics(), 'gatehouse_event_streams_open');
  await untilSeen('no open stream', open, (streams) => streams === 0);
  const response = await fetch(`${service.base_url}/runs/${run.id}/events`, {
    signal: stop.signal,
    headers: { Authorization: `Bearer ${client.api_key}`, Accept: 'text/event-stream' },
  });
  t.equal(await open(), 1);
  stop.abort();
  await response.text().catch(() => {});
  await untilSeen('no open stream', open, (streams) => streams === 0);
  t.equal(await added(() => client.expect(200, 'cancelRun', { path: { run_id: run.id } }),
    'gatehouse_runs_ended_total', { status: 'cancelled' }), 1);
});

t.test('what waits and what runs', async (t) => {
  const running = await endlessRun(client, await newSession(client));
  const session_id = await newSession(client);
  const queued = await queueRun(client, session_id, 'hello');
  const behind = await queueRun(client, session_id, 'hello');
  const open = async () => {
    const shown = await metrics();
    const [queues, runs] = ['queued', 'running'].map((state) =>
      valueOf(shown, 'gatehouse_runs', { state }));
    return { queued: queues!, running: runs! };
  };
  await untilSeen('two runs that wait and one that runs', open,
    (runs) => runs.queued === 2 && runs.running === 1);
  const shown = await metrics();
  t.equal(valueOf(shown, 'gatehouse_runs_executing'), 1);
  const [row] = await sql<{ age_s: number }[]>`
    select extract(epoch from clock_timestamp() - created_at)::double precision as age_s from runs
    where id = ${queued.id}`;
  const age_s = valueOf(await metrics(), 'gatehouse_queue_age_seconds');
  t.ok(age_s > 0 && age_s < row!.age_s + 60, 'that of the first of the two');
  await sql`
    update runs set created_at = created_at - interval '1 hour' where id = ${behind.id}`;
  await client.expect(200, 'cancelRun', { path: { run_id: queued.id } });
  const { queue_age_s } = await openRuns(sql);
  t.ok(queue_age_s > 0 && queue_age_s < 3_600, 'not the time that it was behind the other one');
  for (const { id } of [behind, running]) {
    await client.expect(200, 'cancelRun', { path: { run_id: id } });
  }
  await untilSeen('no open run', open, (runs) => runs.queued + runs.running === 0);
  t.equal(valueOf(await metrics(), 'gatehouse_queue_age_seconds'), 0);
});

t.test('the queue of one workspace hides no run of another that waits longer', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into workspaces (id, name) values ('wsp_a', 'test'), ('wsp_b', 'test')`;
  await sql`insert into sessions (workspace_id, id) select 'wsp_a', 'ses_' || n
    from generate_series(1, 10001) n union all select 'wsp_b', 'ses_1'`;
  await sql.begin((tx) => tx`
    insert into runs (workspace_id, id, session_id, head, last_seq, source, model, max_steps,
      timeout_s, created_at, offered_at)
    select workspace_id, 'run_' || id, id, true, 1, 'api', 'rehearsal', 1, 60, at, at
    from sessions cross join lateral (select now() - case workspace_id when 'wsp_b'
      then interval '2 hours' else interval '0' end as at) created`, { limit_ms: 60_000 });
  const { queued, queue_age_s } = await openRuns(sql);
  t.equal(queued, 10_000, 'so many are counted');
  t.ok(queue_age_s >= 7_200, `${queue_age_s} s`);
  await sql`delete from runs where workspace_id = 'wsp_b'`;
  await sql`
    update runs set offered_at = now() - interval '3 hours',
      created_at = now() - interval '3 hours' where id = 'run_ses_2000'`;
  const of_one_key = await openRuns(sql);
  t.ok(of_one_key.queue_age_s >= 10_800, `${of_one_key.queue_age_s} s, far behind others`);
});

t.test('what holds up the process is counted, and in its health', async (t) => {
  const health = async () =>
    await (await fetch(service.base_url.replace('/v1', '/healthz'))).json() as object;
  let said = {};
  t.ok(await added(async () => {
    // The thread waits for what nobody does.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_600);
    said = await untilSeen('a stall', health, (seen) => 'event_loop' in seen);
  }, 'gatehouse_event_loop_stall_seconds_count') >= 1);
  t.match(said, { status: 'ok', event_loop: { stalls: Number,
    last: { ended_at: /^\d{4}-/, duration_ms: Number } } });
});

t.test('what is refused is counted by the limit that it met', async (t) => {
  const guess = () => client.call('getRun', { path: { run_id: 'run_none' }, token: 'a-guess' });
  t.equal(await added(async () => [await guess(), await guess()],
    'gatehouse_limits_reached_total', { limit: 'address' }), 1);
});

t.test('searches by meaning are counted', async (t) => {
  const blended = () => added(() => client.expect(200, 'searchActions',
    { body: { query: 'read' } }), 'gatehouse_embedding_searches_total', { outcome: 'blended' });
  t.ok(await untilSeen('a search by meaning', blended));
  t.equal(await blended(), 1);
});

t.test('by now every metric is there, as it is described, and no id in any', async (t) => {
  const described = { ...METRICS, ...GAUGES };
  const names = (Object.keys(described) as MetricName[]).map(fullName);
  let shown = await metrics();
  // What the database takes too long to tell is left out of a page.
  await untilSeen('a page without a gap', async () => {
    shown = await metrics();
    return names.filter((name) => !shown.has(name));
  }, (missing) => missing.length === 0);
  t.strictSame([...shown.keys()].sort(), names.sort());
  for (const [name, { kind, says, labels }] of Object.entries(described)) {
    const { type, help, samples } = shown.get(fullName(name as MetricName))!;
    t.equal(type, name.endsWith('_total') ? 'counter' : kind, name);
    t.equal(help, says, name);
    const given = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
    given.delete('le');
    t.strictSame([...given].sort(), [...labels].sort(), `labels of ${name}`);
  }
  const text = await (await fetch(service.metrics_url)).text();
  t.notMatch(text, /\b(wsp|run|ses|key|call|inv|con)_[0-9a-z]{6,}/);
  t.notOk(text.includes('no.such.action'));
});

t.test('buckets rise to the count', async (t) => {
  for (const [name, { type, samples }] of await metrics()) {
    if (type !== 'histogram') continue;
    const series = Map.groupBy(samples.filter((sample) => sample.name.endsWith('_bucket')),
      ({ labels: { le, ...labels } }) => JSON.stringify(labels));
    for (const [labels, buckets] of series) {
      const values = buckets.map(({ value }) => value);
      t.strictSame(values, values.toSorted((a, b) => a - b), `${name} ${labels}`);
      t.equal(buckets.at(-1)!.labels.le, '+Inf');
      t.equal(values.at(-1), valueOf(await metrics(), `${name}_count`, JSON.parse(labels)));
    }
  }
});
