import type { Sql, Transaction } from './database.ts';
import { first, only, some } from './rows.ts';

/** A workspace's data key, wrapped by a master key. */
export interface WorkspaceKeyRow {
  workspace_id: string;
  number: number;
  master_key_id: string;
  wrapped: string;
}

const columns = (sql: Sql | Transaction) => sql`workspace_id, number, master_key_id, wrapped`;

/** The key that a workspace seals with now; undefined if it has none yet. */
export async function currentWorkspaceKey(
  sql: Sql, workspace_id: string): Promise<WorkspaceKeyRow | undefined> {
  return await first(sql<WorkspaceKeyRow[]>`
    select ${columns(sql)} from workspace_keys where workspace_id = ${workspace_id}
    order by number desc limit 1`);
}

export async function getWorkspaceKey(
  sql: Sql, workspace_id: string, number: number): Promise<WorkspaceKeyRow | undefined> {
  return await first(sql<WorkspaceKeyRow[]>`
    select ${columns(sql)} from workspace_keys
    where workspace_id = ${workspace_id} and number = ${number}`);
}

/** Stores a key unless there is one with its number: the first one stays. */
export async function insertWorkspaceKey(sql: Sql, key: WorkspaceKeyRow): Promise<void> {
  await sql`
    insert into workspace_keys (workspace_id, number, master_key_id, wrapped)
    values (${key.workspace_id}, ${key.number}, ${key.master_key_id}, ${key.wrapped})
    on conflict (workspace_id, number) do nothing`;
}

/** One key of each master key in use: enough to tell whether these are the right ones. */
export function sampleWorkspaceKeys(sql: Sql): Promise<WorkspaceKeyRow[]> {
  return sql<WorkspaceKeyRow[]>`
    select distinct on (master_key_id) ${columns(sql)} from workspace_keys
    order by master_key_id, workspace_id, number`;
}

/** How many connections have a secret whose data key is not here, as after a restore in parts. */
export async function countKeyless(sql: Sql): Promise<number> {
  const { count } = await only(sql<{ count: number }[]>`
    select count(*)::int as count from connection_secrets s where not exists (
      select from workspace_keys k where k.workspace_id = s.workspace_id
        and k.number::text = split_part(s.sealed, '.', 2))`);
  return count;
}

/** The next keys, after a place, that are not wrapped by this master key. */
export function workspaceKeysNotUnder(
  sql: Sql, master_key_id: string, after: { workspace_id: string; number: number },
  limit: number): Promise<WorkspaceKeyRow[]> {
  return sql<WorkspaceKeyRow[]>`
    select ${columns(sql)} from workspace_keys
    where master_key_id <> ${master_key_id}
      and (workspace_id, number) > (${after.workspace_id}, ${after.number})
    order by workspace_id, number limit ${limit}`;
}

/** Replaces a key's wrapping, unless it was replaced since it was read. */
export async function rewrapWorkspaceKey(
  sql: Sql, read: WorkspaceKeyRow, wrapping: Pick<WorkspaceKeyRow, 'master_key_id' | 'wrapped'>,
): Promise<boolean> {
  return await some(sql`
    update workspace_keys set master_key_id = ${wrapping.master_key_id},
      wrapped = ${wrapping.wrapped}, updated_at = now()
    where workspace_id = ${read.workspace_id} and number = ${read.number}
      and wrapped = ${read.wrapped}`);
}
