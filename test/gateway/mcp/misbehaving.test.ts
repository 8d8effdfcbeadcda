/** Processes that lie, hang, flood and die: the service stays well, and nothing is left behind. */
import { stat } from 'node:fs/promises';
import { execPath } from 'node:process';
import t from 'tap';
import { soundness } from '../../support/soundness.ts';
import { until } from '../../support/until.ts';
import { connect, importFrom, integrationOf, isAlive, lab, misbehaving } from './support.ts';

const failure = (message: RegExp | string) => ({ name: 'ActionFailure', message });
const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join();
const jsonOf = (result: unknown): unknown => JSON.parse(textOf(result));

t.test('what is no message is passed over', async (t) => {
  const { call } = await connect(t, misbehaving('junk'), lab());
  t.equal(textOf(await call('act')), 'done');
});

t.test('a program that does not exist, or ends at once', async (t) => {
  const nowhere = integrationOf({ command: '/no/such/program' });
  await t.rejects(importFrom(nowhere, lab()),
    failure('The server cannot be reached: it cannot be started, its command is not found.'));
  // What the system refuses so, Node.js throws at once.
  const many = integrationOf({ command: execPath, args: ['x'.repeat(200_000)] });
  await t.rejects(importFrom(many, lab()), failure('The server cannot be reached: it cannot be'
    + ' started, its arguments or variables are too long.'));
  const made = lab();
  const last = Array.from({ length: 10 }, (_, n) => `word ${n + 2} with [secret]`).join('\n');
  const words = `Its process ended with exit code 3, and said last:\n${last}`;
  await t.rejects(importFrom(
    misbehaving('dying', { UPSTREAM_TOKEN: 'sk-0123456789abcdef' }), made),
    { ...failure('The server ended before it answered.'), for_operator: words });
  t.match(made.logged.filter(({ msg }) => msg === 'the server has ended by itself'), [{ words }]);
});

t.test('a handshake that is never answered', async (t) => {
  const made = lab({ connect_timeout_ms: 50, stop_grace_ms: 50 });
  await t.rejects(importFrom(misbehaving('silent'), made),
    failure('The server did not answer in time.'));
  const cancel = new AbortController();
  const importing = importFrom(misbehaving('silent'), lab({ stop_grace_ms: 50 }),
    { signal: cancel.signal });
  cancel.abort(new Error('not wanted any more'));
  await t.rejects(importing, { message: 'not wanted any more' });
});

t.test('of a list that never comes its process may say why', async (t) => {
  await t.rejects(importFrom(misbehaving('stuck', { UPSTREAM_TOKEN: 'sk-0123456789abcdef' }),
    lab({ list_timeout_ms: 50, stop_grace_ms: 50 })),
  { ...failure('The server did not answer in time.'),
    for_operator: 'Its process said last:\nno way to list with [secret]' });
});

t.test('a message that is too large ends the process, the next call starts another', async (t) => {
  const made = lab({ message_limit_bytes: 100_000 });
  const { call } = await connect(t, misbehaving('huge'), made);
  await t.rejects(call('act'), { name: 'ActionFailure', code: 'outcome_unknown',
    message: /^The server answered with more than 100000 bytes.* stopped, and.* The call may/ });
  t.equal(textOf(await call('count')), '1');
});

t.test('an answer that is no result is told at once, and the tool may have done it', async (t) => {
  for (const mode of ['empty', 'null']) {
    const { call } = await connect(t, misbehaving(mode), lab());
    await t.rejects(call('act'), { name: 'ActionFailure', code: 'outcome_unknown' });
    t.equal(textOf(await call('count')), '2', 'and the server is used on');
  }
});

t.test('a process that dies in a call is started again, ever more slowly', async (t) => {
  let now_ms = 1_000_000;
  const { call } = await connect(t, misbehaving('crashing'), lab({}, { now: () => now_ms }));
  const died = failure(/^The server ended before it answered\./);
  const end = { for_operator: 'Its process ended with exit code 1, and said nothing' };
  await t.rejects(call('act'), { ...died, ...end });
  await t.rejects(call('act'), died, 'the first end costs no wait');
  const wait = (ends: number, seconds: number) => failure(`The server has ended ${ends} times in a`
    + ` row. It is started again in ${seconds} s.`);
  await t.rejects(call('count'), { ...wait(2, 1), ...end });
  now_ms += 1_000;
  await t.rejects(call('act'), died);
  await t.rejects(call('count'), wait(3, 2));
  now_ms += 2_000;
  t.equal(textOf(await call('count')), '1');
});

t.test('of a process whose child keeps its pipes open, the end is told once', async (t) => {
  const made = lab({ stop_grace_ms: 50 });
  const { call } = await connect(t, misbehaving('leaving'), made);
  await t.rejects(call('act'), failure(/^The server ended before it answered\./));
  const ends = () => made.logged.filter(({ msg }) => msg === 'the server has ended by itself');
  const [{ words }] = ends() as unknown as [{ words: string }];
  const [, pid] = /last:\n(\d+) stays/.exec(words)!;
  await until(async () => !isAlive(Number(pid)));
  t.equal(ends().length, 1);
});

