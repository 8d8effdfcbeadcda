import t from 'tap';
import { TimeLimit } from '../../src/store/driver/timeLimit.ts';

/** Holds the process up, as work does that does not let go of the thread. */
function holdUp(time_ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time_ms);
}

/** Ends when the limit is over; `beside` is done in each turn of the loop until then. */
async function turnsUntilOver(limit_ms: number, beside: (turn: number) => void): Promise<number> {
  let [turns, is_over] = [0, false];
  new TimeLimit(limit_ms, () => { is_over = true; });
  while (!is_over) {
    await new Promise(setImmediate);
    if (!is_over) beside(turns++);
  }
  return turns;
}

t.test('time held up does not count', async (t) => {
  let answered = false;
  const limit = new TimeLimit(100, () => t.fail('what has arrived meanwhile was not read'));
  holdUp(500);
  // It is there since long; the turn that reads it comes after the timer's.
  setTimeout(() => { answered = true; }, 0);
  while (!answered) await new Promise(setImmediate);
  limit.clear();
});

t.test('what is held up over and over ends all the same', async (t) => {
  const turns = await turnsUntilOver(10, () => holdUp(600));
  t.ok(turns > 1, 'not at the first');
  t.ok(turns < 10, `after ${turns} turns`);
});
