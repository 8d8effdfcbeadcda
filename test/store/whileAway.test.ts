import t from 'tap';
import { whileAway } from '../../src/store/whileAway.ts';

// Its own pauses keep no process from ending.
const alive = setInterval(() => {}, 60_000);
t.teardown(() => clearInterval(alive));

const away = (code = '57P01') => Object.assign(new Error('away'), { code });

t.test('tried again while the database is away', async (t) => {
  let tries = 0;
  t.equal(await whileAway(60_000, async () => {
    if ((tries += 1) < 3) throw away();
    return 'stored';
  }), 'stored');
  t.equal(tries, 3);
});

t.test('not for what trying again does not mend', async (t) => {
  const cases: [string, Error, number][] = [
    ['another error', new Error('a fault'), 60_000],
    ['a pool that has ended', away('CONNECTION_ENDED'), 60_000],
    ['no time left', away(), 0],
  ];
  for (const [name, error, limit_ms] of cases) {
    let tries = 0;
    await t.rejects(whileAway(limit_ms, async () => {
      tries += 1;
      throw error;
    }), error, name);
    t.equal(tries, 1, name);
  }
});
