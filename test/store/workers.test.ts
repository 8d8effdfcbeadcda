/** Who is taken for gone, who is given up, and when a run that was lost is offered again. */
import t, { type Test } from 'tap';
import { connect } from '../../src/store/database.ts';
import { judgeCondemned, settleLosses } from '../../src/store/losses.ts';
import {
  appendToRuns, claimRuns, handBackRuns, timesHandedBack,
} from '../../src/store/runs.ts';
import { buryWorkers, GRACE_MS, renewUnlocked, renewWorker } from '../../src/store/workers.ts';
import { testDatabase } from '../support/database.ts';
import { storedRun } from '../support/storedRuns.ts';
import { untilSeen } from '../support/until.ts';

const { sql, url } = await testDatabase(t);
const LOOK = { worker_id: 'wrk_looks', lease_ms: 600_000, trusts_locks: true, most_losses: 10 };

/** A worker on a connection of its own, with a run that it executes. */
async function startWorker(t: Test, id: string) {
  const lock = connect(url, { max: 1 });
  t.teardown(() => lock.end());
  const worker = { id, host: 'test', lease_ms: 600_000 };
  t.ok(await renewWorker(lock, worker), 'it has its lock');
  const run = await storedRun(sql, { status: 'running', worker_id: id });
  t.teardown(() => sql`delete from workers where id = ${id}`);
  t.teardown(() => sql`delete from runs where id = ${run.id}`);
  return { worker, lock, run };
}

async function rowOf(id: string) {
  const [row] = await sql<{
    worker_id: string; losses: number; condemned: boolean; wait_s: number; lost_with: string[];
  }[]>`
    select worker_id, losses, condemned, lost_with,
      round(extract(epoch from greatest(offered_at, updated_at) - updated_at))::int as wait_s
    from runs where id = ${id}`;
  return row!;
}

/** Whether this worker's lock is held by anybody. */
const lockIsHeld = async (id: string) => (await sql`
  select from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
    and (classid::bigint << 32) | objid::bigint = hashtextextended(${id}, 0)`).length > 0;

/** The worker that is missed was missed for long enough. */
const graceIsOver = async () => await untilSeen('time that has passed', async () => (await sql`
  select from workers
  where missed_at < clock_timestamp() - ${GRACE_MS + 1} * interval '1 millisecond'`).length > 0);

/** Has it executed by this worker, and lost with it. */
async function loseWith(worker_id: string, run_id: string, most_losses = 10): Promise<void> {
  await sql`update runs set worker_id = ${worker_id} where id = ${run_id}`;
  await sql`insert into workers (id, host, lease_until) values (${worker_id}, '', '-infinity')`;
  await buryWorkers(sql, { ...LOOK, most_losses });
  await sql`delete from workers where id = ${worker_id}`;
}

/** What another worker, one that lives, claims. */
async function claimNext() {
  await renewUnlocked(sql, { id: 'wrk_next', host: 'test', lease_ms: 600_000 });
  const claimed = await claimRuns(sql, 'wrk_next', 10);
  await sql`delete from workers where id = 'wrk_next'`;
  return claimed;
}

t.test('a lock that its owner let go of tells that it is gone, after a moment', async (t) => {
  const { lock, run, worker } = await startWorker(t, 'wrk_gone');
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 0 });
  await lock.end();
  await untilSeen('a free lock', async () => !await lockIsHeld(worker.id));
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 1 }, 'it may still say something');
  const cut_off = { ...LOOK, trusts_locks: false };
  await graceIsOver();
  t.same(await buryWorkers(sql, cut_off), { buried: 0, missed: 1 },
    'who was cut off itself a moment ago does not judge');
  t.same(await buryWorkers(sql, LOOK), { buried: 1, missed: 0 });
  t.match(await rowOf(run.id), { worker_id: '', losses: 1, lost_with: [worker.id] });
});

t.test('a lock whose session was terminated tells nothing', async (t) => {
  const { lock, run, worker } = await startWorker(t, 'wrk_lives');
  const [{ pid }] = await lock<[{ pid: number }]>`select pg_backend_pid() as pid`;
  await sql`select pg_terminate_backend(${pid})`;
  await untilSeen('the session, counted as terminated', async () => (await sql`
    select from workers w join pg_stat_database d on d.datname = current_database()
    where w.id = ${worker.id} and d.sessions_killed > w.sessions_killed`).length > 0);
  // As if somebody had looked before it was counted.
  await sql`update workers set missed_at = clock_timestamp() where id = ${worker.id}`;
  await graceIsOver();
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 0 });
  t.equal((await rowOf(run.id)).worker_id, worker.id);
  t.ok(await renewWorker(lock, worker), 'it takes its lock anew');
  await lock.end();
  await untilSeen('a worker that is gone now', () => buryWorkers(sql, LOOK),
    ({ buried }) => buried === 1);
});

