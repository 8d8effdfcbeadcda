/** `doctor` as a person calls it: what it prints, and how it ends. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { parseMasterKeys } from '../../src/gateway/vault/masterKeys.ts';
import { createSecrets } from '../../src/gateway/vault/secrets.ts';
import { putConnectionSecret } from '../../src/store/connectionSecrets.ts';
import { addConnection, addWorkspaces } from '../gateway/vault/support.ts';
import { providerServer, refused, streamed } from '../models/providerServer.ts';
import { payloadsOf } from '../models/wireStreams.ts';
import { freePort } from '../support/freePort.ts';
import { listen } from '../support/listen.ts';
import { testServer } from '../support/server.ts';
import { gatehouse } from './oneProcess.ts';
import { helpOf, type CommandOptions } from './support.ts';

const doctor = (options: CommandOptions, ...args: string[]) =>
  gatehouse(['doctor', ...args], options);

t.test('a service that is well', async (t) => {
  const { url, client, config } = await testServer(t);
  const cwd = t.testdir({ '.gatehouse': {} });
  await chmod(join(cwd, '.gatehouse'), 0o700);
  const file = join(cwd, '.gatehouse', 'credentials.json');
  const { base_url, api_key, admin_token } = client;
  await writeFile(file, JSON.stringify({ base_url, api_key, admin_token }), { mode: 0o600 });
  const env = { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: config.master_keys! };
  const { code, out, err } = await doctor({ cwd, env }, '--model');
  t.strictSame({ code, err }, { code: 0, err: '' }, out);
  const expected = [
    /^✓ configuration +Gatehouse \d.*, role all; set: DATABASE_URL, GATEHOUSE_MASTER_KEYS$/,
    /^✓ node +Node\.js v\d+/, /^✓ data directory +.*\.gatehouse, with credentials\.json$/,
    /^✓ service +answers at http:\/\/127\.0\.0\.1:\d+, and is ready$/,
    /^✓ credentials +the api key of .*\.json is accepted; the admin token of .* is accepted$/,
    /^✓ master keys +GATEHOUSE_MASTER_KEYS: test seals$/,
    /^✓ database +PostgreSQL \d+\.\d+, UTF-8, at .*\/test_\w+$/,
    /^✓ schema +version \d+, that of this program$/,
    /^✓ nodes +process \d+ on \S+ \(all\): .*GATEHOUSE_DATABASE_CONNECTIONS is 6, here 10/,
    /^✓ free connections +\d+ of \d+ in use, \d+ of them by Gatehouse; a node takes up to 9$/,
    /^✓ durability +fsync is on, synchronous_commit is on$/,
    /^✓ clock +within \d+\.\d s of the database's$/,
    /^✓ node clocks +those of 1 node are the database's$/,
    /^✓ partitions +there for the next 3 days$/, /^✓ workers +1 alive; 0 runs running$/,
    /^✓ integrations +none besides the built-in ones$/,
    /^✓ connections +none besides the built-in ones$/,
    /^✓ embeddings +no EMBEDDING_MODEL; actions are searched by their words$/,
    /^✓ stored secrets +there are none$/,
    /^✓ model +rehearsal, the offline one.* — this is this shell's configuration; the service/,
    /^✓ model answers +rehearsal answered in \d+ ms · \d+ tokens in, \d+ out$/,
    /^$/, /^All is well\.$/, /^$/,
  ];
  const lines = out.split('\n');
  t.equal(lines.length, expected.length);
  for (const [index, pattern] of expected.entries()) t.match(lines[index], pattern);
  for (const hidden of [api_key!, admin_token!, config.master_keys!.split(':')[1]!]) {
    t.notMatch(out, hidden);
  }

  await chmod(file, 0o644);
  const open = await doctor({ cwd, env });
  t.equal(open.code, 0, 'a warning is no failure');
  t.match(open.out, /^! data directory .* others may read .*credentials\.json, which holds keys$/m);
  t.match(open.out, `\n    → chmod 600 ${file}\n`);
  t.match(open.out, /\n\nNothing has failed; 1 warning\.\n$/);
});

t.test('keys that the service refuses, and a file that does not hold any', async (t) => {
  const { url, client, config } = await testServer(t);
  const { base_url, api_key, admin_token } = client;
  const cwd = t.testdir({ '.gatehouse': {} });
  await chmod(join(cwd, '.gatehouse'), 0o700);
  const keep = (kept: object) => writeFile(join(cwd, '.gatehouse', 'credentials.json'),
    JSON.stringify({ base_url, ...kept }), { mode: 0o600 });
  const env = { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: config.master_keys! };
  await keep({ api_key, admin_token: 'canary-1' });
  const wrong = { ...env, GATEHOUSE_API_KEY: 'canary-2' };
  const withheld = await doctor({ cwd, env: wrong });
  t.match(withheld.out, new RegExp('^✗ credentials +the api key of GATEHOUSE_API_KEY is not sent to'
    + ' http://127.*, which only .*credentials\\.json names; the service refuses the admin', 'm'));
  const refused = await doctor({ cwd, env: { ...wrong, GATEHOUSE_BASE_URL: base_url } });
  t.equal(refused.code, 1);
  t.match(refused.out, new RegExp('^✗ credentials +the service refuses the api key of'
    + ' GATEHOUSE_API_KEY; the service refuses the admin token of .*credentials\\.json$', 'm'));
  t.match(refused.out, new RegExp('^ {4}→ Correct GATEHOUSE_API_KEY.*\\n'
    + ' {4}→ If another service has taken http://127.*, give yours another port\\.'
    + ' Else restore .*credentials\\.json', 'm'));
  await keep({ api_key: 5, admin_token });
  const broken = await doctor({ cwd, env });
  t.equal(broken.code, 1);
  t.match(broken.out, /^✗ data directory .*cannot be used: a key in it is no text$/m);
  await keep({ base_url: 'http://127.0.0.1:1/v1', api_key: 'canary-3', admin_token: 'canary-3' });
  const other = await doctor({ cwd, env: { ...env, GATEHOUSE_BASE_URL: base_url } });
  await keep({ base_url: 'localhost:3000' });
  t.match((await doctor({ cwd, env: { ...env, PORT: `${await freePort()}` } })).out,
    /^✗ data directory .*credentials\.json cannot be used: it names no service\n[^]*^! service/m);
  t.match(other.out, /^✓ credentials +no api key at hand; no admin token at hand$/m,
    'what is kept goes to no other service than its own');
  t.notMatch(refused.out + broken.out + other.out, 'canary');
});

t.test('nothing was ever started here', async (t) => {
  const { code, out } = await doctor({ cwd: t.testdir({}), env: { PORT: `${await freePort()}` } });
  t.equal(code, 0);
  t.match(out, /^✓ data directory .* is not there; the first start makes it$/m);
  t.match(out, /^! service +nothing answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)$/m);
  t.match(out, /^ {4}→ If it should run: start it with `.*bin\/gatehouse serve`\./m);
  t.match(out, /^! database +none: .*\n {4}→ Start the service with `.*bin\/gatehouse serve`/m);
  t.match(out, /^- schema +not checked: it needs the database$/m);
  t.match(out, /\n\nNothing has failed; 2 warnings; 13 not checked\. Most was not checked, /);
});

t.test('a database that does not run, and whose master key is gone', async (t) => {
  const cwd = t.testdir({ '.gatehouse': { postgres: {} } });
  await chmod(join(cwd, '.gatehouse'), 0o700);
  const { code, out } = await doctor({ cwd, env: { PORT: `${await freePort()}` } });
  t.equal(code, 1);
  t.match(out, /^✗ master keys .*master\.key is missing.*\n {4}→ Restore the file from its copy/m);
  t.match(out, /^✗ database .* does not run, as no service does/m);
  t.match(out, /Begin with the first ✗\. Most was not checked, for the database could not be/);
  await writeFile(join(cwd, '.gatehouse', 'master.key'), 'broken', { mode: 0o600 });
  const wrong = await doctor({ cwd, env: { PORT: `${await freePort()}` } });
  t.match(wrong.out, /^✗ master keys .*master\.key: entry 1 .* Restore it from its copy/m);
  t.match(wrong.out, /^ {4}→ `.*gatehouse serve` does not start without it\.$/m);
});

t.test('its help has no line that is broken off', async (t) => {
  const [help] = await helpOf(['doctor'], { cwd: t.testdir({}) });
  const lines = help!.split('\n\n')[1]!.split('\n');
  t.ok(lines.every((line) => line.length > 40 && line.length <= 80), lines.join('\n'));
});

t.test('wrong settings are all named', async (t) => {
  const { code, out } = await doctor({ cwd: t.testdir({}),
    env: { PORT: 'many', LOG_LEVEL: 'loud', GATEHOUSE_CONCURENCY: '3' } });
  t.equal(code, 1);
  t.match(out, /^✗ configuration +2 settings are wrong$/m);
  t.match(out, /^ {4}→ PORT is "many"; .*\n {4}→ LOG_LEVEL is "loud"; /m);
  t.match(out, /^- database +not checked: it needs a configuration that can be read$/m);
  t.match(out, /\n\n1 failed, 0 warnings; 6 not checked\. Begin with the first ✗\.\n$/);
  const slip = await doctor({ cwd: t.testdir({}),
    env: { GATEHOUSE_CONCURENCY: '3', GATEHOUSE_MAX_ATTEMPTS: '3' } });
  t.match(slip.out, new RegExp('^! configuration .*;'
    + ' no setting: GATEHOUSE_CONCURENCY, GATEHOUSE_MAX_ATTEMPTS\n {4}→ Correct ', 'm'));
});

t.test('no database, as text and as JSON; its password is not shown', async (t) => {
  const cwd = t.testdir({});
  const env = { DATABASE_URL: 'postgres://someone:canary-of-a-password@127.0.0.1:1/none' };
  const { code, out, err } = await doctor({ cwd, env });
  t.strictSame({ code, err }, { code: 1, err: '' });
  t.match(out, /^✗ database +cannot be used at 127\.0\.0\.1:1\/none: .*ECONNREFUSED.*$/m);
  t.match(out, /\n {4}→ Nothing listens there\. Start that PostgreSQL, or correct host and port/);
  const json = await doctor({ cwd, env }, '--json');
  t.equal(json.code, 1);
  const findings: { check: string; status: string }[] = JSON.parse(json.out);
  t.match(findings.find(({ check }) => check === 'database'),
    { status: 'failed', found: /ECONNREFUSED/, advice: /^Nothing listens there\./ });
  t.match(findings.find(({ check }) => check === 'stored secrets'),
    { status: 'skipped', found: 'not checked: it needs the database' });
  t.notMatch(out + json.out, 'canary');
});

t.test('master keys that are not those of the database', async (t) => {
  const { url, sql, config } = await testServer(t);
  const keys = parseMasterKeys(config.master_keys!, 'test');
  const place = { table: 'connection_secrets', row: 'con_1', field: 'sealed' };
  await createSecrets({ sql, keys }).seal('wsp_1', place, { token: 't' });
  const cwd = t.testdir({});
  const withKeys = (master_keys: string) =>
    doctor({ cwd, env: { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: master_keys } });
  const wrong = randomBytes(32).toString('base64');
  const missing = await withKeys(`other:${wrong}`);
  t.equal(missing.code, 1);
  t.match(missing.out, /^✗ stored secrets +1 data key .* master key test, which is not at hand$/m);
  t.match(missing.out, /^ {4}→ Put test:<its base64> back into GATEHOUSE_MASTER_KEYS, after the /m);
  const another = await withKeys(`test:${wrong}`);
  t.match(another.out, /^✗ stored secrets .* the master key test, which is another one here$/m);
  const malformed = await withKeys('test:c2hvcnQ=');
  t.match(malformed.out, /^✗ master keys +GATEHOUSE_MASTER_KEYS: entry 1 is not 32 bytes/m);
  t.match(malformed.out, /^- stored secrets +not checked: it needs the master keys$/m);
  t.notMatch(missing.out + another.out + malformed.out, wrong);
  const both = await withKeys(`new:${wrong},${config.master_keys!}`);
  t.match(both.out, /^✓ stored secrets +1 data key of workspaces opens; still under test, /m);
});

t.test('a data key that a restore has left out', async (t) => {
  const { url, sql, config } = await testServer(t);
  await addWorkspaces(sql, 'wsp_1');
  const connection = await addConnection(sql, 'wsp_1', 'con_1', 'connected');
  const keys = parseMasterKeys(config.master_keys!, 'test');
  const place = { table: 'connection_secrets', row: 'con_1', field: 'sealed' };
  const sealed = await createSecrets({ sql, keys }).seal('wsp_1', place, { token: 't' });
  await putConnectionSecret(sql, connection,
    { type: 'bearer', sealed, granted_scopes: null, lifetime_s: null });
  const options = { cwd: t.testdir({}),
    env: { DATABASE_URL: url, GATEHOUSE_MASTER_KEYS: config.master_keys! } };
  t.match((await doctor(options)).out, /^✓ stored secrets +1 data key of workspaces opens$/m);
  await sql`delete from workspace_keys where workspace_id = 'wsp_1'`;
  const { code, out } = await doctor(options);
  t.equal(code, 1);
  t.match(out, /^✗ stored secrets +the data key of 1 connection is not in the database$/m);
  t.match(out, /^ {4}→ Put the rows of the table workspace_keys back /m);
});

t.test('a model that has no key, and one that refuses it', async (t) => {
  const cwd = t.testdir({});
  // Where nothing answers: any service may have the default port.
  const call = (env: Record<string, string>, ...args: string[]) =>
    doctor({ cwd, env: { PORT: '1', ...env } }, ...args);
  const missing = await call({ MODEL: 'openai/gpt-5.1' }, '--model');
  t.equal(missing.code, 1);
  t.match(missing.out, /^✗ model .*OPENAI_API_KEY is not set.*\n {4}→ Set OPENAI_API_KEY for /m);
  t.match(missing.out, /^- model answers +not checked: it needs a model that can be used$/m);

  const key = 'sk-canary-4242424242';
  const provider = await providerServer(t, refused(401,
    { error: { message: `Incorrect API key provided: ${key}.`, type: 'invalid_request_error' } }));
  const env = { MODEL: 'openai/gpt-5.1', OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${provider.origin}/v1` };
  const unasked = await call(env);
  t.equal(unasked.code, 0);
  t.match(unasked.out, /^✓ model +openai\/gpt-5\.1 at 127\.0\.0\.1:\d+$/m);
  t.equal(provider.requests.length, 0, 'it is asked only if that is wanted');
  const { code, out } = await call(env, '--model');
  t.equal(code, 1);
  t.match(out, /^✗ model answers +openai\/gpt-5\.1: .* refused the service's key \(HTTP status/m);
  t.match(out, /^ {4}→ It said: .*Incorrect API key provided: ….$/m);
  t.match(out, /^ {4}→ Put a valid key of that account into OPENAI_API_KEY/m);
  t.notMatch(out, 'canary');

  provider.script(streamed(payloadsOf('openai/gpt-5.1', { text: ['O', 'K.'] })));
  const other = await call({ ...env, MODEL: 'rehearsal' }, '--model', 'openai/gpt-5-mini');
  t.equal(other.code, 0);
  t.match(other.out, /^✓ model answers +openai\/gpt-5-mini said "OK\." in \d+ ms · 5 tokens/m);
  t.match(provider.requests[0]!.body, { model: 'gpt-5-mini' });
});

t.test('something else answers, or the service is not ready', async (t) => {
  let answer: [number, object | string] = [404, { error: 'no such page' }];
  let hangs = false;
  let is_down = false;
  const server = createServer((request, response) => {
    if (hangs) return;
    const [status, body] = request.url === '/healthz' && answer[0] === 503 && !is_down
      ? [200, { status: 'ok' }] : answer;
    response.writeHead(status).end(JSON.stringify(body));
  });
  const cwd = t.testdir({});
  await mkdir(join(cwd, '.gatehouse'), { mode: 0o700 });
  const origin = `http://127.0.0.1:${await listen(t, server)}`;
  const call = () => doctor({ cwd, env: { GATEHOUSE_BASE_URL: `${origin}/v1` } });
  const foreign = await call();
  t.equal(foreign.code, 1);
  t.match(foreign.out, `✗ service            something else than Gatehouse answers at ${origin}`);
  answer = [502, { message: 'name resolution failed' }];
  t.match(await call(), { code: 1,
    out: /^✗ service +a proxy answers at \S+ \(status 502\), and does not reach the service$/m });
  is_down = true;
  answer = [503, '<html>'];
  t.match(await call(), { code: 1,
    out: /^✗ service +a proxy .* no node of the service that is ready\n {4}→ Ask a node itself/m });
  is_down = false;
  hangs = true;
  const hanging = await call();
  t.equal(hanging.code, 1);
  t.match(hanging.out, /^✗ service +http:\S+ does not answer in time\n {4}→ A service that hangs/m);
  hangs = false;
  answer = [503, { status: 'not_ready', reasons: ['database'] }];
  const unready = await call();
  t.equal(unready.code, 1);
  t.match(unready.out, /^✗ service .* is not ready: database\n {4}→ The service does not/m);
  await writeFile(join(cwd, '.gatehouse', 'credentials.json'), '{"api_key":"gth_canary', {
    mode: 0o600 });
  const broken = await call();
  t.match(broken.out, /^✗ data directory .*credentials\.json cannot be used: it is not JSON$/m);
  t.notMatch(broken.out, 'canary');
});
