/** The indexes of all sources: each is made once, and kept as long as the source. */
import { Slices } from '../../slices.ts';
import { SearchIndex, type IndexedSource } from './searchIndex.ts';

const made = new WeakMap<IndexedSource, SearchIndex>();
const inTheMaking = new WeakMap<IndexedSource, Promise<void>>();
const slices = new Slices(1);

/**
 * Makes those that there are not yet, a step in each turn of the event loop: at once, the indexes
 * of 10,000 actions would hold it for half a second.
 */
export async function makeIndexes(sources: Iterable<IndexedSource>): Promise<void> {
  for (const source of sources) {
    if (made.has(source)) continue;
    let making = inTheMaking.get(source);
    if (making === undefined) {
      making = makeInSteps(source).finally(() => inTheMaking.delete(source));
      inTheMaking.set(source, making);
    }
    await making;
  }
}

async function makeInSteps(source: IndexedSource): Promise<void> {
  const index = new SearchIndex(source);
  for (const _ of index.make()) await slices.pass();
  made.set(source, index);
}

/** The index of a source; it is made now if it was not before. */
export function indexOf(source: IndexedSource): SearchIndex {
  let index = made.get(source);
  if (index === undefined) {
    index = new SearchIndex(source);
    index.make().forEach(() => undefined);
    made.set(source, index);
  }
  return index;
}
