/** What the overview counts, and what it keeps instead of counting again. */
import t, { type Test } from 'tap';
import { AuditLog } from '../../src/audit/audit.ts';
import { newId } from '../../src/ids.ts';
import { Overviews } from '../../src/overview/overviews.ts';
import { Patience } from '../../src/patience.ts';
import { Sessions } from '../../src/runs/sessions.ts';
import type { Sql } from '../../src/store/database.ts';
import { testDatabase } from '../support/database.ts';

const HOUR_MS = 3_600_000;
/** Half past eight in the evening. */
const NOW_MS = Date.parse('2026-11-21T20:30:00.000Z');

interface Made {
  workspace_id?: string;
  hours_ago: number;
  status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  error_code?: string;
  model?: string;
  tokens?: [input: number, output: number];
  wait_ms?: number;
  duration_ms?: number;
}

async function makeRun(sql: Sql, made: Made): Promise<string> {
  const { workspace_id = 'wsp_1', hours_ago, status = 'completed', model = 'rehearsal',
    tokens: [input_tokens, output_tokens] = [0, 0], wait_ms = 100, duration_ms = 1_000 } = made;
  const created_ms = NOW_MS - hours_ago * HOUR_MS;
  const [id, session_id] = [newId('run', created_ms), newId('ses', created_ms)];
  const started = status === 'queued' ? null : new Date(created_ms + wait_ms);
  const ended = status === 'queued' || status === 'running'
    ? null : new Date(created_ms + wait_ms + duration_ms);
  const error = status === 'failed' ? JSON.stringify({ code: made.error_code }) : null;
  await sql`insert into workspaces (id, name) values (${workspace_id}, 'test')
    on conflict do nothing`;
  await sql`insert into sessions (workspace_id, id) values (${workspace_id}, ${session_id})`;
  await sql`
    insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
      source, model, max_steps, timeout_s, input, error, input_tokens, output_tokens, created_at,
      started_at, finished_at)
    values (${workspace_id}, ${id}, ${session_id}, ${status}, ${status === 'queued'},
      ${started === null ? 0 : 1}, ${started === null ? null : 'wrk_1'}, 1, 'api', ${model}, 1, 60,
      '[]', ${error}::text::json, ${input_tokens}, ${output_tokens}, ${new Date(created_ms)},
      ${started}, ${ended})`;
  return id;
}

class Impatient extends Patience {
  override get left_ms(): number {
    return 0;
  }
}

/** Overviews of a database of its own, with a clock that the test sets. */
async function overviewsOf(t: Test) {
  const { sql } = await testDatabase(t);
  const clock = {
    now_ms: NOW_MS, steady_ms: 0, inspected: 0,
    pass(ms: number) {
      this.now_ms += ms;
      this.steady_ms += ms;
    },
  };
  const overviews = new Overviews({ sql, now: () => clock.now_ms, clock: () => clock.steady_ms,
    inspect: async () => {
      clock.inspected += 1;
      return [];
    } });
  return { sql, clock, overviews };
}

t.test('nothing at all', async (t) => {
  const { overviews } = await overviewsOf(t);
  const { buckets, workers, ...rest } = await overviews.get(undefined, 24);
  t.equal(workers.length, 0);
  t.equal(buckets.length, 24);
  t.strictSame(buckets.at(-1), { from: '2026-11-21T20:00:00.000Z', open: 0, completed: 0,
    failed: 0, cancelled: 0 });
  const none = { runs: 0, p50_s: null, p90_s: null, p99_s: null };
  t.strictSame(rest, { object: 'overview', workspace_id: null, made_at: '2026-11-21T20:30:00.000Z',
    since: '2026-11-20T21:00:00.000Z', bucket_s: 3_600,
    open_runs: { queued: 0, running: 0, queue_age_s: 0 }, failures: [], tokens: [],
    durations: none, waits: none, slowest: [], pending_approvals: 0,
    connections: { needs_reconnect: 0, pending: 0, first: [] }, findings: [] });
});

