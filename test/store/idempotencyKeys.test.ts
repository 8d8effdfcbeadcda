/** A key that is to be given back while the database cannot take it. */
import t from 'tap';
import { Patience } from '../../src/patience.ts';
import { performOnce } from '../../src/store/idempotencyKeys.ts';
import { testDatabase } from '../support/database.ts';
import { untilSeen } from '../support/until.ts';

const { sql } = await testDatabase(t);

t.test('what went wrong is told in time, and the key is given back later', async (t) => {
  const [begun, fails] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const request = { workspace_id: 'wsp_1', key: 'a', request_sha256: Buffer.from('same') };
  const patience = new Patience('a request');
  const answer = patience.during(() => performOnce(sql, request, 60_000, async () => {
    begun.resolve();
    return await fails.promise;
  }));
  answer.catch(() => {});
  await begun.promise;
  await sql.together(async (one) => {
    await one.unsafe(`begin; set local idle_in_transaction_session_timeout = 0;
      lock table idempotency_keys`);
    fails.reject(new Error('the call failed'));
    await t.rejects(answer, { message: 'the call failed' });
    t.equal(patience.left_ms, 0, 'the answer waits no longer than a request may');
    await one.unsafe('rollback');
  }, { limit_ms: 60_000 });
  await untilSeen('a key that is free', async () => await sql`
    select from idempotency_keys`, (keys) => keys.length === 0);
  const made = { resource_id: 'x', status: 201, body: {} };
  t.same(await performOnce(sql, request, 60_000, async () => made), { made }, 'it may be repeated');
});
