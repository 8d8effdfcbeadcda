import type { Sql, Transaction } from './database.ts';
import { keyset, type Page } from './pages.ts';
import { conditions, first, only, type RowOf, type Schemas } from './rows.ts';

export type GrantDecision = Schemas['GrantDecision'];

/** Without a key it holds for every key of the workspace, without a connection for every one. */
export type Grant = RowOf<'Grant', 'matches'>;

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
  return await only(tx<Grant[]>`
    insert into grants (workspace_id, id, api_key_id, actions, decision, connection_id, expires_at)
    values (${workspace_id}, ${grant.id}, ${api_key_id}, ${grant.actions}, ${grant.decision},
      ${connection_id}, ${grant.expires_at})
    returning *`);
}

/** A page of grants, one row more than its limit if there are more. */
export function listGrants(
  sql: Sql, { workspace_id }: { workspace_id?: string }, page: Page): Promise<Grant[]> {
  return sql<Grant[]>`
    select * from grants where true ${conditions(sql, { workspace_id })} ${keyset(sql, page)}`;
}

/** The grant that was removed; undefined if there was none. */
export async function deleteGrant(sql: Sql | Transaction, id: string): Promise<Grant | undefined> {
  return await first(sql<Grant[]>`delete from grants where id = ${id} returning *`);
}
