/** What a service has behind it that has run for long. */
import { newId } from '../../src/ids.ts';
import type { Sql, Transaction } from '../../src/store/database.ts';

const LIMIT_MS = 180_000;

/** Has a transaction take longer than a request's may. */
export async function unhurried<T>(
  sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return await sql.begin(work, { limit_ms: LIMIT_MS }) as T;
}

/**
 * Adds completed runs with their events, spread evenly over a time as far as their ids say. Answers
 * the ids, oldest first.
 */
export async function fillRuns(sql: Sql, workspace_id: string, history: {
  runs: number; events_per_run: number; sessions: number; start_ms: number; span_ms: number;
}): Promise<{ runs: string[]; sessions: string[] }> {
  const { events_per_run, start_ms, span_ms } = history;
  const made = (prefix: 'run' | 'ses', n: number) => Array.from({ length: n }, (_, i) =>
    newId(prefix, start_ms + Math.floor(i * span_ms / n)));
  const runs = made('run', history.runs);
  const sessions = made('ses', history.sessions);
  await unhurried(sql, async (tx) => {
    await tx`insert into sessions (workspace_id, id)
      select ${workspace_id}, id from unnest(${sessions}::text[]) id`;
    await tx`
      insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
        source, model, max_steps, timeout_s, input, output, created_at, started_at, finished_at)
      select ${workspace_id}, id, (${sessions}::text[])[1 + n % ${sessions.length}::int],
        'completed', false, 1, 'wrk_gone', ${events_per_run}, 'api', 'rehearsal', 3, 600,
        '[{"role":"user","content":[{"type":"input_text","text":"hello"}]}]',
        '[{"type":"message","role":"assistant","content":
          [{"type":"output_text","text":"Hello."}]}]',
        created_at, created_at, created_at
      from unnest(${runs}::text[]) with ordinality r (id, n), to_timestamp(
        ${start_ms / 1_000}::float8 + n * ${span_ms / 1_000 / runs.length}::float8) created_at`;
    await tx`
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, id, seq, 'message.output.delta',
        json_build_object('message_id', 'msg_bench', 'delta', repeat('words of an answer ', 3))
      from unnest(${runs}::text[]) id, generate_series(1, ${events_per_run}) seq`;
  });
  return { runs, sessions };
}
