import { AsyncLocalStorage } from 'node:async_hooks';
import t from 'tap';
import { gather, gatherByName } from '../src/gather.ts';

t.test('who asks in one turn is answered by one reading, sixteen at most', async (t) => {
  const read: number[][] = [];
  const double = gather(async (asked: number[]) => {
    read.push([...asked]);
    return asked.map((number) => number * 2);
  });
  const later = Promise.resolve().then(() => double(3));
  t.same(await Promise.all([double(1), double(2), later]), [2, 4, 6]);
  t.same(read.splice(0), [[1, 2, 3]], 'a promise that had settled belongs to the turn');
  const many = Array.from({ length: 40 }, (_, index) => index);
  t.same(await Promise.all(many.map(double)), many.map((number) => number * 2));
  t.same(read.splice(0).map(({ length }) => length), [16, 16, 8]);
});

t.test('whoever asks after a reading has begun gets another one', async (t) => {
  let value = 'old';
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const look = gather(async (asked: string[]) => {
    const seen = value;
    begun.resolve();
    await goOn.promise;
    return asked.map(() => seen);
  });
  const early = look('x');
  await begun.promise;
  value = 'new';
  const late = look('x');
  goOn.resolve();
  t.same(await Promise.all([early, late]), ['old', 'new']);
});

t.test('a reading has no context of who asks', async (t) => {
  const request = new AsyncLocalStorage<string>();
  const look = gather(async (asked: number[]) => asked.map(() => request.getStore()));
  t.equal(await request.run('mine', () => look(1)), undefined);
});

t.test('a reading that fails fails those who asked for it, and no later one', async (t) => {
  let fails = true;
  const look = gather(async (asked: number[]) => {
    if (fails) throw new Error('away');
    return asked;
  });
  await Promise.all([t.rejects(look(1), { message: 'away' }), t.rejects(look(2))]);
  fails = false;
  t.equal(await look(3), 3);
});

t.test('what has one name is read once', async (t) => {
  const read: string[] = [];
  const look = gatherByName((asked: string) => asked.toLowerCase(), async (asked) => {
    read.push(asked);
    return `found ${asked}`;
  });
  t.same(await Promise.all([look('a'), look('b'), look('A')]), ['found a', 'found b', 'found a']);
  t.same(read, ['a', 'b']);
  t.equal(await look('a'), 'found a');
  t.same(read, ['a', 'b', 'a'], 'and anew for who asks later');
});

t.test('a reading of one name that fails is no failure of another', async (t) => {
  const look = gatherByName((asked: string) => asked, async (asked) => {
    if (asked === 'broken') throw new Error('away');
    return asked;
  });
  const [fine, ...broken] = await Promise.allSettled(['fine', 'broken', 'broken'].map(look));
  t.match(fine, { value: 'fine' });
  t.match(broken, [{ reason: { message: 'away' } }, { reason: { message: 'away' } }]);
});
