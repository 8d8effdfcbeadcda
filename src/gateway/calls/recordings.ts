/** Calls that end at the same time are recorded together. */
import { coalesce } from '../../coalesce.ts';
import { gather } from '../../gather.ts';
import {
  insertInvocation, insertInvocations, type NewActionInvocation,
} from '../../store/actionInvocations.ts';
import { isContention, isUnavailable, type Sql } from '../../store/database.ts';
import type { CallServices } from './call.ts';

/** So many writes are recorded by one statement: their results may be large. */
const MOST_WRITES = 16;

/**
 * Records the calls that end in the same turn of the event loop by one statement: a step with
 * thousands of calls spends most of its time in statements. One that cannot be stored does not keep
 * the others from it, nor does one whose record somebody else has locked. Those of no run do not
 * wait for the table of runs.
 */
export function recordingTogether(sql: Sql): CallServices['record'] {
  const [ofRuns, others] = [gathered(sql), gathered(sql)];
  return (one) => (one.run_id === null ? others : ofRuns)(one);
}

function gathered(sql: Sql): CallServices['record'] {
  return gather(async (all: NewActionInvocation[]) => {
    try {
      return await insertInvocations(sql, all);
    } catch (error) {
      if (all.length === 1 || isOfAll(error)) throw error;
      return all.map((one) => insertInvocation(sql, one));
    }
  });
}

/**
 * Records writes with their audit entries, by one statement at a time that takes all that wait: it
 * holds the lock of the audit log until it has committed, and several would wait for each other,
 * each with a connection. Side by side only if one of them may keep the others from it.
 */
export function recordingWrites(sql: Sql): CallServices['record'] {
  const waiting: (PromiseWithResolvers<boolean> & { one: NewActionInvocation })[] = [];

  async function insert(batch: typeof waiting): Promise<void> {
    try {
      const inserted = await insertInvocations(sql, batch.map(({ one }) => one));
      batch.forEach(({ resolve }, place) => resolve(inserted[place]!));
    } catch (error) {
      if (batch.length > 1 && !isOfAll(error)) {
        return void await Promise.all(batch.map((alone) => insert([alone])));
      }
      // Those that wait would wait as long for a database that serves nobody.
      const refused = isOfAll(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { reject } of refused) reject(error);
    }
  }

  const inserting = coalesce(async () => {
    await insert(waiting.splice(0, MOST_WRITES));
    if (waiting.length > 0) inserting.request();
  });
  return async (one) => {
    const entry = { one, ...Promise.withResolvers<boolean>() };
    waiting.push(entry);
    inserting.request();
    return await entry.promise;
  };
}

/** It is the database that cannot serve anybody, not one of them that it refuses. */
function isOfAll(error: unknown): boolean {
  return isUnavailable(error) && !isContention(error);
}
