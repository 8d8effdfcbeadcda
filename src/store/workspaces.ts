import type { Sql, Transaction } from './database.ts';
import type { Page } from './pages.ts';
import { jsonText } from './jsonText.ts';
import { keyset } from './pages.ts';

export interface WorkspaceLimits {
  max_steps?: number;
  timeout_s?: number;
  max_total_tokens?: number;
  max_total_tokens_per_day?: number;
}

export interface WorkspaceRow {
  id: string;
  name: string;
  model: string | null;
  /** Patterns; null for the models that the operator allows. */
  allowed_models: string[] | null;
  instructions: string | null;
  limits: WorkspaceLimits;
  created_at: string;
  updated_at: string;
}

export type NewWorkspace =
  Pick<WorkspaceRow, 'id' | 'name' | 'model' | 'instructions' | 'limits'>
  & Partial<Pick<WorkspaceRow, 'allowed_models'>>;

// By name: an upgrade that adds a column must not change what older nodes' statements answer.
const columns = (sql: Sql | Transaction) =>
  sql`id, name, model, allowed_models, instructions, limits, created_at, updated_at`;

export async function insertWorkspace(
  sql: Sql | Transaction, workspace: NewWorkspace): Promise<WorkspaceRow> {
  const [row] = await sql<WorkspaceRow[]>`
    insert into workspaces (id, name, model, allowed_models, instructions, limits)
    values (${workspace.id}, ${workspace.name}, ${workspace.model},
      ${jsonText(workspace.allowed_models)}::text::json, ${workspace.instructions},
      ${JSON.stringify(workspace.limits)}::text::json)
    returning ${columns(sql)}`;
  return row!;
}

export async function getWorkspace(
  sql: Sql | Transaction, id: string): Promise<WorkspaceRow | undefined> {
  const [row] = await sql<WorkspaceRow[]>`select ${columns(sql)} from workspaces where id = ${id}`;
  return row;
}

/** A page of workspaces, one row more than its limit if there are more. */
export function listWorkspaces(sql: Sql, page: Page): Promise<WorkspaceRow[]> {
  return sql<WorkspaceRow[]>`
    select ${columns(sql)} from workspaces where true ${keyset(sql, page)}`;
}

/** Changes the given fields; undefined leaves one as it is, null empties it. */
export async function updateWorkspace(
  sql: Sql | Transaction, id: string, change: Partial<Omit<NewWorkspace, 'id'>>,
): Promise<WorkspaceRow | undefined> {
  const [row] = await sql<WorkspaceRow[]>`
    update workspaces set updated_at = now()
      ${change.name === undefined ? sql`` : sql`, name = ${change.name}`}
      ${change.model === undefined ? sql`` : sql`, model = ${change.model}`}
      ${change.allowed_models === undefined
        ? sql`` : sql`, allowed_models = ${jsonText(change.allowed_models)}::text::json`}
      ${change.instructions === undefined ? sql`` : sql`, instructions = ${change.instructions}`}
      ${change.limits === undefined
        ? sql`` : sql`, limits = ${JSON.stringify(change.limits)}::text::json`}
    where id = ${id} returning ${columns(sql)}`;
  return row;
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
export async function hasWorkspace(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from workspaces limit 1`;
  return rows.length > 0;
}
