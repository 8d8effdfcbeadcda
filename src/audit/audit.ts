/** The audit log as this process writes it. */
import { coalesce } from '../coalesce.ts';
import { sanitizeJson } from '../sanitize.ts';
import { appendAudit, type AuditRecord } from '../store/auditEntries.ts';
import type { Sql, Transaction } from '../store/database.ts';

export type AuditEvent = Pick<AuditRecord, 'workspace_id' | 'actor' | 'event'>
  & Partial<AuditRecord>;

/** Who makes a change, and by which request. */
export type Author = Pick<AuditEvent, 'actor' | 'request_id'>;

/**
 * Appends entries. The chain of hashes allows one writer at a time, over all nodes, so entries that
 * come during a flush are written together in the next one.
 */
export class AuditLog {
  readonly #sql: Sql;
  readonly #waiting: (PromiseWithResolvers<void> & { record: AuditRecord })[] = [];
  readonly #flushing = coalesce(() => this.#flush());

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Resolves when the entry is committed. */
  append(event: AuditEvent): Promise<void> {
    const waiting = { record: recordOf(event), ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    this.#flushing.request();
    return waiting.promise;
  }

  /** Appends within a transaction: the entry commits together with the event, or not at all. */
  static within(tx: Transaction, event: AuditEvent): Promise<void> {
    return appendAudit(tx, [recordOf(event)]);
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting.splice(0);
    if (batch.length === 0) return;
    try {
      await appendAudit(this.#sql, batch.map(({ record }) => record));
      for (const { resolve } of batch) resolve();
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
