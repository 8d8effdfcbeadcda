import t from 'tap';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { Appender, FencedError } from '../../src/runs/appender.ts';
import { EventHub } from '../../src/runs/eventHub.ts';
import { Runs } from '../../src/runs/lifecycle.ts';
import { withoutPauses, EventReader, type EventFrame } from '../../src/runs/runEvents.ts';
import { connect } from '../../src/store/database.ts';
import { claimRuns } from '../../src/store/runs.ts';
import { insertSessions } from '../../src/store/sessions.ts';
import { buryWorkers, renewWorker } from '../../src/store/workers.ts';
import { collect } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { hold } from '../support/openTransaction.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'an event lost, twice or out of order');

const log = createLog('silent');
const { sql, url } = await testDatabase(t);
const lock = connect(url, { max: 1 });
t.teardown(() => lock.end());
const { workspace_id } = await createFirstCredentials(sql);
const hub = new EventHub(sql, log);
const runs = new Runs(sql, hub);
// Alive, so that what it has claimed is not claimed from it.
for (const id of ['wrk_test', 'wrk_other']) {
  await renewWorker(lock, { id, host: 'here', lease_ms: 600_000 });
}

/** A run of a session of its own, claimed for the first time. */
async function claimedRun() {
  const [session] = await insertSessions(
    sql, [{ workspace_id, id: newId('ses'), title: null, metadata: {} }]);
  const { run_id } = await runs.create(sql, {
    workspace_id, session_id: session!.id, api_key_id: 'key', concurrency: 'enqueue', source: 'api',
    model: 'rehearsal', instructions: null, max_steps: 3, timeout_s: 60, metadata: {},
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
  });
  const [run] = await claimRuns(sql, 'wrk_test', 1);
  t.equal(run!.id, run_id);
  return { workspace_id, run_id, attempt: run!.attempt };
}

const delta = (text: string) =>
  ({ type: 'message.output.delta', data: JSON.stringify({ message_id: 'm', delta: text }) });

async function eventsOf(run_id: string): Promise<string[]> {
  const rows = await sql<{ seq: number; type: string }[]>`
    select seq, type from run_events where run_id = ${run_id} order by seq`;
  rows.forEach((row, index) => t.equal(row.seq, index + 1, 'numbers have no gap'));
  return rows.map((row) => row.type);
}

t.test('appends of one tick commit together, each run in the order of its calls', async (t) => {
  const appender = new Appender(sql, hub, log);
  const [one, two] = [await claimedRun(), await claimedRun()];
  const numbers = await Promise.all([
    appender.append({ ...one, events: [delta('a')] }),
    appender.append({ ...two, events: [delta('x')] }),
    appender.append({ ...one, events: [delta('b'), delta('c')] }),
  ]);
  t.same(numbers, [5, 3, 5], 'both appends of a run are acknowledged with its last number');
  const rows = await sql<{ data: { delta: string }; xmin: string }[]>`
    select data, xmin::text from run_events where type = 'message.output.delta'
    order by run_id, seq`;
  t.same(rows.map((row) => row.data.delta).toSorted(), ['a', 'b', 'c', 'x']);
  t.equal(new Set(rows.map((row) => row.xmin)).size, 1, 'one transaction wrote them all');
});

t.test('a poisoned event fails its own run only', async (t) => {
  const appender = new Appender(sql, hub, log);
  const [good, bad] = [await claimedRun(), await claimedRun()];
  const results = await Promise.allSettled([
    appender.append({ ...good, events: [delta('fine')] }),
    appender.append({ ...bad, events: [{ type: 'message.output.delta', data: '{not json' }] }),
  ]);
  t.same(results.map((result) => result.status), ['fulfilled', 'rejected']);
  t.same(await eventsOf(good.run_id), ['run.created', 'run.started', 'message.output.delta']);
  t.same(await eventsOf(bad.run_id), ['run.created', 'run.started']);
});

t.test('a group that met a deadlock is tried again', async (t) => {
  const appender = new Appender(sql, hub, log);
  const [one, two] = [await claimedRun(), await claimedRun()];
  await sql`create sequence meetings`;
  await sql.unsafe(`
    create function meet() returns trigger language plpgsql as $$
    begin
      if nextval('meetings') = 1 then raise exception 'met' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger meet before insert on run_events for each row execute function meet()`);
  t.teardown(() => sql`drop function meet cascade`);
  const numbers = await Promise.all([one, two].map((run) =>
    appender.append({ ...run, events: [delta('a')] })));
  t.same(numbers, [3, 3]);
  t.same(await eventsOf(one.run_id), ['run.created', 'run.started', 'message.output.delta']);
});

t.test('a run that somebody has locked keeps no other one waiting', async (t) => {
  const appender = new Appender(sql, hub, log);
  const [one, two] = [await claimedRun(), await claimedRun()];
  const release = await hold(sql, (tx) => tx`
    select from runs where id = ${one.run_id} for update`);
  let is_written = false;
  const first = appender.append({ ...one, events: [delta('a')] })
    .then((number) => { is_written = true; return number; });
  t.equal(await appender.append({ ...two, events: [delta('x')] }), 3);
  const second = appender.append({ ...one, events: [delta('b'), delta('c')] });
  t.equal(await appender.append({ ...two, events: [delta('y')] }), 4);
  t.notOk(is_written);
  await release();
  t.same(await Promise.all([first, second]), [3, 5], 'in the order of the calls');
  const rows = await sql<{ data: { delta: string } }[]>`select data from run_events
    where run_id = ${one.run_id} and type = 'message.output.delta' order by seq`;
  t.same(rows.map((row) => row.data.delta), ['a', 'b', 'c']);
});

