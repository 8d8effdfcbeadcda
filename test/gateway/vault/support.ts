/** Master keys, and connections to keep secrets of. */
import { createSecretKey, randomBytes } from 'node:crypto';
import type { MasterKeys } from '../../../src/gateway/vault/dataKeys.ts';
import type { ConnectionStatus } from '../../../src/store/connections.ts';
import type { Sql } from '../../../src/store/database.ts';
import { insertWorkspace } from '../../../src/store/workspaces.ts';

/** New master keys of these names; the first one seals. */
export function masterKeys(...ids: string[]): MasterKeys {
  return ids.map((id) => ({ id, key: createSecretKey(randomBytes(32)) }));
}

export async function addWorkspaces(sql: Sql, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await insertWorkspace(
      sql, { id, name: id, model: null, instructions: null, limits: {} });
  }
}

/** A connection of the workspace to `github`, without credentials. */
export async function addConnection(
  sql: Sql, workspace_id: string, connection_id: string, status: ConnectionStatus = 'pending',
) {
  await sql`
    insert into connections (workspace_id, id, integration, name, status)
    values (${workspace_id}, ${connection_id}, 'github', ${connection_id}, ${status})`;
  return { workspace_id, connection_id };
}

/** What an operator sees of a connection. */
export async function statusOf(
  sql: Sql, { workspace_id, connection_id }: { workspace_id: string; connection_id: string }) {
  const [row] = await sql<{ status: ConnectionStatus; status_reason: string | null }[]>`
    select status, status_reason from connections
    where workspace_id = ${workspace_id} and id = ${connection_id}`;
  return row;
}
