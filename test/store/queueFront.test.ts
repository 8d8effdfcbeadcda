/** From where on runs wait: claims begin there, whatever ended runs have left behind before it. */
import t, { type Test } from 'tap';
import { newId } from '../../src/ids.ts';
import { settleLosses } from '../../src/store/losses.ts';
import type { Sql, Transaction } from '../../src/store/database.ts';
import { advanceQueueFront } from '../../src/store/queueFront.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { appendToRuns, claimRuns, handBackRuns } from '../../src/store/runs.ts';
import { testDatabase } from '../support/database.ts';
import { lookBack, openTransaction } from '../support/openTransaction.ts';
import { completion, newRun, storeWorkers } from '../support/storedRuns.ts';

const WORKSPACE = 'wsp_1';
const WORKER = 'wrk_1';
const AT_ONCE = 50;
/** Far more than a claim of one run reads where nothing was left behind. */
const FEW = 20;

async function prepared(t: Test) {
  const { sql } = await testDatabase(t);
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'one')`;
  await storeWorkers(sql, WORKER);
  return { sql };
}

/** Creates so many runs, each of a session of its own. */
async function create(sql: Sql, count: number, session_ids?: string[]): Promise<string[]> {
  const sessions = session_ids ?? Array.from({ length: count }, () => newId('ses'));
  if (!session_ids) {
    await sql`insert into sessions (workspace_id, id)
      select ${WORKSPACE}, unnest(${sessions}::text[])`;
  }
  const runs = sessions.map((session_id) => newRun(session_id, {
    max_queued_runs: 1_000, max_queued_runs_of_key: 1_000 }));
  await createRuns(sql, runs);
  return runs.map(({ id }) => id);
}

const claim = (sql: Sql, limit = AT_ONCE) => claimRuns(sql, WORKER, limit);

async function end(sql: Sql, runs: Awaited<ReturnType<typeof claim>>): Promise<boolean> {
  const { run_waits } = await appendToRuns(sql, runs.map(completion));
  return run_waits;
}

/** Lets the next look be made: as if so much time had passed since the last one. */
async function pass(sql: Sql, time: string): Promise<void> {
  await sql`update queue_front set looked_at = looked_at - ${time}::interval,
    looked_all_at = looked_all_at - ${time}::interval`;
}

/** As if the runs had been offered, and what is known of them, so much earlier. */
async function age(sql: Sql, time: string): Promise<void> {
  await sql`update runs set offered_at = offered_at - ${time}::interval`;
  await pass(sql, time);
}

/** Two looks, as they follow each other: what the first one finds the second one goes by. */
async function advance(sql: Sql): Promise<void> {
  await pass(sql, '6 seconds');
  await advanceQueueFront(sql);
  await pass(sql, '6 seconds');
  await advanceQueueFront(sql);
}

async function front(sql: Sql) {
  const [row] = await sql<{ is_offered: boolean; queued_seq: number; open_seq: number }[]>`
    select offered_at > '-infinity' as is_offered, queued_seq::int, open_seq::int from queue_front`;
  return row!;
}

t.test('claims read no more after many runs while something looks back', async (t) => {
  const { sql } = await prepared(t);
  t.teardown(await lookBack(sql));
  // As if they had been created earlier, which the entries of the indexes tell.
  const [made] = await sql<{ text: string }[]>`
    select pg_get_functiondef('create_runs'::regproc) as text`;
  await sql.unsafe(made!.text.replace(/(a\.metadata::json,\s+clock_timestamp\(\))/,
    `$1 - interval '1 minute'`));
  for (let i = 0; i < 4; i++) {
    await create(sql, AT_ONCE);
    await end(sql, await claim(sql));
  }
  await sql.unsafe(made!.text);
  await advance(sql);
  const reads = async () => {
    await sql`select pg_stat_force_next_flush()`;
    const rows = await sql<{ name: string; entries: number }[]>`
      select indexrelname as name, idx_tup_read::int as entries
      from pg_stat_user_indexes where relname = 'runs'`;
    return new Map(rows.map(({ name, entries }) => [name, entries]));
  };
  const before = await reads();
  await create(sql, 1);
  const claimed = await claim(sql);
  t.equal(claimed.length, 1);
  t.equal(await end(sql, claimed), false, 'and none waits then');
  for (const [name, entries] of await reads()) {
    const read = entries - before.get(name)!;
    t.ok(read < FEW, `${name}: ${read} entries`);
  }
});

t.test('whatever waits is found, wherever the front is', async (t) => {
  const { sql } = await prepared(t);
  await advance(sql);
  t.match(await front(sql), { is_offered: true, queued_seq: 0, open_seq: 0 }, 'no run was made');
  const [first, second] = await create(sql, 2);
  await age(sql, '1 hour');
  await advance(sql);
  t.match(await front(sql), { queued_seq: 1, open_seq: 1 });
  const claimed = await claim(sql);
  t.same(claimed.map(({ id }) => id), [first, second], 'what has waited for an hour');
  await advance(sql);
  t.match(await front(sql), { queued_seq: 2, open_seq: 1 }, 'as long as they are executed');

  await handBackRuns(sql, claimed.slice(0, 1), 'ours');
  const [again] = await claim(sql);
  t.equal(again!.id, first, 'what was handed back');
  await sql`update runs set worker_id = '', losses = 1, lost_with = array[${WORKER}],
    offered_at = clock_timestamp() + interval '1 hour' where id = ${second!}`;
  await settleLosses(sql, WORKER, false);
  t.same((await claim(sql)).map(({ id }) => id), [second], 'a loss that was taken back');
});

t.test('the next run of a session, however long it has waited there', async (t) => {
  const { sql } = await prepared(t);
  await create(sql, 1);
  const claimed = await claim(sql);
  const [next] = await create(sql, 1, claimed.map(({ session_id }) => session_id));
  await age(sql, '1 hour');
  await advance(sql);
  t.equal(await end(sql, claimed), true, 'it waits from now on');
  t.same((await claim(sql)).map(({ id }) => id), [next]);
});

t.test('runs that are created while the front is looked for', async (t) => {
  const { sql } = await prepared(t);
  const functions = await sql<{ text: string }[]>`
    select pg_get_functiondef(oid) as text from pg_proc
    where proname in ('advance_queue_front', 'front_of_queue')`;
  for (const { text } of functions) await sql.unsafe(text.replace("'10 seconds'", "'0'"));
  const ids = await openTransaction(sql, async (tx) => {
    const made = await create(tx as Transaction as Sql, 2);
    await create(sql, 1);
    await advanceQueueFront(sql);
    await pass(sql, '-1 hour'); // The next look is due, and the transaction began before this one.
    await advanceQueueFront(sql);
    return made;
  });
  const terms = { running_limit: 2 };
  t.same((await claimRuns(sql, WORKER, 1, terms)).map(({ id }) => id), ids.slice(0, 1));
  t.same((await claimRuns(sql, WORKER, 1, terms)).map(({ id }) => id), ids.slice(1));
  t.same(await claimRuns(sql, WORKER, 1, terms), [], 'they count among those that are executed');
  await advance(sql);
  t.match(await front(sql), { queued_seq: 3, open_seq: 1 });
});

t.test('nobody looks from where on runs wait, or the row is not there', async (t) => {
  const { sql } = await prepared(t);
  const ids = await create(sql, 2);
  await age(sql, '1 hour');
  await sql`update queue_front set offered_at = clock_timestamp(), looked_at = clock_timestamp(),
    looked_all_at = clock_timestamp()`;
  t.same(await claim(sql), []);
  await sql`update queue_front set looked_all_at = looked_all_at - interval '4 minutes'`;
  t.same((await claim(sql, 1)).map(({ id }) => id), ids.slice(0, 1));
  await sql`delete from queue_front`;
  t.same((await claim(sql)).map(({ id }) => id), ids.slice(1));
  await advanceQueueFront(sql);
  await advanceQueueFront(sql);
  t.match(await front(sql), { is_offered: true });
});

t.test('a run that was lost, and whose worker lives', async (t) => {
  const { sql } = await prepared(t);
  await create(sql, 2);
  const claimed = await claim(sql);
  const lose = () => sql`update runs set worker_id = '', losses = 1,
    offered_at = clock_timestamp() - interval '1 minute'`;
  await lose();
  await sql`update queue_front set offered_at = clock_timestamp(),
    looked_all_at = clock_timestamp()`;
  const [run, other] = claimed as [typeof claimed[number], typeof claimed[number]];
  await appendToRuns(sql, [{ workspace_id: WORKSPACE, run_id: run.id, attempt: run.attempt,
    events: [{ type: 'step.completed', data: '{}' }], messages: [], steps: 1, input_tokens: 1,
    output_tokens: 1, end: null }]);
  t.same((await claimRuns(sql, WORKER, 1, { max_losses: 0 })).map(({ id }) => id), [run.id],
    'it has committed a step');

  await sql`update runs set offered_at = clock_timestamp() + interval '70 seconds'
    where id = ${other.id}`;
  await handBackRuns(sql, [other], 'ours');
  t.same(await claim(sql), [], 'it waits as long as those do that were lost');
});

t.test('a run that was committed late is found within a minute', async (t) => {
  const { sql } = await prepared(t);
  await advance(sql);
  const [late] = await create(sql, 1);
  await sql`update runs set offered_at = offered_at - interval '20 seconds'`;
  t.same(await claim(sql), [], 'it lies behind the front');
  await advance(sql);
  t.same(await claim(sql), []);
  await pass(sql, '1 minute');
  await advanceQueueFront(sql);
  t.same((await claim(sql)).map(({ id }) => id), [late]);
});

t.test('the clock of the server is set back', async (t) => {
  const { sql } = await prepared(t);
  await advance(sql);
  await sql`update queue_front set offered_at = clock_timestamp() + interval '1 hour',
    looked_at = clock_timestamp() + interval '1 hour',
    looked_all_at = clock_timestamp() + interval '1 hour'`;
  const ids = await create(sql, 1);
  t.same((await claim(sql)).map(({ id }) => id), ids, 'it is found at once');
  await advanceQueueFront(sql);
  const [{ is_right }] = await sql`
    select greatest(offered_at, looked_at, looked_all_at) <= clock_timestamp() as is_right
    from queue_front` as [{ is_right: boolean }];
  t.equal(is_right, true, 'and the front is looked for anew');
});

t.test('a workspace executes no more runs than it may, wherever the front is', async (t) => {
  const { sql } = await prepared(t);
  await create(sql, 3);
  const terms = { running_limit: 2 };
  t.equal((await claimRuns(sql, WORKER, AT_ONCE, terms)).length, 2);
  await age(sql, '1 hour');
  await advance(sql);
  t.same(await claimRuns(sql, WORKER, AT_ONCE, terms), []);
});
