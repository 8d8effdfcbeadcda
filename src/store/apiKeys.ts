import type { Sql, Transaction } from './database.ts';
import { conditions, first, keyset, type Filter, type Page, type RowOf } from './rows.ts';

export type ApiKeyRow = RowOf<'ApiKey'>;

export type NewApiKey =
  Pick<ApiKeyRow, 'id' | 'workspace_id' | 'name' | 'hint' | 'expires_at'> & { sha256: Buffer };

// Decided by the database's clock, like every other time in it.
const columns = (sql: Sql | Transaction) => sql`
  id, workspace_id, name, hint, created_at, last_used_at, expires_at, revoked_at,
  case when revoked_at is not null then 'revoked'
       when expires_at <= now() then 'expired' else 'active' end as status`;

/** Stores a key's hash. Answers undefined if the workspace does not exist. */
export async function insertApiKey(
  sql: Sql | Transaction, key: NewApiKey): Promise<ApiKeyRow | undefined> {
  return await first(sql<ApiKeyRow[]>`
    insert into api_keys (workspace_id, id, name, hint, sha256, expires_at)
    select w.id, ${key.id}, ${key.name}, ${key.hint}, ${key.sha256},
      ${key.expires_at}::timestamptz
    from workspaces w where w.id = ${key.workspace_id}
    returning ${columns(sql)}`);
}

const ofActiveWorkspace = (sql: Sql) => sql`exists (
  select from workspaces w where w.id = workspace_id and w.archived_at is null)`;

/** The key with this hash, whatever its status; undefined if an active workspace has none. */
export async function findApiKey(sql: Sql, sha256: Buffer): Promise<ApiKeyRow | undefined> {
  return await first(sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys
    where sha256 = ${sha256} and ${ofActiveWorkspace(sql)}`);
}

/** The ids of those among the keys that open something. */
export async function goodKeys(
  sql: Sql, keys: { workspace_id: string; api_key_id: string }[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from api_keys
    where (workspace_id, id) in (select * from unnest(
        ${keys.map((k) => k.workspace_id)}::text[], ${keys.map((k) => k.api_key_id)}::text[]))
      and revoked_at is null and (expires_at is null or expires_at > now())
      and ${ofActiveWorkspace(sql)}`;
  return new Set(rows.map(({ id }) => id));
}

/** A page of keys, of one workspace or of all. */
export function listApiKeys(
  sql: Sql, { workspace_id }: Filter<'workspace_id'>, page: Page): Promise<ApiKeyRow[]> {
  return sql<ApiKeyRow[]>`
    select ${columns(sql)} from api_keys
    where true ${conditions(sql, { workspace_id })} ${keyset(sql, page)}`;
}

/** A key that was to be revoked, and whether it had not been before. */
export interface RevokedApiKey extends Pick<ApiKeyRow, 'id' | 'workspace_id' | 'name'> {
  newly: boolean;
}

/** Revokes a key, once. Undefined if there is none with this id. */
export async function revokeApiKey(
  sql: Sql | Transaction, id: string): Promise<RevokedApiKey | undefined> {
  return await first(sql<RevokedApiKey[]>`
    update api_keys k set revoked_at = coalesce(k.revoked_at, now())
    from (select revoked_at from api_keys where id = ${id} for update) before
    where k.id = ${id}
    returning k.id, k.workspace_id, k.name, before.revoked_at is null as newly`);
}

/** Notes that keys were used, unless they are revoked by now; one statement for all of them. */
export async function touchApiKeys(
  sql: Sql, keys: { workspace_id: string; api_key_id: string }[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = now()
    from unnest(${keys.map((k) => k.workspace_id)}::text[],
      ${keys.map((k) => k.api_key_id)}::text[]) as used (workspace_id, id)
    where k.workspace_id = used.workspace_id and k.id = used.id and k.revoked_at is null`;
}
