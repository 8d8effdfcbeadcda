/** The indexes of all sources: each is made once, and kept as long as the list of its actions. */
import { Slices } from '../../slices.ts';
import { SearchIndex, type IndexedAction } from './searchIndex.ts';

const made = new WeakMap<readonly IndexedAction[], SearchIndex>();
const inTheMaking = new WeakMap<readonly IndexedAction[], Promise<void>>();
const slices = new Slices(1);

/**
 * Makes those that there are not yet, a step in each turn of the event loop: at once, the indexes
 * of 10,000 actions would hold it for half a second.
 */
export async function makeIndexes(sources: Iterable<readonly IndexedAction[]>): Promise<void> {
  for (const actions of sources) {
    if (made.has(actions)) continue;
    let making = inTheMaking.get(actions);
    if (making === undefined) {
      making = makeInSteps(actions).finally(() => inTheMaking.delete(actions));
      inTheMaking.set(actions, making);
    }
    await making;
  }
}

async function makeInSteps(actions: readonly IndexedAction[]): Promise<void> {
  const index = new SearchIndex(actions);
  for (const _ of index.make()) await slices.pass();
  made.set(actions, index);
}

/** The index of a source; it is made now if it was not before. */
export function indexOf(actions: readonly IndexedAction[]): SearchIndex {
  let index = made.get(actions);
  if (index === undefined) {
    index = new SearchIndex(actions);
    index.make().forEach(() => undefined);
    made.set(actions, index);
  }
  return index;
}
