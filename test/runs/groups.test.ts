/** What requests make at the same time is made by one statement, and each gets its own answer. */
import { mock } from 'node:test';
import t from 'tap';
import { Patience, PATIENCE_MS } from '../../src/patience.ts';
import { inGroups } from '../../src/runs/groups.ts';
import { isInDoubt, isUnavailable } from '../../src/store/database.ts';
import { readTranscript } from '../../src/store/messages.ts';
import { claimRuns } from '../../src/store/runs.ts';
import { prompt } from '../support/client.ts';
import { hold } from '../support/openTransaction.ts';
import { completeRun, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { storeWorkers } from '../support/storedRuns.ts';

/** The first letter tells which must not be together. */
const OF_ONE = { keyOf: (name: string) => name[0]!, shareOf: () => 'w' };

/** A maker of groups whose end the test decides on. */
function heldGroups() {
  const groups: { asked: string[]; end: PromiseWithResolvers<void> }[] = [];
  let onGroup = () => {};
  const ask = inGroups(async (asked: string[]) => {
    const group = { asked, end: Promise.withResolvers<void>() };
    groups.push(group);
    onGroup();
    await group.end.promise;
    return asked.map((name) => name.toUpperCase());
  }, OF_ONE);
  const group = async (number: number) => {
    while (groups.length <= number) await new Promise<void>((resolve) => { onGroup = resolve; });
    return groups[number]!;
  };
  return { ask, groups, group };
}

t.test('those who ask while a group is made form the next, none beside its like', async (t) => {
  const { ask, group } = heldGroups();
  const first = ask('a1');
  t.same((await group(0)).asked, ['a1']);
  const others = ['b1', 'c1', 'b2', 'd1', 'b3'].map(ask);
  (await group(0)).end.resolve();
  t.equal(await first, 'A1');
  t.same((await group(1)).asked, ['b1', 'c1', 'd1']);
  (await group(1)).end.resolve();
  t.same((await group(2)).asked, ['b2']);
  (await group(2)).end.resolve();
  t.same((await group(3)).asked, ['b3']);
  (await group(3)).end.resolve();
  t.same(await Promise.all(others), ['B1', 'C1', 'B2', 'D1', 'B3']);
});

t.test('whoever asks for much does not stand before others', async (t) => {
  const groups: string[][] = [];
  const end = Promise.withResolvers<void>();
  const ask = inGroups(async (asked: string[]) => {
    groups.push(asked);
    await end.promise;
    return asked;
  }, { keyOf: (name) => name, shareOf: (name) => name[0]!, costOf: () => 1 });
  const first = ask('a');
  await new Promise((resolve) => setImmediate(resolve));
  const all = Array.from({ length: 500 }, (_, n) => ask(`a${n}`));
  const other = ask('b');
  end.resolve();
  await Promise.all([first, other]);
  t.ok(groups[1]!.includes('b'), 'it is in the next group');
  await Promise.all(all);
});

t.test('a group that takes long holds up no other', async (t) => {
  const { ask, group } = heldGroups();
  const slow = ask('a1');
  await group(0);
  const alike = ask('a2');
  const next = ask('b1');
  t.same((await group(1)).asked, ['b1'], 'one of its kind would wait for it, with a connection');
  (await group(1)).end.resolve();
  t.equal(await next, 'B1', 'while the other is still being made');
  const later = ask('c1');
  (await group(2)).end.resolve();
  t.equal(await later, 'C1', 'also where one of its kind waits');
  (await group(0)).end.resolve();
  t.equal(await slow, 'A1');
  (await group(3)).end.resolve();
  t.equal(await alike, 'A2');
});

t.test('one that cannot be made fails alone; what is away fails for all', async (t) => {
  const groups: string[][] = [];
  const make = (code?: string) => inGroups(async (asked: string[]) => {
    groups.push(asked);
    if (asked.includes('bad')) throw Object.assign(new Error('refused'), { code });
    return asked;
  }, { ...OF_ONE, keyOf: (name) => name });
  const told = async (ask: (name: string) => Promise<string>) =>
    (await Promise.allSettled(['good', 'bad', 'fine'].map(ask))).map(({ status }) => status);
  t.same(await told(make('22P02')), ['fulfilled', 'rejected', 'fulfilled']);
  t.same(groups.splice(0), [['good', 'bad', 'fine'], ['good'], ['bad'], ['fine']]);
  t.same(await told(make('40P01')), ['fulfilled', 'rejected', 'fulfilled'], 'a deadlock');
  groups.splice(0);
  t.same(await told(make('CONNECTION_CLOSED')), ['rejected', 'rejected', 'rejected']);
  t.equal(groups.length, 1, 'nobody asks what is away once more');
});

t.test('the wait for a group takes of the patience of who asks', async (t) => {
  const { ask, group } = heldGroups();
  const patience = new Patience('test');
  const made = patience.during(() => ask('a'));
  const { end } = await group(0);
  const since_ms = performance.now();
  while (performance.now() === since_ms) await new Promise(setImmediate);
  t.ok(patience.left_ms < PATIENCE_MS);
  end.resolve();
  await made;
});

// Before anything else is under way: nobody's timers work meanwhile.
await t.test('nobody waits for a group beyond their patience', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { ask, groups, group } = heldGroups();
  const errorOf = (name: string, patience = new Patience('test')) =>
    patience.during(() => ask(name)).then(() => null, (error: unknown) => error);
  const none = Object.defineProperty(new Patience('test'), 'left_ms', { value: 0 });
  const refused = [errorOf('a0', none)];
  const sent = errorOf('a1');
  await group(0);
  refused.push(errorOf('a2'), errorOf('a3'));
  const steady = ask('a4');
  mock.timers.tick(PATIENCE_MS + 1);
  t.ok(isInDoubt(await sent), 'it may yet be made');
  for (const error of await Promise.all(refused)) {
    t.ok(isUnavailable(error) && !isInDoubt(error), 'it will not be made');
  }
  groups[0]!.end.resolve();
  (await group(1)).end.resolve();
  t.equal(await steady, 'A4');
  t.same(groups.map(({ asked }) => asked), [['a1'], ['a4']]);
});

