/** Readers that follow a run, below HTTP: what they hold, and when they are given what was read. */
import t from 'tap';
import { createLog } from '../../src/log.ts';
import { EventHub } from '../../src/runs/eventHub.ts';
import {
  withoutPauses, EventReader, type EventFrame, type RunReference,
} from '../../src/runs/runEvents.ts';
import { prompt } from '../support/client.ts';
import { isCollected } from '../support/collected.ts';
import { testServer } from '../support/server.ts';

const READERS = 100;

// No worker: the run stays queued, and its readers wait for more.
const { client, sql, workspace_id } = await testServer(t, { config: { concurrency: 0 } });
const { id: session_id } = await client.expect(201, 'createSession');
const { id: run_id } = await client.expect(202, 'createRun',
  { path: { session_id }, body: prompt('@rehearsal words=2') });
const run: RunReference = { workspace_id, session_id, run_id };
const reader = new EventReader(sql, new EventHub(sql, createLog('silent')));

async function firstOf(following: AsyncGenerator<readonly EventFrame[]>): Promise<WeakRef<object>> {
  const { value } = await following.next();
  return new WeakRef(value as EventFrame[]);
}

t.test('a reader that waits holds nothing of what it was given', async (t) => {
  const stop = new AbortController();
  const following = withoutPauses(reader.follow(run, 0, stop.signal));
  const given = await firstOf(following);
  const waiting = following.next();
  t.ok(await isCollected(given));
  stop.abort();
  t.equal((await waiting).done, true);
});

t.test('readers of the same event get it in slices, and others their turn between', async (t) => {
  const stop = new AbortController();
  const given = new Map<number, number>();
  let turn = 0;
  let counting = true;
  const count = () => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: READERS }, async () => {
    await firstOf(withoutPauses(reader.follow(run, 0, stop.signal)));
    given.set(turn, (given.get(turn) ?? 0) + 1);
  }));
  counting = false;
  stop.abort();
  const most = Math.max(...given.values());
  // One slice before the turn is counted, and one after it.
  t.ok(most <= 2 * 4, `${most} of ${READERS} in one turn of the event loop`);
});

t.test('a reader of what the log has lost is told that, not given others', async (t) => {
  const following = withoutPauses(reader.follow(run, 2, new AbortController().signal));
  await t.rejects(following.next(), { code: 'events_expired' });
});
