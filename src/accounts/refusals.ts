/** Who was not let in to the dashboard, for the audit log. */
import { AuditLog, type AuditEvent } from '../audit/audit.ts';
import { coalesce } from '../coalesce.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';

/** Whoever guesses must not fill the log: so often at most there is an entry. */
const ENTRY_MS = 60_000;
/** So many who were refused are told apart between two entries; of more there is a number alone. */
const NAMED = 20;

interface Refusal extends AuditEvent {
  details: { method: string; attempts: number };
}

/**
 * The first refusal has an entry at once; those that follow within a minute are counted, and each
 * who was refused has one when it is over. What could not be written is counted with them.
 */
export class Refusals {
  readonly #sql: Sql;
  readonly #log: Log;
  #waiting = new Map<string, Refusal>();
  #timer: NodeJS.Timeout | null = null;
  readonly #writing = coalesce(() => this.#write());

  constructor({ sql, log }: { sql: Sql; log: Log }) {
    this.#sql = sql;
    this.#log = log;
  }

  /** `reason`: why, if there is more to say than that nobody knows them. */
  count(
    actor: AuditEvent['actor'], method: string, request_id: string, reason: string | null = null,
  ): void {
    this.#add(`${method} ${actor.type} ${actor.id}`, {
      actor, request_id, workspace_id: null, event: 'dashboard_session.refused',
      outcome: 'refused', details: { method, attempts: 1 }, ...(reason !== null && { reason }),
    });
    if (this.#timer !== null) return;
    this.#writing.request();
    this.#timer = setInterval(() => this.#beat(), ENTRY_MS);
    this.#timer.unref();
  }

  #add(who: string, entry: Refusal): void {
    const is_named = this.#waiting.has(who) || this.#waiting.size < NAMED;
    const known = this.#waiting.get(is_named ? who : '');
    if (known) known.details.attempts += entry.details.attempts;
    else if (is_named) this.#waiting.set(who, entry);
    else {
      const { reason: _, ...unnamed } = entry;
      this.#waiting.set('', { ...unnamed, actor: { type: 'system', id: null } });
    }
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#writing.request();
    await this.#writing.idle();
  }

  #beat(): void {
    if (this.#waiting.size > 0) return this.#writing.request();
    clearInterval(this.#timer!);
    this.#timer = null;
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const [name, entry] of waiting) {
      await new AuditLog(this.#sql).append(entry).catch((error: unknown) => {
        this.#log.warn({ err: error, ...entry.details },
          'refused sign-ins could not be noted in the audit log');
        this.#add(name, entry);
      });
    }
  }
}