t.test('a cancelled call is told to the server, which goes on', async (t) => {
  const { call } = await connect(t, misbehaving('well'), lab());
  await call('act');
  const cancel = new AbortController();
  const waiting = call('wait', {}, { signal: cancel.signal });
  await until(async () => textOf(await call('count')) !== '2');
  cancel.abort(new Error('enough'));
  await t.rejects(waiting, { message: 'enough' });
  await until(async () => (jsonOf(await call('cancelled')) as unknown[]).length === 1);
});

t.test('answers to other questions are passed over', async (t) => {
  const { call } = await connect(t, misbehaving('other-ids'), lab());
  const cancel = new AbortController();
  const waiting = call('act', {}, { signal: cancel.signal });
  t.equal(textOf(await call('count')), '2', 'both were called, one was answered');
  cancel.abort(new Error('enough'));
  await t.rejects(waiting, { message: 'enough' });
});

t.test('a process that answers nothing any more is replaced', async (t) => {
  const made = lab({ ping_timeout_ms: 20, stop_grace_ms: 20 });
  const { call } = await connect(t, misbehaving('deaf'), made);
  const [first] = jsonOf(await call('pid')) as [number];
  await t.rejects(call('wait', {}, { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
  await until(async () => !isAlive(first));
  const [second] = jsonOf(await call('pid')) as [number];
  t.not(second, first);
});

t.test('a tool that changes within a session is not called any more', async (t) => {
  const made = lab({ tools_fresh_ms: -1 });
  const { call } = await connect(t, misbehaving('changing'), made);
  t.equal(textOf(await call('act')), 'done');
  t.equal(textOf(await call('count')), '2', 'the others have not changed');
  await t.rejects(call('act'), failure('server.tools.act has changed since it was accepted, and is'
    + ' set aside until an operator refreshes server and accepts the change.'));
  t.same(made.changes, ['server']);
  t.equal(textOf(await call('count')), '3', 'it was not called');
});

t.test('a server says that its tools change', async (t) => {
  const made = lab();
  const { call } = await connect(t, misbehaving('announcing'), made);
  await call('act');
  await until(async () => made.changes.length > 0);
  t.same(made.changes[0], 'server');
  t.equal(textOf(await call('count')), '2', 'it may have changed others');
});

t.test('its environment is PATH, LANG, a HOME of its own and what it was given', async (t) => {
  process.env.GATEHOUSE_TEST_SECRET = 'hunter2';
  t.teardown(() => { delete process.env.GATEHOUSE_TEST_SECRET; });
  const made = lab();
  const { call } = await connect(t, misbehaving('well', { TOKEN: 'abc', LANG: 'de' }), made);
  const { env, cwd } = jsonOf(await call('environment')) as {
    env: Record<string, string>, cwd: string };
  // The test runner adds variables of its own to whatever a test starts.
  const seen = Object.entries(env).filter(([name, value]) =>
    !name.startsWith('_TAPJS_') && !(name === 'NODE_OPTIONS' && value.includes('@tapjs')));
  t.same(Object.fromEntries(seen), {
    PATH: made.deps.environment.PATH, HOME: made.deps.folder, LANG: 'de', TOKEN: 'abc' });
  t.equal(cwd, made.deps.folder);
  t.equal((await stat(cwd)).mode & 0o777, 0o700);
});

t.test('what it says on stderr is logged, without secrets and within bounds', async (t) => {
  soundness(t, 'a secret in a text');
  const made = lab();
  const { call } = await connect(
    t, misbehaving('noisy', { UPSTREAM_TOKEN: 'sk-0123456789abcdef' }), made);
  await call('act');
  await until(async () => made.logged.some(({ msg }) => /too much to log/.test(String(msg))));
  const lines = made.logged.filter(({ msg }) => msg === 'the server says');
  t.equal(lines[0]!.stderr, 'line 0 with [secret]');
  t.ok(lines.length <= 200, 'no more than a hundred in a minute, of which there were at most two');
});

t.test('a server that asks a lot is answered, one that does not read is stopped', async (t) => {
  const asking = await connect(t, misbehaving('asking'), lab());
  t.equal(textOf(await asking.call('act')), 'done');
  t.equal(textOf(await asking.call('count')), '2');

  const made = lab({ message_limit_bytes: 200_000 });
  const deaf = await connect(t, misbehaving('not-reading'), made);
  await deaf.call('act');
  const payload = { padding: 'x'.repeat(150_000) };
  const calls = Array.from({ length: 20 }, () => deaf.call('act', payload));
  for (const { status } of await Promise.allSettled(calls)) t.equal(status, 'rejected');
  t.ok(made.logged.some(({ msg }) => /did not read what it was sent/.test(String(msg))));
});

t.test('closing ends the process and what it started, however stubborn', async (t) => {
  const made = lab({ stop_grace_ms: 20 });
  const { call, source } = await connect(t, misbehaving('stubborn'), made);
  const pids = jsonOf(await call('pid')) as number[];
  t.same(pids.map(isAlive), [true, true]);
  const waiting = call('wait');
  await until(async () => textOf(await call('count')) === '3');
  const [closed, waited] = await Promise.allSettled([source.close(), waiting]);
  t.equal(closed.status, 'fulfilled');
  t.match(waited, { reason: failure(/^The server ended before it answered\./) });
  await until(async () => !pids.some(isAlive));
  await t.rejects(call('act'), failure('The service is stopping.'));
});
