import { Background } from '../coalesce.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import {
  BEGINNING, cancelNext, listEnded, noteEnded, withdrawApprovals, type Ended, type RunPosition,
} from '../store/revocations.ts';
import { despiteOthers } from '../store/whileAway.ts';
import type { Runs } from './lifecycle.ts';

/** How often a node looks for what another one has left unfinished. */
const LOOK_MS = 5_000;

/**
 * Ends what runs in the name of revoked keys and archived workspaces, in short transactions: at
 * once when it is asked to. The revocation holds without it: each step and each call of a run asks
 * for its key first. So this may take its time, and any node may do it; one at a time does.
 */
export function openEndings(sql: Sql, runs: Runs, log: Log): Background {
  const failed = (error: unknown) =>
    log.warn({ err: error }, 'runs of revoked keys could not be ended yet');
  const endings = new Background(async (signal) => {
    try {
      // Whatever is left is found by the next look, on this node or another. One that fails does
      // not keep the others waiting.
      for (const ended of await listEnded(sql)) {
        await end({ sql, runs, log, signal }, ended).catch(failed);
      }
    } catch (error) {
      failed(error);
    }
  }, LOOK_MS);
  endings.open();
  endings.request();
  return endings;
}

async function end(
  { sql, runs, log, signal }: { sql: Sql; runs: Runs; log: Log; signal: AbortSignal },
  ended: Ended): Promise<void> {
  const { workspace_id, api_key_id, reason } = ended;
  let cancelled = 0;
  for (let place: RunPosition | null = BEGINNING; place !== null;) {
    if (signal.aborted) return;
    const after: RunPosition = place;
    const batch = await despiteOthers(() => {
      signal.throwIfAborted();
      return cancelNext(sql, ended, after);
    });
    if (batch === undefined) return;
    runs.announceCancelled(batch.cancelled);
    cancelled += batch.cancelled.length;
    place = batch.place;
  }
  while (await withdrawApprovals(sql, ended)) {
    if (signal.aborted) return;
  }
  await noteEnded(sql, ended);
  if (cancelled === 0) return;
  log.info({ workspace_id, api_key_id, reason, cancelled }, 'runs were cancelled');
}
