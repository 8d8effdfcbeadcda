/**
 * The clients of examples/clients, as somebody who copied them runs them: on a service, or the
 * mock, that is unavailable at first, whose streams break off twice and hold kinds of events nobody
 * knows yet. Those of a language that is not here are skipped.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { EventSource } from 'eventsource';
import t, { type Test } from 'tap';
import { testMock } from '../mock/support.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { listen } from '../support/listen.ts';
import { fencesOf } from '../support/markdown.ts';
import { ROOT } from '../support/sourceTree.ts';
import { testServer } from '../support/server.ts';
import { run, type Command, type Target } from './flow.ts';
import { openWay } from './way.ts';

t.setTimeout(600_000);

const PROMPT = 'call gateway.connections.list';
const folder = join(ROOT, 'examples/clients');
const { client } = await testServer(t);
const service = { base_url: client.base_url, api_key: client.api_key!, wrong_key: 'wrong' };
const mock = { ...await testMock(t), api_key: 'a-team', wrong_key: 'invalid' };
const TARGETS = Object.entries({ 'the service': service, 'the mock': mock });

interface Clients { name: string; command: string; args: string[]; needs: [string, ...string[]] }

const CLIENTS: Clients[] = [
  { name: 'Python, standard library', command: 'python3', args: ['gatehouse_stdlib.py'],
    needs: ['python3', '-c', 'import sys; assert sys.version_info >= (3, 9)'] },
  { name: 'Python, httpx', command: process.env.TEST_PYTHON ?? 'python3',
    args: ['gatehouse_httpx.py'],
    needs: [process.env.TEST_PYTHON ?? 'python3', '-c', 'import httpx'] },
  // It names what it compiles: without that it is silent for minutes on a slow machine.
  { name: 'Go', command: 'go', args: ['run', '-v', 'gatehouse.go'], needs: ['go', 'version'] },
  { name: 'shell', command: 'bash', args: ['gatehouse.sh'],
    needs: ['bash', '-c', 'curl --version && jq --version'] },
];

const ways = CLIENTS.flatMap(({ needs, ...client }) =>
  TARGETS.map(([where, target]) => ({ ...client, where, target, skip: missing(needs) })));
for (const { name, command, args, where, target, skip } of ways) {
  await t.test(`${name}, on ${where}`, { skip }, async (t) => {
    const { base_url, resumed, keys } = await trouble(t, target);
    const program = (prompt: string): Command =>
      ({ command, args: [...args, prompt], cwd: folder });
    const environment = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: target.api_key };
    const { code, output } = await run(program(PROMPT), environment);
    t.equal(code, 0, output);
    t.match(output, /gateway\.connections\.list[^]*\nrun\.completed\n$/, 'it shows the answer');
    t.equal(resumed(), 2, 'it went on where the stream broke off');
    t.equal(keys.length, 4, 'what was unavailable, or under way, was asked for again');
    t.equal(new Set(keys).size, 2, 'by the same key, and each thing by its own');

    const failed = await run(program('@rehearsal fail=model_error'), environment);
    t.not(failed.code, 0, 'a run that fails');
    t.match(failed.output, /run\.failed/);
    t.match(failed.output, /model/, 'it says why');
    const refused = await run(program(PROMPT),
      { ...environment, GATEHOUSE_API_KEY: target.wrong_key });
    t.not(refused.code, 0, 'a wrong key');
    t.match(refused.output, /invalid_api_key/);
  });
}

await t.test('the client of docs/events.md', async (t) => {
  const { base_url, resumed } = await trouble(t, service);
  const [block] = fencesOf('docs/events.md').filter(({ language }) => language === 'js');
  const cwd = t.testdir({ 'client.mjs': block!.text, '.gatehouse': {
    'credentials.json': JSON.stringify({ base_url, api_key: service.api_key }) } });
  const { code, output } = await run({ command: process.execPath, args: ['client.mjs'], cwd });
  t.equal(code, 0, output);
  t.match(output, /run\.completed\n$/);
  t.equal(resumed(), 2, 'it went on where the stream broke off');
});

for (const [where, target] of TARGETS) {
  await t.test(`a page by its own backend, on ${where}`, (t) => tryBackend(t, target));
}

async function tryBackend(t: Test, target: Target): Promise<void> {
  const { base_url, resumed, keys } = await trouble(t, target);
  const child = spawn(process.execPath, ['browser/backend.mjs'], { cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, PORT: '0',
      GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: target.api_key } });
  t.teardown(() => child.kill());
  const [line] = await once(createInterface(child.stdout), 'line') as [string];
  const url = line.replace('listening on ', '');

  const page = await fetch(url);
  const cookie = page.headers.get('set-cookie')!.split(';')[0]!;
  const started = await fetch(`${url}/runs`,
    { method: 'POST', body: PROMPT, headers: { cookie, origin: url } });
  t.equal(started.status, 200);
  const path = `${url}/runs/${await started.text()}/events`;
  const kinds = await kindsOf(path, cookie);
  t.equal(kinds[0], 'run.created');
  t.equal(kinds.at(-1), 'run.completed');
  t.equal(resumed(), 2, 'it went on where the stream broke off');
  t.equal(keys.length, 4, 'what was unavailable, or under way, was asked for again');
  t.equal((await fetch(path)).status, 404, 'the run is nobody else\'s');
  const foreign = await fetch(`${url}/runs`,
    { method: 'POST', body: PROMPT, headers: { cookie, origin: 'https://evil.example' } });
  t.equal(foreign.status, 502, 'nor does another site start one');

  await t.test('in a browser', { skip: NO_CHROMIUM }, async (t) => {
    const tab = await (await startChromium(t)).newPage();
    tab.setDefaultTimeout(120_000);
    await tab.goto(url);
    await tab.getByLabel('Prompt').fill('@rehearsal words=5');
    await tab.getByRole('button').click();
    await tab.getByText('run.completed').waitFor();
    const answer = (await tab.locator('#answer').textContent())!;
    t.not(answer.trim(), '');
    await tab.reload();
    await tab.getByText('run.completed').waitFor();
    t.equal(await tab.locator('#answer').textContent(), answer, 'it is there after a reload');
    t.notMatch(await tab.content(), target.api_key, 'the key stays in the backend');
  });
}

/** Why the client cannot be tried here, or false. */
function missing([command, ...args]: [string, ...string[]]): string | false {
  try {
    execFileSync(command, args, { stdio: 'pipe' });
    return false;
  } catch {
    return `this needs \`${[command, ...args].join(' ')}\` to work`;
  }
}

