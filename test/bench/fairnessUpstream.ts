/**
 * The other system of test/bench/fairness.ts, in a process of its own: answers of 7 MB, of
 * 1 MB and of 250 KB with as many members as fit, or {}.
 */
import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import { portOf } from '../support/listen.ts';

// As real ones, which are on other machines.
setPriority(10);
const LARGE = JSON.stringify({ items: Array.from({ length: 100_000 }, (_, i) =>
  ({ id: i, a: 'some', b: 'words', c: 1, d: null, e: true, f: '' })) });
const membersOf = (count: number) => JSON.stringify(
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i % 10])));
const ANSWERS: Record<string, string> = {
  '/large': LARGE, '/wide': membersOf(93_000), '/small': membersOf(25_000),
};
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
      .end(ANSWERS[request.url!.split('?')[0]!] ?? '{}');
  });
});
process.send!(await portOf(server));
process.on('disconnect', () => process.exit(0));
