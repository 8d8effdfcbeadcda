import t from 'tap';
import { cutOffAfter, unlessCutOff } from '../../../src/gateway/schema/cutOff.ts';

const LIMIT_MS = 20;
const CUT_OFF = { message: /^the work takes more than 20 ms$/ };

/** The thread gets nothing of the processor for that time. */
function rest(for_ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, for_ms);
}

function useProcessor(for_ms: number): void {
  const begun = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(begun);
    if (user + system >= for_ms * 1_000) return;
  }
}

t.test('work that ends in its time returns, and throws, what it does', async (t) => {
  t.equal(cutOffAfter(LIMIT_MS, () => 1), 1);
  const error = new Error('of the work');
  t.throws(() => cutOffAfter(LIMIT_MS, () => {
    throw error;
  }), error);
});

t.test('what uses the processor without an end is cut off', async (t) => {
  const forever = () => useProcessor(Infinity);
  t.throws(() => cutOffAfter(LIMIT_MS, forever), CUT_OFF);
  t.equal(unlessCutOff(LIMIT_MS, forever), undefined);
});

t.test('time without the processor is not counted', async (t) => {
  let tries = 0;
  t.equal(cutOffAfter(LIMIT_MS, () => {
    tries++;
    if (tries === 1) rest(4 * LIMIT_MS);
    return tries;
  }), 2);
});

t.test('what fails only after its time is cut off, on a busy machine too', async (t) => {
  let tries = 0;
  t.throws(() => cutOffAfter(LIMIT_MS, () => {
    tries++;
    if (tries === 1) return rest(4 * LIMIT_MS);
    useProcessor(LIMIT_MS);
    throw new RangeError('Maximum call stack size exceeded');
  }), CUT_OFF);
});
