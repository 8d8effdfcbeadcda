/** One workspace asks for as much as it can: it waits for itself, and its neighbour does not. */
import t from 'tap';
import { prompt } from '../support/client.ts';
import { newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql } = server;
const neighbour = await otherWorkspace(server);
const own_session = await newSession(neighbour);

t.test('nobody who means well is refused', async (t) => {
  const sessions = await Promise.all(Array.from({ length: 50 }, () => newSession(client)));
  const runs = await Promise.all(sessions.map((session_id) => client.call('createRun',
    { path: { session_id }, body: prompt('@rehearsal words=1', { wait: true }) })));
  t.ok(runs.every(({ status }) => status === 200), '50 clients that wait for runs');
  const quick = await Promise.all(Array.from({ length: 1_000 }, () =>
    client.call('getSession', { path: { session_id: sessions[0]! } })));
  t.ok(quick.every(({ status }) => status === 200), 'a thousand quick requests at once');
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*)::int as count from runs where status = 'completed'`;
  t.ok(count >= 50);
});

t.test('large bodies of one leave the loop to others in between', async (t) => {
  const body = `{"input":[${'{},'.repeat(100_000)}{}]}`;
  const session_id = await newSession(client);
  const order: string[] = [];
  const heavy = Array.from({ length: 30 }, async () => {
    const answer = await client.call('createRun', { path: { session_id }, raw: body });
    t.match(answer, { status: 400 });
    order.push('heavy');
  });
  const light = neighbour.expect(200, 'getSession', { path: { session_id: own_session } })
    .then(() => order.push('light'));
  await Promise.all([...heavy, light]);
  t.ok(order.indexOf('light') < 15, `it was number ${order.indexOf('light') + 1} of 31`);
});
