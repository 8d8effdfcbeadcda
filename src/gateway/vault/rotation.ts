/** Changing the master key, as an operator does it: by hand, beside services that run. */
import { AuditLog } from '../../audit/audit.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Sql } from '../../store/database.ts';
import { rotateMaster } from './dataKeys.ts';
import { openMasterKeys } from './masterKeys.ts';

/** The result of a rotation. */
export interface Rotation {
  /** How many were under another master key before. */
  rewrapped: number;
  /** The first master key, which all of them are under now. */
  master_key_id: string;
  /** The others of this configuration: no data key needs them any more. */
  others: string[];
}

/** Seals all data keys with the first of the configured master keys, and writes it down. */
export async function rotateMasterKeys(
  options: { sql: Sql; config: Config; log: Log }): Promise<Rotation> {
  const { sql } = options;
  const { keys } = await openMasterKeys(options);
  const { rewrapped } = await rotateMaster(sql, keys);
  const [first, ...others] = keys.map(({ id }) => id);
  if (rewrapped > 0) {
    await new AuditLog(sql).append({
      workspace_id: null, actor: { type: 'system', id: null }, event: 'master_key.rotated',
      target: first!, details: { rewrapped },
    });
  }
  return { rewrapped, master_key_id: first!, others };
}
