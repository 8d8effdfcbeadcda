import { AsyncLocalStorage } from 'node:async_hooks';

/** At most so many are read together: what they find may be large. */
const MOST = 16;

/** What is read for each, in the order of those who asked: found, or still being read. */
type FoundForAll<Found> = Promise<readonly (Found | Promise<Found>)[]>;

/**
 * Reads for those who ask in the same turn of the event loop together: `read` gets what they ask
 * for, and answers each in the same order. It begins after all of them have asked, so that nobody
 * gets what was read before. Sixteen runs that begin, or end, together then cost one query. It
 * belongs to none of them, and runs in the context in which it was gathered: who asks on behalf of
 * a request waits for it `patiently`.
 */
export function gather<Asked, Found>(
  read: (asked: Asked[]) => FoundForAll<Found>): (asked: Asked) => Promise<Found> {
  const inOwnContext = AsyncLocalStorage.snapshot();
  let group: { all: Asked[]; found: FoundForAll<Found> } | undefined;

  function newGroup() {
    const all: Asked[] = [];
    // The turn is over once all promises that have settled were heard.
    const found = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      if (group?.all === all) group = undefined;
      return inOwnContext(read, all);
    });
    return { all, found };
  }

  return async (asked) => {
    if (!group || group.all.length === MOST) group = newGroup();
    const { all, found } = group;
    const place = all.push(asked) - 1;
    return await (await found)[place]!;
  };
}

/**
 * The same where many ask for the same: what has one name is read once for all of them. A reading
 * that fails fails those who asked for it alone.
 */
export function gatherByName<Asked, Found>(
  nameOf: (asked: Asked) => string, read: (asked: Asked) => Promise<Found>,
): (asked: Asked) => Promise<Found> {
  return gather(async (all: Asked[]) => {
    const found = new Map<string, Promise<Found>>();
    return all.map((asked) => {
      const name = nameOf(asked);
      const reading = found.get(name) ?? read(asked);
      found.set(name, reading);
      return reading;
    });
  });
}
