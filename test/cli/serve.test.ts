/** The service as a person starts and stops it, with the commands that it tells them to paste. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { emptyDatabase, testDatabase } from '../support/database.ts';
import { folder } from '../support/embedded.ts';
import { freePort } from '../support/freePort.ts';
import { listen } from '../support/listen.ts';
import { gatehouse, killWhenSilent, start, type CommandOptions } from './support.ts';

const bash = async (script: string, cwd: string) =>
  (await promisify(execFile)('bash', ['-c', script], { cwd })).stdout;
const hasCurl = (process.env.PATH ?? '').split(':').some((folder) => existsSync(`${folder}/curl`));

/** Starts `serve` and waits until it is ready; `said` is what it has printed by then. */
async function serving(test: Test, args: string[], options: CommandOptions) {
  const { child, ended } = start(['serve', ...args], options);
  test.teardown(async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  const enough = killWhenSilent(child);
  for await (const [chunk] of dataOf(child.stdout!, ended)) {
    said += String(chunk);
    if (said.includes('Ctrl-C stops')) break;
  }
  enough();
  return { child, ended, said };
}

/** What arrives until the process has ended. */
async function* dataOf(readable: NodeJS.ReadableStream, ended: Promise<unknown>) {
  for (;;) {
    const next = await Promise.race([once(readable, 'data'), ended.then(() => null)]);
    if (next === null) return;
    yield next as unknown[];
  }
}

/** The lines that are there to be pasted. */
function toPaste(said: string): string {
  return said.slice(said.indexOf('Try it')).split('\n')
    .filter((line) => line.startsWith('  ')).join('\n');
}

/** What a node logged, but that a busy machine held its event loop up. */
function logged(err: string): string {
  return err.split('\n').filter((line) => !/"msg":"the event loop (was held up|hangs)/.test(line))
    .join('\n');
}

/** The last line of a log, which is one of JSON, says why there is no service. */
function saidLast(err: string): string {
  const { level, msg } = JSON.parse(logged(err).trimEnd().split('\n').at(-1)!);
  t.equal(level, 'fatal');
  return msg;
}

t.test('embedded: the first start, what it says to paste, and Ctrl-C', async (t) => {
  // The service makes the folder. The blank is there for the lines to paste.
  const data_dir = join(await folder(t), 'its data');
  const cwd = t.testdir({});
  const env = { GATEHOUSE_DATA_DIR: data_dir, PORT: '0' };
  const { child, ended, said } = await serving(t, [], { cwd, env });
  t.match(said, /^Starting the embedded PostgreSQL in .*\nCreating the database …\n/);
  const kept = JSON.parse(await readFile(join(data_dir, 'credentials.json'), 'utf8'));
  t.match(said, `Credentials  ${data_dir}/credentials.json\n`);
  for (const secret of [kept.api_key, kept.admin_token]) {
    t.notMatch(said, secret, 'what is no terminal gets no credentials');
  }
  t.equal((await stat(join(data_dir, 'credentials.json'))).mode & 0o777, 0o600);
  t.match(said, `Docs page    ${kept.base_url.replace('/v1', '/docs')}\n`);

  const [run, ...curl] = toPaste(said).split('\n');
  const shown = await bash(run!, cwd);
  t.match(shown, /→ gatehouse\.sessions\.list .*\n {2}✓ 1 item /);
  t.match(shown, '✓ completed');
  await t.test('with curl', { skip: !hasCurl && 'there is no curl' }, async (t) => {
    const streamed = await bash(curl.join('\n'), cwd);
    t.match(streamed, 'event: tool_call.completed\ndata: {');
    t.match(streamed, 'event: run.completed\ndata: {');
  });

  const [master_key] = /^local-\w+(?=:)/m.exec(
    await readFile(join(data_dir, 'master.key'), 'utf8'))!;
  t.match(said, `Master key   ${data_dir}/master.key\n`);
  t.match(await gatehouse(['keys', 'rotate-master'], { cwd, env }), { code: 0,
    out: `Every data key is sealed with ${master_key} already.\n`,
    err: /^Using the .*\nThere is no other master key\.\n\n[^]*1\. .* master key behind the/ });

  child.kill('SIGINT');
  const { code, out, err } = await ended;
  t.equal(code, 0);
  t.match(out, /\nStopping … .*\nStopped\.\n$/);
  for (const line of err.trimEnd().split('\n')) t.ok(JSON.parse(line).level, 'logs are JSON');
  t.notMatch(err, kept.api_key, 'no secret is logged');

  const again = await serving(t, [], { cwd, env });
  t.notMatch(again.said, kept.api_key, 'later starts do not show the key');
  t.match(again.said, `Credentials  ${data_dir}/credentials.json\n`);
  const [runAgain, ...curlAgain] = toPaste(again.said).split('\n');
  t.match(await bash(runAgain!, cwd), '✓ completed');
  await t.test('with curl, later', { skip: !hasCurl && 'there is no curl' }, async (t) =>
    t.match(await bash(curlAgain.join('\n'), cwd), 'event: run.completed\n'));
});

t.test('a first start that fails keeps the credentials for the next one', async (t) => {
  const data_dir = join(await folder(t), 'its data');
  const cwd = t.testdir({});
  const taken = String(await listen(t, createServer()));
  const env = { GATEHOUSE_DATA_DIR: data_dir, PORT: taken };
  t.match(await gatehouse(['serve'], { cwd, env }), { code: 1, err: /is in use/ });
  const file = join(data_dir, 'credentials.json');
  const kept = JSON.parse(await readFile(file, 'utf8'));
  const { said } = await serving(t, ['--port', '0'], { cwd, env });
  t.match(said, `Credentials  ${file}\n`);
  const { base_url, ...credentials } = JSON.parse(await readFile(file, 'utf8'));
  t.match(said, base_url);
  t.strictSame({ ...kept, base_url }, { base_url, ...credentials });
  t.match(await gatehouse(['keys', 'list'], { cwd, env: { GATEHOUSE_DATA_DIR: data_dir } }),
    { code: 0, out: /first key/ });
});

t.test('without DATABASE_URL no start takes the place of the service that is meant', async (t) => {
  const data_dir = join(await folder(t), 'its data');
  const cwd = t.testdir({});
  const { url } = await emptyDatabase(t);
  const env = { GATEHOUSE_DATA_DIR: data_dir, PORT: '0' };
  t.match(await gatehouse(['setup', '--save', '--base-url', 'http://127.0.0.1:1'],
    { cwd, env: { ...env, DATABASE_URL: url } }), { code: 0 });
  // Else root's database would be elsewhere, where its user may go, and outlive this test.
  await chmod(data_dir, 0o711);
  const file = join(data_dir, 'credentials.json');
  const kept = await readFile(file, 'utf8');
  const [serve, rotate] = [await gatehouse(['serve'], { cwd, env }),
    await gatehouse(['keys', 'rotate-master'], { cwd, env })];
  t.match(serve, { code: 1,
    err: /"msg":"The service did not start: .*json holds the credentials .* set DATABASE_URL\. / });
  t.match(rotate, { code: 1, out: '', err: `There is no database in ${data_dir}. ` });
  t.equal(await readFile(file, 'utf8'), kept);
  t.notOk(existsSync(join(data_dir, 'postgres')), 'nothing was made');
  const moved = join(data_dir, 'credentials.old.json');
  await rename(file, moved);
  const { said } = await serving(t, [], { cwd, env });
  t.match(said, `Credentials  ${file}\n`, 'the way that it names');
  t.equal(await readFile(moved, 'utf8'), kept);
});

t.test('credentials.json follows the service, and not a second one beside it', async (t) => {
  const data_dir = join(await folder(t), 'its data');
  const cwd = t.testdir({});
  const on = async () => {
    const port = await freePort();
    const env = { GATEHOUSE_DATA_DIR: data_dir, PORT: String(port) };
    return { ...await serving(t, [], { cwd, env }), base_url: `http://127.0.0.1:${port}/v1` };
  };
  const kept = async () =>
    JSON.parse(await readFile(join(data_dir, 'credentials.json'), 'utf8')).base_url as string;
  const first = await on();
  t.equal(await kept(), first.base_url);
  const beside = await on();
  t.equal(await kept(), first.base_url, 'the first lives');
  beside.child.kill('SIGTERM');
  await beside.ended;
  t.equal(await kept(), first.base_url);
  first.child.kill('SIGTERM');
  await first.ended;
  const later = await on();
  t.equal(await kept(), later.base_url, 'the same service on another port');
  later.child.kill('SIGKILL');
  await later.ended;
  t.equal((await on()).base_url, await kept(), 'also after a kill');
});

t.test("a PostgreSQL of one's own: setup, serve, keys, SIGTERM", async (t) => {
  const { url } = await testDatabase(t);
  const cwd = t.testdir({});
  const env = { DATABASE_URL: url, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
  const empty = await serving(t, [], { cwd, env });
  t.match(empty.said, /this makes the first:\n\n.*gatehouse setup --save\n/);
  empty.child.kill('SIGTERM');
  const stopped = await empty.ended;
  t.match(stopped, { code: 0, out: /Stopped\.\n$/ });
  t.equal(logged(stopped.err), '');

  const made = await gatehouse(['setup'], { cwd, env });
  t.match(made, {
    code: 0, out: '',
    err: new RegExp('^The database is ready\\. .* are kept in .*credentials\\.json,'
      + ` for http://127\\.0\\.0\\.1:${env.PORT}/v1\\.\n$`),
  });
  const file = join(cwd, '.gatehouse', 'credentials.json');
  t.match(JSON.parse(await readFile(file, 'utf8')), { api_key: /^gth_/, admin_token: /^gta_/,
    base_url: `http://127.0.0.1:${env.PORT}/v1` });
  t.equal((await stat(file)).mode & 0o777, 0o600);
  t.match(await gatehouse(['setup'], { cwd, env }), { code: 1, err: /exists already/ });
  const elsewhere = join(cwd, 'elsewhere');
  t.match(await gatehouse(['setup', '--data-dir', elsewhere], { cwd, env }),
    { code: 1, err: /is set up already/ });
  t.notOk(existsSync(join(elsewhere, 'credentials.json')), 'nothing was made, nothing is kept');

  const { said, child, ended } = await serving(t, [],
    { cwd, env: { ...env, GATEHOUSE_MAX_ATTEMPTS: '3', GATEHOUSE_API_KEY: 'gth_of_the_client' } });
  t.match(said, `Credentials  ${file}\n`);
  t.match(await bash(toPaste(said).split('\n')[0]!, cwd), '✓ completed');
  const key = await gatehouse(['keys', 'create', '--name', 'ci'], { cwd });
  t.match(key, { code: 0, out: /^gth_\w+\n$/ });
  const words = (api_key: string) =>
    gatehouse(['run', '@rehearsal words=2'], { cwd, env: {
      GATEHOUSE_API_KEY: api_key, GATEHOUSE_BASE_URL: `http://127.0.0.1:${env.PORT}` } });
  t.match(await words(key.out.trim()), { code: 0, out: 'No language\n' });
  t.match(await words(`${key.out.trim().slice(0, -1)}_`), { code: 1, err: /invalid_api_key/ });
  const list = await gatehouse(['keys', 'list'], { cwd });
  t.match(list.out, /^key_\w+ +ci +…\w{4} +active/m);
  const id = /^(key_\w+) +ci /m.exec(list.out)![1]!;
  t.match(await gatehouse(['keys', 'revoke', id], { cwd }), { code: 0 });
  t.match((await gatehouse(['keys', 'list'], { cwd })).out, /^key_\w+ +ci +…\w{4} +revoked/m);
  const token = await gatehouse(['admin-tokens', 'create', '--name', 'ci'], { cwd });
  t.match(token, { code: 0, out: /^gta_\w+\n$/ });
  const byToken = { cwd, env: { GATEHOUSE_ADMIN_TOKEN: token.out.trim(),
    GATEHOUSE_BASE_URL: `http://127.0.0.1:${env.PORT}` } };
  const tokens = await gatehouse(['admin-tokens', 'list'], byToken);
  t.match(tokens.out, /^adm_\w+ +ci +…\w{4} +active.*\nadm_\w+ +first token +…\w{4} +active/m);
  const token_id = /^(adm_\w+) +ci /m.exec(tokens.out)![1]!;
  t.match(await gatehouse(['admin-tokens', 'revoke', token_id], byToken), { code: 0 });
  t.match(await gatehouse(['admin-tokens', 'list'], byToken), { code: 1, err: /invalid_api_key/ });

  const taken = await gatehouse(['serve'], { cwd, env });
  t.equal(taken.code, 1);
  t.match(saidLast(taken.err), /^Port \d+ on 127\.0\.0\.1 is in use.* --port \d+ [^\n]*$/);

  child.kill('SIGTERM');
  const { err } = await ended;
  t.match(JSON.parse(logged(err)),
    { level: 'warn', msg: /^GATEHOUSE_MAX_ATTEMPTS: set, but no setting/ },
    'a setting that is gone is said');
});

t.test('setup keeps the address at which clients reach the service', async (t) => {
  const cwd = t.testdir({});
  const cases: [args: string[], env: Record<string, string>, base_url: string][] = [
    [['--base-url', 'https://one.example/'], { GATEHOUSE_PUBLIC_URL: 'https://no.example' },
      'https://one.example/v1'],
    [[], { GATEHOUSE_PUBLIC_URL: 'https://two.example/below/', PORT: '0' },
      'https://two.example/below/v1'],
    [[], { PORT: '4321', HOST: '0.0.0.0' }, 'http://127.0.0.1:4321/v1'],
  ];
  await Promise.all(cases.map(async ([args, env, base_url], index) => {
    const { url } = await emptyDatabase(t);
    const made = await gatehouse(['setup', '--save', '--data-dir', `${index}`, ...args],
      { cwd, env: { ...env, DATABASE_URL: url } });
    t.match(made, { code: 0, err: `, for ${base_url}.\n` });
    const kept = await readFile(join(cwd, `${index}`, 'credentials.json'), 'utf8');
    t.match(JSON.parse(kept), { base_url });
  }));
  const { url: DATABASE_URL } = await emptyDatabase(t);
  for (const [args, env] of [[[], { PORT: '0' }], [['--base-url', 'there'], {}]] as const) {
    const refused = await gatehouse(['setup', ...args], { cwd, env: { ...env, DATABASE_URL } });
    t.match(refused, { code: 2, out: '' });
    t.notOk(existsSync(join(cwd, '.gatehouse')), 'nothing was made');
  }
});

t.test('an api node and a worker, each started by its role', async (t) => {
  const { url } = await testDatabase(t);
  const cwd = t.testdir({});
  const env = { DATABASE_URL: url, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
  await gatehouse(['setup', '--save'], { cwd, env });
  const api = await serving(t, ['--role', 'api'], { cwd, env });
  t.match(api.said, 'Role         api: runs wait for a node with the role worker\n');
  const worker = await serving(t, ['--port', '0', '--concurrency', '4'],
    { cwd, env: { ...env, GATEHOUSE_ROLE: 'worker' } });
  t.match(worker.said, 'Role         worker: executes up to 4 runs at once, serves no API\n');
  const health = /http:\S+\/readyz/.exec(worker.said)![0];
  t.match(await (await fetch(health)).json(), { status: 'ready' });
  t.match(await gatehouse(['run', '@rehearsal words=2'], { cwd }), { code: 0 });
  for (const node of [worker, api]) {
    node.child.kill('SIGTERM');
    const ended = await node.ended;
    t.match(ended, { code: 0, out: /Stopped\.\n$/ });
    t.equal(logged(ended.err), '');
  }
});

t.test('a start that fails says why, in a line, and ends with 1', async (t) => {
  const cwd = t.testdir({});
  const cases: [Record<string, string>, RegExp][] = [
    [{ PORT: 'many', LOG_LEVEL: 'loud' },
      /^PORT is "many"; it must be a whole number.*\nLOG_LEVEL is "loud"; it must be one of.*\n$/],
    [{ GATEHOUSE_ROLE: 'worker', GATEHOUSE_CONCURRENCY: '0' },
      /^GATEHOUSE_ROLE is "worker" and GATEHOUSE_CONCURRENCY is 0: .*\n$/],
    [{ GATEHOUSE_PUBLIC_URL: 'gatehouse.example' },
      /^GATEHOUSE_PUBLIC_URL is "gatehouse.example"; it must be an address such as https:.*\n$/],
    [{ PORT: 'abc', MODEL: 'foo/bar', GATEHOUSE_MODELS: 'gpt', MODEL_BASE_URL: 'banana',
      OPENAI_BASE_URL: 'nah', GATEHOUSE_MCP_STDIO: '*', GATEHOUSE_TRUSTED_PROXIES: 'here',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'there', GATEHOUSE_MASTER_KEYS: 'short',
      DATABASE_URL: 'mysql://', GATEHOUSE_OIDC_ADMINS: 'ada@example.com' },
    new RegExp(['^PORT is "abc"', 'OPENAI_BASE_URL is "nah"', 'MODEL_BASE_URL is "banana"',
      'GATEHOUSE_MODELS holds "gpt"', 'MODEL: There is no model "foo/bar"',
      'GATEHOUSE_OIDC_ADMINS is set', 'OTEL_EXPORTER_OTLP_ENDPOINT leads to "there',
      'OTEL_EXPORTER_OTLP_ENDPOINT leads to "there', 'GATEHOUSE_MCP_STDIO must be',
      'GATEHOUSE_TRUSTED_PROXIES: "here"', '.*DATABASE_URL', 'GATEHOUSE_MASTER_KEYS: entry 1 ',
    ].join('.*\\n') + '.*\\n$')],
    [{ GATEHOUSE_ROLE: 'both' }, /^GATEHOUSE_ROLE is "both"; it must be one of all, api, worker/],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'warn' },
      /^The service did not start: .* at 127\.0\.0\.1:1\/none: .*\. Nothing listens there\. .*\n$/],
  ];
  for (const [env, message] of cases) {
    const { code, err } = await gatehouse(['serve'], { cwd, env });
    t.equal(code, 1);
    t.equal(logged(err).split('\n').length, 2, 'one line');
    t.match(`${saidLast(err)}\n`, message);
  }
  const silent = await gatehouse(['serve'], { cwd,
    env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', LOG_LEVEL: 'silent' } });
  t.match(silent, { code: 1, err: /^The service did not start: .*\n$/ }, 'where there is no log');
  t.notOk(existsSync(join(cwd, '.gatehouse')), 'nothing was made');
});

t.test('what is kept for another database is not offered', async (t) => {
  const cwd = t.testdir({});
  const [{ url }, { url: other }] = [await emptyDatabase(t), await testDatabase(t)];
  const env = { PORT: String(await freePort()), LOG_LEVEL: 'warn' };
  await gatehouse(['setup', '--save'], { cwd, env: { ...env, DATABASE_URL: url } });
  const { said } = await serving(t, [], { cwd, env: { ...env, DATABASE_URL: other } });
  t.notMatch(said, 'credentials.json');
  t.match(said, /this makes the first:\n\n.*gatehouse setup --save\n/);
});
