/** Sessions, as callers make and change them. */
import { notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Sql, Transaction } from '../store/database.ts';
import * as store from '../store/sessions.ts';

export type SessionRequest = Partial<Pick<store.NewSession, 'title' | 'metadata'>>;

export async function createSession(
  sql: Sql | Transaction, workspace_id: string, request: SessionRequest,
): Promise<store.SessionRow> {
  const { title = null, metadata = {} } = sanitizeJson(request);
  return await store.insertSession(sql, { workspace_id, id: newId('ses'), title, metadata });
}

/** Changes the given fields. Throws not_found. */
export async function updateSession(
  sql: Sql, workspace_id: string, id: string, change: SessionRequest & { status?: string },
): Promise<store.SessionRow> {
  const session = await store.updateSession(sql, workspace_id, id, sanitizeJson(change));
  if (!session) throw notFound('session', id);
  return session;
}
