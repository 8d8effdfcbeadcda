/** Checks that hold for the log of every run, read from the tables. */
import type { Sql } from '../../src/store/database.ts';

const TERMINAL = ['run.completed', 'run.failed', 'run.cancelled'];

/**
 * What is wrong with the event logs in this database, one line each: numbers 1..n without a gap,
 * exactly one terminal event for an ended run and none for an open one, it is the last, the runs of
 * a session one after the other in their order, and no call left open by an ended run.
 */
export async function faultsInLogs(sql: Sql): Promise<string[]> {
  const runs = await sql<{
    id: string; session_id: string; status: string; last_seq: number; attempt: number;
    seqs: number[]; types: string[]; calls: (string | null)[];
  }[]>`
    select r.id, r.session_id, r.status, r.last_seq, r.attempt,
      array_agg(e.seq order by e.seq) as seqs, array_agg(e.type order by e.seq) as types,
      array_agg(e.data->>'tool_call_id' order by e.seq) as calls
    from runs r join run_events e on e.workspace_id = r.workspace_id and e.run_id = r.id
    group by r.workspace_id, r.id, r.seq order by r.seq`;
  const faults: string[] = [];
  for (const run of runs) {
    const say = (what: string) => faults.push(`${run.id} (${run.status}): ${what}`);
    if (run.seqs.some((seq, index) => seq !== index + 1)) say(`numbers ${run.seqs.join(',')}`);
    if (run.last_seq !== run.seqs.length) say(`last_seq ${run.last_seq} of ${run.seqs.length}`);
    const ends = run.types.filter((type) => TERMINAL.includes(type));
    const ended = ['completed', 'failed', 'cancelled'].includes(run.status);
    if (ends.length !== (ended ? 1 : 0)) say(`terminal events: ${ends.join(', ') || 'none'}`);
    if (ended && run.types.at(-1) !== `run.${run.status}`) say(`ends with ${run.types.at(-1)}`);
    const starts = run.types.filter((type) => type === 'run.started').length;
    if (starts !== run.attempt) say(`${starts} starts in ${run.attempt} attempts`);
    if (ended) for (const id of openCalls(run.types, run.calls)) say(`${id} is open`);
  }
  return [...faults, ...await overlaps(sql)];
}

function openCalls(types: string[], ids: (string | null)[]): string[] {
  const open = new Set<string>();
  types.forEach((type, index) => {
    if (type === 'tool_call.started') open.add(ids[index]!);
    else if (type.startsWith('tool_call.') && type !== 'tool_call.arguments.delta') {
      open.delete(ids[index]!);
    }
  });
  return [...open];
}

/** Runs that started before an earlier run of their session had ended. */
async function overlaps(sql: Sql): Promise<string[]> {
  const rows = await sql<{ early: string; late: string }[]>`
    with spans as (
      select r.session_id, r.seq, r.id,
        min(e.created_at) filter (where e.type = 'run.started') as started_at,
        max(e.created_at) filter (where e.type in ('run.completed', 'run.failed', 'run.cancelled'))
          as ended_at
      from runs r join run_events e on e.workspace_id = r.workspace_id and e.run_id = r.id
      group by r.workspace_id, r.session_id, r.seq, r.id)
    select a.id as early, b.id as late from spans a join spans b
      on a.session_id = b.session_id and a.seq < b.seq
    where b.started_at < coalesce(a.ended_at, 'infinity')`;
  return rows.map(({ early, late }) => `${late} started before ${early} had ended`);
}
