import type { Sql, Transaction } from './database.ts';
import {
  conditions, first, keyset, statusOfSecret, tableOf, type Filter, type Page, type RowOf,
} from './rows.ts';

export type ApiKeyRow = RowOf<'ApiKey', 'open_runs' | 'pending_approvals'>;

/** A key with what would end with it. */
export type ListedApiKeyRow = RowOf<'ApiKey'>;

export type NewApiKey =
  Pick<ApiKeyRow, 'id' | 'workspace_id' | 'name' | 'hint' | 'expires_at' | 'identities'>
  & { sha256: Buffer };

const columns = (sql: Sql | Transaction) => sql`
  id, workspace_id, name, hint, dashboard, identities, created_at, last_used_at, expires_at,
  revoked_at, ${statusOfSecret(sql)} as status`;

/** Stores a key's hash. Answers undefined if the workspace does not exist, or is archived. */
export async function insertApiKey(
  sql: Sql | Transaction, key: NewApiKey): Promise<ApiKeyRow | undefined> {
  return await first(sql<ApiKeyRow[]>`
    insert into api_keys (workspace_id, id, name, hint, sha256, expires_at, identities)
    select w.id, ${key.id}, ${key.name}, ${key.hint}, ${key.sha256},
      ${key.expires_at}::timestamptz, ${key.identities}::text[]
    from workspaces w where w.id = ${key.workspace_id} and w.archived_at is null
    returning ${columns(sql)}`);
}

const ofActiveWorkspace = (sql: Sql) => sql`exists (
  select from workspaces w where w.id = workspace_id and w.archived_at is null)`;

/** A key, and how long until it expires; null: it never does. */
export interface FoundApiKey extends ApiKeyRow { good_for_ms: number | null }

/** The key with this hash, whatever its status; undefined if an active workspace has none. */
export async function findApiKey(sql: Sql, sha256: Buffer): Promise<FoundApiKey | undefined> {
  return await first(sql<FoundApiKey[]>`
    select ${columns(sql)}, extract(epoch from expires_at - now())::float8 * 1000 as good_for_ms
    from api_keys
    where sha256 = ${sha256} and ${ofActiveWorkspace(sql)}`);
}

/**
 * The keys of active workspaces that are good and stand for any of these, with those of their
 * identities; so many at most, or this one alone.
 */
export function keysOfIdentities(
  sql: Sql, identities: string[], api_key_id: string | null, limit: number) {
  return sql<Pick<ApiKeyRow, 'workspace_id' | 'id' | 'identities'>[]>`
    select workspace_id, id,
      array(select unnest(identities) intersect select unnest(${identities}::text[])) as identities
    from api_keys
    where identities && ${identities}::text[] and identities <> '{}' and revoked_at is null
      and not dashboard and (expires_at is null or expires_at > now()) and ${ofActiveWorkspace(sql)}
      and (${api_key_id}::text is null or id = ${api_key_id})
    order by id limit ${limit}`;
}

export type ApiKeyChange = Partial<Pick<ApiKeyRow, 'name' | 'identities'>>;

/** Changes the given fields. Undefined if there is no key with this id. */
export async function updateApiKeyRow(
  sql: Sql | Transaction, id: string, { name, identities }: ApiKeyChange,
): Promise<ApiKeyRow | undefined> {
  return await first(sql<ApiKeyRow[]>`
    update api_keys set name = coalesce(${name ?? null}, name),
      identities = coalesce(${identities ?? null}::text[], identities)
    where id = ${id} returning ${columns(sql)}`);
}

/** A workspace, and its dashboard key if it has one; undefined if there is no such workspace. */
export async function findDashboardKey(
  sql: Sql, workspace_id: string): Promise<{ archived: boolean; id: string | null } | undefined> {
  return await first(sql<{ archived: boolean; id: string | null }[]>`
    select w.archived_at is not null as archived, k.id
    from workspaces w
    left join api_keys k on k.workspace_id = w.id and k.dashboard and k.revoked_at is null
    where w.id = ${workspace_id}`);
}

