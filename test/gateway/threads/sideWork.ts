/** The thread of sideThread.test.ts. */
import { getPriority } from 'node:os';
import { serve } from '../../../src/gateway/threads/sideThread.ts';

serve((asked: { say?: string; hang?: true; eat?: true; fail?: string }) => {
  if (asked.say === 'priority') return String(getPriority());
  if (asked.fail !== undefined) throw new RangeError(asked.fail);
  while (asked.hang) { /* for ever */ }
  const eaten: number[][] = [];
  while (asked.eat) eaten.push(Array.from({ length: 100_000 }, (_, n) => n));
  return `said ${asked.say}`;
});
