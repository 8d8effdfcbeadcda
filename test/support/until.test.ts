/** A wait in vain ends in time, and says what it has seen. */
import t from 'tap';
import { until, untilSeen } from './until.ts';

const LIMITS = { quiet_ms: 100, whole_ms: 400 };

t.test('answers what holds, and looks no more', async (t) => {
  let looks = 0;
  t.equal(await untilSeen('three', () => ++looks, (seen) => seen === 3), 3);
  t.equal(looks, 3);
  await until(async () => ++looks === 5);
  t.equal(looks, 5);
});

t.test('says what it waited for, how often it looked, and what was there last', async (t) => {
  await t.rejects(untilSeen('a run', () => ({ status: 'queued' }), () => false, LIMITS), {
    message: /^waited \d+\.\d s in vain for: a run\nlooked \d+ times; saw last: .*'queued'/ });
  await t.rejects(untilSeen('an answer', () => new Error('refused'), () => false, LIMITS),
    { message: /saw last: Error: refused\n/ });
  const hot = 1_000;
  const limits = { ...LIMITS, quiet_ms: 300 };
  const looks = await untilSeen('it', () => 0, () => false, limits).catch(({ message }) =>
    Number(/looked (\d+)/.exec(message as string)![1]));
  t.ok(looks >= 2 && looks < hot, `pauses between ${looks} looks`);
});

t.test('goes on while it sees something new, but not for ever', async (t) => {
  let seen = 0;
  const begun_ms = performance.now();
  await t.rejects(untilSeen('the end', () => ++seen, () => false, LIMITS),
    { message: new RegExp(`^waited \\d+\\.\\d+ s .*\\n.* saw last: \\d+$`) });
  t.ok(performance.now() - begun_ms >= LIMITS.whole_ms);
});

t.test('a look that does not come back, and one that throws', async (t) => {
  await t.rejects(untilSeen('a word', () => new Promise(() => {}), Boolean, LIMITS),
    { message: /looked 1 times; the last look did not come back; saw last: nothing$/ });
  const broken = new Error('the look is broken');
  await t.rejects(untilSeen('it', () => { throw broken; }), broken);
});
