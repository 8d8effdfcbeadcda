/**
 * What may follow what is written three times: in TRANSITIONS, in the database and on the page that
 * people read. Here the three are held equal.
 */
import t from 'tap';
import { wholeWorkspace } from '../../src/caller.ts';
import { newId } from '../../src/ids.ts';
import { isTerminal, TRANSITIONS, type RunStatus } from '../../src/runs/runStatus.ts';
import type { Sql } from '../../src/store/database.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import * as store from '../../src/store/runs.ts';
import { testDatabase } from '../support/database.ts';
import { read } from '../support/sourceTree.ts';
import { storeWorkers } from '../support/storedRuns.ts';

const STATUSES = Object.keys(TRANSITIONS) as RunStatus[];
const WORKSPACE = 'wsp_1';
const WORKER = 'wrk_1';

const pairs = STATUSES.flatMap((from) => STATUSES.map((to) => ({ from, to })))
  .filter(({ from, to }) => from !== to);
const isLegal = ({ from, to }: { from: RunStatus; to: RunStatus }) =>
  (TRANSITIONS[from] as readonly RunStatus[]).includes(to);
const named = ({ from, to }: { from: string; to: string }) => `${from} → ${to}`;
const legal = pairs.filter(isLegal).map(named).sort();

t.test('docs/run-states.md has the same table', async (t) => {
  const [, table] = /\| from \| to \| trigger \|\n\|[-| ]+\|\n((?:\|.*\n)+)/
    .exec(read('docs/run-states.md')) ?? [];
  const rows = table!.trim().split('\n').map((line) => {
    const [, from, to, trigger] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return { from: from!, to: to!, trigger: trigger! };
  });
  t.strictSame(rows.filter(({ from }) => from === '(none)').map(({ to }) => to), ['queued'],
    'a run begins queued');
  t.strictSame(rows.filter(({ from }) => from !== '(none)').map(named).sort(), legal);
  t.strictSame(rows.filter(({ trigger }) => trigger.length < 10), [], 'every row says when');
});