t.test('runs by hour, outcome, error, model and day', async (t) => {
  const { sql, overviews } = await overviewsOf(t);
  await makeRun(sql, { hours_ago: 0, tokens: [10, 1] });
  await makeRun(sql, { hours_ago: 0.4, status: 'running' });
  await makeRun(sql, { hours_ago: 0.6, status: 'failed', error_code: 'timeout', tokens: [5, 0] });
  await makeRun(sql, { hours_ago: 1, status: 'failed', error_code: 'model_error' });
  await makeRun(sql, { hours_ago: 2, status: 'failed', error_code: 'timeout' });
  await makeRun(sql, { hours_ago: 2, status: 'cancelled' });
  await makeRun(sql, { hours_ago: 2, status: 'queued', workspace_id: 'wsp_2' });
  await makeRun(sql, { hours_ago: 22, model: 'openai/x', tokens: [1_000, 100] });
  await makeRun(sql, { hours_ago: 23.4, model: 'openai/x', tokens: [2_000, 200] });
  await makeRun(sql, { hours_ago: 23.6, tokens: [7_000, 700] });
  const one = await overviews.get('wsp_1', 24);
  t.equal(one.workspace_id, 'wsp_1');
  const seen = one.buckets.map(({ open, completed, failed, cancelled }) =>
    [open, completed, failed, cancelled].join(''));
  t.strictSame([...new Set(seen.slice(2, 21))], ['0000']);
  t.strictSame([...seen.slice(0, 2), ...seen.slice(21)], ['0100', '0100', '0011', '0020', '1100']);
  t.strictSame(one.failures,
    [{ error_code: 'timeout', runs: 2 }, { error_code: 'model_error', runs: 1 }]);
  t.strictSame(one.tokens, [
    { day: '2026-11-20', model: 'openai/x', input_tokens: 3_000, output_tokens: 300 },
    { day: '2026-11-21', model: 'rehearsal', input_tokens: 15, output_tokens: 1 }]);
  t.match(one.open_runs, { queued: 0, running: 1 });
  const all = await overviews.get(undefined, 24);
  t.match(all.open_runs, { queued: 1, running: 1 });
  t.equal(all.buckets[21]!.open, 1);
  t.ok(all.open_runs.queue_age_s > 0);
  const week = await overviews.get('wsp_1', 100);
  t.equal(week.bucket_s, 86_400);
  t.strictSame(week.buckets.map(({ from, completed }) => [from.slice(5, 10), completed]),
    [['11-17', 0], ['11-18', 0], ['11-19', 0], ['11-20', 3], ['11-21', 1]]);
  t.strictSame((await overviews.get('wsp_none', 24)).open_runs,
    { queued: 0, running: 0, queue_age_s: 0 });
});

t.test('models beyond the ten that have used most', async (t) => {
  const { sql, overviews } = await overviewsOf(t);
  for (let n = 1; n <= 12; n++) {
    await makeRun(sql, { hours_ago: 0, model: `m${n}`, tokens: [n * 100, n] });
  }
  const { tokens } = await overviews.get(undefined, 1);
  t.equal(tokens.length, 11);
  t.strictSame(tokens.find(({ model }) => model === null),
    { day: '2026-11-21', model: null, input_tokens: 300, output_tokens: 3 });
});

