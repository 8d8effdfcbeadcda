/** The thread of sideThread.test.ts. */
import { getPriority } from 'node:os';
import { standBack } from '../../../src/gateway/threads/sideThread.ts';
import { serve } from '../../../src/gateway/threads/workThread.ts';

standBack();
serve((asked: { say?: string; hang?: true; eat?: true; fail?: string; die?: true }) => {
  if (asked.say === 'priority') return String(getPriority());
  if (asked.fail !== undefined) throw new RangeError(asked.fail);
  if (asked.die) setImmediate(() => { throw new Error('out of what it needs'); });
  while (asked.hang) { /* for ever */ }
  const eaten: number[][] = [];
  while (asked.eat) eaten.push(Array.from({ length: 100_000 }, (_, n) => n));
  return `said ${asked.say}`;
});
