import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { getWorkspaceOf, type WorkspaceOfKey } from '../store/workspaces.ts';

/** Kept at most; one has a few hundred bytes, unless its instructions are long. */
const KNOWN = 1_000;

type Key = Pick<Caller, 'workspace_id' | 'api_key_id'>;

/**
 * Workspaces as keys of theirs found them last. They may have changed since: what is made by one
 * has to name its version, and is made only if it is that still.
 */
export class KnownWorkspaces {
  readonly #known = new LRUCache<string, WorkspaceOfKey>({ max: KNOWN });

  /** The workspace as it is known here; undefined if it has to be read. */
  recall(key: Key): WorkspaceOfKey | undefined {
    return this.#known.get(nameOf(key));
  }

  /** The workspace as it is now; undefined if there is none. */
  async read(sql: Sql | Transaction, key: Key): Promise<WorkspaceOfKey | undefined> {
    const workspace = await getWorkspaceOf(sql, key);
    if (workspace) this.#known.set(nameOf(key), workspace);
    return workspace;
  }
}

function nameOf({ workspace_id, api_key_id }: Key): string {
  return `${workspace_id} ${api_key_id}`;
}
