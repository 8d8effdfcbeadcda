/** Admin tokens. Each change commits with its entry in the audit log. */
import type { Schemas } from '../../generated/types.ts';
import { AuditLog, type Author } from '../audit/audit.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import * as store from '../store/adminTokens.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { hashToken, hintOf, newToken } from './token.ts';

/**
 * Creates an admin token and answers it this once: only its hash is kept. Throws invalid_request if
 * it would outlive the token that creates it: an expiry could be evaded by that.
 */
export async function addAdminToken(
  tx: Transaction, { name, expires_at = null }: Schemas['CreateAdminTokenRequest'],
  by: Author,
): Promise<store.AdminTokenRow & { admin_token: string }> {
  const { type, id } = by.actor;
  const own = type === 'admin' && id !== null ? await store.getAdminToken(tx, id) : undefined;
  const latest = own?.expires_at ?? null;
  if (latest !== null && (expires_at === null || Date.parse(expires_at) > Date.parse(latest))) {
    throw new GatehouseError('invalid_request', `The admin token of this request expires at`
      + ` ${latest}, and creates none that is valid for longer. Give expires_at up to then, or use`
      + ' another token.', { param: '/expires_at' });
  }
  const admin_token = newToken('gta');
  const hint = hintOf(admin_token);
  const row = await store.insertAdminToken(tx,
    { id: newId('adm'), name, hint, sha256: hashToken(admin_token), expires_at });
  await AuditLog.within(tx, {
    ...by, workspace_id: null, event: 'admin_token.created', target: row.id,
    details: { name, hint, expires_at: row.expires_at },
  });
  return { ...row, admin_token };
}

/** Revokes an admin token. To revoke it again changes nothing. Throws not_found. */
export async function withdrawAdminToken(sql: Sql, id: string, by: Author): Promise<void> {
  await sql.begin(async (tx) => {
    const revoked = await store.revokeAdminTokenRow(tx, id);
    if (!revoked) throw notFound('admin token', id);
    const { name, newly } = revoked;
    if (!newly) return;
    await AuditLog.within(tx, {
      ...by, workspace_id: null, event: 'admin_token.revoked', target: id, details: { name },
    });
  });
}
