/** The events of runs as they are stored, whole: to be held against what readers got. */
import type { Sql } from '../../src/store/database.ts';
import type { RunEvent } from './client.ts';

export interface StoredEvent
  extends Pick<RunEvent, 'sequence_number' | 'type' | 'created_at' | 'data'> {
  run_id: string;
}

interface StoredRun { id: string; metadata: unknown; input: unknown; messages: unknown }

/**
 * All events of these runs, in order. A run's first event tells its input and its metadata, which
 * are stored by the run alone, and a long input by its messages.
 */
export async function storedEvents(sql: Sql, run_ids: readonly string[]): Promise<StoredEvent[]> {
  const runs = new Map((await sql<StoredRun[]>`
    select id, metadata, input, (
      select json_agg(json_build_object('role', m.role, 'content', m.content) order by m.position)
      from messages m where m.run_id = r.id and m.role = 'user') as messages
    from runs r where id = any(${run_ids}::text[])`).map((run) => [run.id, run]));
  const events = await sql<StoredEvent[]>`
    select run_id, seq as sequence_number, type, created_at, data from run_events
    where run_id = any(${run_ids}::text[]) order by run_id, seq`;
  for (const event of events) {
    if (event.type !== 'run.created') continue;
    const { input, messages, metadata } = runs.get(event.run_id)!;
    Object.assign(event.data, { input: input ?? messages, metadata });
  }
  return [...events];
}
