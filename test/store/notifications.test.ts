/** News between nodes: told as soon as another node listens, and not while none does. */
import t from 'tap';
import { openNotifications, type Topic } from '../../src/store/notifications.ts';
import { testDatabase } from '../support/database.ts';
import { untilSeen } from '../support/until.ts';

const { sql } = await testDatabase(t);
const overheard: string[] = [];
const listener = await sql.listen('gatehouse', {
  onPayload: (payload) => { overheard.push(payload); }, onConnected() {}, onError() {},
});
t.teardown(() => listener.stop());

/** A node with a clock that the test sets. */
async function node(name: string, clock = { now_ms: 0 }) {
  const heard: string[] = [];
  let connected = 0;
  const notifications = await openNotifications({
    sql, node_id: name, clock: () => clock.now_ms,
    onNotification: (topic: Topic, ids) => { heard.push([topic, ...ids].join(' ')); },
    onConnected: () => { connected += 1; },
    onError: (error) => { throw error; },
  });
  return { clock, heard, notifications, connected: () => connected };
}

const seen = (words: string, payload: string) =>
  untilSeen(words, async () => [...overheard], (all) => all.includes(payload));

t.test('a node alone tells nobody; one that joins is told all from its welcome on', async (t) => {
  const first = await node('first');
  t.teardown(() => first.notifications.close());
  await seen('the first node', 'first hello');
  first.notifications.send('events', ['run_early']);
  await seen('news of a node that may not be alone', 'first events run_early');
  first.clock.now_ms = 5_000;
  first.notifications.send('events', ['run_alone']);
  const second = await node('second');
  await untilSeen('a welcome, after which the second looks anew', async () => second.connected(),
    (times) => times === 2);
  first.notifications.send('events', ['run_told']);
  await untilSeen('news of the first', async () => [...second.heard],
    (heard) => heard.includes('events run_told'));
  t.notOk(overheard.some((payload) => payload.includes('run_alone')), 'nobody was told of it');
  second.clock.now_ms = 5_000;
  second.notifications.send('queue', []);
  await untilSeen('news of the second', async () => [...first.heard],
    (heard) => heard.includes('queue'));

  const third = await node('third');
  await untilSeen('the welcomes', async () => third.connected(), (times) => times === 3);
  second.notifications.send('cancelled', ['run_later']);
  await untilSeen('what came behind them', async () => [...first.heard],
    (heard) => heard.includes('cancelled run_later'));
  t.same([first.connected(), second.connected()], [1, 2], 'nobody else looks anew');
  await third.notifications.close();
  await second.notifications.close();

  first.clock.now_ms += 60_000;
  first.notifications.send('events', ['run_left_alone']);
  await first.notifications.close();
  await sql`select pg_notify('gatehouse', 'the test is over')`;
  await seen('the last of it', 'the test is over');
  t.notOk(overheard.some((payload) => payload.includes('run_left_alone')),
    'a node that was not heard for long is not told');
});

t.test('while none can be sent, it is told once', async (t) => {
  let tries = 0;
  const away = async () => {
    tries += 1;
    throw new Error('away');
  };
  const told: unknown[] = [];
  const notifications = await openNotifications({
    sql: Object.assign(away, { listen: sql.listen }) as unknown as typeof sql, node_id: 'fourth',
    onNotification() {}, onConnected() {}, onError: (error) => { told.push(error); },
  });
  await untilSeen('the first try', () => tries);
  notifications.send('queue', []);
  await untilSeen('another', () => tries, (times) => times > 1);
  await notifications.close();
  t.match(told, [{ message: 'away' }]);
});
