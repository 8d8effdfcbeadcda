import { connect, createServer, type AddressInfo } from 'node:net';
import t from 'tap';
import { gather } from '../src/gather.ts';
import { patiently, Patience, PATIENCE_MS, patience } from '../src/patience.ts';
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

t.test('what arrived while the process was held up is no failure', async (t) => {
  const mine = new Patience('a request');
  const answer = await mine.during(async () => {
    const arrived = new Promise<string>((resolve) => {
      const socket = createServer((other) => other.end('here')).listen(0, '127.0.0.1', () =>
        connect((socket.address() as AddressInfo).port, '127.0.0.1')
          .once('connect', () => holdUp(PATIENCE_MS + 500))
          .once('data', (data) => {
            socket.close();
            resolve(String(data));
          }));
    });
    return await patiently(arrived);
  });
  t.equal(answer, 'here');
});

/** Holds the process up, as work does that does not let go of the thread. */
function holdUp(time_ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time_ms);
}
