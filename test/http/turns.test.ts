/** Turns on the event loop: who has kept it for the least time of late is next. */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { strangerAt } from '../../src/http/strangers.ts';
import { LoopTurns } from '../../src/http/turns.ts';
import { Patience } from '../../src/patience.ts';

function still() {
  const clock = { now_ms: 1_000 };
  const turns = new LoopTurns(() => clock.now_ms);
  const begun: string[] = [];
  /** Asks for turns of so many ms; `begun` notes each when it begins. */
  const ask = (share: string, count: number, cost_ms: number) => {
    for (let i = 0; i < count; i++) {
      const waits = turns.take(share, cost_ms);
      if (waits === undefined) begun.push(share);
      else void waits.then(() => begun.push(share));
    }
  };
  return { clock, turns, begun, ask };
}

t.test('so much begins in one turn of the loop, the rest later', async (t) => {
  const { begun, ask } = still();
  ask('a', 10, 2);
  t.equal(begun.length, 4, '8 ms at once');
  await turn();
  t.equal(begun.length, 8);
  await turn();
  t.equal(begun.length, 10);
  await turn();
  ask('a', 5, 2);
  t.equal(begun.length, 14, 'and nothing is owed after a pause');
});

t.test('who has kept the loop for less goes first', async (t) => {
  const { begun, ask } = still();
  ask('a', 100, 2);
  ask('b', 2, 2);
  ask('c', 1, 2);
  await turn();
  t.strictSame(begun.slice(4).toSorted(), ['a', 'b', 'b', 'c'].toSorted());
  t.not(begun[4], 'a');
});

t.test('one large piece at a time, with all others in between', async (t) => {
  const { begun, ask, turns, clock } = still();
  const order: string[] = [];
  const parse = async (share: string) => {
    await turns.withBody(share, 1_000_000, () => {
      order.push(share);
      clock.now_ms += 15;
    });
  };
  const all = Promise.all([parse('a'), parse('a'), parse('a'), parse('b')]);
  await turn();
  ask('c', 1, 0.4);
  await turn();
  await turn();
  t.equal(begun.length, 1, 'a small one waits for no more than the piece before it');
  t.strictSame(order.slice(0, 2), ['a', 'b'], 'who had a large one rests while others are busy');
  let is_over = false;
  void all.then(() => { is_over = true; });
  while (!is_over) {
    clock.now_ms += 5;
    await delay(1);
  }
  t.strictSame(order, ['a', 'b', 'a', 'a']);
});

t.test('what it took is charged, and an error is no way round it', async (t) => {
  const { clock, turns, ask, begun } = still();
  t.throws(() => turns.charged('a', () => {
    clock.now_ms += 50;
    throw new Error('refused');
  }), { message: 'refused' });
  ask('a', 1, 1);
  ask('b', 1, 1);
  t.strictSame(begun, [], 'the turn is used up');
  await turn();
  t.strictSame(begun, ['b', 'a']);
});

t.test('who waits for too long is told so, others are not', async (t) => {
  const turns = new LoopTurns(undefined, 50);
  turns.charge('a', 1_000_000);
  let is_over = false;
  const busy = (async () => {
    while (!is_over) await turns.take('b', 8);
  })();
  await turn();
  await t.rejects(turns.take('a', 8)!, { code: 'rate_limited', retry_after_s: 2 });
  is_over = true;
  await busy;
  await turn();
  t.equal(turns.take('a', 8), undefined, 'later it may ask again');
});

t.test('small ones of a share do not wait for a large one of it that rests', async (t) => {
  const { begun, ask, turns, clock } = still();
  const parse = async (share: string) =>
    await turns.withBody(share, 1_000_000, () => { clock.now_ms += 15; });
  for (let other = 0; other < 200; other++) turns.charge(`quiet ${other}`, 1);
  const all = Promise.all([parse('a'), parse('a')]);
  for (let i = 0; i < 3; i++) await turn();
  ask('a', 1, 0.4);
  await delay(5);
  t.strictSame(begun, ['a']);
  clock.now_ms += 2 * 15;
  await all; // However many others there are, the rest is bounded.
});

t.test('who rests goes on afterwards, though nobody else asks for a turn', async (t) => {
  const { turns, clock } = still();
  turns.charge('quiet', 1);
  const write = async () =>
    await turns.withBody('a', 1_000_000, () => { clock.now_ms += 15; });
  await write();
  // The loop has gone round since: no turn of it is under way.
  for (let i = 0; i < 3; i++) await turn();
  let is_over = false;
  const next = write().then(() => { is_over = true; });
  await delay(5);
  t.equal(is_over, false, 'it rests');
  clock.now_ms += 2 * 15 - 1;
  await delay(5);
  t.equal(is_over, false, 'for twice as long as it took');
  clock.now_ms += 1;
  await next;
  t.pass('and goes on by itself');
});

t.test('a request that came first is finished first, of however many pieces it is', async (t) => {
  const { turns, clock } = still();
  const order: string[] = [];
  const serve = (name: string) => new Patience(name).during(async () => {
    for (const piece of [1, 2, 3]) {
      await turns.withBody('a', 1_000_000, () => {
        order.push(`${name}${piece}`);
        clock.now_ms += 15;
      });
    }
  });
  await Promise.all(['x', 'y', 'z'].map(serve));
  t.strictSame(order, ['x1', 'x2', 'x3', 'y1', 'y2', 'y3', 'z1', 'z2', 'z3']);
});

t.test('a large one before which nothing was begun does not wait for ever', async (t) => {
  const clock = { now_ms: 1_000 };
  const turns = new LoopTurns(() => clock.now_ms, 1);
  const work = (was_begun: boolean) => {
    const parse = () => { clock.now_ms += 15; };
    return (was_begun ? turns.withBody('a', 1_000_000, parse)
      : turns.withFirstBody('a', 1_000_000, parse)).then(() => null, (error: unknown) => error);
  };
  turns.take('b', 1);
  t.equal(await work(true), null);
  // The share rests now: its clock stands still, so nothing of it begins.
  const [begun, refused, other] = [work(true), work(false), work(false)];
  t.match(await Promise.all([refused, other]), Array(2).fill({ code: 'rate_limited' }));
  clock.now_ms += 100;
  t.equal(await begun, null, 'what has begun is not refused');
  clock.now_ms += 100;
  t.equal(await work(true), null);
  t.match(await work(false), { code: 'rate_limited' }, 'also where no other one waits');
  clock.now_ms += 100;
  t.equal(await work(true), null, 'nothing is left of those that were');
});

t.test('all who show no credential have one share, and each address one of it', async (t) => {
  const { ask, begun, turns } = still();
  turns.charge('workspace', 8);
  for (let i = 0; i < 100; i++) turns.charge(strangerAt(`192.0.2.${i}`), 8);
  for (let i = 0; i < 100; i++) ask(strangerAt(`192.0.2.${i % 99}`), 1, 4);
  ask('workspace', 1, 4);
  ask(strangerAt('192.0.2.99'), 1, 4);
  await turn();
  t.strictSame(begun.slice(0, 2), ['workspace', strangerAt('192.0.2.0')],
    'one that had as much as each of them is before them');
  for (let i = 0; i < 60; i++) await turn();
  t.equal(begun.length, 102);
  const last = strangerAt('192.0.2.99');
  t.ok(begun.indexOf(last) < begun.lastIndexOf(strangerAt('192.0.2.0')),
    'who asked once is before who asks again');
});