/** Stores the dashboard key of an active workspace, unless it has one; answers its id if it did. */
export async function insertDashboardKey(
  sql: Sql | Transaction, key: Pick<NewApiKey, 'id' | 'workspace_id' | 'name' | 'sha256'>,
): Promise<string | undefined> {
  const row = await first(sql<{ id: string }[]>`
    insert into api_keys (workspace_id, id, name, hint, sha256, dashboard)
    select w.id, ${key.id}, ${key.name}, '—', ${key.sha256}, true
    from workspaces w where w.id = ${key.workspace_id} and w.archived_at is null
    on conflict (workspace_id) where dashboard and revoked_at is null do nothing
    returning id`);
  return row?.id;
}

/** The ids of those among the keys that open something. */
export async function goodKeys(
  sql: Sql, keys: { workspace_id: string; api_key_id: string }[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from api_keys
    where (workspace_id, id) in (
        select * from ${tableOf(sql, 'given', keys, { workspace_id: 'text', api_key_id: 'text' })})
      and revoked_at is null and (expires_at is null or expires_at > now())
      and ${ofActiveWorkspace(sql)}`;
  return new Set(rows.map(({ id }) => id));
}

/** So many of a key's queued runs, and of its approvals, are counted: a page may hold 100 keys. */
const COUNTED = 1_000;

/** A page of keys, of one workspace or of all. */
export function listApiKeyRows(
  sql: Sql | Transaction, { workspace_id, id }: Filter<'workspace_id' | 'id'>, page: Page,
): Promise<ListedApiKeyRow[]> {
  const order = page.order === 'asc' ? sql`order by id` : sql`order by id desc`;
  // What is executed is little, and no index has it by key: it is counted for all of them at once.
  return sql<ListedApiKeyRow[]>`
    with page as materialized (
      select ${columns(sql)} from api_keys
      where true ${conditions(sql, { workspace_id, id })} ${keyset(sql, page)}
    ), executed as materialized (
      select workspace_id, api_key_id, count(*)::int as runs from runs
      where status = 'running' and workspace_id in (select p.workspace_id from page p)
      group by workspace_id, api_key_id
    )
    select page.*,
      coalesce((select e.runs from executed e
        where e.workspace_id = page.workspace_id and e.api_key_id = page.id), 0)
      + (select count(*)::int from (
        select from runs r
        where r.workspace_id = page.workspace_id and r.api_key_id = page.id
          and r.status = 'queued' limit ${COUNTED}) queued) as open_runs,
      (select count(*)::int from (
        select from approvals a
        where a.workspace_id = page.workspace_id and a.api_key_id = page.id
          and a.status = 'pending' and a.expires_at >= now() limit ${COUNTED}) pending)
        as pending_approvals
    from page ${order}`;
}

/** A key that was to be revoked, and whether it had not been before. */
export interface RevokedApiKey extends Pick<ApiKeyRow, 'id' | 'workspace_id' | 'name'> {
  newly: boolean;
}

/** Revokes a key, once. Undefined if there is none with this id. */
export async function revokeApiKeyRow(
  sql: Sql | Transaction, id: string): Promise<RevokedApiKey | undefined> {
  return await first(sql<RevokedApiKey[]>`
    update api_keys k set revoked_at = coalesce(k.revoked_at, now())
    from (select revoked_at from api_keys where id = ${id} for update) before
    where k.id = ${id}
    returning k.id, k.workspace_id, k.name, before.revoked_at is null as newly`);
}

/**
 * Notes that keys were used: now, or for one that is revoked by now, when it was, for what another
 * node still took after that was within a second. One statement for all of them. They are locked in
 * one order, for other nodes note the uses of the same keys at the same time.
 */
export async function touchApiKeys(
  sql: Sql, keys: { workspace_id: string; api_key_id: string }[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = least(now(), k.revoked_at)
    from (
      select l.workspace_id, l.id
      from ${tableOf(sql, 'used', keys, { workspace_id: 'text', api_key_id: 'text' })}
      join api_keys l on l.workspace_id = used.workspace_id and l.id = used.api_key_id
      order by l.workspace_id, l.id for no key update of l) locked
    where k.workspace_id = locked.workspace_id and k.id = locked.id`;
}
