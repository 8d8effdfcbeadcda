/** Who has had least of late is next. */
import t from 'tap';
import { FairQueue } from '../src/fairQueue.ts';

function still() {
  const clock = { now_ms: 1_000 };
  return { clock, queue: new FairQueue<string, string>(() => clock.now_ms) };
}

/** The next one, which leaves. */
function take(queue: FairQueue<string, string>, fits?: (item: string) => boolean) {
  const item = queue.next(fits);
  if (item !== undefined) queue.delete(item[0]!, item);
  return item;
}

t.test('of one share, who came first is first; of two, who had less', async (t) => {
  const { queue } = still();
  for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item[0]!, item);
  queue.charge('a', 10);
  t.strictSame([1, 2, 3, 4, 5].map(() => take(queue)), ['b1', 'a1', 'a2', 'a3', undefined]);
});

t.test('each has half, however many wait, and whatever one of them costs', async (t) => {
  const { queue } = still();
  for (let i = 0; i < 100; i++) queue.add('a', `a${i}`);
  for (let i = 0; i < 40; i++) queue.add('b', `b${i}`);
  const had = { a: 0, b: 0 };
  for (let i = 0; i < 44; i++) {
    const share = take(queue)![0] as 'a' | 'b';
    const cost = share === 'a' ? 10 : 1;
    had[share] += cost;
    queue.charge(share, cost);
  }
  t.strictSame(had, { a: 40, b: 40 });
});

t.test('what is under way counts with its time', async (t) => {
  const { queue, clock } = still();
  const endA = queue.begin('a');
  clock.now_ms += 20;
  queue.charge('b', 10);
  for (const item of ['a1', 'b1', 'b2']) queue.add(item[0]!, item);
  t.equal(take(queue), 'b1');
  endA();
  t.equal(take(queue), 'b2', 'and stays charged when it has ended');
});

t.test('who has something for an hour is not behind for ever', async (t) => {
  const { queue, clock } = still();
  queue.begin('a');
  clock.now_ms += 3_600_000;
  queue.charge('b', 2_000);
  for (const item of ['a1', 'b1']) queue.add(item[0]!, item);
  t.equal(take(queue), 'a1', 'others have had more of late');
});

t.test('what somebody had is forgotten', async (t) => {
  const { queue, clock } = still();
  queue.charge('a', 1_000);
  clock.now_ms += 10_000;
  queue.charge('b', 1.5);
  for (const item of ['a1', 'b1']) queue.add(item[0]!, item);
  t.equal(take(queue), 'a1', 'after ten half-lives a thousandth is left of it');
});

t.test('who gave up is not next, and who does not fit lets others go first', async (t) => {
  const { queue } = still();
  for (const item of ['a1', 'a2', 'b1']) queue.add(item[0]!, item);
  queue.delete('a', 'a1');
  queue.delete('a', 'a1');
  t.equal(queue.size, 2);
  t.equal(take(queue, (item) => item.startsWith('b')), 'b1');
  t.equal(queue.next((item) => item.startsWith('b')), undefined);
  t.strictSame([...queue], ['a2']);
});

t.test('who waits for something or had some of late is active', async (t) => {
  const { queue, clock } = still();
  queue.add('a', 'a1');
  queue.charge('b', 1);
  t.equal(queue.countActive(0.5), 2);
  clock.now_ms += 10_000;
  t.equal(queue.countActive(0.5), 1, 'and who neither waits nor had any is not');
  queue.charge('b', 10);
  t.equal(queue.countActive(20), 1, 'of those that had more than so much, or wait');
  queue.begin('b');
  t.equal(queue.countActive(20), 2, 'or have something now');
  const nobodys = new FairQueue<string | undefined, string>(() => 0);
  nobodys.begin(undefined);
  t.equal(nobodys.countActive(0.5), 0, 'nor what is nobody\'s');
  t.equal(nobodys.underWay(undefined), 1);
});