await t.test('who waited behind others of the same share is told so', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { ask, group } = heldGroups();
  const first = ask('a1');
  const { end } = await group(0);
  const second = ask('a2');
  const third = new Patience('test').during(() => ask('a3'));
  end.resolve();
  await first;
  const next = await group(1);
  mock.timers.tick(PATIENCE_MS + 1);
  await t.rejects(third, { code: 'rate_limited' }, 'the database works');
  next.end.resolve();
  t.equal(await second, 'A2');
});

await t.test('nothing is begun for who has no time left to hear of it', async (t) => {
  const { ask, groups, group } = heldGroups();
  const first = ask('a1');
  const { end } = await group(0);
  const patience = new Patience('test');
  let left_ms = PATIENCE_MS;
  Object.defineProperty(patience, 'left_ms', { get: () => left_ms });
  const errorOf = (name: string) =>
    patience.during(() => ask(name)).then(() => null, (error: unknown) => error);
  const refused = errorOf('b2');
  const steady = ask('a3');
  left_ms = 300;
  end.resolve();
  await first;
  (await group(1)).end.resolve();
  t.equal(await steady, 'A3');
  const error = await refused;
  t.match(error, { code: 'rate_limited' }, 'others of its share were made meanwhile');
  t.notOk(isInDoubt(error), 'it was not begun');
  t.same(groups.map(({ asked }) => asked), [['a1'], ['a3']]);
});

t.test('large ones are made by several statements', async (t) => {
  const groups: string[][] = [];
  const ask = inGroups(async (asked: string[]) => {
    groups.push(asked);
    return asked;
  }, { keyOf: (name) => name, shareOf: () => 'w', costOf: (name) => 16 * name.length });
  await Promise.all(['a', 'bb', 'cc', 'd', 'eeee', 'f'].map(ask));
  t.same(groups, [['a', 'bb', 'cc'], ['d', 'eeee'], ['f']]);
});

// It finds no work by looking at times: what it executes, it was told of, or has looked for.
const server = await testServer(t, { config: { claim_poll_ms: 60_000, concurrency: 2 } });
const { client, sql, workspace_id } = server;

t.test('runs and sessions of one moment share commits', async (t) => {
  const sessions = await Promise.all(Array.from({ length: 20 }, () => newSession(client)));
  const runs = await Promise.all(sessions.map((session_id, nth) => nth === 7
    ? client.call('createRun', { path: { session_id: 'ses_none' }, body: prompt('hello') })
    : client.call('createRun', {
      path: { session_id }, body: prompt(`@rehearsal words=${nth + 1}`, { wait: true }) })));
  runs.forEach(({ status, body }, nth) => {
    if (nth === 7) t.match({ status, body }, { status: 404, body: { code: 'not_found' } });
    else t.match(body, { status: 'completed', session_id: sessions[nth], attempts: 1 });
  });
  const [row] = await sql<{ of_runs: number; told: number }[]>`
    select (select count(distinct xmin::text) from run_events
        where workspace_id = ${workspace_id} and type = 'run.created')::int as of_runs,
      (select count(distinct run_seq) from messages
        where workspace_id = ${workspace_id} and role = 'user')::int as told`;
  t.ok(row!.of_runs < 19, `19 runs were created by ${row!.of_runs} commits`);
  t.equal(row!.told, 19, 'each has its message');
});

t.test('a session that is locked holds up its own run alone', async (t) => {
  const [locked, free] = [await newSession(client), await newSession(client)];
  const release = await hold(sql, (tx) => tx`
    select from sessions where id = ${locked} for update`);
  const waiting = client.call('createRun', { path: { session_id: locked }, body: prompt('hello') });
  await completeRun(client, free, '@rehearsal words=1');
  t.pass('while the other is locked');
  await release();
  t.ok([202, 503].includes((await waiting).status));
});

t.test('what waits is executed when something ends, without looking by the clock', async (t) => {
  const session_id = await newSession(client);
  const others = await Promise.all(Array.from({ length: 20 }, () => newSession(client)));
  const runs = await Promise.all([session_id, session_id, session_id, ...others].map((id) =>
    completeRun(client, id, '@rehearsal words=1')));
  t.ok(runs.every(({ status }) => status === 'completed'));
});

t.test('a claimed run brings its transcript, unless that is long', async (t) => {
  const idle = await testServer(t, { config: { concurrency: 0 } });
  await storeWorkers(idle.sql, 'wrk_test');
  const claimed = async (id: string, text: string) => {
    await queueRun(idle.client, id, text);
    const [run] = await claimRuns(idle.sql, 'wrk_test', 1);
    const { messages } = await readTranscript(idle.sql, run!.workspace_id, id,
      { up_to_seq: run!.seq, limit_bytes: 1_000_000 });
    await idle.sql`update runs set status = 'completed', finished_at = now() where id = ${run!.id}`;
    return { opening: run!.opening, messages };
  };
  const session_id = await newSession(idle.client);
  for (let number = 1; number <= 16; number++) {
    const { opening, messages } = await claimed(session_id, `number ${number}`);
    t.equal(messages.length, number);
    t.same(opening, messages);
  }
  t.equal((await claimed(session_id, 'one more')).opening, null);
  t.equal((await claimed(await newSession(idle.client), 'x'.repeat(40_000))).opening, null);
});
