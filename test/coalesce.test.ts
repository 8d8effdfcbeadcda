import t from 'tap';
import { coalesce } from '../src/coalesce.ts';

t.test('a request is never lost, wherever it falls', async (t) => {
  // Asked for from a promise callback of every distance to the end of a round.
  for (let distance = 0; distance < 12; distance++) {
    let served = 0;
    let wanted = 0;
    const work = coalesce(async () => {
      const now = wanted;
      await Promise.resolve();
      served = now;
    });
    wanted = 1;
    work.request();
    for (let i = 0; i < distance; i++) await Promise.resolve();
    wanted = 2;
    work.request();
    await work.idle();
    t.equal(served, 2, `asked again after ${distance} turns`);
  }
});

t.test('requests of one round are served together, and one at a time', async (t) => {
  let rounds = 0;
  let at_once = 0;
  const work = coalesce(async () => {
    rounds += 1;
    at_once += 1;
    t.equal(at_once, 1);
    await new Promise((resolve) => setImmediate(resolve));
    at_once -= 1;
  });
  for (let i = 0; i < 10; i++) work.request();
  await work.idle();
  t.equal(rounds, 2, 'the one under way, and one for all the others');
  await work.idle();
});
