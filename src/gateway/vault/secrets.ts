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
  connection_id: string;
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
  // Rotation changes how a data key is wrapped, never the key itself: no entry gets outdated.
  const opened = new LRUCache<string, DataKey>({ max: CACHED_KEYS });

  async function dataKey(
    name: string, find: () => Promise<WorkspaceKeyRow | undefined>): Promise<DataKey | undefined> {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const row = await find();
    if (row === undefined) return undefined;
    const found = { number: row.number, key: unwrap(keys, row) };
    opened.set(name, found);
    return found;
  }

  /** The key that seals. The first secret of a workspace makes it, also if two begin at once. */
  async function currentKey(workspace_id: string): Promise<DataKey> {
    const master = sealingKey(keys);
    const found = await dataKey(`${workspace_id}|now`, async () => {
      const present = await currentWorkspaceKey(sql, workspace_id);
      if (present !== undefined) return present;
      await insertWorkspaceKey(sql, newWorkspaceKey(master, { workspace_id, number: 1 }));
      return await currentWorkspaceKey(sql, workspace_id);
    });
    return found!;
  }

  return {
    async seal(workspace_id, context, plain) {
      const { number, key } = await currentKey(workspace_id);
      return seal(key, String(number), partsOf(workspace_id, context),
        Buffer.from(JSON.stringify(plain), 'utf8'));
    },
    async open<T>(workspace_id: string, context: SealContext, sealed: string): Promise<T> {
      const name = keyIdOf(sealed);
      const found = !NUMBER.test(name) ? undefined : await dataKey(`${workspace_id}|${name}`,
        () => getWorkspaceKey(sql, workspace_id, Number(name)));
      if (found === undefined) throw new DecryptionFailed();
      const plain = open(found.key, partsOf(workspace_id, context), sealed);
      return JSON.parse(plain.toString('utf8')) as T;
    },
  };
}

function partsOf(workspace_id: string, { table, connection_id, field }: SealContext): string[] {
  return [table, workspace_id, connection_id, field];
}
