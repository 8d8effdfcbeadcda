import { listConnectionRows, type Connection } from './connections.ts';
import type { Sql, Transaction } from './database.ts';
import type { Grant } from './grants.ts';
import { endReasonOf, type EndReason } from './revocations.ts';

/** The rows that decide over a call: read for each call, so that the next one sees a change. */
export interface AccessRow {
  connections: Connection[];
  grants: Grant[];
  /** The version of the integrations and their actions; see integrations_version. */
  version: number;
  /** Why the key is not good any more; null if it is. */
  ended: EndReason | null;
}

/** `api_key_id` is empty where nobody's key is asked about. */
export async function readAccess(
  sql: Sql, workspace_id: string, api_key_id: string): Promise<AccessRow> {
  return await sql.together((one) => readAccessBy(one, workspace_id, api_key_id));
}

/** The same by statements of a connection; of the grants those that have not expired. */
export async function readAccessBy(
  one: Transaction, workspace_id: string, api_key_id: string): Promise<AccessRow> {
  const [connections, rows] = await Promise.all([
    listConnectionRows(one, workspace_id),
    one<(Pick<AccessRow, 'version' | 'ended'> & Grant)[]>`
      select v.version, ${endReasonOf(one, workspace_id, api_key_id)} as ended, g.*
      from integrations_version v
      left join grants g on g.workspace_id = ${workspace_id}
        and (g.expires_at is null or g.expires_at > now())`,
  ]);
  return {
    connections,
    grants: rows.filter(({ id }) => id !== null)
      .map(({ version: _version, ended: _ended, ...grant }) => grant),
    version: rows[0]!.version,
    ended: rows[0]!.ended,
  };
}
