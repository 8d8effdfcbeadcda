/** A step with many calls: so many at once, committed in their order, each write made once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Caller } from '../../src/caller.ts';
import type { ActionCall, ActionOutcome, CallContext } from '../../src/gateway/action/outcome.ts';
import type { Gateway } from '../../src/gateway/face.ts';
import type { TranscriptMessage } from '../../src/models/model.ts';
import { performCalls } from '../../src/runs/stepCalls.ts';
import type { TurnLog } from '../../src/runs/turnLog.ts';
import type { ClaimedRun } from '../../src/store/runs.ts';
import { NO_RUN_TELEMETRY } from '../../src/telemetry/telemetry.ts';
import { connectTo, testSource } from '../support/actions.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, eventsOf, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import { countingSource, startWriteNode } from '../support/writeNode.ts';
import { callOf, modelServer, says } from './modelServer.ts';

const NODE = fileURLToPath(new URL('../support/writeNode.ts', import.meta.url));
const CONCURRENCY = 4;
const CALLS = 3 * CONCURRENCY;
const { client, sql, url, workspace_id } = await testServer(t, { config: { role: 'api' } });
await connectTo(sql, workspace_id, 'lab');

/** One step with so many calls, numbered from 0. */
const manyCalls = (count: number) =>
  Array.from({ length: count }, (_, nth) => `call lab.test.write {"nth": ${nth}}`).join(' & ');

/** Writes of an upstream that answers none of them before it is told to. */
function heldWrites() {
  const held = new Map<number, () => void>();
  const begun: number[] = [];
  const keys = new Set<string | null>();
  let onBegun: (nth: number) => Promise<void> | void = () => {};
  return {
    held, begun, keys,
    /** Answers the call, which has begun. */
    answer(nth: number) {
      held.get(nth)!();
      held.delete(nth);
    },
    whenBegun(then: typeof onBegun) { onBegun = then; },
    source: testSource('lab', { write: { effect: 'write', async perform(request) {
      const { nth } = request.input as { nth: number };
      begun.push(nth);
      keys.add(request.idempotency_key);
      const answered = Promise.withResolvers<void>();
      held.set(nth, answered.resolve);
      await onBegun(nth);
      await answered.promise;
      return { nth };
    } } }),
  };
}

/** The numbers of the calls that completed, in the order of the log. */
async function completedCalls(run_id: string): Promise<number[]> {
  return (await eventsOf(client, run_id)).filter((event) => event.type === 'tool_call.completed')
    .map(({ data }) => (data.result as { result: { nth: number } }).result.nth);
}

const committed = async (run_id: string) => (await sql`
  select from messages where run_id = ${run_id} and role = 'tool'`).length;

t.test('as many are under way or wait for an earlier one as the setting says', async (t) => {
  const lab = heldWrites();
  const run = await queueRun(client, await newSession(client), manyCalls(CALLS));
  const ahead: number[] = [];
  lab.whenBegun(async (nth) => { ahead.push(nth - await committed(run.id)); });
  const stop = await startWriteNode(url, [lab.source], undefined,
    { call_concurrency: CONCURRENCY });
  t.teardown(stop);
  for (let first = 0; first < CALLS; first += CONCURRENCY) {
    await untilSeen('a window of calls', () => lab.held.size, (size) => size === CONCURRENCY);
    const newest = [...lab.held.keys()].sort((a, b) => b - a);
    for (const nth of newest.slice(0, -1)) lab.answer(nth);
    await untilSeen('their records', async () => (await sql`
      select from action_invocations where run_id = ${run.id}`).length,
    (count) => count === first + CONCURRENCY - 1);
    t.equal(lab.begun.length, first + CONCURRENCY, 'none begins before the oldest is committed');
    lab.answer(newest.at(-1)!);
  }
  t.strictSame(await completedCalls(run.id), Array.from({ length: CALLS }, (_, nth) => nth));
  t.equal(lab.begun.length, CALLS);
  t.ok(ahead.every((calls) => calls < CONCURRENCY), `${ahead}`);
});

t.test('a worker that stops ends the writes under way and begins no other', async (t) => {
  const lab = heldWrites();
  const settings = { call_concurrency: CONCURRENCY };
  const stopFirst = await startWriteNode(url, [lab.source], undefined, settings);
  const run = await queueRun(client, await newSession(client), manyCalls(CALLS));
  await untilSeen('a window of calls', () => lab.held.size, (size) => size === CONCURRENCY);
  const stopped = stopFirst();
  for (const nth of [...lab.held.keys()]) lab.answer(nth);
  await stopped;
  t.equal(lab.begun.length, CONCURRENCY);
  t.equal(await committed(run.id), CONCURRENCY);
  lab.whenBegun((nth) => lab.answer(nth));
  t.teardown(await startWriteNode(url, [lab.source], undefined, settings));
  t.strictSame(await completedCalls(run.id), Array.from({ length: CALLS }, (_, nth) => nth));
  t.equal(lab.begun.length, CALLS);
  t.equal(lab.keys.size, CALLS);
});

