/** A server is heard no faster than others leave time for. */
import t from 'tap';
import { Pace } from '../../../src/gateway/mcp/pace.ts';

t.test('beyond so many messages the rest of the period is waited for', async (t) => {
  let now_ms = 10_000;
  const pace = new Pace(() => now_ms);
  const waits = Array.from({ length: 500 }, () => pace.next());
  t.ok(waits.slice(0, 499).every((wait_ms) => wait_ms === 0));
  t.equal(waits[499], 500);
  now_ms += 200;
  t.equal(pace.next(), 300, 'also if somebody goes on in between');
  now_ms += 300;
  t.equal(pace.next(), 0, 'then it begins anew');
  t.equal(pace.next(1_000), 500, 'as many as came together');
});

t.test('who speaks now and then never waits', async (t) => {
  let now_ms = 0;
  const pace = new Pace(() => now_ms);
  for (let i = 0; i < 5_000; i++) {
    now_ms += 2;
    if (pace.next() !== 0) t.fail(`it waited at ${now_ms}`);
  }
  t.pass('500 a second');
});

t.test('a long message counts as several', async (t) => {
  const pace = new Pace(() => 10_000);
  const waitAfter = (bytes: number) => {
    pace.line(bytes);
    return pace.takeWait();
  };
  t.equal(waitAfter(1), 0);
  t.equal(waitAfter(1_000_000), 0, 'one of a megabyte is read as it comes');
  t.equal(waitAfter(0), 0);
  t.equal(waitAfter(1_000_000), 500, 'another one is not');
  t.equal(pace.takeWait(), 0, 'pieces of the next one do not wait once more');
});
