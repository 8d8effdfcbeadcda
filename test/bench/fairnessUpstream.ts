/** The other system of test/bench/fairness.ts, in a process of its own: answers of 7 MB, or {}. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';

// As real ones, which are on other machines.
setPriority(10);
const LARGE = JSON.stringify({ items: Array.from({ length: 100_000 }, (_, i) =>
  ({ id: i, a: 'some', b: 'words', c: 1, d: null, e: true, f: '' })) });
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' })
      .end(request.url!.startsWith('/large') ? LARGE : '{}');
  });
}).listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
