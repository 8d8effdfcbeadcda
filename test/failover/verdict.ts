/** What came of a trial: what clients were told, against what the database holds afterwards. */
import type { Sql } from '../../src/store/database.ts';
import { faultsInLogs } from '../support/log.ts';
import { storedEvents } from '../support/storedEvents.ts';
import type { Load } from './load.ts';

// All at once is more than one statement may take.
const RUNS_AT_ONCE = 100;

export interface Verdict {
  runs_acknowledged: number;
  runs_lost: number;
  runs_duplicated: number;
  /** Those that did not complete, and why; no prompt of the load asks for that. */
  runs_failed: string[];
  runs_taken_over: number;
  /** From a run's creation to its start, in the middle of all runs. */
  median_wait_s: number;
  events_read: number;
  /** Read by a client, and not what the database holds now. */
  events_lost: number;
  log_faults: string[];
  /** The longest time in which no run was acknowledged. */
  writes_away_s: number;
  answers_503: number;
  /** `idempotency_in_progress`: the first request with this key still waits for its commit. */
  answers_409: number;
  answers_cut: number;
  slowest_answer_s: number;
  streams_resumed: number;
  /** The longest time for which a reader of a running run got no event. */
  longest_silence_s: number;
  wrong: string[];
}

interface RunRow {
  id: string;
  status: string;
  attempt: number;
  code: string | null;
  waited_s: number;
}

/** Compares, once all runs have ended. */
export async function judge(load: Load, sql: Sql, struck_ms: number): Promise<Verdict> {
  const rows = await sql<RunRow[]>`
    select r.id, r.status, r.attempt, r.error->>'code' as code,
      extract(epoch from r.started_at - r.created_at)::float8 as waited_s
    from runs r
    where session_id in (select session_id from runs
      where id = any(${[...load.acknowledged.values()]}::text[]))`;
  const present = new Set(rows.map((row) => row.id));
  const acknowledged = new Set(load.acknowledged.values());
  const created = load.answers.filter(({ status }) => status === 202)
    .map(({ at_ms, took_ms }) => at_ms + took_ms);
  const silences = [...load.read.values()].map((events) =>
    longestGap(events.map(({ at_ms }) => at_ms), struck_ms));
  const has = (status: string | number) =>
    load.answers.filter((answer) => answer.status === status).length;
  return {
    runs_acknowledged: acknowledged.size,
    runs_lost: acknowledged.difference(present).size,
    runs_duplicated: present.difference(acknowledged).size + load.ambiguous.length,
    runs_failed: rows.filter(({ status }) => status !== 'completed')
      .map(({ id, status, attempt, code }) => `${id} ${status} ${code} in attempt ${attempt}`),
    median_wait_s: median(rows.map(({ waited_s }) => waited_s)),
    runs_taken_over: rows.filter(({ attempt }) => attempt > 1).length,
    events_read: [...load.read.values()].reduce((sum, events) => sum + events.length, 0),
    events_lost: await eventsLost(load, sql),
    log_faults: await faultsInLogs(sql),
    writes_away_s: seconds(longestGap(created, struck_ms)),
    answers_503: has(503),
    answers_409: has(409),
    answers_cut: has('cut') + has('hung'),
    slowest_answer_s: seconds(Math.max(...load.answers.map(({ took_ms }) => took_ms))),
    streams_resumed: load.resumed,
    longest_silence_s: seconds(Math.max(0, ...silences)),
    wrong: load.wrong,
  };
}

async function eventsLost(load: Load, sql: Sql): Promise<number> {
  const read = [...load.read];
  let lost = 0;
  for (let from = 0; from < read.length; from += RUNS_AT_ONCE) {
    const some = read.slice(from, from + RUNS_AT_ONCE);
    const rows = await storedEvents(sql, some.map(([run_id]) => run_id));
    const stored = new Map(rows.map(({ run_id, sequence_number, type, data }) =>
      [`${run_id} ${sequence_number}`, JSON.stringify([type, data])]));
    for (const [run_id, events] of some) {
      lost += events.filter(({ event: { sequence_number, type, data } }) =>
        stored.get(`${run_id} ${sequence_number}`) !== JSON.stringify([type, data])).length;
    }
  }
  return lost;
}

/** The longest time between two of these times, of which the later one is after `from_ms`. */
function longestGap(times_ms: number[], from_ms: number): number {
  const sorted = times_ms.toSorted((a, b) => a - b);
  return Math.max(0, ...sorted.slice(1).map((time_ms, index) =>
    (time_ms > from_ms ? time_ms - sorted[index]! : 0)));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function seconds(duration_ms: number): number {
  return Math.round(duration_ms / 100) / 10;
}
