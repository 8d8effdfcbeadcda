import type { Sql, Transaction } from './database.ts';
import { endReasonOf, type EndReason } from './revocations.ts';
import {
  assignments, first, jsonText, keyset, only, some, type Filter, type Page, type RowOf,
} from './rows.ts';

export interface WorkspaceRow extends RowOf<'Workspace', 'storage'> {
  /** What it has stored, as it was a few seconds ago. */
  storage_bytes: number;
}

export type NewWorkspace =
  Pick<WorkspaceRow, 'id' | 'name' | 'model' | 'instructions' | 'limits'>
  & Partial<Pick<WorkspaceRow, 'allowed_models'>>;

// By name: an upgrade that adds a column must not change what older nodes' statements answer.
const columns = (sql: Sql | Transaction) =>
  sql`id, case when archived_at is null then 'active' else 'archived' end as status, name, model,
    allowed_models, instructions, limits, created_at, updated_at, coalesce((
      select bytes from storage where workspace_id = workspaces.id), 0)::float8 as storage_bytes`;

export async function insertWorkspace(
  sql: Sql | Transaction, workspace: NewWorkspace): Promise<WorkspaceRow> {
  return await only(sql<WorkspaceRow[]>`
    insert into workspaces (id, name, model, allowed_models, instructions, limits)
    values (${workspace.id}, ${workspace.name}, ${workspace.model},
      ${jsonText(workspace.allowed_models)}::text::json, ${workspace.instructions},
      ${JSON.stringify(workspace.limits)}::text::json)
    returning ${columns(sql)}`);
}

export async function getWorkspaceRow(
  sql: Sql | Transaction, id: string): Promise<WorkspaceRow | undefined> {
  return await first(sql<WorkspaceRow[]>`select ${columns(sql)} from workspaces where id = ${id}`);
}

/** The workspace of a key. */
export interface WorkspaceOfKey extends WorkspaceRow {
  /** Why the key is not good any more; null if it is. */
  ended: EndReason | null;
  /** Another one whenever the row has changed. */
  version: string;
}

export async function getWorkspaceOf(
  sql: Sql | Transaction, key: { workspace_id: string; api_key_id: string },
): Promise<WorkspaceOfKey | undefined> {
  const { workspace_id, api_key_id } = key;
  return await first(sql<WorkspaceOfKey[]>`
    select ${columns(sql)}, ${endReasonOf(sql, workspace_id, api_key_id)} as ended,
      xmin::text as version
    from workspaces where id = ${workspace_id}`);
}

/**
 * A page of workspaces, one row more than its limit if there are more. The one of a run is found by
 * asking each: as a value the planner cannot make a join of it, which might read all runs.
 */
export function listWorkspaceRows(
  sql: Sql, { run_id }: Filter<'run_id'>, page: Page): Promise<WorkspaceRow[]> {
  return sql<WorkspaceRow[]>`
    select ${columns(sql)} from workspaces
    where ${run_id === undefined ? sql`true` : sql`
      (select true from runs r where r.workspace_id = workspaces.id and r.id = ${run_id})`}
      ${keyset(sql, page)}`;
}

/**
 * Changes the given fields; undefined leaves one as it is, null empties it. To archive an archived
 * workspace changes nothing.
 */
export async function updateWorkspaceRow(
  sql: Sql | Transaction, id: string,
  change: Partial<Omit<NewWorkspace, 'id'> & Pick<WorkspaceRow, 'status'>>,
): Promise<WorkspaceRow | undefined> {
  const { name, model, allowed_models, instructions, limits, status } = change;
  return await first(sql<WorkspaceRow[]>`
    update workspaces set updated_at = now()
      ${assignments(sql, { name, model, allowed_models, instructions, limits })}
      ${status === undefined ? sql`` : status === 'archived'
        ? sql`, archived_at = coalesce(archived_at, now())`
        : sql`, archived_at = null, ended_at = null`}
    where id = ${id} returning ${columns(sql)}`);
}

/** The ids among `ids` that no workspace has. */
export async function unknownWorkspaces(
  sql: Sql | Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct given.id from unnest(${[...ids]}::text[]) as given (id)
    where not exists (select from workspaces w where w.id = given.id) order by given.id`;
  return rows.map(({ id }) => id);
}

/** Whether there is any workspace: false on a database that nobody has used yet. */
export async function hasWorkspace(sql: Sql | Transaction): Promise<boolean> {
  return await some(sql`select 1 from workspaces limit 1`);
}
