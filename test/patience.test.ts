import t from 'tap';
import { gather } from '../src/gather.ts';
import { patiently, Patience, patience } from '../src/patience.ts';
import { isUnavailable } from '../src/store/database.ts';

t.test('who asks together with others waits no longer than its own request may', async (t) => {
  const answer = Promise.withResolvers<string[]>();
  const read = gather((asked: string[]) => {
    t.equal(patience(), undefined, 'the reading is for several, and has the patience of none');
    return answer.promise.then(() => asked);
  });
  const mine = new Patience('a request');
  const late = mine.during(() => patiently(read('mine')));
  const error = await late.then(() => undefined, (failure: unknown) => failure);
  t.ok(isUnavailable(error), 'as of a statement that took too long');
  t.equal(mine.left_ms, 0);
  const other = new Patience('another');
  const found = other.during(() => patiently(read('other')));
  answer.resolve([]);
  t.equal(await found, 'other');
  t.ok(other.left_ms > 0, 'what is left of it is left for the next');
});