t.test('every state without a successor has its event', async (t) => {
  const events = [...read('openapi.yaml').matchAll(/^ +run\.(\w+): '#/gm)].map(([, name]) => name);
  t.strictSame(events.filter((name) => STATUSES.includes(name as RunStatus)).toSorted(),
    STATUSES.filter(isTerminal).toSorted());
});

t.test('the functions of the database make just these transitions', async (t) => {
  const { sql } = await testDatabase(t);
  await prepare(sql);
  const seen = new Set<string>();
  for (const from of STATUSES) {
    for (const change of CHANGES) {
      const id = await runWith(sql, from);
      await change(sql, id);
      const to = await statusOf(sql, id);
      if (to !== from) seen.add(named({ from, to }));
      await retire(sql, id);
    }
  }
  t.strictSame([...seen].sort(), legal);
});

t.test('the database refuses any other, whoever writes it', async (t) => {
  const { sql } = await testDatabase(t);
  await prepare(sql);
  for (const pair of pairs) {
    const id = await runWith(sql, pair.from);
    if (isLegal(pair)) {
      await update(sql, id, pair.to);
      t.equal(await statusOf(sql, id), pair.to, named(pair));
    } else {
      await t.rejects(update(sql, id, pair.to), { code: '23514' }, `not ${named(pair)}`);
      t.equal(await statusOf(sql, id), pair.from);
    }
    await retire(sql, id);
  }
});

t.test('the database refuses a state that is none', async (t) => {
  const { sql } = await testDatabase(t);
  await prepare(sql);
  const id = await runWith(sql, 'running');
  await t.rejects(sql`update runs set status = 'paused' where id = ${id}`, { code: '23514' });
  await t.rejects(sql`update runs set worker_id = null where id = ${id}`, { code: '23514' },
    'running, but by nobody');
  await t.rejects(sql`update runs set finished_at = now() where id = ${id}`, { code: '23514' },
    'running, and finished');
  await t.rejects(sql`update runs set status = 'failed', finished_at = now() where id = ${id}`,
    { code: '23514' }, 'failed, without an error');
  const other = await createRun(sql, await sessionOf(sql, id));
  await t.rejects(update(sql, other, 'running'), { code: '23505' }, 'two running in one session');
});

/** Everything the service does that can change a status. */
const CHANGES: ((sql: Sql, id: string) => Promise<unknown>)[] = [
  (sql) => store.claimRuns(sql, WORKER, 100),
  (sql, id) => store.cancelRunRow(sql, WORKSPACE, id, 'requested'),
  (sql, id) => end(sql, id, { status: 'completed', output: [], error: null }),
  (sql, id) => end(sql, id, { status: 'failed', output: [],
    error: { code: 'internal_error', message: 'of the test', retryable: false } }),
];

async function prepare(sql: Sql): Promise<void> {
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'test')`;
  await storeWorkers(sql, WORKER);
}

async function createRun(sql: Sql, session_id: string): Promise<string> {
  const id = newId('run');
  const { outcomes } = await createRuns(sql, [{
    workspace_id: WORKSPACE, session_id, id, concurrency: 'enqueue', source: 'api',
    api_key_id: 'key_1', model: 'rehearsal', instructions: null, max_steps: 1, timeout_s: 60,
    input: [], metadata: {}, messages: [],
  }]);
  if (outcomes[0]!.outcome !== 'created') throw new Error(outcomes[0]!.outcome);
  return id;
}

/** A run in a session of its own, brought to a status as the service brings it there. */
async function runWith(sql: Sql, status: RunStatus): Promise<string> {
  const session_id = newId('ses');
  await sql`insert into sessions (workspace_id, id) values (${WORKSPACE}, ${session_id})`;
  const id = await createRun(sql, session_id);
  const [claim, cancel, complete, fail] = CHANGES;
  if (status !== 'queued') await claim!(sql, id);
  if (status === 'cancelled') await cancel!(sql, id);
  if (status === 'completed') await complete!(sql, id);
  if (status === 'failed') await fail!(sql, id);
  if (await statusOf(sql, id) !== status) throw new Error(`the run is not ${status}`);
  return id;
}

async function end(
  sql: Sql, run_id: string, how: NonNullable<store.Append['end']>): Promise<void> {
  const { attempt } = (await store.getRunRow(sql, wholeWorkspace(WORKSPACE), run_id))!;
  await store.appendToRuns(sql, [{
    workspace_id: WORKSPACE, run_id, attempt, events: [], messages: [], steps: 0,
    input_tokens: 0, output_tokens: 0, end: how,
  }]);
}

/** Writes a status by hand, with all that the CHECKs want to go with it. */
async function update(sql: Sql, id: string, to: RunStatus): Promise<void> {
  const open = to === 'queued' || to === 'running';
  await sql`
    update runs set status = ${to}, head = false,
      attempt = case when ${to} = 'queued' then 0 else greatest(attempt, 1) end,
      worker_id = case when ${to} = 'queued' then null else ${WORKER} end,
      started_at = case when ${to} = 'queued' then null else now() end,
      finished_at = case when ${open} then null else now() end,
      error = case when ${to} = 'failed' then '{}'::json end
    where id = ${id}`;
}

async function statusOf(sql: Sql, id: string): Promise<RunStatus> {
  return (await store.getRunRow(sql, wholeWorkspace(WORKSPACE), id))!.status;
}

async function sessionOf(sql: Sql, id: string): Promise<string> {
  return (await store.getRunRow(sql, wholeWorkspace(WORKSPACE), id))!.session_id;
}

/** Takes a run out of the way of the next claim. */
async function retire(sql: Sql, id: string): Promise<void> {
  await store.cancelRunRow(sql, WORKSPACE, id, 'requested');
}
