/** Runs as the store's functions take them, and those that are written straight into the tables. */
import { newId } from '../../src/ids.ts';
import type { Sql } from '../../src/store/database.ts';
import type { Append, ClaimedRun, NewRun, RunStatus } from '../../src/store/runs.ts';

export interface StoredRun {
  workspace_id: string;
  session_id: string;
  id: string;
  attempt: number;
}

export interface StoredRunOptions {
  status: RunStatus;
  /** When it was created, which its id tells. */
  created_ms?: number;
  finished_ms?: number;
  worker_id?: string;
  /** How many events it has. */
  events?: number;
}

/** A run of the workspace `wsp_1`, as `createRuns` takes it. */
export function newRun(session_id: string, of: Partial<NewRun> = {}): NewRun {
  return {
    workspace_id: 'wsp_1', id: newId('run'), session_id, concurrency: 'enqueue', source: 'api',
    api_key_id: 'key_1', model: 'rehearsal', instructions: null, max_steps: 1, timeout_s: 60,
    input: [], metadata: {}, messages: [], ...of,
  };
}

/** The end of a run that was claimed, as `appendToRuns` takes it. */
export function completion(
  { workspace_id, id, attempt }: Pick<ClaimedRun, 'workspace_id' | 'id' | 'attempt'>): Append {
  return {
    workspace_id, run_id: id, attempt, events: [{ type: 'run.completed', data: '{}' }],
    messages: [], steps: 1, input_tokens: 1, output_tokens: 1,
    end: { status: 'completed', output: [], error: null },
  };
}

/** A run of the workspace `wsp_1`, as executed once. */
export async function storedRun(
  sql: Sql, { status, created_ms = Date.now(), finished_ms = created_ms, worker_id = 'wrk_1',
    events = 0 }: StoredRunOptions): Promise<StoredRun> {
  const workspace_id = 'wsp_1';
  const session_id = newId('ses', created_ms);
  const id = newId('run', created_ms);
  const finished = status === 'queued' || status === 'running' ? null : new Date(finished_ms);
  const attempt = status === 'queued' ? 0 : 1;
  await sql`insert into workspaces (id, name) values (${workspace_id}, 'test')
    on conflict do nothing`;
  await sql`insert into sessions (workspace_id, id) values (${workspace_id}, ${session_id})`;
  await sql`
    insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
      source, model, max_steps, timeout_s, input, error, started_at, finished_at)
    values (${workspace_id}, ${id}, ${session_id}, ${status}, ${status === 'queued'}, ${attempt},
      ${attempt === 0 ? null : worker_id}, ${events}, 'api', 'rehearsal', 1, 60, '[]',
      ${status === 'failed' ? '{}' : null}::text::json,
      ${attempt === 0 ? null : new Date(created_ms)}, ${finished})`;
  await sql`
    insert into run_events (workspace_id, run_id, seq, type, data)
    select ${workspace_id}, ${id}, n, 'message.output.delta', '{}'
    from generate_series(1, ${events}::int) n`;
  return { workspace_id, session_id, id, attempt };
}

/** Workers that live, as far as the database knows, for an hour. */
export async function storeWorkers(sql: Sql, ...ids: string[]): Promise<void> {
  await sql`insert into workers (id, host, lease_until)
    select id, 'test', now() + interval '1 hour' from unnest(${ids}::text[]) id
    on conflict do nothing`;
}
