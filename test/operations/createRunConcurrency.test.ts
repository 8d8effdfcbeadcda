/** POST /sessions/{session_id}/runs: several runs in one session. */
import t from 'tap';
import { prompt } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import {
  completeRun, ENDLESS, endlessRun, eventsOf, newSession, queueRun, untilEvent,
} from '../support/runs.ts';

const { client } = await testServer(t);
const get = (run_id: string) => client.expect(200, 'getRun', { path: { run_id } });
const cancel = (run_id: string) => client.expect(200, 'cancelRun', { path: { run_id } });

t.test('enqueue: one after the other, in the order of their creation', async (t) => {
  const session_id = await newSession(client);
  const first = await endlessRun(client, session_id);
  const queued = [];
  for (let i = 0; i < 5; i++) {
    queued.push(await queueRun(client, session_id, `@rehearsal words=${i + 1}`));
  }
  t.strictSame(queued.map(({ status }) => status), Array(5).fill('queued'));
  await cancel(queued[2]!.id);
  await cancel(first.id);
  for (const index of [0, 1, 3, 4]) await untilEvent(client, queued[index]!.id, 'run.completed');
  const runs = await Promise.all([first, ...queued].map(({ id }) => get(id)));
  t.strictSame(runs.map(({ status }) => status),
    ['cancelled', 'completed', 'completed', 'cancelled', 'completed', 'completed']);
  const [, one, two, cancelled, four, five] = runs;
  t.equal(cancelled!.started_at, null, 'one that was cancelled in the queue never started');
  for (const [before, after] of [[one, two], [two, four], [four, five]] as const) {
    t.ok(before!.finished_at! <= after!.started_at!);
  }
  const { messages } = await client.expect(200, 'getSession', { path: { session_id } });
  const speakers = messages.filter(({ role }) => role === 'assistant').map(({ run_id }) => run_id);
  t.strictSame(speakers, [one, two, four, five].map((run) => run!.id));
});

t.test('sessions do not wait for each other', async (t) => {
  const busy = await newSession(client);
  const blocker = await endlessRun(client, busy);
  t.match(await completeRun(client, await newSession(client), '@rehearsal words=1'),
    { status: 'completed' });
  await cancel(blocker.id);
});

t.test('many created at once all run, one at a time', async (t) => {
  const session_id = await newSession(client);
  const runs = await Promise.all(Array.from({ length: 12 }, () =>
    completeRun(client, session_id, '@rehearsal words=1')));
  t.strictSame(new Set(runs.map(({ status }) => status)), new Set(['completed']));
  const inOrder = runs.toSorted((a, b) => (a.started_at! < b.started_at! ? -1 : 1));
  for (const [index, run] of inOrder.entries()) {
    if (index > 0) t.ok(inOrder[index - 1]!.finished_at! <= run.started_at!);
  }
});

t.test('reject: 409 while a run is open, be it running or queued', async (t) => {
  const session_id = await newSession(client);
  const first = await endlessRun(client, session_id);
  const body = prompt('@rehearsal words=1', { concurrency: 'reject', wait: true });
  const refused = await client.expect(409, 'createRun', { path: { session_id }, body });
  t.match(refused, { code: 'session_busy', param: '/concurrency',
    error: new RegExp(`session_id=${session_id}`) });
  const second = await queueRun(client, session_id, ENDLESS);
  await cancel(first.id);
  await client.expect(409, 'createRun', { path: { session_id }, body });
  await cancel(second.id);
  t.match(await client.expect(200, 'createRun', { path: { session_id }, body }),
    { status: 'completed' });
  t.equal((await client.expect(200, 'listRuns', { query: { session_id } })).data.length, 3);
});

t.test('interrupt: open runs are cancelled, and the new one runs', async (t) => {
  const session_id = await newSession(client);
  const running = await endlessRun(client, session_id);
  const queued = await queueRun(client, session_id, ENDLESS);
  const run = await completeRun(client, session_id, '@rehearsal words=1',
    { concurrency: 'interrupt' });
  t.equal(run.status, 'completed');
  for (const [{ id }, previous_status] of [[running, 'running'], [queued, 'queued']] as const) {
    t.match(await get(id), { status: 'cancelled' });
    t.match((await eventsOf(client, id)).at(-1),
      { type: 'run.cancelled', data: { previous_status, reason: 'interrupted' } });
  }
});

t.test('interrupt with nothing to interrupt', async (t) => {
  t.match(await completeRun(client, await newSession(client), '@rehearsal words=1',
    { concurrency: 'interrupt' }), { status: 'completed' });
});

t.test('an archived session finishes what is open', async (t) => {
  const session_id = await newSession(client);
  const open = await endlessRun(client, session_id);
  const queued = await queueRun(client, session_id, '@rehearsal words=1');
  await client.expect(200, 'updateSession',
    { path: { session_id }, body: { status: 'archived' } });
  for (const concurrency of ['enqueue', 'reject', 'interrupt'] as const) {
    t.match(await client.expect(409, 'createRun',
      { path: { session_id }, body: prompt('x', { concurrency }) }), { code: 'session_archived' });
  }
  t.match(await get(open.id), { status: 'running' }, 'a refused interruption cancels nothing');
  await cancel(open.id);
  await untilEvent(client, queued.id, 'run.completed');
});
