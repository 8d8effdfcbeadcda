/**
 * A worker whose agents can bring it down: `lab.test.kill` ends the process as kill -9 does, and
 * `lab.test.hang` keeps its event loop for some leases. `node poisonNode.ts URL LEASE_MS`.
 */
import { testSource } from './actions.ts';
import { startWriteNode } from './writeNode.ts';

const [, , url, lease] = process.argv as unknown as [string, string, string, string];
const lease_ms = Number(lease);
/** Long enough for others to take over, and for those to hang as well. */
const HUNG_LEASES = 6;

await startWriteNode(url, [testSource('lab', {
  kill: { perform: async () => process.kill(process.pid, 'SIGKILL') },
  hang: { perform: async () => {
    const until_ms = performance.now() + HUNG_LEASES * lease_ms;
    while (performance.now() < until_ms);
    return { hung: true };
  } },
})], undefined, { lease_ms });
