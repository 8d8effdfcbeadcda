/**
 * Sessions, as callers make and change them. Where somebody in the dashboard does (`by`), the
 * change commits with its entry in the audit log.
 */
import type { Schemas } from '../../generated/types.ts';
import { AuditLog, type Author } from '../audit/audit.ts';
import { steadyClock } from '../clock.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { patience } from '../patience.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Sql, Transaction } from '../store/database.ts';
import {
  deleteRuns, deleteSessionRow, intentsOf, lockOldestRuns, lockSession, MOST_RUNS,
} from '../store/sessionDeletion.ts';
import * as store from '../store/sessions.ts';
import { addTokensOfDeleted } from '../store/tokens.ts';
import { despiteOthers } from '../store/whileAway.ts';
import { deleteWriteIntents, recordUnknownWrites, type WriteKey } from '../store/writeIntents.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import { inGroups } from './groups.ts';

/** With less time left than this, a request deletes no further part: that may take as long. */
const PART_MS = 1_000;
/** So many runs a request deletes first. */
const FIRST_RUNS = 8;
/** A part that took no longer is followed by one that is twice as large. */
const SHORT_PART_MS = 250;

export class Sessions {
  readonly #sql: Sql;
  readonly #meters: Meters;
  readonly #make = inGroups(
    (asked: store.NewSession[]) => store.insertSessions(this.#sql, asked),
    { keyOf: ({ id }) => id, shareOf: ({ workspace_id }) => workspace_id });

  constructor(sql: Sql, meters: Meters = NO_METERS) {
    this.#sql = sql;
    this.#meters = meters;
  }

  /** Makes a session: in the caller's transaction, or in one with others that are made now. */
  async create(
    sql: Sql | Transaction, workspace_id: string, request: Schemas['CreateSessionRequest'],
    by: Author | null,
  ): Promise<store.SessionRow> {
    const { title = null, metadata = {} } = sanitizeJson(request);
    const asked = { workspace_id, id: newId('ses'), title, metadata };
    if (sql === this.#sql) return await this.#make(asked);
    const [session] = await store.insertSessions(sql, [asked]);
    if (by) {
      await AuditLog.within(sql,
        { ...by, workspace_id, event: 'session.created', target: asked.id });
    }
    return session!;
  }

  /** Changes the given fields. Throws not_found. */
  async update(
    workspace_id: string, id: string, change: Schemas['UpdateSessionRequest'],
    by: Author | null): Promise<store.SessionRow> {
    const work = async (tx: Transaction) => {
      const session = await store.updateSessionRow(tx, workspace_id, id, sanitizeJson(change));
      if (!session) throw notFound('session', id);
      if (by) {
        const { status } = change;
        await AuditLog.within(tx, {
          ...by, workspace_id, event: 'session.changed', target: id,
          details: { fields: Object.keys(change), ...(status && { status }) },
        });
      }
      return session;
    };
    return by ? await this.#sql.begin(work) : await work(this.#sql);
  }

  /**
   * Deletes a session with all it holds, in transactions of some runs each, the oldest first; the
   * last of them deletes the session. Each is told in the audit log. Throws not_found; session_busy
   * if a run has not ended, also one that was created meanwhile; unavailable if there is more than
   * a request has time for: another one goes on from there.
   */
  async remove(workspace_id: string, id: string, by: Author): Promise<void> {
    let most_runs = FIRST_RUNS;
    for (let is_first = true; ; is_first = false) {
      const begun_ms = steadyClock();
      const left = await despiteOthers(() =>
        this.#sql.begin((tx) => this.#removePart(tx, workspace_id, id, most_runs, by)));
      if (left === 'nothing') return;
      if (left === undefined) {
        if (is_first) throw notFound('session', id);
        return; // another request has deleted the last part
      }
      if (left !== 'runs') await this.#settle(left);
      if ((patience()?.left_ms ?? Infinity) < PART_MS) {
        throw new GatehouseError('unavailable', 'The session has more runs than one request has'
          + ' time to delete: some of them are gone. Repeat the request, it goes on from there.');
      }
      // How many are possible depends on what they hold and on the machine.
      const is_short = steadyClock() - begun_ms < SHORT_PART_MS;
      most_runs = is_short ? Math.min(2 * most_runs, MOST_RUNS)
        : Math.max(1, Math.floor(most_runs / 2));
    }
  }

  /** Answers what is left: runs, or first their writes to be settled; undefined: no session. */
  async #removePart(
    tx: Transaction, workspace_id: string, id: string, most_runs: number, by: Author,
  ): Promise<'nothing' | 'runs' | WriteKey[] | undefined> {
    const session = await lockSession(tx, workspace_id, id);
    if (session === undefined) return undefined;
    if (session.open_run_id !== null) throw hasOpenRun(session.open_run_id);
    const runs = await lockOldestRuns(tx, workspace_id, id, most_runs);
    if (runs.length > 0) {
      const intents = await intentsOf(tx, workspace_id, runs);
      if (intents.length > 0) return intents;
      await deleteRuns(tx, workspace_id, id, runs);
    }
    const is_gone = await deleteSessionRow(tx, workspace_id, id);
    // No run begins with half of what was said, which a node may also still have in memory.
    if (!is_gone) await store.updateSessionRow(tx, workspace_id, id, { status: 'archived' });
    const tokens_today = runs.reduce((sum, run) => sum + run.tokens_today, 0);
    if (tokens_today > 0) await addTokensOfDeleted(tx, workspace_id, tokens_today);
    await AuditLog.within(tx, {
      ...by, workspace_id, event: is_gone ? 'session.deleted' : 'session.runs_deleted', target: id,
      details: { runs: runs.length, tokens_today },
    });
    return is_gone ? 'nothing' : 'runs';
  }

  /**
   * What may have changed something is told of in the audit log, before its record goes. In a
   * transaction of its own: it holds the lock of that log, and a part may take seconds.
   */
  async #settle(intents: readonly WriteKey[]): Promise<void> {
    const news = await this.#sql.begin(async (tx) => {
      const recorded = await recordUnknownWrites(tx, intents);
      await deleteWriteIntents(tx, intents);
      return recorded;
    });
    for (const { integration } of news) {
      this.#meters.outcomes_unknown_total.add(1, { integration });
    }
  }
}

/** Why a session is not deleted, for the caller. */
export function hasOpenRun(run_id: string): GatehouseError {
  return new GatehouseError('session_busy', `The session has an open run, ${run_id}: cancel it, or`
    + ' wait for its end, and then delete the session.');
}