t.test('a worker that says without its lock that it lives is known to', async (t) => {
  const { lock, run, worker } = await startWorker(t, 'wrk_says');
  await lock.end();
  await untilSeen('a worker that is missed', () => buryWorkers(sql, LOOK),
    ({ missed }) => missed === 1);
  await renewUnlocked(sql, worker);
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 0 });
  t.equal((await rowOf(run.id)).worker_id, worker.id);
});

t.test('the clock of the server is set back', async (t) => {
  const { lock, run, worker } = await startWorker(t, 'wrk_before');
  const setBack = () => sql`update workers set lease_until = lease_until + interval '3 hours',
    locked_at = locked_at + interval '3 hours', steady_since = steady_since + interval '3 hours'
    where id = ${worker.id}`;
  const times = async () => (await sql`
    select lease_until between clock_timestamp() and clock_timestamp() + interval '10 minutes'
      as has_lease, steady_since <= clock_timestamp() as has_begun
    from workers where id = ${worker.id}`)[0];
  await setBack();
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 0 });
  t.match(await times(), { has_lease: true }, 'one that lives keeps its lease, and no longer one');
  await setBack();
  await renewWorker(lock, worker);
  t.match(await times(), { has_lease: true, has_begun: true }, 'and renews it by the clock');

  await setBack();
  await lock.end();
  await untilSeen('a free lock', async () => !await lockIsHeld(worker.id));
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 1 }, 'one that does not is missed');
  await graceIsOver();
  t.same(await buryWorkers(sql, LOOK), { buried: 1, missed: 0 }, 'and not waited for');

  await setBack();
  await sql`update workers set lease_until = '-infinity' where id = ${worker.id}`;
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 0 }, 'by an operator\'s word as well');

  const offerIn = (time: string) => sql`
    update runs set offered_at = clock_timestamp() + ${time}::interval where id = ${run.id}`;
  await offerIn('4 minutes');
  t.same(await claimNext(), [], 'a run that was lost a little before waits that much longer');
  await offerIn('3 hours');
  await sql`update runs set started_at = now() + interval '30 days' where id = ${run.id}`;
  t.match(await claimNext(), [{ id: run.id, timeout_ms: 60_000 }], 'and not for hours');
});

t.test('the clock is set back while a worker has no lock', async (t) => {
  const { lock, run, worker } = await startWorker(t, 'wrk_unlocked');
  await lock.end();
  await renewUnlocked(sql, worker);
  await sql`update workers set lease_until = lease_until + interval '3 hours'
    where id = ${worker.id}`;
  t.same(await buryWorkers(sql, LOOK), { buried: 0, missed: 0 });
  const [{ ends_s }] = await sql`
    select extract(epoch from lease_until - clock_timestamp())::float8 as ends_s
    from workers where id = ${worker.id}` as [{ ends_s: number }];
  t.ok(ends_s <= LOOK.lease_ms / 1000, 'its lease is renewed by the clock as it is now');
  t.equal((await rowOf(run.id)).worker_id, worker.id, 'and its runs are left to it until then');
});

t.test('attempts are spaced out, and the cause ends last', async (t) => {
  const { id } = await storedRun(sql, { status: 'running' });
  const other = await storedRun(sql, { status: 'running' });
  const waits: number[] = [];
  for (let loss = 1; loss <= 7; loss++) {
    // Beside another one that was lost as often, so that neither is known to be the cause.
    await sql`update runs set worker_id = ${`wrk_${loss}`} where id = ${other.id}`;
    await loseWith(`wrk_${loss}`, id);
    const row = await rowOf(id);
    t.match(row, { losses: loss, condemned: false });
    waits.push(row.wait_s);
  }
  t.same(waits, [0, 1, 3, 7, 15, 31, 31], 'seconds');
  t.same(await claimNext(), [], 'it is not claimed before');
  await loseWith('wrk_8', id, 8);
  t.match(await rowOf(id), { losses: 8, condemned: true, wait_s: 75 }, 'as often as is allowed');
  await sql`delete from runs where id = any(${[id, other.id]}::text[])`;
});

t.test('workers that turn out to live take their losses back', async (t) => {
  const { id } = await storedRun(sql, { status: 'running' });
  await loseWith('wrk_1', id);
  await loseWith('wrk_2', id);
  t.match(await rowOf(id), { losses: 2, condemned: true, lost_with: ['wrk_1', 'wrk_2'] });
  t.equal(await settleLosses(sql, 'wrk_3', false), 0, 'one that it was not lost with');
  t.equal(await settleLosses(sql, 'wrk_1', false), 1, 'in whatever order');
  t.match(await rowOf(id), { losses: 1, condemned: false, wait_s: 0, lost_with: ['wrk_2'] });
  t.equal(await settleLosses(sql, 'wrk_2', true), 1, 'this one was hung by it');
  t.equal(await settleLosses(sql, 'wrk_2', false), 0, 'and takes it back no more');
  t.match(await rowOf(id), { losses: 1, lost_with: [] });
  t.match(await claimNext(), [{ id, losses: 1, condemned: false }]);
  await sql`delete from runs where id = ${id}`;
});

