/** Data keys, as they are stored: sealed by a master key, each for its workspace and number. */
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { GatehouseError } from '../../errors.ts';
import type { Sql } from '../../store/database.ts';
import {
  rewrapWorkspaceKey, workspaceKeysNotUnder, type WorkspaceKeyRow,
} from '../../store/workspaceKeys.ts';
import { DecryptionFailed, KEY_BYTES, open, seal } from './cipher.ts';

/** A key of the operator's, which wraps data keys. */
export interface MasterKey {
  id: string;
  key: KeyObject;
}

/** The first one encrypts, all of them decrypt. None: no secret can be stored. */
export type MasterKeys = readonly MasterKey[];

export const HOW_TO_MAKE_ONE = 'Make one by `openssl rand -base64 32`, and set'
  + ' GATEHOUSE_MASTER_KEYS=<a name>:<what it printed>.';

const BATCH_ROWS = 100;

/** A data key cannot be had because of the configuration, not of what is sealed with it. */
export class DataKeyUnavailable extends GatehouseError {
  override name = 'DataKeyUnavailable';

  constructor(message: string) {
    super('unavailable', `${message} Its operator has to mend GATEHOUSE_MASTER_KEYS.`);
  }
}

/** The master key that seals. Throws an error for the operator if there is none. */
export function sealingKey(keys: MasterKeys): MasterKey {
  const [first] = keys;
  if (first === undefined) {
    throw new GatehouseError('unavailable',
      `No secret can be stored: this service has no master key. ${HOW_TO_MAKE_ONE} Keep a copy of`
        + ' it apart from the database.');
  }
  return first;
}

type DataKeyId = Pick<WorkspaceKeyRow, 'workspace_id' | 'number'>;

const associatedData = ({ workspace_id, number }: DataKeyId) =>
  ['workspace_keys', workspace_id, String(number), 'wrapped'];

/** A new data key, wrapped by a master key. */
export function newWorkspaceKey(master: MasterKey, id: DataKeyId): WorkspaceKeyRow {
  return wrap(master, id, randomBytes(KEY_BYTES));
}

/** The data key of a row. Throws DataKeyUnavailable if its master key is missing or another one. */
export function unwrap(keys: MasterKeys, row: WorkspaceKeyRow): KeyObject {
  return createSecretKey(unwrapBytes(keys, row));
}

/**
 * Wraps every data key by the first master key; answers how many it wrapped. Call it again after an
 * interruption, and it goes on. Several may run at once, beside a running service. Throws
 * DataKeyUnavailable at a data key that an unknown master key wraps.
 */
export async function rotateMaster(sql: Sql, keys: MasterKeys): Promise<{ rewrapped: number }> {
  const master = sealingKey(keys);
  let rewrapped = 0;
  for await (const row of keysNotUnder(sql, master.id)) {
    const { master_key_id, wrapped } = wrap(master, row, unwrapBytes(keys, row));
    if (await rewrapWorkspaceKey(sql, row, { master_key_id, wrapped })) rewrapped += 1;
  }
  return { rewrapped };
}

/** The data keys that another master key wraps, read in batches. */
async function* keysNotUnder(sql: Sql, master_key_id: string): AsyncGenerator<WorkspaceKeyRow> {
  let after: DataKeyId = { workspace_id: '', number: 0 };
  for (;;) {
    const rows = await workspaceKeysNotUnder(sql, master_key_id, after, BATCH_ROWS);
    if (rows.length === 0) return;
    yield* rows;
    after = rows.at(-1)!;
  }
}

/** What becomes of the data keys of one master key. */
export interface DataKeyCount {
  master_key_id: string;
  /** Whether this master key is at hand. */
  known: boolean;
  opened: number;
  /** Not opened: it is not at hand, or another key of the same name is. */
  refused: number;
}

/** Tries to open every data key; changes nothing. By master key, in the order of their names. */
export async function tryDataKeys(sql: Sql, keys: MasterKeys): Promise<DataKeyCount[]> {
  const counts = new Map<string, DataKeyCount>();
  // Every master key has a name, so these are all.
  for await (const row of keysNotUnder(sql, '')) {
    const { master_key_id } = row;
    const known = keys.some(({ id }) => id === master_key_id);
    const count = counts.get(master_key_id) ?? { master_key_id, known, opened: 0, refused: 0 };
    counts.set(master_key_id, count);
    count[known && opens(keys, row) ? 'opened' : 'refused'] += 1;
  }
  return [...counts.values()].sort((a, b) => (a.master_key_id < b.master_key_id ? -1 : 1));
}

function opens(keys: MasterKeys, row: WorkspaceKeyRow): boolean {
  try {
    unwrapBytes(keys, row).fill(0);
    return true;
  } catch (error) {
    if (error instanceof DataKeyUnavailable) return false;
    throw error;
  }
}

/**
 * Tells a data key that does not open from a secret that does not: connections must not be asked to
 * reconnect because one process was started with a wrong master key.
 */
function unwrapBytes(keys: MasterKeys, row: WorkspaceKeyRow): Buffer {
  const master = keys.find(({ id }) => id === row.master_key_id);
  if (master === undefined) {
    throw new DataKeyUnavailable(`The key of workspace ${row.workspace_id} is sealed with the`
      + ` master key ${row.master_key_id}, which this service does not have.`);
  }
  try {
    return open(master.key, associatedData(row), row.wrapped);
  } catch (error) {
    if (!(error instanceof DecryptionFailed)) throw error;
    throw new DataKeyUnavailable(`The key of workspace ${row.workspace_id} does not open with the`
      + ` master key ${row.master_key_id} of this service: it is another one of that name.`);
  }
}

function wrap(
  master: MasterKey, { workspace_id, number }: DataKeyId, bytes: Buffer): WorkspaceKeyRow {
  return {
    workspace_id, number, master_key_id: master.id,
    wrapped: seal(master.key, master.id, associatedData({ workspace_id, number }), bytes),
  };
}
