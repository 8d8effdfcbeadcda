/**
 * The sealed values that the service keeps for its integrations. Only this file decrypts: an opened
 * value goes into a call, and nowhere else.
 */
import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../store/database.ts';
import {
  currentWorkspaceKey, getWorkspaceKey, insertWorkspaceKey, type WorkspaceKeyRow,
} from '../../store/workspaceKeys.ts';
import { DecryptionFailed, keyIdOf, open, seal } from './cipher.ts';
import { newWorkspaceKey, sealingKey, unwrap, type MasterKeys } from './dataKeys.ts';

export { DecryptionFailed } from './cipher.ts';

/** What a sealed value belongs to, besides its workspace; it opens nowhere else. */
export interface SealContext {
  table: string;
  /** What tells it from the others of the table. */
  row: string;
  field: string;
}

/** The owner of what is sealed and belongs to no workspace. */
export const SERVICE = '_service';

export interface Secrets {
  /**
   * Seals a value. Throws GatehouseError unavailable, for the operator, if there is no master key.
   */
  seal(workspace_id: string, context: SealContext, plain: object): Promise<string>;
  /**
   * Opens what was sealed for the same context. Throws DecryptionFailed if it was changed or moved,
   * and DataKeyUnavailable if the master key is missing or another one.
   */
  open<T>(workspace_id: string, context: SealContext, sealed: string): Promise<T>;
}

const CACHED_KEYS = 1_000;
const NUMBER = /^[1-9][0-9]{0,8}$/;

interface DataKey {
  number: number;
  key: KeyObject;
}

/** Secrets sealed with a data key for each workspace, which the first master key wraps. */
export function createSecrets({ sql, keys }: { sql: Sql; keys: MasterKeys }): Secrets {
  // Rotation changes how a data key is wrapped, never the key itself.
  const opened = new LRUCache<string, KeyObject>({ max: CACHED_KEYS });

  function keyOf(row: WorkspaceKeyRow): DataKey {
    const key = unwrap(keys, row);
    opened.set(nameOf(row.workspace_id, row.number), key);
    return { number: row.number, key };
  }

  /**
   * The key that seals, as the database has it now: one that was made here may be lost by a
   * failover, and what it sealed afterwards would open in no other process. The first secret of a
   * workspace makes it, also if two begin at once.
   */
  async function currentKey(workspace_id: string): Promise<DataKey> {
    const master = sealingKey(keys);
    const present = await currentWorkspaceKey(sql, workspace_id);
    if (present !== undefined) return keyOf(present);
    await insertWorkspaceKey(sql, newWorkspaceKey(master, { workspace_id, number: 1 }));
    return keyOf((await currentWorkspaceKey(sql, workspace_id))!);
  }

  async function openBytes(
    workspace_id: string, context: SealContext, sealed: string): Promise<Buffer> {
    const number = keyIdOf(sealed);
    if (!NUMBER.test(number)) throw new DecryptionFailed();
    const parts = partsOf(workspace_id, context);
    const known = opened.get(nameOf(workspace_id, number));
    try {
      if (known !== undefined) return open(known, parts, sealed);
    } catch (error) {
      // The number may be another key's by now, where a failover has lost the one that is known.
      if (!(error instanceof DecryptionFailed)) throw error;
    }
    const row = await getWorkspaceKey(sql, workspace_id, Number(number));
    if (row === undefined) throw new DecryptionFailed();
    return open(keyOf(row).key, parts, sealed);
  }

  return {
    async seal(workspace_id, context, plain) {
      const { number, key } = await currentKey(workspace_id);
      return seal(key, String(number), partsOf(workspace_id, context),
        Buffer.from(JSON.stringify(plain), 'utf8'));
    },
    async open<T>(workspace_id: string, context: SealContext, sealed: string): Promise<T> {
      const plain = await openBytes(workspace_id, context, sealed);
      return JSON.parse(plain.toString('utf8')) as T;
    },
  };
}

function nameOf(workspace_id: string, number: number | string): string {
  return `${workspace_id}|${number}`;
}

function partsOf(workspace_id: string, { table, row, field }: SealContext): string[] {
  return [table, workspace_id, row, field];
}
