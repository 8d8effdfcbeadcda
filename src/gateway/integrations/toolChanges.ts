/** What is different about the tools of an MCP server since they were last imported. */
import { isDeepStrictEqual } from 'node:util';
import type { ImportedRow, StoredAction } from '../../store/integrations.ts';

/** Names of actions; each is in one of the lists at most. */
export interface ToolChanges {
  added: string[];
  removed: string[];
  /** Set aside now: schema or hints are not those that an operator accepted. */
  quarantined: string[];
  /** Goes on by the words that an operator accepted, for there are others now. */
  reworded: string[];
  /** Different in what is kept of it, and none of the above. */
  changed: string[];
}

export function toolChanges(
  rows: readonly ImportedRow[], stored: readonly StoredAction[]): ToolChanges {
  const before = new Map(stored.filter(({ removed_at }) => removed_at === null)
    .map((one) => [one.source_key, one]));
  const changes: ToolChanges =
    { added: [], removed: [], quarantined: [], reworded: [], changed: [] };
  for (const row of rows) {
    const known = before.get(row.source_key);
    before.delete(row.source_key);
    const kind = known !== undefined ? kindOf(row, known)
      : row.quarantined ? 'quarantined' : 'added';
    if (kind !== null) changes[kind].push(row.name);
  }
  changes.removed = [...before.values()].map(({ name }) => name);
  return changes;
}

function kindOf(
  row: ImportedRow, known: StoredAction): 'quarantined' | 'reworded' | 'changed' | null {
  if (row.quarantined && known.quarantined_at === null) return 'quarantined';
  if (row.proposed !== null && known.proposed === null) return 'reworded';
  const same = row.quarantined === (known.quarantined_at !== null)
    && row.effect === known.effect && row.schema_hash === known.schema_hash
    && isDeepStrictEqual(asStored(row.definition), known.definition)
    && isDeepStrictEqual(asStored(row.proposed), known.proposed);
  return same ? null : 'changed';
}

/** As the database gives it back, which knows no `undefined`. */
function asStored(definition: unknown): unknown {
  return JSON.parse(JSON.stringify(definition));
}
