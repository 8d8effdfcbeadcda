/** The api key as which the dashboard acts in a workspace. */
import { randomBytes } from 'node:crypto';
import { AuditLog, type Author } from '../audit/audit.ts';
import { GatehouseError } from '../errors.ts';
import { newId } from '../ids.ts';
import { findDashboardKey, insertDashboardKey } from '../store/apiKeys.ts';
import type { Sql } from '../store/database.ts';

const NAME = 'Dashboard';
const PARAM = 'gatehouse-workspace';

/**
 * The id of the workspace's dashboard key. It is made when it is first needed, and again after it
 * was revoked. Throws invalid_request for a workspace that is unknown or archived.
 */
export async function dashboardKey(sql: Sql, workspace_id: string, by: Author): Promise<string> {
  const found = await findDashboardKey(sql, workspace_id);
  if (!found) {
    throw new GatehouseError('invalid_request',
      `No workspace has the id ${JSON.stringify(workspace_id)}.`, { param: PARAM });
  }
  if (found.archived) {
    throw new GatehouseError('invalid_request', 'The workspace is archived: nothing is done or read'
      + ' in it. Set its status to "active" first.', { param: PARAM });
  }
  return found.id ?? await make(sql, workspace_id, by);
}

async function make(sql: Sql, workspace_id: string, by: Author): Promise<string> {
  const made = await sql.begin(async (tx) => {
    // Of a secret that nobody has ever had.
    const id = await insertDashboardKey(tx,
      { id: newId('key'), workspace_id, name: NAME, sha256: randomBytes(32) });
    if (id !== undefined) {
      await AuditLog.within(tx, {
        ...by, workspace_id, event: 'api_key.created', target: id,
        details: { name: NAME, dashboard: true },
      });
    }
    return id;
  });
  // Somebody else was faster, or the workspace has just been archived.
  return made ?? await dashboardKey(sql, workspace_id, by);
}
