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
 * Ends what runs in the name of revoked keys and archived workspaces, in short transactions. The
 * revocation holds without it: each step and each call of a run asks for its key first. So this may
 * take its time, and any node may do it; one at a time does.
 */
export class Endings {
  readonly #sql: Sql;
  readonly #runs: Runs;
  readonly #log: Log;
  readonly #looking = new Background(() => this.#look(), LOOK_MS);

  constructor(sql: Sql, runs: Runs, log: Log) {
    this.#sql = sql;
    this.#runs = runs;
    this.#log = log;
  }

  open(): void {
    this.#looking.open();
    this.request();
  }

  /** Something was revoked: begins at once. */
  request(): void {
    this.#looking.request();
  }

  /** Resolves once the transaction that is under way has ended. */
  async close(): Promise<void> {
    await this.#looking.close();
  }

  async #look(): Promise<void> {
    const failed = (error: unknown) =>
      this.#log.warn({ err: error }, 'runs of revoked keys could not be ended yet');
    try {
      // Whatever is left is found by the next look, on this node or another. One that fails does
      // not keep the others waiting.
      for (const ended of await listEnded(this.#sql)) await this.#end(ended).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  async #end(ended: Ended): Promise<void> {
    const { workspace_id, api_key_id, reason } = ended;
    let cancelled = 0;
    for (let place: RunPosition | null = BEGINNING; place !== null;) {
      if (this.#looking.signal.aborted) return;
      const after: RunPosition = place;
      const batch = await despiteOthers(() => {
        this.#looking.signal.throwIfAborted();
        return cancelNext(this.#sql, ended, after);
      });
      if (batch === undefined) return;
      this.#runs.announceCancelled(batch.cancelled);
      cancelled += batch.cancelled.length;
      place = batch.place;
    }
    while (await withdrawApprovals(this.#sql, ended)) {
      if (this.#looking.signal.aborted) return;
    }
    await noteEnded(this.#sql, ended);
    if (cancelled > 0) {
      this.#log.info({ workspace_id, api_key_id, reason, cancelled }, 'runs were cancelled');
    }
  }
}