t.test('a worker is killed in the middle: no write is made twice', async (t) => {
  const [calls, killed_in] = [40, 24];
  await sql`create table upstream (idempotency_key text)`;
  const run = await queueRun(client, await newSession(client), manyCalls(calls));
  const node = spawn(process.execPath, [NODE, url, String(killed_in)], { stdio: 'inherit' });
  t.teardown(() => node.kill('SIGKILL'));
  t.equal((await once(node, 'exit'))[1], 'SIGKILL');
  const before = await committed(run.id);
  t.ok(before > 0 && before < killed_in, `${before} results were committed`);
  t.teardown(await startWriteNode(url, [countingSource(url)]));
  const events = await eventsOf(client, run.id);
  t.equal(events.at(-1)!.type, 'run.completed');
  const ends = events.filter(({ type }) => /^tool_call\.(completed|failed)$/.test(type));
  t.equal(new Set(ends.map(({ data }) => (data as { tool_call_id: string }).tool_call_id)).size,
    calls);
  t.equal(ends.length, calls);
  const unknown = ends.filter(({ type }) => type === 'tool_call.failed');
  // The default of call_concurrency. A call begins once another one is committed, so that on a slow
  // machine all that are under way have left, and none of them is recorded.
  t.ok(unknown.length <= 16, `${unknown.length} of those under way are unknown`);
  for (const { data } of unknown) t.match(data, { error: { code: 'outcome_unknown' } });
  const keys = await sql<{ idempotency_key: string }[]>`select idempotency_key from upstream`;
  t.equal(new Set(keys.map((row) => row.idempotency_key)).size, keys.length, 'no write twice');
  t.ok(keys.length >= calls - unknown.length, `${keys.length} were made`);
});

t.test('a write goes on when the log of its run cannot be written', async (t) => {
  const lab = heldWrites();
  await sql.unsafe(`
    create sequence results;
    create function be_away() returns trigger language plpgsql as $$
    begin
      if new.role = 'tool' and nextval('results') = 1 then
        raise 'away' using errcode = '57P01';
      end if;
      return new;
    end $$;
    create trigger away before insert on messages for each row execute function be_away()`);
  t.teardown(() => sql`drop function be_away cascade`);
  const run = await queueRun(client, await newSession(client), manyCalls(2));
  t.teardown(await startWriteNode(url, [lab.source]));
  await untilSeen('both calls', () => lab.held.size, (size) => size === 2);
  lab.answer(0);
  await untilSeen('the first result to be refused', async () => (await sql<{ refused: boolean }[]>`
    select is_called as refused from results`)[0]!.refused);
  lab.answer(1);
  t.strictSame(await completedCalls(run.id), [0, 1], 'neither is unknown');
  t.strictSame(lab.begun.toSorted(), [0, 1], 'each was made once');
});

t.test('a step that ends by a lost database waits for the writes that have left', async (t) => {
  const away = Object.assign(new Error('away'), { code: '57P01' });
  const [recording, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const [signals, made]: [AbortSignal[], string[]] = [[], []];
  const gateway = { perform: async (
    _: Caller, { action }: ActionCall, { windDown }: CallContext): Promise<ActionOutcome> => {
    signals.push(windDown!);
    if (action === 'first') {
      await recording.promise;
      throw away;
    }
    await (action === 'write' ? written.promise : once(windDown!, 'abort'));
    made.push(action);
    return { status: 'completed', invocation_id: 'inv_1', action, connection_id: null, result: null,
      truncated: false, next_cursor: null, duration_ms: 1 };
  } } as unknown as Gateway;
  const transcript = [{ run_id: 'run_1', role: 'assistant',
    content: ['first', 'write', 'read', 'never'].map((action) => ({ type: 'tool_call',
      tool_call_id: action, name: 'call_action', arguments: { action } })),
  }] as unknown as TranscriptMessage[];
  const log = { commitToolResult: async () => ({ role: 'tool' }) } as unknown as TurnLog;
  const run = { id: 'run_1', attempt: 1, model: 'rehearsal' } as ClaimedRun;
  let has_ended = false;
  const ended = performCalls({ gateway, limit_chars: 100, concurrency: 3,
    attempt: NO_RUN_TELEMETRY.begin(run) }, { run, log, transcript, invalid: {} },
  { stop: new AbortController().signal, windDown: new AbortController().signal })
    .then(() => null, (error: unknown) => error).finally(() => { has_ended = true; });
  await untilSeen('the calls', () => signals.length, (count) => count === 3);
  recording.resolve();
  await untilSeen('the read to be broken off', () => made.includes('read'));
  t.notOk(has_ended);
  written.resolve();
  t.equal(await ended, away);
  t.strictSame(made, ['read', 'write']);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));

t.test('a step of 1,000 calls ends', async (t) => {
  const count = 1_000;
  const server = await modelServer(t, { model_context_tokens: 1_000_000 });
  server.provider.script(
    says({ calls: Array.from({ length: count }, () => callOf('gateway.connections.list')) }),
    says({ text: ['done'] }));
  const run = await completeRun(server.client, await newSession(server.client), 'go');
  t.match(run, { status: 'completed', attempts: 1 });
  t.equal(run.tool_calls.filter(({ status }) => status === 'completed').length, count);
  t.equal((await server.sql`select from action_invocations`).length, count, 'none was made again');
});
