/**
 * Which operations of a document are in use: those that an operator accepted. A document that is
 * fetched again may say that a deletion only reads, or tell the model to do something else besides.
 * So an operation goes on as the accepted document has it
 *
 * - if its effect has changed;
 * - if it writes, and its words, its input or its address have changed: grants and approvals were
 *   given for what is at that address;
 * - if it reads because an operator said so, and has moved: that was said of the former address;
 * - if it reads, and has moved to where another operation can be reached: that one may be denied;
 * - if it reads, and its path has not what the operator sets any more: callers would choose that.
 *
 * All else of operations that read changes at once, because documents of real services change their
 * words every week.
 */
import { strictest } from './effect.ts';
import type { ImportedAction } from './openapi.ts';
import { erasedKey } from './operationAddress.ts';
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
 * `now`: the operations of the document as it is; `accepted`: those of the accepted document,
 * imported in the same way. Operations with the same name are the same.
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
      && erasedKey(before.source_key) !== erasedKey(after.source_key)
      || below(before) !== below(after)
      || setInPath(before).some((name) => !setInPath(after).includes(name));
  }
  return (before.source_key !== after.source_key || before.title !== after.title
    || before.description !== after.description || before.schema_hash !== after.schema_hash
    || before.servers[0] !== after.servers[0]);
}

function setInPath({ withheld }: ImportedAction): string[] {
  return withheld.filter(({ place }) => place === 'path').map(({ name }) => name);
}

/** The operation as it was accepted, with the stricter one of its two effects. */
function goingOn(before: ImportedAction, after: ImportedAction): ImportedAction {
  const effect = strictest([before.effect, after.effect]);
  const { soft_error } = after;
  // What changes something does so as its caller says, and nobody else: it has no pages.
  return effect === 'read' ? { ...before, soft_error }
    : { ...before, effect, soft_error, paged: false, paging: null };
}
