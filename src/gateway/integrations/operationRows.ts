/** The operations of a document as they are stored, and what of them waits for an operator. */
import type { ImportedRow, StoredAction } from '../../store/integrations.ts';
import type { InUse } from '../openapi/acceptedDocument.ts';
import type { ImportedAction } from '../openapi/openapi.ts';
import type { WaitingChange } from './changes.ts';

export interface OperationRows {
  rows: ImportedRow[];
  waiting: WaitingChange[];
}

/**
 * `accepted`: the operations of the accepted document, if that is another one. An operation that
 * writes and was gone comes back quarantined: else one that leaves the document for a while could
 * return with other words, and its grants would hold. So do new ones while others wait, because
 * the accepted document, which the next one is compared with, does not have them.
 */
export function operationRows(
  { actions, held }: InUse, accepted: readonly ImportedAction[] | null,
  stored: readonly StoredAction[]): OperationRows {
  const before = new Map(stored.map((one) => [one.source_key, one]));
  const compared = accepted && new Set(accepted.map(({ source_key }) => source_key));
  const isQuarantined = ({ source_key, effect }: ImportedAction) => {
    const known = before.get(source_key);
    if (known !== undefined && known.quarantined_at !== null) return true;
    if (effect === 'read' || compared === null || compared.has(source_key)) return false;
    return held.length > 0 || (known !== undefined && known.removed_at !== null);
  };
  const quarantined = new Set(actions.filter(isQuarantined).map(({ source_key }) => source_key));
  const rows = actions.map(({ source_key, name, effect, schema_hash }) => ({
    source_key, name, effect, schema_hash, definition: null, proposed: null,
    quarantined: quarantined.has(source_key),
  }));
  const waiting = [
    ...held.map(({ before, after }) => (
      { before: withAddress(before), after: withAddress(after), offered: true })),
    ...actions.filter(({ source_key }) => quarantined.has(source_key))
      .map((after) => ({ before: null, after: withAddress(after), offered: false })),
  ].map((one) => ({ ...one, name: one.after.name, source_key: one.after.source_key,
    offered: one.offered && !quarantined.has(one.after.source_key) }));
  return { rows, waiting };
}

/** Its own address, if it is not at that of the integration. */
function withAddress(action: ImportedAction): ImportedAction & { address: string | undefined } {
  return { ...action, address: action.servers[0] };
}
