import { listConnections, type Connection } from './connections.ts';
import type { Sql } from './database.ts';
import type { Grant } from './grants.ts';

/** The rows that decide over a call: read for each call, so that the next one sees a change. */
export interface AccessRow {
  connections: Connection[];
  grants: Grant[];
  /** The version of the integrations and their actions; see integrations_version. */
  version: number;
}

export async function readAccess(sql: Sql, workspace_id: string): Promise<AccessRow> {
  const [connections, rows] = await Promise.all([
    listConnections(sql, workspace_id),
    sql<({ version: number } & Grant)[]>`
      select v.version, g.* from integrations_version v
      left join grants g on g.workspace_id = ${workspace_id}`,
  ]);
  return {
    connections,
    grants: rows.filter(({ id }) => id !== null).map(({ version: _, ...grant }) => grant),
    version: rows[0]!.version,
  };
}