/** The kinds of a run's events as an EventSource has them, until it is told to come no more. */
function kindsOf(url: string, cookie: string): Promise<string[]> {
  const kinds: string[] = [];
  return new Promise((resolve) => {
    const source = new EventSource(url, { fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...init.headers, cookie } }) });
    for (const kind of ['run.created', 'message.output.delta', 'run.completed']) {
      source.addEventListener(kind, ({ type }) => kinds.push(type));
    }
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) resolve(kinds);
    });
  });
}

/**
 * A way to the service that is unavailable for the first POST, still at it when that is repeated,
 * has the first reader of a stream come later, and breaks streams off.
 */
async function trouble(t: Pick<Test, 'teardown'>, target: Target): Promise<{
  base_url: string; resumed: () => number; keys: string[];
}> {
  const way = await openWay(target.base_url, 'values');
  t.teardown(() => way.close());
  const keys: string[] = [];
  const limited: [number, string][] = [[429, 'rate_limited']];
  const server = createServer((req, res) => {
    const key = req.headers['idempotency-key'];
    // What is asked for after the first run is for what is tried then.
    if (key !== undefined && keys.length < 4) keys.push(String(key));
    const [status, code] = key !== undefined
      ? [[503, 'unavailable'], [409, 'idempotency_in_progress']][keys.length - 1] ?? []
      : req.headers.accept === 'text/event-stream' ? limited.shift() ?? [] : [];
    if (status !== undefined) {
      req.resume();
      return void res.writeHead(Number(status), { 'retry-after': '1',
        'content-type': 'application/json' })
        .end(JSON.stringify({ code, error: 'later', request_id: 'req_1' }));
    }
    const { port } = new URL(way.base_url);
    const sent = forward({ host: '127.0.0.1', port, path: req.url, method: req.method,
      headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
      answer.on('error', () => res.destroy());
    });
    sent.on('error', () => res.destroy());
    req.pipe(sent);
  });
  const base_url = `http://127.0.0.1:${await listen(t, server)}/v1`;
  return { base_url, resumed: () => way.resumed, keys };
}