t.test('times: quantiles within 10 percent, and the slowest exactly', async (t) => {
  const { sql, overviews } = await overviewsOf(t);
  const ids = await Promise.all(Array.from({ length: 100 }, (_, at) => at + 1).map((n) =>
    makeRun(sql, { hours_ago: (n % 20) / 2, duration_ms: n * 137, wait_ms: n,
      status: n % 10 === 0 ? 'failed' : 'completed', error_code: 'timeout' })));
  await makeRun(sql, { hours_ago: 1, status: 'cancelled', duration_ms: 10_000_000 });
  await makeRun(sql, { hours_ago: 1, status: 'queued' });
  const { durations, waits, slowest } = await overviews.get('wsp_1', 24);
  t.equal(durations.runs, 100, 'those that have completed or failed');
  t.equal(waits.runs, 101, 'those that were started');
  const about = (found: number | null, expected: number, what: string) =>
    t.ok(found !== null && Math.abs(found / expected - 1) <= 0.101, `${what}: ${found}`);
  about(durations.p50_s, 50 * 0.137, 'p50');
  about(durations.p90_s, 90 * 0.137, 'p90');
  about(durations.p99_s, 99 * 0.137, 'p99');
  about(waits.p50_s, 0.051, 'wait p50');
  t.strictSame(slowest.map(({ id, duration_s }) => [id, duration_s]),
    [100, 99, 98, 97, 96].map((n) => [ids[n - 1], Number((n * 0.137).toPrecision(3))]));
  t.match(slowest[0], { workspace_id: 'wsp_1', session_id: /^ses_/, status: 'failed',
    model: 'rehearsal' });
});

t.test('times: what is said agrees with the slowest listed, and with itself', async (t) => {
  const { sql, clock, overviews } = await overviewsOf(t);
  const times = async (workspace_id: string, ...runs: [number: number, ms: number][]) => {
    for (const [number, ms] of runs) {
      for (let at = 0; at < number; at++) {
        await makeRun(sql, { workspace_id, hours_ago: at % 3, duration_ms: ms });
      }
    }
    clock.pass(31_000);
    const { durations: { p50_s, p90_s, p99_s }, slowest } = await overviews.get(workspace_id, 24);
    return { durations: [p50_s, p90_s, p99_s],
      slowest: slowest.map(({ duration_s }) => duration_s) };
  };
  t.strictSame(await times('wsp_1', [1, 1_000]),
    { durations: [1, 1, 1], slowest: [1] }, 'of one run, that one');
  t.strictSame(await times('wsp_2', [4, 1_000]),
    { durations: [1, 1, 1], slowest: [1, 1, 1, 1] });
  t.match(await times('wsp_3', [9, 2_600], [1, 3_000]), { durations: [2.6, 2.6, 3] },
    'none is above one that is higher');
  const many = await times('wsp_4', [40, 2_600], [5, 3_000]);
  t.match(many, { durations: [Number, 3, 3], slowest: [3, 3, 3, 3, 3] });
  t.ok(many.durations[0]! >= 2.6 && many.durations[0]! <= 2.87, 'within 10 percent');
});

t.test('ten who ask at once, and those within seconds, get the same', async (t) => {
  const { sql, clock, overviews } = await overviewsOf(t);
  const all = await Promise.all(Array.from({ length: 10 }, () => overviews.get('wsp_1', 24)));
  t.ok(all.every((one) => one === all[0]));
  await makeRun(sql, { hours_ago: 0 });
  clock.pass(2_900);
  t.equal(await overviews.get('wsp_1', 24), all[0]);
  t.equal(clock.inspected, 1);
  t.not(await overviews.get('wsp_1', 25), all[0], 'another question');
  clock.pass(200);
  t.equal((await overviews.get('wsp_1', 24)).buckets.at(-1)!.completed, 1);
});

t.test('what nobody waits for any more is not made', async (t) => {
  const { sql } = await testDatabase(t);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let made = 0;
  const overviews = new Overviews({ sql, inspect: async () => {
    made += 1;
    if (made === 1) await held;
    return [];
  } });
  const first = overviews.get(undefined, 24);
  const asked = Array.from({ length: 50 }, (_, nth) => new Impatient('test').during(() =>
    overviews.get(undefined, nth + 1)));
  const kept = overviews.get(undefined, 7);
  const ends = await Promise.allSettled(asked);
  t.ok(ends.every((end) => end.status === 'rejected' && end.reason.code === 'unavailable'));
  release();
  await first;
  t.equal((await kept).buckets.length, 7, 'somebody still waits for this one');
  await overviews.get(undefined, 30);
  t.equal(made, 3, 'the others are not made');
});

