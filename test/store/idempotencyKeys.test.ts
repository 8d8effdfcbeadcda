/** Whose a key is, and what becomes of one while the database cannot take it. */
import t, { type Test } from 'tap';
import { Patience } from '../../src/patience.ts';
import { isUnavailable } from '../../src/store/database.ts';
import { makeOnce, performOnce } from '../../src/store/idempotencyKeys.ts';
import { testDatabase } from '../support/database.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { untilSeen } from '../support/until.ts';

const { sql } = await testDatabase(t);
const requestOf = (asker: string, key: string, body = 'same') =>
  ({ workspace_id: 'wsp_1', asker, key, request_sha256: Buffer.from(body) });
const madeBy = (resource_id: string) => async () => ({ resource_id, status: 201, body: {} });

t.test('askers have a key each, also while that of another is in flight', async (t) => {
  const [a, b] = [requestOf('key_a', 'each'), requestOf('key_b', 'each')];
  const answers = async (request: typeof a, id: string) =>
    [await performOnce(sql, request, 60_000, madeBy(id)), await makeOnce(sql, request, madeBy(id))];
  const { made: inner } = await performOnce(sql, a, 60_000, async () => {
    t.equal(await makeOnce(sql, a, madeBy('twice')), 'in_progress');
    t.match(await answers(b, 'b'), [{ made: { resource_id: 'b' } }, { stored: {} }]);
    return { resource_id: 'a', status: 201, body: {} };
  }) as { made: object };
  t.match(inner, { resource_id: 'a' });
  for (const [request, id] of [[a, 'a'], [b, 'b']] as const) {
    const stored = { stored: { resource_id: id } };
    t.match(await answers(request, 'again'), [stored, stored], id);
    t.equal(await makeOnce(sql, { ...request, request_sha256: Buffer.from('x') }, madeBy('x')),
      'reused');
  }
});

t.test('two askers at one moment', async (t) => {
  const made = await Promise.all(['key_a', 'key_b', 'key_c'].map(async (asker) =>
    await makeOnce(sql, requestOf(asker, 'at once'), madeBy(asker))));
  t.match(made, ['key_a', 'key_b', 'key_c'].map((id) => ({ made: { resource_id: id } })));
});

/** What is answered to a call that comes to its `end` while nothing can be stored. */
async function endedInVain<Made>(t: Test, key: string, end: () => Promise<Made>) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const patience = new Patience('a request');
  const perform = async () => {
    begun.resolve();
    await ended.promise;
    return { resource_id: 'first', status: 201, body: await end() };
  };
  const answer = patience.during(() =>
    performOnce(sql, requestOf('key_a', key), 60_000, perform));
  answer.catch(() => {});
  await begun.promise;
  return await openTransaction(sql, async (tx) => {
    await tx`lock table idempotency_keys`;
    ended.resolve();
    const error = await answer.then(() => null, (error: unknown) => error);
    t.equal(patience.left_ms, 0, 'the answer waits no longer than a request may');
    patience.end();
    return error;
  });
}

t.test('what went wrong is told in time, and the key is given back later', async (t) => {
  t.match(await endedInVain(t, 'given back', () => Promise.reject(new Error('the call failed'))),
    { message: 'the call failed' });
  await untilSeen('a key that is free', async () => await sql`
    select from idempotency_keys where key = 'given back'`, (keys) => keys.length === 0);
  t.match(await performOnce(sql, requestOf('key_a', 'given back'), 60_000, madeBy('again')),
    { made: { resource_id: 'again' } }, 'it may be repeated');
});

t.test('what was made is stored later, and not made again', async (t) => {
  const error = await endedInVain(t, 'stored later', async () => ({ of: 'the first' }));
  t.ok(isUnavailable(error), 'nobody can be told yet');
  await untilSeen('a stored answer', async () => await sql`
    select from idempotency_keys where key = 'stored later' and status is not null`,
  (keys) => keys.length === 1);
  t.match(await performOnce(sql, requestOf('key_a', 'stored later'), 60_000, madeBy('again')),
    { stored: { resource_id: 'first', body: { of: 'the first' } } });
});

t.test('whoever has taken a key over has it, however the former request ends', async (t) => {
  const fails = () => Promise.reject(new Error('late'));
  const ends = { 'ends late': madeBy('late'), 'fails late': fails };
  for (const [key, end] of Object.entries(ends)) {
    const request = requestOf('key_a', key);
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let taken: Promise<unknown> | undefined;
    await performOnce(sql, request, 0, async () => {
      taken = performOnce(sql, request, 60_000, async () => {
        begun.resolve();
        await ended.promise;
        return await madeBy('taken over')();
      });
      await Promise.race([begun.promise, taken]);
      return await end();
    }).catch(() => {});
    t.equal(await performOnce(sql, request, 60_000, madeBy('again')), 'in_progress', key);
    ended.resolve();
    t.match(await taken, { made: { resource_id: 'taken over' } });
    t.match(await performOnce(sql, request, 60_000, madeBy('again')),
      { stored: { resource_id: 'taken over' } });
  }
});
