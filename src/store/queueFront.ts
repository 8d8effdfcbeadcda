/** From where on runs wait for a worker. */
import type { Sql } from './database.ts';
import { HOUSEKEEPING_LIMIT_MS } from './partitions.ts';

/**
 * Has the database look from where on runs wait, so that claims begin there. It does so once in
 * five seconds, whoever asks. A long look is limited as housekeeping is, not as a request.
 */
export async function advanceQueueFront(sql: Sql): Promise<void> {
  await sql.begin((tx) => tx`select advance_queue_front()`, { limit_ms: HOUSEKEEPING_LIMIT_MS });
}