t.test('a clock that is set back keeps no old one', async (t) => {
  const { clock, overviews } = await overviewsOf(t);
  await overviews.get('wsp_1', 24);
  clock.pass(4_000);
  clock.now_ms -= HOUR_MS;
  t.match(await overviews.get('wsp_1', 24), { made_at: '2026-11-21T19:30:04.000Z' });
});

t.test('a clock that was ahead leaves no hour empty that was still to come', async (t) => {
  const { sql, clock, overviews } = await overviewsOf(t);
  clock.now_ms += 10 * HOUR_MS;
  await overviews.get('wsp_1', 24);
  clock.now_ms -= 10 * HOUR_MS;
  await makeRun(sql, { hours_ago: 0 });
  clock.pass(31_000);
  t.equal((await overviews.get('wsp_1', 24)).buckets.at(-1)!.completed, 1);
});

t.test('one that could not be made is made anew at once', async (t) => {
  const { sql } = await testDatabase(t);
  let fails = true;
  const overviews = new Overviews({ sql, now: Date.now, inspect: async () => {
    if (fails) throw new Error('away');
    return [];
  } });
  await t.rejects(overviews.get(undefined, 1), { message: 'away' });
  fails = false;
  t.match(await overviews.get(undefined, 1), { findings: [] });
});

t.test('an hour is not read again once it is over and its runs have ended', async (t) => {
  const { sql, clock, overviews } = await overviewsOf(t);
  const completed = async () => {
    clock.pass(31_000);
    const { buckets } = await overviews.get('wsp_1', 24);
    return buckets.map((bucket) => bucket.completed);
  };
  const open = await makeRun(sql, { hours_ago: 6, status: 'running' });
  await makeRun(sql, { hours_ago: 6 });
  await makeRun(sql, { hours_ago: 5 });
  t.strictSame((await completed()).slice(17, 19), [1, 1]);
  // Nothing of the kind happens; it shows which hours are read.
  for (const hours_ago of [6, 5, 2, 1, 0]) await makeRun(sql, { hours_ago });
  t.strictSame((await completed()).slice(17), [2, 1, 0, 0, 0, 1, 1],
    'one with an open run, this hour and the one before it');
  await sql`update runs set status = 'completed', finished_at = now() where id = ${open}`;
  t.equal((await completed())[17], 3, 'the last one of its runs has ended');
  await makeRun(sql, { hours_ago: 6 });
  t.equal((await completed())[17], 3);
  clock.now_ms += 24 * HOUR_MS;
  t.strictSame([...new Set(await completed())], [0], 'it goes on with the clock');
});

t.test('runs that are deleted with their session count no more, however long ago', async (t) => {
  const { sql, clock, overviews } = await overviewsOf(t);
  const run = { hours_ago: 20, tokens: [3, 4] as [number, number] };
  const gone = await makeRun(sql, run);
  const part = await makeRun(sql, run);
  const seen = async (workspace_id?: string) => {
    clock.pass(31_000);
    const { buckets, tokens, slowest } = await overviews.get(workspace_id, 24);
    return [buckets.reduce((sum, { completed }) => sum + completed, 0),
      tokens[0]?.input_tokens, slowest.map(({ id }) => id).includes(gone)];
  };
  t.strictSame([await seen('wsp_1'), await seen()], [[2, 6, true], [2, 6, true]]);
  const [session] = await sql<{ id: string }[]>`
    select session_id as id from runs where id = ${gone}`;
  const by = { actor: { type: 'api_key', id: 'key_1' }, request_id: null } as const;
  await new Sessions(sql).remove('wsp_1', session!.id, by);
  t.strictSame([await seen('wsp_1'), await seen()], [[1, 3, false], [1, 3, false]]);

  await sql`delete from runs where id = ${part}`;
  await new AuditLog(sql).append(
    { ...by, workspace_id: 'wsp_1', event: 'session.runs_deleted', target: 'ses_1' });
  t.match([await seen('wsp_1'), await seen()], [[0], [0]], 'a part of a large session');
});