t.test('an attempt that was taken over writes nothing', async (t) => {
  const appender = new Appender(sql, hub, log);
  const run = await claimedRun();
  await sql`update runs set worker_id = 'gone' where id = ${run.run_id}`;
  await buryWorkers(sql,
    { worker_id: 'wrk_other', lease_ms: 1_000, trusts_locks: true, most_losses: 10 });
  const claims = await claimRuns(sql, 'wrk_other', 10);
  const again = claims.find((claimed) => claimed.id === run.run_id)!;
  t.equal(again.attempt, 2);
  const results = await Promise.allSettled([
    appender.append({ ...run, events: [delta('zombie')] }),
    appender.append({ ...run, attempt: 2, events: [delta('alive')] }),
    appender.append({ ...run, events: [delta('zombie')] }),
  ]);
  t.same(results.map((result) => result.status), ['rejected', 'fulfilled', 'rejected']);
  await t.rejects(appender.append({ ...run, events: [delta('zombie')] }), FencedError);
  const rows = await sql`select data from run_events
    where run_id = ${run.run_id} and type = 'message.output.delta'`;
  t.same(rows.map((row) => row.data.delta), ['alive']);
});

t.test('nothing follows a terminal event', async (t) => {
  const appender = new Appender(sql, hub, log);
  const run = await claimedRun();
  await appender.append({
    ...run, events: [{ type: 'run.completed', data: '{"output":[],"usage":{}}' }],
    end: { status: 'completed', output: [], error: null },
  });
  await t.rejects(appender.append({ ...run, events: [delta('late')] }), FencedError);
  t.equal(await runs.cancel(workspace_id, run.run_id, 'requested'), undefined);
  t.same(await eventsOf(run.run_id), ['run.created', 'run.started', 'run.completed']);
});

t.test('a step commits its message, its count and its tokens with its events', async (t) => {
  const appender = new Appender(sql, hub, log);
  const run = await claimedRun();
  const message = { id: newId('msg'), position: 2, role: 'assistant' as const, provider: null,
    content: [{ type: 'output_text', text: 'hi' }] };
  await appender.append({
    ...run, events: [delta('hi')], messages: [message],
    steps: 1, input_tokens: 7, output_tokens: 2,
  });
  const [row] = await sql`
    select steps, input_tokens, output_tokens from runs where id = ${run.run_id}`;
  t.same({ ...row }, { steps: 1, input_tokens: 7, output_tokens: 2 });
  // The place is taken: the whole append is refused, its event included.
  await t.rejects(appender.append({ ...run, events: [delta('again')], messages: [message] }));
  t.equal((await eventsOf(run.run_id)).length, 3);
});

t.test('after a failed append the same attempt writes nothing more: no hole', async (t) => {
  const appender = new Appender(sql, hub, log);
  const run = await claimedRun();
  const bad = appender.append({ ...run, events: [{ type: 'message.output.delta', data: '{' }] });
  // Appended while the bad one is under way: it would stand where that one is missing.
  const since = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
    appender.append({ ...run, events: [delta('after the hole')] }));
  const results = await Promise.allSettled([bad, since]);
  t.same(results.map((result) => result.status), ['rejected', 'rejected']);
  t.same(await eventsOf(run.run_id), ['run.created', 'run.started']);
});

t.test('a page ends where it is large enough for a slow reader to hold', async (t) => {
  const appender = new Appender(sql, hub, log);
  const run = await claimedRun();
  const reference = { workspace_id, session_id: 'ses', run_id: run.run_id };
  const large = Array.from({ length: 6 }, () => delta('x'.repeat(15_000)));
  await appender.append({ ...run, events: large });
  await appender.append({
    ...run, events: [{ type: 'run.completed', data: '{"output":[],"usage":{}}' }],
    end: { status: 'completed', output: [], error: null },
  });
  const pages = await collect(
    withoutPauses(new EventReader(sql, hub).follow(reference, 0, new AbortController().signal)));
  t.same(pages.map((page) => page.length), [5, 3, 1]);
  t.same(pages.flat().map((frame) => frame.sequence_number), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

t.test('a reader that shared an older page reads on at once', async (t) => {
  const appender = new Appender(sql, hub, log);
  const run = await claimedRun();
  const reference = { workspace_id, session_id: 'ses', run_id: run.run_id };
  const reader = new EventReader(sql, hub);
  const stop = new AbortController();
  const polls: string[] = [];
  // No poll helps here: the hub is not open.
  const readers = [1, 2, 3, 4].map(() => withoutPauses(reader.follow(reference, 2, stop.signal)));
  for (let n = 0; n < 25; n++) {
    const next = readers.map((events) => events.next());
    await appender.append({ ...run, events: [delta(String(n))] });
    for (const { value } of await Promise.all(next)) {
      polls.push(...(value ?? []).map((frame: EventFrame) => frame.type));
    }
  }
  t.equal(polls.length, 100);
  stop.abort();
});
