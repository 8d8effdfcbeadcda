/** What a lease does that could not be taken. */
import t from 'tap';
import { createLog } from '../../src/log.ts';
import { Lease } from '../../src/runs/lease.ts';
import type { Sql } from '../../src/store/database.ts';

t.test('a worker that could not start is not alive, though its connection closes', async (t) => {
  const closing: (() => void)[] = [];
  let renewals = 0;
  const pool = (renew: () => Promise<unknown>) => Object.assign(() => {
    renewals += 1;
    return renew();
  }, { onClose: (listener: () => void) => closing.push(listener) }) as unknown as Sql;
  const lease = new Lease({
    lock: pool(() => Promise.reject(new Error('the table is locked'))),
    sql: pool(() => Promise.resolve([{ locked: false }])),
    config: { lease_ms: 60_000 }, log: createLog('silent'), onRenewed: () => {},
  });
  await t.rejects(lease.start(), /the table is locked/);
  for (const close of closing) close();
  t.equal(renewals, 1, 'nothing is renewed any more');
  await lease.stop();
  t.equal(lease.is_known, false);
});
