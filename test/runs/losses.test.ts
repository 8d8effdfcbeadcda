/** What a worker says of runs that were taken for lost with it. */
import { once, EventEmitter } from 'node:events';
import t from 'tap';
import { createLog } from '../../src/log.ts';
import type { Lease } from '../../src/runs/lease.ts';
import { Losses } from '../../src/runs/losses.ts';
import type { Sql } from '../../src/store/database.ts';

const CONFIG = { lease_ms: 40, claim_poll_ms: 10, max_attempts: 3 };

/** Keeps the only thread, and uses its CPU, for longer than a lease. */
function hang(): void {
  const since_ms = performance.now();
  const cpu = process.threadCpuUsage();
  while (performance.now() - since_ms < 2 * CONFIG.lease_ms
    || process.threadCpuUsage(cpu).user < 1_000 * CONFIG.lease_ms);
}

t.test('a worker that hangs again while it says that it hung says it once more', async (t) => {
  const seen = new EventEmitter();
  const said: unknown[] = [];
  const sql = (async (strings: TemplateStringsArray, ...values: unknown[]) => {
    if (strings.join().includes('bury_workers')) return [{ buried: 0, missed: 0 }];
    said.push(values[1]);
    if (said.length === 1) {
      hang();
      await once(seen, 'look');
    } else seen.emit('said');
    return [];
  }) as unknown as Sql;
  const lease = {
    id: 'wrk_1', is_known: true, alive: true, is_undisturbed: true,
    get kept_ms() {
      seen.emit('look');
      return 0;
    },
  } as Lease;
  const losses = new Losses(
    { sql, hub: { queued: () => {} }, config: CONFIG, log: createLog('silent'), lease });
  losses.start();
  t.teardown(() => losses.stop());
  hang();
  losses.settle();
  await once(seen, 'said');
  t.same(said, [true, true], 'the second loss is not taken back');
});
