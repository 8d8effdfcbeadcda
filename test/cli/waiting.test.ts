/** What is said while a run is waited for, and what is not said to those who want the answer. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { INTEGRATION } from './operator.ts';
import {
  fakeService, json, runScript, RUN_ID, SESSION_ID, shortRun, start, stream,
} from './support.ts';
import { StatusLine } from '../../src/cli/statusLine.ts';
import { PLAIN } from '../../src/cli/terminal.ts';

/** Calls once what the process says to people holds this. */
function onSaid(child: ChildProcess, what: RegExp, then: () => void): void {
  let said = '';
  child.stderr!.on('data', (part) => {
    said += part;
    if (what.test(said)) then();
  });
}

t.test('a run that no worker takes says so, unless it is to be quiet', async (t) => {
  const told_of = Promise.withResolvers<void>();
  const serviceOf = (waits: () => Promise<void>) => fakeService(t, ({ method, path }, response) => {
    if (method === 'POST' && path === '/v1/sessions') {
      return json(response, 201, { id: SESSION_ID });
    }
    if (method === 'POST') return json(response, 202, { id: RUN_ID, status: 'queued' });
    stream(response, shortRun('Hello.').slice(0, 1));
    void waits().then(() => {
      stream(Object.assign(response, { writeHead() {} }), shortRun('Hello.').slice(1));
      response.end();
    });
  });
  const cwd = t.testdir({});
  const run = async (args: string[], waits: () => Promise<void>) => start(['run', 'x', ...args], {
    cwd,
    env: { GATEHOUSE_BASE_URL: (await serviceOf(waits)).base_url, GATEHOUSE_API_KEY: 'gth_test' },
  });
  const telling = await run([], () => told_of.promise);
  onSaid(telling.child, /^queued: /m, told_of.resolve);
  // Longer than the three seconds that the client waits before it would say something.
  const silent = await run(['--follow', '--quiet'], () => delay(4_500));
  const [told, quiet] = await Promise.all([telling.ended, silent.ended]);
  t.match(told, { code: 0, out: /^Hello\.\n$/, err: /\nqueued: no worker has taken it\..*doctor/ });
  t.strictSame(quiet, { code: 0, out: 'Hello.\n', err: '' });
});

t.test('an import that takes long says so: in a pipe once, and not if quiet', async (t) => {
  const told_of = Promise.withResolvers<void>();
  const cwd = t.testdir({});
  const add = async (args: string[], waits: () => Promise<void>) => {
    const { base_url } = await fakeService(t, async (_request, response) => {
      await waits();
      json(response, 201, INTEGRATION);
    });
    return start(['integrations', 'add', 'github', '--document', 'https://x.example/d', ...args],
      { cwd, env: { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_ADMIN_TOKEN: 'gta_test' } });
  };
  const telling = await add([], () => told_of.promise);
  onSaid(telling.child, /^importing /m, told_of.resolve);
  // Longer than the second after which the client would say what it waits for.
  const silent = await add(['--quiet'], () => delay(2_500));
  const [told, quiet] = await Promise.all([telling.ended, silent.ended]);
  t.match(told, { code: 0, out: /^github/, err: /^importing github …\nThe API is/ });
  t.match(quiet, { code: 0, out: /^github/, err: '' });
});

t.test('a status line is on a screen alone, and goes with the wait', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let written = '';
  const line = new StatusLine((text) => {
    written += text;
    resolve();
  }, () => 40, PLAIN);
  const wait = line.begin('importing github');
  const alive = setInterval(() => {}, 1_000);
  await promise;
  clearInterval(alive);
  t.match(written, /^importing github … \d+ s$/);
  wait.end();
  t.match(written, / s\r\u001b\[K$/);
  new StatusLine(() => t.fail('written'), null, PLAIN).begin('importing').end();
});

/** What works on this machine, and what it says while that takes long. */
const LOCAL: [args: string[], says: string][] = [
  [['setup', '--save', '--base-url', 'http://127.0.0.1:1'], 'preparing the database'],
  [['doctor'], 'looking at what the service needs'],
  [['mock', '--port', '0'], 'starting the mock'],
];

for (const [args, says] of LOCAL) {
  t.test(`${args[0]}, where it takes long, says so on a screen`, async (t) => {
    // What takes long ends once the wait was told of: a command that says nothing would hang.
    const script = `const { promise: told, resolve } = Promise.withResolvers();
      const alive = setInterval(() => {}, 60_000);
      const { stderr } = process;
      const write = stderr.write.bind(stderr);
      Object.assign(stderr, { isTTY: true, columns: 60, write(text) {
        if (/ … \\d+ s/.test(text)) resolve();
        return write(text);
      } });
      const service = {
        setUp: () => told.then(() => ({ workspace_id: 'wsp_1', api_key: 'k', admin_token: 'a' })),
        examine: () => told.then(() => []),
        startMock: async () => {
          await told;
          setImmediate(() => process.kill(process.pid, 'SIGTERM'));
          return { base_url: 'http://127.0.0.1:1/v1', is_service: true,
            has_examples: true, async close() {} };
        },
      };
      const load = async () => service;
      const code = await runProgram(['node', 'gatehouse', ...${JSON.stringify(args)}], load, load);
      clearInterval(alive);
      process.exit(code);`;
    const { code, err } = await runScript(script, { cwd: t.testdir({}),
      env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' } });
    t.equal(code, 0, err);
    t.match(err, new RegExp(`${says} … \\d+ s[^]*\\r\\u001b\\[K`), 'and takes it away again');
  });
}
