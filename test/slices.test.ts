import t from 'tap';
import { Slices } from '../src/slices.ts';

/** What others do between two slices. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

t.test('so many pass in a turn of the event loop, in order, and others get theirs', async (t) => {
  const slices = new Slices(2);
  const passed: number[] = [];
  const enter = async (nth: number) => {
    await slices.pass();
    passed.push(nth);
  };
  const all = Promise.all([1, 2, 3, 4, 5].map(enter));
  await Promise.resolve();
  t.strictSame(passed, [1, 2]);
  await turn();
  t.strictSame(passed, [1, 2, 3, 4], 'no more in the next one');
  const late = enter(6);
  t.strictSame(passed, [1, 2, 3, 4], 'who comes later does not overtake');
  await turn();
  t.strictSame(passed, [1, 2, 3, 4, 5, 6]);
  await Promise.all([all, late]);
});

t.test('who comes alone does not wait, turn after turn', async (t) => {
  const slices = new Slices(1);
  for (let nth = 0; nth < 3; nth++) {
    t.equal(slices.pass(), undefined);
    await turn();
    await turn();
  }
});
