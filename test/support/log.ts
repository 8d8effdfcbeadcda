/** Checks that hold for the log of every run, read from the tables. */
import type { Test } from 'tap';
import type { Sql, Transaction } from '../../src/store/database.ts';
import { faultsOfRun, type LoggedEvent, type LoggedMessage, type LoggedRun } from './runLog.ts';
import { faultsOfWrites, type LoggedWrite } from './writeFaults.ts';

const RUNS_AT_ONCE = 200;
/** For the logs of a whole database, on a slow machine. */
const LIMIT_MS = 300_000;

/**
 * What is wrong with the event logs in this database, one line each: with a run in itself (see
 * `faultsOfRun`), with what it tells of its writes, or with the order of a session's runs.
 */
export async function faultsInLogs(sql: Sql): Promise<string[]> {
  return await sql.begin(async (tx) => {
    // As of one moment: runs may be going on.
    await tx`set transaction isolation level repeatable read`;
    return await faultsNow(tx);
  }, { limit_ms: LIMIT_MS });
}

/** The last test of a file: there is no second try for a log with a fault. */
export async function soundLogs(t: Test, sql: Sql): Promise<void> {
  t.strictSame(await faultsInLogs(sql), [], 'every log in this database is sound',
    { soundness: 'a log' });
}

async function faultsNow(sql: Transaction): Promise<string[]> {
  const faults: string[] = [];
  for (let after = 0; ;) {
    const runs = await sql<(Pick<LoggedRun, 'status' | 'last_seq' | 'attempt' | 'output'>
      & { id: string; seq: number })[]>`
      select id, seq, status, last_seq, attempt, output from runs
      where seq > ${after} order by seq limit ${RUNS_AT_ONCE}`;
    if (runs.length === 0) break;
    after = runs.at(-1)!.seq;
    const ids = runs.map((run) => run.id);
    const events = Map.groupBy(await sql<(LoggedEvent & { run_id: string })[]>`
      select run_id, seq, type, data from run_events where run_id = any(${ids}::text[])
      order by run_id, seq`, (event) => event.run_id);
    const messages = Map.groupBy(await sql<(LoggedMessage & { run_id: string })[]>`
      select run_id, position, role, content from messages where run_id = any(${ids}::text[])
      order by run_id, position`, (message) => message.run_id);
    const writes = Map.groupBy(await sql<(LoggedWrite & { run_id: string })[]>`
      select i.run_id, i.tool_call_id, i.invocation_id, v.status, v.error
      from write_intents i join runs r on r.workspace_id = i.workspace_id and r.id = i.run_id
      left join action_invocations v
        on v.workspace_id = i.workspace_id and v.id = i.invocation_id
      where i.run_id = any(${ids}::text[]) and r.status not in ('queued', 'running')`,
    (write) => write.run_id);
    for (const run of runs) {
      const logged = {
        ...run, events: events.get(run.id) ?? [], messages: messages.get(run.id) ?? [],
      };
      const found = logged.events.length === 0 ? ['no events']
        : [...faultsOfRun(logged), ...faultsOfWrites(logged, writes.get(run.id) ?? [])];
      faults.push(...found.map((fault) => `${run.id} (${run.status}): ${fault}`));
    }
  }
  return [...faults, ...await overlaps(sql)];
}

/** Runs that started before every earlier run of their session had ended. */
async function overlaps(sql: Transaction): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with spans as (
      select r.workspace_id, r.session_id, r.seq, r.id,
        min(e.created_at) filter (where e.type = 'run.started') as started_at,
        max(e.created_at) filter (where e.type in ('run.completed', 'run.failed', 'run.cancelled'))
          as ended_at
      from runs r join run_events e on e.workspace_id = r.workspace_id and e.run_id = r.id
      group by r.workspace_id, r.session_id, r.seq, r.id),
    ordered as (
      select id, started_at, max(coalesce(ended_at, 'infinity')) over (
        partition by workspace_id, session_id order by seq
        rows between unbounded preceding and 1 preceding) as earlier_ended_at
      from spans)
    select id from ordered where started_at < earlier_ended_at`;
  return rows.map(({ id }) => `${id} started before the earlier runs of its session had ended`);
}
