/**
 * Sessions, as callers make and change them. Where somebody in the dashboard does (`by`), the
 * change commits with its entry in the audit log.
 */
import { AuditLog, type Author } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Sql, Transaction } from '../store/database.ts';
import * as store from '../store/sessions.ts';
import { inGroups } from './groups.ts';

export type SessionRequest = Partial<Pick<store.NewSession, 'title' | 'metadata'>>;

export class Sessions {
  readonly #sql: Sql;
  readonly #make = inGroups(
    (asked: store.NewSession[]) => store.insertSessions(this.#sql, asked),
    { keyOf: ({ id }) => id, shareOf: ({ workspace_id }) => workspace_id });

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Makes a session: in the caller's transaction, or in one with others that are made now. */
  async create(
    sql: Sql | Transaction, workspace_id: string, request: SessionRequest,
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
    workspace_id: string, id: string, change: SessionRequest & { status?: string },
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
}
