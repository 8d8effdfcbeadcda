/**
 * Which operations of a document are in use: those that an operator accepted. A document that is
 * fetched again may call a deletion a reading, or write to the model what it should do besides. So
 * an operation goes on as the accepted document has it if its effect is another one now, or if it
 * writes and its words, its input or its address are other ones: who approved or granted it meant
 * what is at that address. What only reads, and its results, change at once: documents of real
 * services say them anew every week. But what reads by the operator's word alone stays where it
 * was: that word was said of what is there. So does what reads and would move to where another
 * operation can be reached: that one may be denied.
 */
import { strictest } from './effect.ts';
import type { ImportedAction } from './openapi.ts';
import { erased } from './operationAddress.ts';
import { pathAndQueryOf, withoutSlash } from './servers.ts';

/** An operation that goes on as it was accepted. */
export interface HeldOperation {
  before: ImportedAction;
  after: ImportedAction;
}

export interface InUse {
  actions: ImportedAction[];
  held: HeldOperation[];
}

/**
 * `now`: of the document as it is; `accepted`: of the one that was accepted, imported alike. The
 * names tell which operations are the same.
 */
export function inUse(
  now: readonly ImportedAction[], accepted: readonly ImportedAction[]): InUse {
  const known = new Map(accepted.map((action) => [action.name, action]));
  const held: HeldOperation[] = [];
  const actions = now.map((after) => {
    const before = known.get(after.name);
    if (before === undefined || !waits(before, after)) return after;
    held.push({ before, after });
    return goingOn(before, after);
  });
  return { actions, held };
}

function waits(before: ImportedAction, after: ImportedAction): boolean {
  if (before.effect !== after.effect) return true;
  if (after.effect === 'read') {
    const below = ({ servers: [own] }: ImportedAction) =>
      (own === undefined ? '' : withoutSlash(pathAndQueryOf(own)));
    return (after.loosened || after.reaches_known)
      && erased(before.source_key) !== erased(after.source_key) || below(before) !== below(after);
  }
  return (before.source_key !== after.source_key || before.title !== after.title
    || before.description !== after.description || before.schema_hash !== after.schema_hash
    || before.servers[0] !== after.servers[0]);
}

/** As accepted, but of the two effects the one counts that asks for more permission. */
function goingOn(before: ImportedAction, after: ImportedAction): ImportedAction {
  const effect = strictest([before.effect, after.effect]);
  const { soft_error } = after;
  // What changes something does so as its caller says, and nobody else: it has no pages.
  return effect === 'read' ? { ...before, soft_error }
    : { ...before, effect, soft_error, paged: false, paging: null };
}
