/** One workspace asks for as much as it can: it waits for itself, and its neighbour does not. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import t, { type Test } from 'tap';
import { prompt } from '../support/client.ts';
import { newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const server = await testServer(t);
const { client, sql } = server;
const neighbour = await otherWorkspace(server);
const own_session = await newSession(neighbour);

t.test('nobody who means well is refused', async (t) => {
  const sessions = await Promise.all(Array.from({ length: 50 }, () => newSession(client)));
  const runs = await Promise.all(sessions.map((session_id) => client.call('createRun',
    { path: { session_id }, body: prompt('@rehearsal words=1', { wait: true }) })));
  t.ok(runs.every(({ status }) => status === 200), '50 clients that wait for runs');
  const atOnce = async (count: number, ...statuses: number[]) => {
    const quick = await Promise.all(Array.from({ length: count }, () =>
      client.call('getSession', { path: { session_id: sessions[0]! } })));
    t.strictSame([...new Set(quick.map(({ status }) => status))]
      .filter((status) => !statuses.includes(status)), [], `${count} requests at once`);
  };
  // Who has waited for two seconds is refused: this machine is asked for what takes it one.
  const since_ms = performance.now();
  await atOnce(100, 200, 429);
  const in_a_second = Math.floor(100 * 1_000 / (performance.now() - since_ms));
  await atOnce(Math.min(Math.max(in_a_second, 1), 1_000), 200);
  // On any machine no connection is reset. One that takes five seconds for them says so by 503.
  await atOnce(1_000, 200, 429, 503);
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from runs where status = 'completed'`;
  t.ok(count >= 50);
});

/** What `answered` says when a request for this address reaches the service. */
function answeredAtArrival(t: Test, address_part: string, answered: () => number): Promise<number> {
  return new Promise((resolve) => {
    const onRequest = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (request.url!.includes(address_part)) resolve(answered());
    };
    subscribe('http.server.request.start', onRequest);
    t.teardown(() => unsubscribe('http.server.request.start', onRequest));
  });
}

t.test('large bodies of one leave the loop to others in between', async (t) => {
  const body = `{"input":[${'{},'.repeat(100_000)}{}]}`;
  const session_id = await newSession(client);
  let answered = 0;
  let is_over = false;
  const heavy = Array.from({ length: 30 }, async () => {
    while (!is_over) {
      const { status } = await client.call('createRun', { path: { session_id }, raw: body });
      // A machine that needs two seconds for those before it refuses one.
      t.ok([400, 429].includes(status), `${status}`);
      if (status === 400) answered += 1;
    }
  });
  await untilSeen('the first large body was answered', () => answered > 0);
  // Counted from when the service has the request: its way there takes as long as it takes. And
  // refused before the database is asked, which answers as late as a busy machine lets it: of 600
  // that asked it beside three busy loops, two were answered after 20 large ones; of those that
  // did not, none after more than 6.
  const before = answeredAtArrival(t, own_session, () => answered);
  await neighbour.expect(400, 'createRun', { path: { session_id: own_session }, raw: '{}' });
  const meanwhile = answered - await before;
  is_over = true;
  await Promise.all(heavy);
  t.ok(meanwhile < 15, `${meanwhile} large ones were answered meanwhile`);
});
