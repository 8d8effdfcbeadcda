import { getEventListeners } from 'node:events';
import t from 'tap';
import { allEnded, deadline, firstOf, untilAborted, whenAborted, within } from '../src/deadline.ts';

const NEVER = new Promise<never>(() => {});
const LONG_MS = 3_600_000;

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

t.test('work within its time is what it comes to, and leaves no timer', async (t) => {
  const before = timers();
  t.equal(await within(LONG_MS, Promise.resolve(1), () => 2), 1);
  await t.rejects(within(LONG_MS, Promise.reject(new Error('its own')), () => 2),
    { message: 'its own' });
  t.equal(timers(), before);
});

t.test('work that takes too long is what `late` makes of it', async (t) => {
  t.equal(await within(1, NEVER, () => 2), 2);
  await t.rejects(within(1, NEVER, () => { throw new Error('late'); }), { message: 'late' });
});

t.test('of several, all have ended before the first failure is told', async (t) => {
  const ended: string[] = [];
  const last = Promise.withResolvers<void>();
  const all = allEnded([
    last.promise.then(() => ended.push('last')), Promise.reject(new Error('first')),
    last.promise.then(() => { throw new Error('second'); })]);
  all.catch(() => ended.push('all'));
  await new Promise(setImmediate);
  t.strictSame(ended, []);
  last.resolve();
  await t.rejects(all, { message: 'first' });
  t.strictSame(ended, ['last', 'all']);
  t.equal(await allEnded([Promise.resolve(1)]), undefined);
});

t.test('a failure after the end is nobody\'s: no rejection goes unhandled', async (t) => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  const work = Promise.withResolvers<never>();
  const stop = new AbortController();
  const waits = [within(1, work.promise, () => 2), untilAborted(work.promise, stop.signal)];
  stop.abort();
  await Promise.allSettled(waits);
  work.reject(new Error('too late'));
  await new Promise(setImmediate);
  process.off('unhandledRejection', onRejection);
  t.strictSame(rejections, []);
});

t.test('an abort ends the wait with its reason, and no listener stays', async (t) => {
  const stop = new AbortController();
  t.equal(await untilAborted(Promise.resolve(1), undefined), 1);
  t.equal(await untilAborted(Promise.resolve(1), stop.signal), 1);
  await t.rejects(untilAborted(Promise.reject(new Error('its own')), stop.signal),
    { message: 'its own' });
  t.equal(getEventListeners(stop.signal, 'abort').length, 0);
  const waiting = untilAborted(NEVER, stop.signal);
  stop.abort(new Error('the reason'));
  await t.rejects(waiting, { message: 'the reason' });
  await t.rejects(untilAborted(Promise.resolve(1), stop.signal), { message: 'the reason' },
    'a signal that has aborted comes before work that is done');
  t.equal(getEventListeners(stop.signal, 'abort').length, 0);
});

t.test('many hear of an abort, but for those who have left, by one listener', async (t) => {
  const stop = new AbortController();
  const heard: number[] = [];
  const undo = [1, 2, 3].map((nth) => whenAborted(stop.signal, () => {
    heard.push(nth);
    undo[2]!();
  }));
  undo[1]!();
  t.equal(getEventListeners(stop.signal, 'abort').length, 1);
  stop.abort();
  t.strictSame(heard, [1], 'one left before, one because of the first');
  whenAborted(stop.signal, () => heard.push(4))();
  t.strictSame(heard, [1]);
});

t.test('a deadline aborts in time, or with the first of the others', async (t) => {
  const before = timers();
  const stop = new AbortController();
  const ended = deadline(LONG_MS, stop.signal, undefined);
  stop.abort(new Error('the reason'));
  t.match(ended.signal.reason, { message: 'the reason' });
  t.equal(ended.is_over, false);
  ended.end();
  t.equal(timers(), before);
  const short = deadline(1);
  await t.rejects(untilAborted(NEVER, short.signal), { name: 'TimeoutError' });
  t.equal(short.is_over, true);
});

t.test('of no signals none aborts', async (t) => {
  t.equal(firstOf(undefined, null).aborted, false);
});
