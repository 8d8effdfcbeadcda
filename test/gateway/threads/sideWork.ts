/** The thread of sideThread.test.ts. */
import { getPriority } from 'node:os';
import { standBack } from '../../../src/gateway/threads/sideThread.ts';
import { serve } from '../../../src/gateway/threads/workThread.ts';

standBack();
serve((asked: { say?: string; hang?: true; eat?: true; fail?: string; die?: true;
  wait_ms?: number }) => {
  if (asked.say === 'priority') return String(getPriority());
  if (asked.fail !== undefined) throw new RangeError(asked.fail);
  if (asked.die) setImmediate(() => { throw new Error('out of what it needs'); });
  if (asked.wait_ms) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, asked.wait_ms);
  while (asked.hang) { /* for ever */ }
  const eaten: number[][] = [];
  while (asked.eat) eaten.push(Array.from({ length: 100_000 }, (_, n) => n));
  return `said ${asked.say}`;
});
