import type { Sql, Transaction } from './database.ts';
import { keyset, type Page } from './pages.ts';

export type GrantDecision = 'allow' | 'require_approval' | 'deny';

export interface Grant {
  id: string;
  workspace_id: string;
  /** Null: it holds for every key of the workspace. */
  api_key_id: string | null;
  /** A dotted name, with `*` for a part, or at its end for any number of them. */
  actions: string;
  decision: GrantDecision;
  /** Null: it holds for every connection. */
  connection_id: string | null;
  expires_at: string | null;
  created_at: string;
}

export type NewGrant = Omit<Grant, 'created_at'>;

/** Something that a grant names and that does not exist. */
export interface MissingTarget {
  missing: { what: 'workspace' | 'api key' | 'connection'; id: string };
}

/** Adds a grant, or answers what it names and the workspace does not have. */
export async function insertGrant(
  tx: Transaction, grant: NewGrant): Promise<Grant | MissingTarget> {
  const { workspace_id, api_key_id, connection_id } = grant;
  const [found] = await tx<{ workspace: boolean; api_key: boolean; connection: boolean }[]>`
    select exists (select from workspaces where id = ${workspace_id}) as workspace,
      exists (select from api_keys where workspace_id = ${workspace_id} and id = ${api_key_id})
        as api_key,
      exists (select from connections where workspace_id = ${workspace_id}
        and id = ${connection_id}) as connection`;
  if (!found!.workspace) return { missing: { what: 'workspace', id: workspace_id } };
  if (api_key_id !== null && !found!.api_key) {
    return { missing: { what: 'api key', id: api_key_id } };
  }
  if (connection_id !== null && !found!.connection) {
    return { missing: { what: 'connection', id: connection_id } };
  }
  const [row] = await tx<Grant[]>`
    insert into grants (workspace_id, id, api_key_id, actions, decision, connection_id, expires_at)
    values (${workspace_id}, ${grant.id}, ${api_key_id}, ${grant.actions}, ${grant.decision},
      ${connection_id}, ${grant.expires_at})
    returning *`;
  return row!;
}

/** A page of grants, one row more than its limit if there are more. */
export function listGrants(
  sql: Sql, filter: { workspace_id?: string }, page: Page): Promise<Grant[]> {
  const { workspace_id } = filter;
  return sql<Grant[]>`
    select * from grants
    where ${workspace_id === undefined ? sql`true` : sql`workspace_id = ${workspace_id}`}
      ${keyset(sql, page)}`;
}

/** The grant that was removed; undefined if there was none. */
export async function deleteGrant(sql: Sql | Transaction, id: string): Promise<Grant | undefined> {
  const [row] = await sql<Grant[]>`delete from grants where id = ${id} returning *`;
  return row;
}
