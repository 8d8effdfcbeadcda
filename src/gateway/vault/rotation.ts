/** Changing the master key, as an operator does it: by hand, beside services that run. */
import { AuditLog } from '../../audit/audit.ts';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Sql } from '../../store/database.ts';
import { countSilentWorkers, liveNodes, nameOfNode } from '../../store/nodes.ts';
import { rotateMaster, type MasterKeys } from './dataKeys.ts';
import { fingerprints, openMasterKeys } from './masterKeys.ts';

/** The result of a rotation. */
export interface Rotation {
  /** How many were under another master key before. */
  rewrapped: number;
  /** The first master key, which all of them are under now. */
  master_key_id: string;
  /** The others of this configuration: no data key needs them any more. */
  others: string[];
  /** The nodes that run and may seal with another one still. */
  sealing_otherwise: string[];
}

/**
 * Seals all data keys with the first of the configured master keys, and writes it down. Throws an
 * Error while a node runs that does not have that key: it could open no secret afterwards. If such
 * a node starts meanwhile, it throws when all is sealed, and may be called again.
 */
export async function rewrapDataKeys(
  options: { sql: Sql; config: Config; log: Log }): Promise<Rotation> {
  const { sql } = options;
  const { keys } = await openMasterKeys(options);
  await refuseWhileLacking(sql, keys);
  // A node that tells of itself after that look reads the data keys after it has told: it is seen
  // below, or it sees what was sealed and does not start.
  const { rewrapped } = await rotateMaster(sql, keys);
  const [first, ...others] = keys.map(({ id }) => id);
  if (rewrapped > 0) {
    await new AuditLog(sql).append({
      workspace_id: null, actor: { type: 'system', id: null }, event: 'master_key.rotated',
      target: first!, details: { rewrapped },
    });
  }
  await refuseWhileLacking(sql, keys, `The data keys are sealed with ${first} now, but a node has`
    + ' started meanwhile. ');
  const fingerprint = fingerprints(keys)[first!];
  const sealing_otherwise = (await liveNodes(sql))
    .filter(({ seals_with }) => seals_with !== fingerprint).map(nameOfNode);
  return { rewrapped, master_key_id: first!, others, sealing_otherwise };
}

async function refuseWhileLacking(
  sql: Sql, keys: MasterKeys, before = ''): Promise<void> {
  // The first as configured: an object puts names that are numbers, such as years, in their order.
  const name = keys[0]!.id;
  const fingerprint = fingerprints(keys)[name];
  const nodes = await liveNodes(sql);
  const lacking = nodes.filter(({ master_keys }) => master_keys[name] !== fingerprint);
  if (lacking.length > 0) {
    throw new Error(`${before}The master key ${name} is not known`
      + ` to ${lacking.map(nameOfNode).join(', ')}.`
      + ' Start it anew with both keys, and call this again. (A node that crashed counts for 30'
      + ' seconds.)');
  }
  const silent = await countSilentWorkers(sql);
  if (silent > 0) {
    throw new Error(`${before}${silent} of the workers that live do not tell which master keys they`
      + ' have. Start their nodes anew, and call this again.');
  }
}
