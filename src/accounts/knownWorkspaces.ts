import { LRUCache } from 'lru-cache';
import type { Sql, Transaction } from '../store/database.ts';
import { getWorkspaceOf, type WorkspaceOfKey } from '../store/workspaces.ts';

/** Kept at most; one has a few hundred bytes, unless its instructions are long. */
const KNOWN = 1_000;

/**
 * Workspaces as keys of theirs found them last. They may have changed since: what is made by one
 * has to name its version, and is made only if it is that still.
 */
export class KnownWorkspaces {
  readonly #known = new LRUCache<string, WorkspaceOfKey>({ max: KNOWN });

  /** The workspace as it is known here; undefined if it has to be read. */
  recall(key: { workspace_id: string; api_key_id: string }): WorkspaceOfKey | undefined {
    return this.#known.get(nameOf(key));
  }

  /** The workspace as it is now; undefined if there is none. */
  async read(
    sql: Sql | Transaction, key: { workspace_id: string; api_key_id: string },
  ): Promise<WorkspaceOfKey | undefined> {
    const workspace = await getWorkspaceOf(sql, key);
    if (workspace) this.#known.set(nameOf(key), workspace);
    return workspace;
  }
}

function nameOf({ workspace_id, api_key_id }: { workspace_id: string; api_key_id: string }) {
  return `${workspace_id} ${api_key_id}`;
}