t.test('a run whose worker gets further before another has it is no cause', async (t) => {
  const { id, workspace_id } = await storedRun(sql, { status: 'running' });
  for (const worker_id of ['wrk_1', 'wrk_2']) await loseWith(worker_id, id);
  const commit = async (messages: object[]) => await appendToRuns(sql, [{
    workspace_id, run_id: id, attempt: 1, events: [{ type: 'message.output.delta', data: '{}' }],
    messages: messages as never, steps: messages.length, input_tokens: 0, output_tokens: 0,
    end: null }]);
  await commit([]);
  t.match(await rowOf(id), { losses: 2, condemned: true }, 'what it says is no step');
  await commit([{ position: 1, id: 'msg_1', role: 'assistant', content: [], provider: null }]);
  t.match(await rowOf(id), { losses: 0, condemned: false });
  t.match(await claimNext(), [{ id, losses: 0, condemned: false }], 'at once');
  await sql`delete from messages where run_id = ${id}`;
  await sql`delete from runs where id = ${id}`;
});

t.test('one that got a run back before it had settled takes both losses back', async (t) => {
  const { id } = await storedRun(sql, { status: 'running' });
  await loseWith('wrk_twice', id);
  await loseWith('wrk_twice', id);
  t.match(await rowOf(id), { losses: 2, condemned: true, lost_with: ['wrk_twice', 'wrk_twice'] });
  t.equal(await settleLosses(sql, 'wrk_twice', false), 1);
  t.match(await rowOf(id), { losses: 0, condemned: false, lost_with: [] });
  await sql`delete from runs where id = ${id}`;
});

t.test('one that stood still itself does not judge others by their leases', async (t) => {
  const { run, worker } = await startWorker(t, 'wrk_still');
  const looks = { id: LOOK.worker_id, host: 'test', lease_ms: 600_000 };
  await renewUnlocked(sql, looks);
  t.teardown(() => sql`delete from workers where id = ${looks.id}`);
  await sql`
    update workers set steady_since = '-infinity', lease_until = now() - interval '1 second'`;
  t.match(await buryWorkers(sql, LOOK), { buried: 0 }, 'it looks before it has renewed its own');
  await renewUnlocked(sql, looks);
  t.match(await buryWorkers(sql, LOOK), { buried: 0 }, 'and has to wait for others afterwards');
  t.equal((await rowOf(run.id)).worker_id, worker.id);
  await sql`update workers set steady_since = '-infinity' where id = ${looks.id}`;
  t.match(await buryWorkers(sql, LOOK), { buried: 1 }, 'for as long as a lease lasts');
});

t.test('a run is given up only if its workers are gone, or have hung', async (t) => {
  const judge = { id: 'wrk_judges', host: 'test', lease_ms: 600_000 };
  t.teardown(() => sql`delete from workers where id = ${judge.id}`);
  const condemn = async () => {
    const { id } = await storedRun(sql, { status: 'running' });
    t.teardown(() => sql`delete from runs where id = ${id}`);
    for (const worker_id of ['wrk_1', 'wrk_2']) await loseWith(worker_id, id);
    await sql`update runs set offered_at = '-infinity' where id = ${id}`;
    await renewUnlocked(sql, judge);
    const [run] = await claimRuns(sql, judge.id, 1, {
      pivot: '', held: [], reserve: 0, running_limit: 100, key_running_limit: null,
      max_losses: 0 });
    t.match(run, { id, condemned: true });
    return run!;
  };
  const gone = await condemn();
  await sql`update workers set steady_since = now() where id = ${judge.id}`;
  t.equal(await judgeCondemned(sql, gone, judge.lease_ms), 'unknown',
    'who was cut off itself a moment ago cannot tell');
  await sql`update workers set steady_since = '-infinity' where id = ${judge.id}`;
  t.equal(await judgeCondemned(sql, gone, judge.lease_ms), 'cause');

  const lives = await condemn();
  await sql`insert into workers (id, host, lease_until, missed_at)
    values ('wrk_2', '', now() + interval '9 minutes', now())`;
  t.teardown(() => sql`delete from workers where id = 'wrk_2'`);
  t.equal(await judgeCondemned(sql, lives, judge.lease_ms), 'cause', 'its lease is from before');
  await renewUnlocked(sql, { ...judge, id: 'wrk_2' });
  t.equal(await judgeCondemned(sql, lives, judge.lease_ms), 'innocent');
  t.match(await rowOf(lives.id), { condemned: false, losses: 2 }, 'it is executed again');
});

t.test('a run that is offered already is not handed back once more', async (t) => {
  const { run, worker } = await startWorker(t, 'wrk_fails');
  const { id, workspace_id } = run;
  const [own] = await sql<{ attempt: number }[]>`select attempt from runs where id = ${id}`;
  const attempt = { id, workspace_id, attempt: own!.attempt };
  await handBackRuns(sql, [attempt], 'its_own');
  // A reconciliation that began before, and knows nothing of it.
  await handBackRuns(sql, [attempt], 'ours');
  t.equal(await timesHandedBack(sql, workspace_id, id), 0, 'the fault counts');
  t.match(await rowOf(id), { worker_id: '', losses: 0 }, worker.id);
});
