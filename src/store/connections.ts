import { newId } from '../ids.ts';
import type { Sql, Transaction } from './database.ts';

export type ConnectionStatus = 'pending' | 'connected' | 'needs_reconnect' | 'disabled';

/** A workspace's linked account of an integration. */
export interface Connection {
  id: string;
  integration: string;
  name: string;
  account_label: string | null;
  status: ConnectionStatus;
  status_reason: string | null;
  created_at: string;
  updated_at: string;
}

const columns = (sql: Sql | Transaction) => sql`
  id, integration, name, account_label, status, status_reason, created_at, updated_at`;

/**
 * Connects the workspace to the built-in integrations `slugs` that it has no connection to yet.
 * Repeating it, also at the same time, makes no second one: the lock on the workspace is taken by a
 * statement of its own, for a statement does not see what is committed while it waits.
 */
export async function createBuiltinConnections(
  tx: Transaction, workspace_id: string, slugs: readonly string[]): Promise<void> {
  const ids = slugs.map(() => newId('con'));
  await tx`select 1 from workspaces where id = ${workspace_id} for no key update`;
  await tx`
    insert into connections (workspace_id, id, integration, name, status)
    select ${workspace_id}, new.id, new.slug, new.slug, 'connected'
    from unnest(${ids}::text[], ${[...slugs]}::text[]) as new (id, slug)
    where not exists (
      select 1 from connections c where c.workspace_id = ${workspace_id}
        and c.integration = new.slug)`;
}

/** All connections of the workspace, by integration and then by age. */
export function listConnections(sql: Sql, workspace_id: string): Promise<Connection[]> {
  return sql<Connection[]>`
    select ${columns(sql)} from connections where workspace_id = ${workspace_id}
    order by integration, id`;
}
