/** Whether something is still held in memory by anybody. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
// What is let go in one turn of the event loop goes with the next collection.
const TRIES = 20;

/** True once nobody holds it any more; false if somebody still does after some collections. */
export async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let tries = 0; tries < TRIES && reference.deref() !== undefined; tries++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return reference.deref() === undefined;
}
