/** Ids are made by the clocks of nodes, which differ: what that changes, and what it does not. */
import t from 'tap';
import type { Client } from '../support/client.ts';
import { readPages } from '../support/pages.ts';
import { endlessRun, eventsOf, newSession, OFFLINE, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'an event lost, twice or out of order');

const { client } = await testServer(t);
const session_id = await newSession(client);
const blocker = await endlessRun(client, session_id);
const first = await onFastClock(() => queueRun(client, session_id, '@rehearsal words=1', OFFLINE));
const second = await queueRun(client, session_id, '@rehearsal fail=model_error', OFFLINE);
const third = await queueRun(client, session_id, '@rehearsal words=1', OFFLINE);
const byId = [blocker, first, second, third].map(({ id }) => id).toSorted();

t.test('the runs of a session are executed in the order in which they were accepted', async (t) => {
  t.ok(first.id > third.id, 'a node whose clock is ahead has made the first one');
  await client.expect(200, 'cancelRun', { path: { run_id: blocker.id } });
  const started: string[] = [];
  for (const { id } of [first, second, third]) {
    const events = await eventsOf(client, id);
    started.push(events.find(({ type }) => type === 'run.started')!.created_at);
  }
  t.strictSame(started, started.toSorted());
  t.ok(new Set(started).size > 1);
});

t.test('lists are in the order of the ids, whatever the filters', async (t) => {
  const among = (...runs: { id: string }[]) =>
    byId.filter((id) => runs.some((run) => run.id === id));
  const lists: [query: Record<string, string>, ids: string[]][] = [
    [{}, byId],
    [{ session_id }, byId],
    [{ source: 'api' }, byId],
    [{ model: 'rehearsal' }, byId],
    [{ status: 'completed' }, among(first, third)],
    [{ status: 'completed', model: 'rehearsal', session_id }, among(first, third)],
    [{ error_code: 'model_error' }, among(second)],
    [{ created_after: blocker.created_at }, among(first, second, third)],
  ];
  for (const [query, ids] of lists) {
    t.strictSame(await all(client, { ...query, order: 'asc' }), ids, JSON.stringify(query));
    t.strictSame(await all(client, query), ids.toReversed(), JSON.stringify(query));
  }
});

async function all(asker: Client, query: Record<string, string>): Promise<string[]> {
  return (await readPages(asker, 'listRuns', { limit: 1, ...query })).flat();
}

/** Does something while the clock of this process, and so of its service, is an hour ahead. */
async function onFastClock<T>(work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}
