import type { Sql, Transaction } from './database.ts';
import { first, keyset, only, statusOfSecret, type Page, type RowOf } from './rows.ts';

export type AdminTokenRow = RowOf<'AdminToken'>;

export type NewAdminToken =
  Pick<AdminTokenRow, 'id' | 'name' | 'hint' | 'expires_at'> & { sha256: Buffer };

const columns = (sql: Sql | Transaction) => sql`
  id, name, hint, created_at, last_used_at, expires_at, revoked_at,
  ${statusOfSecret(sql)} as status`;

/** Stores a token's hash. */
export async function insertAdminToken(
  sql: Sql | Transaction, token: NewAdminToken): Promise<AdminTokenRow> {
  return await only(sql<AdminTokenRow[]>`
    insert into admin_tokens (id, name, hint, sha256, expires_at)
    values (${token.id}, ${token.name}, ${token.hint}, ${token.sha256},
      ${token.expires_at}::timestamptz)
    returning ${columns(sql)}`);
}

/** The token with this hash, whatever its status; undefined if there is none. */
export async function findAdminToken(
  sql: Sql, sha256: Buffer): Promise<AdminTokenRow | undefined> {
  return await first(sql<AdminTokenRow[]>`
    select ${columns(sql)} from admin_tokens where sha256 = ${sha256}`);
}

/** A token by its id, whatever its status; undefined if there is none. */
export async function getAdminToken(
  sql: Sql | Transaction, id: string): Promise<AdminTokenRow | undefined> {
  return await first(sql<AdminTokenRow[]>`
    select ${columns(sql)} from admin_tokens where id = ${id}`);
}

/** A page of tokens, one row more than its limit if there are more. */
export function listAdminTokenRows(sql: Sql, page: Page): Promise<AdminTokenRow[]> {
  return sql<AdminTokenRow[]>`
    select ${columns(sql)} from admin_tokens where true ${keyset(sql, page)}`;
}

/** Revokes a token, once. Undefined if there is none with this id. */
export async function revokeAdminTokenRow(
  sql: Sql | Transaction, id: string,
): Promise<Pick<AdminTokenRow, 'id' | 'name'> & { newly: boolean } | undefined> {
  return await first(sql<(Pick<AdminTokenRow, 'id' | 'name'> & { newly: boolean })[]>`
    update admin_tokens t set revoked_at = coalesce(t.revoked_at, now())
    from (select revoked_at from admin_tokens where id = ${id} for update) before
    where t.id = ${id}
    returning t.id, t.name, before.revoked_at is null as newly`);
}

/** Notes that tokens were used: now, or for one that is revoked by now, when it was. */
export async function touchAdminTokens(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`update admin_tokens set last_used_at = least(now(), revoked_at)
    where id = any(${ids}::text[])`;
}
