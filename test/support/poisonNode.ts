/**
 * A worker whose agents can bring it down. `lab.test.kill` ends the process as kill -9 does,
 * `lab.test.hang` keeps its event loop until the file LET_GO exists, `lab.test.busy` for longer
 * than the lease lasts, and `lab.test.freeze` stops the process the first time, until somebody lets
 * it go on. `node poisonNode.ts URL LEASE_MS LET_GO [kept]`: `kept` has a thread keep the lease.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { testSource } from './actions.ts';
import { startWriteNode } from './writeNode.ts';

const [url, lease, let_go, kept] = process.argv.slice(2) as [string, string, string, string?];
const lease_ms = Number(lease);
const GLANCE_MS = 10;
let is_frozen = false;

await startWriteNode(url, [testSource('lab', {
  kill: { perform: async () => process.kill(process.pid, 'SIGKILL') },
  hang: { perform: async () => {
    const is_first = mkdirSync(`${let_go}.first`, { recursive: true }) !== undefined;
    // However little of a busy machine it gets, and however late others take over.
    const until_us = process.threadCpuUsage().user + lease_ms * 1_000;
    while (process.threadCpuUsage().user < until_us || !existsSync(let_go)) {
      const glance_ms = performance.now() + GLANCE_MS;
      while (performance.now() < glance_ms);
    }
    // What the last one produced would be got further, and taken: nobody has the run by then.
    return is_first ? { hung: true } : await new Promise<never>(() => {});
  } },
  busy: { perform: async () => {
    const until_ms = performance.now() + 1.2 * lease_ms;
    while (performance.now() < until_ms);
    return { done: true };
  } },
  freeze: { perform: async () => {
    if (!is_frozen) process.kill(process.pid, 'SIGSTOP');
    is_frozen = true;
    return { frozen: true };
  } },
})], undefined, { lease_ms }, kept && url);
