/** The operations of a document as they are stored, and what of them waits for an operator. */
import type { ImportedRow, IntegrationRow, StoredAction } from '../../store/integrations.ts';
import type { InUse } from '../openapi/acceptedDocument.ts';
import { DocumentError } from '../openapi/documentError.ts';
import type { HiddenOperation, ImportedAction } from '../openapi/openapi.ts';
import { erasedKey } from '../openapi/operationAddress.ts';
import type { WaitingChange } from './changes.ts';

export interface OperationRows {
  rows: ImportedRow[];
  waiting: WaitingChange[];
}

export interface OperationState {
  used: InUse;
  hidden: readonly HiddenOperation[];
  /** The operations of the accepted document, if that is another one. */
  accepted: readonly ImportedAction[] | null;
  stored: readonly StoredAction[];
  /** Whether all new operations wait for an operator. */
  new_waits: boolean;
  /** Whether calling it can do what an operator has restricted under another name. */
  reachesRestricted(action: ImportedAction): boolean;
}

type Keyed = Pick<HiddenOperation, 'name' | 'source_key' | 'known_key'>;

const EMPTY = { effect: 'write', schema_hash: '', definition: null, proposed: null, hidden: false,
  quarantined: false } as const;

/**
 * An operation is quarantined, which means that nobody can call it until an operator accepts it, if
 *
 * - it was quarantined before;
 * - it is new, and `new_waits`;
 * - it is new, comes back elsewhere, or has moved, and what an operator has restricted can be
 *   reached by it; or it is called otherwise, and that could not be reached by it before;
 * - another operation goes on at its method and path: it has no row until that is accepted;
 *
 * or if there is another document that was accepted, which does not have it, and
 *
 * - it is new, and may be one that had another name, or a pattern makes it ask for less permission
 *   than the rule would;
 * - it writes and comes back after it was gone: else it could leave the document for a while and
 *   return with other words, and its grants would hold;
 * - it writes, and changes of others wait: the next document is compared with the accepted one,
 *   which does not have it.
 *
 * Throws DocumentError if two would have one name.
 */
export function operationRows({
  used: { actions, held }, hidden, accepted, stored, new_waits, reachesRestricted,
}: OperationState): OperationRows {
  const before = new Map(stored.map((one) => [one.name, one]));
  const compared = accepted && new Map(accepted.map((action) => [action.name, action]));
  const goOn = new Map(held.map((one) => [one.before.source_key, one.before.name]));
  /** The source key of its row: where it is, or, if another operation goes on there, where it was
   * before; null if it was nowhere. */
  const keyOf = ({ source_key, known_key, name }: Keyed) =>
    ((goOn.get(source_key) ?? name) === name ? source_key : known_key);
  const isQuarantined = (action: ImportedAction) => {
    const { name, effect, unclear, loosened } = action;
    const known = before.get(name);
    if (keyOf(action) === null) return true;
    if (known !== undefined && known.quarantined_at !== null) return true;
    if (known === undefined && new_waits) return true;
    const is_elsewhere = known === undefined
      || (known.removed_at !== null && action.known_key !== action.source_key)
      || erasedKey(known.source_key) !== erasedKey(action.source_key);
    if (is_elsewhere && reachesRestricted(action)) return true;
    const was = compared?.get(name);
    if (was !== undefined && was.schema_hash !== action.schema_hash
      && reachesRestricted(action) && !reachesRestricted(was)) return true;
    if (compared === null || was !== undefined) return false;
    if (known === undefined && (unclear || loosened)) return true;
    if (effect === 'read') return false;
    return held.length > 0 || (known !== undefined && known.removed_at !== null);
  };
  const quarantined = new Set(actions.filter(isQuarantined).map(({ name }) => name));
  requireOwnNames([...actions, ...hidden], new Set(before.keys()));
  const rowOf = (one: HiddenOperation, said: Partial<ImportedRow>): ImportedRow[] => {
    const { name, known_key, operation_id } = one;
    const source_key = keyOf(one);
    return source_key === null ? []
      : [{ ...EMPTY, source_key, known_key, name, operation_id, ...said }];
  };
  const rows = [
    ...actions.flatMap((action) => rowOf(action, { effect: action.effect,
      schema_hash: action.schema_hash, quarantined: quarantined.has(action.name) })),
    ...hidden.flatMap((one) => rowOf(one, { hidden: true })),
  ];
  const waiting = [
    ...held.map(({ before, after }) => waitingChange(
      withAddress(before), withAddress(after), !quarantined.has(after.name))),
    ...actions.filter(({ name }) => quarantined.has(name)).map((after) => waitingChange(
      null, { ...after, address: after.servers[0] }, false)),
  ];
  return { rows, waiting };
}

function waitingChange(
  before: WaitingChange['before'], after: ImportedAction & WaitingChange['after'],
  offered: boolean): WaitingChange {
  return { name: after.name, source_key: after.source_key, offered, before, after };
}

/**
 * Names are distinct unless a document is made to spoil that: the last form of one, which holds a
 * hash of its method and path, can be what another one was named for the same method and path.
 */
function requireOwnNames(operations: readonly Keyed[], known: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const { name, source_key, known_key } of operations) {
    if (seen.has(name) || (known_key === null && known.has(name))) {
      throw new DocumentError(`${source_key} would be called ${name}, and so is another operation.`
        + ' Give it another operationId.');
    }
    seen.add(name);
  }
}

/** The overrides, those by source key under the keys that the operations have now. */
export function followingOverrides(
  overrides: IntegrationRow['overrides'], rows: readonly ImportedRow[],
): IntegrationRow['overrides'] {
  const now = new Map(rows.map(({ known_key, source_key }) => [known_key, source_key]));
  // A tool may be called `__proto__`, which is no key of its own when it is assigned.
  const followed = new Map<string, IntegrationRow['overrides'][string]>();
  for (const [before, said] of Object.entries(overrides)) {
    const key = now.get(before) ?? before;
    const other = followed.get(key);
    followed.set(key, key === before ? { ...other, ...said } : { ...said, ...other });
  }
  return Object.fromEntries(followed);
}

/** Where it is: its method and path, and its own address if it is not at the integration's. */
function withAddress(action: ImportedAction): ImportedAction & { operation: string,
  address: string | undefined } {
  return { ...action, operation: action.source_key, address: action.servers[0] };
}
