/** A run that brings its workers down is given up; those beside it go on. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { untilCondemned, untilGivenUp } from '../support/condemned.ts';
import { soundLogs } from '../support/log.ts';
import { eventsOf, newSession, queueRun, untilEvent } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const NODE = fileURLToPath(new URL('../support/poisonNode.ts', import.meta.url));
/** Says nothing before the process is killed, and ends a moment later if it is not. */
const INNOCENT = '@rehearsal words=5 delay_ms=100';

const let_go = join(t.testdir({}), 'let-go');

const api = await testServer(t, { config: { role: 'api' } });
const { client, sql, url, workspace_id } = api;
await connectTo(sql, workspace_id, 'lab');

function startNode(t: Test, lease_ms: number, ...kept: string[]): ChildProcess {
  const node = spawn(process.execPath, [NODE, url, String(lease_ms), let_go, ...kept],
    { stdio: 'inherit' });
  t.teardown(() => node.kill('SIGKILL'));
  return node;
}

const queue = async (text: string) => await queueRun(client, await newSession(client), text);
const attemptsOf = async (run_id: string) =>
  (await eventsOf(client, run_id)).filter(({ type }) => type === 'run.started').length;

t.test('a run that kills its worker twice is given up, and none beside it', async (t) => {
  const before = [await queue(INNOCENT), await queue(INNOCENT)];
  const poison = await queue('call lab.test.kill');
  const innocents = [...before, await queue(INNOCENT), await queue(INNOCENT)];
  let deaths = 0;
  const ended = eventsOf(client, poison.id).then((events) => events.at(-1)!);
  const condemned = untilCondemned(sql, poison.id).then(async ({ wait_s }) => {
    t.ok(wait_s > 60, 'a worker that was cut off for a minute could still take its loss back');
    await untilGivenUp(sql, poison.id);
  });
  for (;;) {
    const node = startNode(t, 600_000);
    const died = once(node, 'exit').then(() => 'died' as const);
    if (await Promise.race([died, ended]) !== 'died') break;
    deaths += 1;
  }
  await condemned;
  t.match(await ended, { type: 'run.failed', data: { error: {
    code: 'worker_lost', retryable: false, message: /killed or hung [23] workers/ } } });
  t.ok(deaths === 2 || deaths === 3, `${deaths} workers were killed; 3 if others hid it at first`);
  for (const { id } of innocents) {
    t.equal((await eventsOf(client, id)).at(-1)!.type, 'run.completed');
  }
});

t.test('the same for one that hangs its worker; what wakes again writes nothing', async (t) => {
  const nodes = [startNode(t, 1_000), startNode(t, 1_000), startNode(t, 1_000)];
  const poison = await queue('call lab.test.hang');
  const ended = eventsOf(client, poison.id);
  await untilCondemned(sql, poison.id);
  await writeFile(let_go, '');
  await untilCondemned(sql, poison.id, ({ condemned, lost_with }) =>
    condemned && lost_with.length === 0); // both have said that they hung
  await untilGivenUp(sql, poison.id);
  const events = await ended;
  t.match(events.at(-1), { type: 'run.failed', data: { error: { code: 'worker_lost' } } });
  t.equal(events.filter(({ type }) => type === 'run.started').length, 3, 'the third gives it up');
  // Who gives it up closes the call with what is known by then.
  const others = events.slice(0, events.findLastIndex(({ type }) => type === 'run.started'));
  t.same(others.filter(({ type }) => type === 'tool_call.completed'), []);
  const after = await queue('@rehearsal words=2');
  t.equal((await eventsOf(client, after.id)).at(-1)!.type, 'run.completed', 'and works on');
  for (const node of nodes) node.kill('SIGKILL');
});

/**
 * It is busy for a fifth longer: less than a statement may take that has been begun. A longer lease
 * leaves more time for the thread that renews it on a busy machine.
 */
const BUSY_LEASE_MS = 2_900;

t.test('a worker that is busy for longer than its lease keeps its runs', async (t) => {
  const nodes = [startNode(t, BUSY_LEASE_MS, 'kept')];
  const busy = await queue('call lab.test.busy');
  const beside = await queue('@rehearsal words=30 delay_ms=100');
  for (const { id } of [busy, beside]) await untilEvent(client, id, 'run.started');
  nodes.push(startNode(t, BUSY_LEASE_MS, 'kept')); // it looks for workers that are gone
  for (const { id } of [busy, beside]) {
    t.equal((await eventsOf(client, id)).at(-1)!.type, 'run.completed');
    t.equal(await attemptsOf(id), 1);
  }
  for (const node of nodes) node.kill('SIGKILL');
});

t.test('a run is not to blame for workers that were stopped, and live', async (t) => {
  const run = await queue('call lab.test.freeze');
  const nodes = [startNode(t, 1_000), startNode(t, 1_000), startNode(t, 1_000)];
  const { lost_with } = await untilCondemned(sql, run.id);
  t.equal(new Set(lost_with).size, 2, 'lost with two, with nothing committed between');
  // It is to be given up now; whoever looks sees that they live, or they have taken it back.
  await sql`update runs set offered_at = '-infinity' where id = ${run.id}`;
  await untilSeen('a run that has ended', () => {
    for (const node of nodes) node.kill('SIGCONT');
    return sql<{ status: string; attempt: number; losses: number; lost_with: string[] }[]>`
      select status, attempt, losses, lost_with, condemned from runs where id = ${run.id}`;
  }, ([seen]) => seen!.status !== 'running');
  t.equal((await eventsOf(client, run.id)).at(-1)!.type, 'run.completed');
  for (const node of nodes) node.kill('SIGKILL');
});

t.test('a worker that loses only its lock keeps its runs', async (t) => {
  const held = heldAction();
  const config = { role: 'worker', claim_poll_ms: 20 };
  const sources = [testSource('lab', { held: held.action })];
  await Promise.all([1, 2].map(() => testServer(t, { config, database: api, sources })));
  const run = await queue('call lab.test.held');
  await held.begun;
  for (let n = 0; n < 15; n++) {
    const pids = (await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database()
        and application_name = 'gatehouse worker'`).map(({ pid }) => pid);
    t.ok(pids.length > 0);
    await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`;
    await untilSeen('locks that are held anew', () => sql<{ held: number }[]>`
      select count(*)::int as held from pg_locks
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
        and pid <> all (${pids}::int[])`, ([row]) => row!.held >= 2);
  }
  held.release();
  await untilEvent(client, run.id, 'run.completed');
  t.equal(await attemptsOf(run.id), 1);
  t.equal(held.calls, 1);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
