/** The audit log as this process writes it. */
import { coalesce } from '../coalesce.ts';
import { sanitizeJson } from '../sanitize.ts';
import {
  appendAudit, appendCallsToAudit, type AuditRecord, type CallRecord,
} from '../store/auditEntries.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { despiteOthers } from '../store/whileAway.ts';

export type AuditEvent = Pick<AuditRecord, 'workspace_id' | 'actor' | 'event'>
  & Partial<AuditRecord>;

/** Who makes a change, and by which request. */
export type Author = Pick<AuditEvent, 'actor' | 'request_id'>;

/**
 * Appends entries. The chain of hashes allows one writer at a time, over all nodes, so entries that
 * come during a flush are written together in the next one. They fail together: no entry can be to
 * blame, as each has storable text (`recordOf`) and names that are cut to what an index takes.
 */
export class AuditLog {
  readonly #sql: Sql;
  readonly #waiting: (PromiseWithResolvers<boolean> & { call: CallRecord })[] = [];
  readonly #flushing = coalesce(() => this.#flush());

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Resolves when the entry is committed. */
  async append(event: AuditEvent): Promise<void> {
    await this.#append({ record: recordOf(event), api_key_id: null, late: null });
  }

  /**
   * Appends what tells of a call in the name of a key. Once that is revoked, nothing is appended,
   * or `late` if the call had left before: then that is what has happened, and it says so.
   * Resolves when that is committed; answers whether the key was good.
   */
  appendCall(event: AuditEvent, api_key_id: string, late: AuditEvent | null): Promise<boolean> {
    return this.#append(AuditLog.callRecord(event, api_key_id, late));
  }

  /** The same as it is stored, for whoever appends it together with something else. */
  static callRecord(event: AuditEvent, api_key_id: string, late: AuditEvent | null): CallRecord {
    return { record: recordOf(event), api_key_id, late: late && recordOf(late) };
  }

  /** Appends within a transaction: the entries commit together with the events, or not at all. */
  static within(tx: Transaction, ...events: readonly AuditEvent[]): Promise<void> {
    return appendAudit(tx, events.map(recordOf));
  }

  #append(call: CallRecord): Promise<boolean> {
    const waiting = { call, ...Promise.withResolvers<boolean>() };
    this.#waiting.push(waiting);
    this.#flushing.request();
    return waiting.promise;
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    try {
      const good = await despiteOthers(() =>
        appendCallsToAudit(this.#sql, batch.map(({ call }) => call)));
      batch.forEach(({ resolve }, place) => resolve(good[place]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

function recordOf(event: AuditEvent): AuditRecord {
  const { workspace_id, actor } = event;
  return sanitizeJson({
    workspace_id, actor, event: event.event, target: event.target ?? null,
    outcome: event.outcome ?? 'ok', reason: event.reason ?? null, details: event.details ?? {},
    request_id: event.request_id ?? null,
  });
}
