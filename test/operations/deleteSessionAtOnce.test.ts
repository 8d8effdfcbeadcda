/** DELETE /sessions/{session_id} beside others who want something of the session, and in parts. */
import t from 'tap';
import { lowestId } from '../../src/ids.ts';
import { prompt } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { hold } from '../support/openTransaction.ts';
import { untilLocked } from '../support/until.ts';

const server = await testServer(t, { config: { database_connections: 12 } });
const { client, sql, workspace_id } = server;
const node = await testServer(t, { database: server, config: { role: 'api' } });
const other = node.client.as(client.api_key!);
const remove = (session_id: string, asker = client) =>
  asker.call('deleteSession', { path: { session_id } });

/** Writes runs that have ended into a session. */
async function fill(session_id: string, runs: number, events: number): Promise<void> {
  await sql`
    with made as (
      insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
        source, model, max_steps, timeout_s, input, started_at, finished_at)
      select ${workspace_id}, ${lowestId('run', Date.now())} || right(${session_id}, 8)
          || lpad(n::text, 5, '0'), ${session_id}, 'completed', false, 1, 'wrk_1', ${events}, 'api',
        'rehearsal', 1, 60, '[]', now(), now()
      from generate_series(1, ${runs}::int) n returning workspace_id, id
    )
    insert into run_events (workspace_id, run_id, seq, type, data)
    select workspace_id, id, n, case when n = ${events} then 'run.completed'
      else 'message.output.delta' end, json_build_object('message_id', 'msg_1',
      'delta', repeat('x', 1000))
    from made, generate_series(1, ${events}::int) n`;
}

const runsLeft = async (session_id: string) => (await sql`
  select from runs where session_id = ${session_id}`).count;

/** How many runs the entries about a session say that went, and of which kinds they are. */
async function told(session_id: string) {
  const { data } = await client.expect(200, 'listAuditEntries',
    { query: { target: session_id, limit: 100 } });
  return { events: data.map(({ event }) => event),
    runs: data.reduce((sum, { details }) => sum + Number(details.runs), 0) };
}

t.test('a run is created at the same moment: one of the two is refused', async (t) => {
  // Who asks second comes first if the other has waited so long that it asks anew.
  const seen = new Set<string>();
  for (let round = 0; seen.size < 2 && round < 20; round++) {
    const session_id = await newSession(client);
    const path = { session_id };
    await completeRun(client, session_id, '@rehearsal words=1', OFFLINE);
    // Both wait for the session, on two nodes, in turn the one and the other first.
    const release = await hold(sql, (tx) =>
      tx`select from sessions where id = ${session_id} for update`);
    const body = prompt('@rehearsal words=1 delay_ms=60000', OFFLINE);
    const deletes = () => remove(session_id);
    const creates = () => other.call('createRun', { path, body });
    const deletesFirst = round % 2 === 0;
    const first = (deletesFirst ? deletes : creates)();
    await untilLocked(sql);
    const second = (deletesFirst ? creates : deletes)();
    await untilLocked(sql, 2);
    await release();
    const [removed, created] = await Promise.all(deletesFirst ? [first, second] : [second, first]);
    seen.add(`${removed!.status}`);
    if (removed!.status === 204) {
      t.match(created, { status: 404, body: { code: 'not_found' } });
      t.equal(await runsLeft(session_id), 0);
    } else {
      t.match([removed, created], [{ status: 409, body: { code: 'session_busy' } },
        { status: 202 }]);
      t.equal(await runsLeft(session_id), 2);
    }
  }
  t.strictSame([...seen].toSorted(), ['204', '409'], 'each came first once');
});

t.test('two delete it at once, on two nodes', async (t) => {
  const session_id = await newSession(client);
  await fill(session_id, 450, 2);
  const answers = await Promise.all([remove(session_id), remove(session_id, other)]);
  const statuses = answers.map(({ status }) => Number(status)).toSorted();
  t.match(statuses[0], 204);
  t.ok([204, 404].includes(statuses[1]!), `${statuses.join()}`);
  const { runs, events: [last, ...before] } = await told(session_id);
  t.match([runs, last], [450, 'session.deleted'], 'each run is told of once');
  t.ok(before.length >= 4 && before.every((event) => event === 'session.runs_deleted'));
});

t.test('what one request has not the time for, its repetition does', async (t) => {
  const session_id = await newSession(client);
  await fill(session_id, 350, 2);
  await sql.unsafe(`create function dawdle() returns trigger language plpgsql as
    $$ begin perform pg_sleep(1.9); return null; end $$;
    create trigger dawdle after delete on runs for each statement execute function dawdle()`);
  const first = await remove(session_id);
  t.match(first, { status: 503, body: { code: 'unavailable' } });
  t.match(first.headers.get('retry-after'), /^\d+$/);
  const left = await runsLeft(session_id);
  t.ok(left > 0 && left < 350, `${left} are left`);
  t.match(await client.expect(200, 'getSession', { path: { session_id } }),
    { id: session_id, status: 'archived' }, 'no run begins with what is left');
  await sql.unsafe('drop trigger dawdle on runs; drop function dawdle()');
  t.match(await remove(session_id), { status: 204 });
  const { runs, events } = await told(session_id);
  t.equal(runs, 350);
  t.equal(events[0], 'session.deleted');
  t.equal((await sql`select from run_events
    where run_id > ${lowestId('run', 0)} and run_id like ${`%${session_id.slice(-8)}%`}`).count, 0);
});

t.test('a part that fails leaves all that it was to delete', async (t) => {
  const session_id = await newSession(client);
  await fill(session_id, 150, 2);
  await sql.unsafe(`create function refuse_session() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test'; end $$;
    create trigger refuse_session before delete on sessions
    for each row execute function refuse_session()`);
  t.match(await remove(session_id), { status: 500 });
  const left = await runsLeft(session_id);
  t.ok(left > 0 && left < 150, `the first parts are committed, the last is not: ${left} are left`);
  await sql.unsafe('drop trigger refuse_session on sessions; drop function refuse_session()');
  t.match(await remove(session_id), { status: 204 });
  t.match(await told(session_id), { runs: 150 });
});

t.test('the stream of an old run ends, and is not found when it is resumed', async (t) => {
  const session_id = await newSession(client);
  await fill(session_id, 1, 12_000);
  const { data: [run] } = await client.expect(200, 'listRuns', { query: { session_id } });
  const path = { run_id: run!.id };
  const numbers: number[] = [];
  for await (const { sequence_number } of client.events('streamRunEvents', { path })) {
    numbers.push(sequence_number);
    if (numbers.length === 1) await client.expect(204, 'deleteSession', { path: { session_id } });
  }
  t.strictSame(numbers, numbers.map((_, place) => place + 1), 'without a gap to where it ended');
  t.ok(numbers.length < 12_000, 'before its end');
  t.match(await client.call('streamRunEvents', { path,
    headers: { accept: 'text/event-stream', 'last-event-id': String(numbers.length) } }),
  { status: 404, body: { code: 'not_found' } });
});

t.test('every log that is left is sound', async (t) => {
  const { data } = await client.expect(200, 'listRuns', { query: { limit: 100 } });
  for (const { id } of data) await client.call('cancelRun', { path: { run_id: id } });
  t.match(await client.expect(200, 'verifyAuditLog'), { ok: true });
  await soundLogs(t, sql);
});
