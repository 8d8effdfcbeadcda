/** Readers of a live run: what they are given without a query, and what they share one for. */
import t from 'tap';
import { createLog } from '../../src/log.ts';
import { Appender } from '../../src/runs/appender.ts';
import { EventHub } from '../../src/runs/eventHub.ts';
import {
  withoutPauses, EventReader, type EventFrame, type RunReference,
} from '../../src/runs/runEvents.ts';
import { collect } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { storedRun } from '../support/storedRuns.ts';
import { wrapped } from '../support/writeNode.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'an event lost, twice or out of order');

const READERS = 200;
const EVENTS = 20;

const log = createLog('silent');
const { sql } = await testDatabase(t);
// Not open: no poll helps, and nothing is heard of other processes.
const hub = new EventHub(sql, log);
let queries = 0;
const reader = new EventReader(wrapped(sql, (_statement, send) => {
  queries += 1;
  return send();
}), hub);

async function liveRun() {
  const { id: run_id, ...run } = await storedRun(sql, { status: 'running' });
  const reference: RunReference = { ...run, run_id };
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const { workspace_id, attempt } = run;
  return {
    append: { workspace_id, run_id, attempt },
    follow: (after = 0) => withoutPauses(reader.follow(reference, after, stop.signal)),
    stored: async () => (await reader.page(reference, 0, 1_000)).frames,
  };
}

const said = (text: string) =>
  ({ type: 'message.output.delta', data: JSON.stringify({ message_id: 'm', delta: text }) });

/** Has each event committed while all readers wait for it, and given to all of them. */
async function eachSeen(run: Awaited<ReturnType<typeof liveRun>>, appender: Appender,
  announce = () => {}): Promise<void> {
  const readers = Array.from({ length: READERS }, () => run.follow());
  // They begin by looking, and look again for what is committed meanwhile: so this is there before.
  await appender.append({ ...run.append, events: [said('0')] });
  await Promise.all(readers.map((events) => events.next()));
  queries = 0;
  for (let n = 2; n <= EVENTS + 1; n++) {
    const next = readers.map((events) => events.next());
    await appender.append({ ...run.append, events: [said(String(n))] });
    announce();
    const pages = await Promise.all(next);
    t.ok(pages.every(({ value }) => value?.length === 1 && value[0]?.sequence_number === n));
  }
}

t.test('what this process commits is read by nobody', async (t) => {
  await eachSeen(await liveRun(), new Appender(sql, hub, log));
  t.equal(queries, 0);
});

t.test('readers of what another process commits share their queries', async (t) => {
  const run = await liveRun();
  const elsewhere = new Appender(sql, new EventHub(sql, log), log);
  await eachSeen(run, elsewhere, () => hub.changed([run.append.run_id]));
  // One before the event and one after it: each reader begins to wait by looking.
  t.ok(queries <= 2 * EVENTS + 2, `${queries} queries`);
});

t.test('what is passed on is what is stored, to the letter', async (t) => {
  const run = await liveRun();
  const live = collect(run.follow());
  const appender = new Appender(sql, hub, log);
  const texts = ['"\\ \u0001 \x85 \u2028 \u2029 \ud83d\ude00', '1.50', ''];
  for (const text of texts) {
    await appender.append({ ...run.append, events: [said(text), said(text)] });
  }
  await appender.append({
    ...run.append, events: [said('spaced'), { type: 'run.completed', data: '{ "usage": { } }' }],
    end: { status: 'completed', output: [], error: null },
  });
  const frames = (await live).flat();
  t.same(frames.map((frame) => frame.sequence_number), [1, 2, 3, 4, 5, 6, 7, 8]);
  t.strictSame(frames, await run.stored());
});

t.test('who was not there for one commit, or for too large a one, reads', async (t) => {
  const run = await liveRun();
  const appender = new Appender(sql, hub, log);
  const following = run.follow();
  const append = (count: number) => appender.append({
    ...run.append, events: Array.from({ length: count }, (_, n) => said(String(n))) });
  await append(1);
  const numbers: number[] = [];
  const take = async () => numbers.push(
    ...((await following.next()).value as EventFrame[]).map((frame) => frame.sequence_number));
  await take();
  await append(1);
  await append(2); // the second announcement has taken the place of the first
  await take();
  t.same(numbers, [1, 2, 3, 4]);
  const next = take();
  await append(300); // more than a page
  await next;
  t.equal(numbers.length, 4 + 256);
  await take();
  t.same(numbers, Array.from({ length: 304 }, (_, n) => n + 1));
});
