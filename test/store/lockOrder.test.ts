/** Functions that lock several rows lock them in one order: what meets goes on, none is ended. */
import t from 'tap';
import { touchApiKeys } from '../../src/store/apiKeys.ts';
import type { Sql, Transaction } from '../../src/store/database.ts';
import { BEGINNING, cancelNext } from '../../src/store/revocations.ts';
import { appendToRuns } from '../../src/store/runs.ts';
import { testDatabase } from '../support/database.ts';
import { hold, openTransaction } from '../support/openTransaction.ts';
import { storedRun } from '../support/storedRuns.ts';
import { untilSeen } from '../support/until.ts';

const { sql } = await testDatabase(t);

/** Does `work` in a transaction that waits for locks as long as it takes; answers its process. */
function patient<T>(work: (tx: Sql) => Promise<T>) {
  const pid = Promise.withResolvers<number>();
  const done = openTransaction(sql, async (tx) => {
    await tx`set local lock_timeout = 0`;
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    pid.resolve(row!.pid);
    return await work(tx as Transaction as Sql);
  });
  done.catch(pid.reject);
  return { pid: pid.promise, done };
}

/**
 * A group of runs is given up after 100 ms, and each then appended by itself. Here it waits like
 * the others: only so does a lock in the wrong order tell itself from a slow machine.
 */
const [group] = await sql<{ text: string }[]>`
  select pg_get_functiondef(oid) as text from pg_proc where proname = 'append_group'`;
await sql.unsafe(group!.text.replace("'100ms'", "'0'"));

const untilBlocked = (pid: number) => untilSeen('a wait for a lock', () => sql<{ by: number[] }[]>`
  select pg_blocking_pids(${pid}) as by`, ([row]) => row!.by.length > 0);

t.test('runs of a workspace that ends, and an append to several of them', async (t) => {
  const runs = [await storedRun(sql, { status: 'running', events: 1 }),
    await storedRun(sql, { status: 'running', events: 1 })]
    .toSorted((a, b) => (a.session_id < b.session_id ? -1 : 1));
  const [first, second] = runs as [typeof runs[0], typeof runs[0]];
  await sql`update workspaces set archived_at = now() where id = ${first!.workspace_id}`;
  const release = await hold(sql, (tx) => tx`
    select from sessions where id = ${second!.session_id} for update`);
  const of = ({ workspace_id, id, attempt }: typeof runs[0]) => ({ workspace_id, run_id: id,
    attempt, events: [{ type: 'message.output.delta', data: '{}' }], messages: [], steps: 0,
    input_tokens: 0, output_tokens: 0, end: null });
  // It ends the second one, whose session it needs, and then writes to the first.
  const appending = patient((tx) => appendToRuns(tx, [of(first!),
    { ...of(second!), end: { status: 'completed', output: [], error: null } }]));
  await untilBlocked(await appending.pid);
  // It comes to the second session as the next one.
  const cancelling = patient((tx) => cancelNext(tx,
    { workspace_id: first!.workspace_id, api_key_id: null, reason: 'workspace_archived' },
    BEGINNING));
  await untilBlocked(await cancelling.pid);
  await release();
  const [appended, cancelled] = await Promise.allSettled([appending.done, cancelling.done]);
  t.match(appended, { status: 'fulfilled' });
  t.match(cancelled, { status: 'fulfilled', value: { cancelled: [first!.id], place: null } });
});

t.test('two nodes note the uses of the same keys', async (t) => {
  const keys = ['key_1', 'key_2'].map((api_key_id) => ({ workspace_id: 'wsp_1', api_key_id }));
  await sql`insert into workspaces (id, name) values ('wsp_1', 'test') on conflict do nothing`;
  for (const { workspace_id, api_key_id } of keys) {
    await sql`insert into api_keys (workspace_id, id, name, hint, sha256)
      values (${workspace_id}, ${api_key_id}, 'test', '', ${Buffer.from(api_key_id)})`;
  }
  const release = await hold(sql, (tx) => tx`
    select from api_keys where id = 'key_2' for update`);
  const touching = async (of: typeof keys) => {
    const { pid, done } = patient(async (tx) => {
      // As the planner does it with many keys: one after the other, as they are given.
      await tx.unsafe('set local enable_seqscan = off; set local enable_hashjoin = off;'
        + ' set local enable_mergejoin = off');
      await touchApiKeys(tx, of);
    });
    await untilBlocked(await pid);
    return { done };
  };
  // The first waits for the second key; in the order it was given, it comes to the first one then.
  const both = [await touching(keys.toReversed()), await touching(keys)];
  await release();
  const ends = await Promise.allSettled(both.map(({ done }) => done));
  t.match(ends, [{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  const noted = await sql`select from api_keys where last_used_at is not null`;
  t.equal(noted.length, 2);
});
