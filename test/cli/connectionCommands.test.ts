import t from 'tap';
import { callable } from '../../src/cli/invocation.ts';
import { gatehouse } from './oneProcess.ts';
import { against, CONNECTION, error, INTEGRATION, page } from './operator.ts';
import { json } from './support.ts';

const NO_ACTIONS = { read: 0, write: 0, destructive: 0, quarantined: 0 };

t.test('connections add: two accounts that nobody can tell apart', async (t) => {
  let made: object = { ...CONNECTION, id: 'con_2', account_label: null };
  let others: object[] = [];
  let status = 200;
  const { callWith, requests } = await against(t, ({ method }, response) => (method === 'POST'
    ? json(response, 201, made)
    : json(response, status, status === 200 ? page(made, ...others) : error('internal', 'x'))));
  const add = () => callWith('s3cret', 'connections', 'add', 'github', '--workspace', 'wsp_1',
    '--auth', 'bearer');
  const alike = { ...CONNECTION, account_label: null };
  others = [alike];
  const { code, out, err } = await add();
  t.strictSame([code, out], [0, 'con_2\n']);
  t.match(requests.at(-1)!.path,
    /^\/v1\/admin\/connections\?workspace_id=wsp_1&integration=github&/);
  t.match(err, /Another account of github is connected, con_1\. .*connection_ambiguous/);
  t.match(err, /connections update con_1 --account <label>\n.*update con_2 --account <label>\n$/);
  for (const one of [[], [CONNECTION], [{ ...alike, status: 'disabled' }]]) {
    others = one;
    t.notMatch((await add()).err, 'Another account', JSON.stringify(one));
  }
  others = [alike];
  status = 500;
  const unsaid = await add();
  t.strictSame([unsaid.code, unsaid.out], [0, 'con_2\n'], 'it is connected all the same');
  status = 200;
  for (const other of [{ account_label: 'octocat' }, { status: 'pending' }]) {
    made = { ...CONNECTION, account_label: null, id: 'con_2', ...other };
    t.notMatch((await add()).err, 'Another account', JSON.stringify(other));
  }
});

t.test('connections add: a server that may say by now how it is authorized', async (t) => {
  const server = { ...INTEGRATION, kind: 'mcp', mcp: { url: 'https://x.example/mcp' },
    auth_methods: ['bearer', 'oauth2', 'none'], actions: NO_ACTIONS };
  let known: object = server;
  let refreshed: [number, object] = [200, { ...server, auth_methods: ['oauth2'] }];
  const { call, requests } = await against(t, ({ method, path }, response) => (method === 'GET'
    ? json(response, 200, known)
    : path.endsWith('/refresh') ? json(response, ...refreshed) : json(response, 201, CONNECTION)));
  const add = () => call('connections', 'add', 'github', '--workspace', 'wsp_1');
  t.match(await add(), { code: 0, out: 'con_1\n' });
  t.match(requests.map(({ method, path }) => `${method} ${path}`).slice(0, 3),
    ['GET /v1/admin/integrations/github', 'POST /v1/admin/integrations/github/refresh',
      'POST /v1/admin/connections']);
  t.match(requests[2]!.body, { credentials: { type: 'oauth2' } });
  const unusable = 'Its OAuth cannot be used: 10.1.2.3 is not public: `egress_allow` allows it.';
  for (const [status, answer, said] of [
    [200, { ...server, report: { ...INTEGRATION.report, warnings: [unusable] } },
      [unusable, /^It is allowed with: .* integrations update github --allow/]],
    [500, error('internal', 'The server hung up.'), ['The server hung up.', /^\(internal, /]],
  ] as const) {
    refreshed = [status, answer];
    const { code, err } = await add();
    t.equal(code, 2);
    t.match(err.split('\n').slice(0, 2), said);
    t.match(err.split('\n').slice(-4), [/ --auth bearer$/,
      /^[^"]*connections add github --workspace wsp_1 --auth oauth2$/, / --auth none$/, /^$/]);
  }
  for (const more of [{ actions: { ...NO_ACTIONS, quarantined: 1 } }, { mcp: { command: 'x' } },
    { report: { ...INTEGRATION.report, has_resources: true } }]) {
    known = { ...server, ...more };
    requests.length = 0;
    t.match(await add(), { code: 2 });
    t.strictSame(requests.map(({ method }) => method), ['GET'], 'what is known is left as it is');
  }
});

t.test('connections check: what to do about one that nobody uses', async (t) => {
  let [status, message] = ['', 'It is so.'];
  const { call, base_url } = await against(t, (_, response) => json(response, 200,
    { ok: false, status, action: null, message }));
  for (const [is, how] of [['pending', 'reconnect con_1'],
    ['disabled', 'update con_1 --enable'], ['connected', '']] as const) {
    status = is;
    const { code, out, err } = await call('connections', 'check', 'con_1');
    t.strictSame({ code, out }, { code: 1, out: `It does not work (${is}): It is so.\n` });
    t.equal(err.split(' connections ')[1] ?? '', how && `${how}\n`);
  }
  message = 'Reconnect it: `gatehouse connections reconnect con_1`.';
  t.match((await call('connections', 'check', 'con_1')).out,
    /: Reconnect it: `\S+\/bin\/gatehouse connections reconnect con_1`\.\n$/, 'to paste');
  t.match((await call('connections', 'check', 'con_1', '--base-url', base_url)).out,
    `/bin/gatehouse connections reconnect con_1 --base-url ${base_url}\`.`, 'at the same place');
});

t.test('connections add: a key that is all of the header Authorization', async (t) => {
  const settings = { in: 'header', name: 'authorization' };
  let made: object = { ...CONNECTION, auth_type: 'api_key', settings };
  const description = 'Token-based authentication with required prefix "Token"';
  const report = { security_schemes: [
    { placement: { in: 'cookie', name: 'authorization' }, description: 'no' },
    { placement: { in: 'header', name: 'Authorization' }, description }] };
  const { callWith } = await against(t, ({ method, path }, response) => {
    if (method === 'POST') return json(response, 201, made);
    return json(response, 200, path.includes('/integrations/')
      ? { object: 'integration', report } : page());
  });
  const add = async (...flags: string[]) => (await callWith('s3cret', 'connections', 'add',
    'github', '--workspace', 'wsp_1', '--auth', 'api_key', ...flags)).err;
  t.match(await add(),
    /Authorization holds the secret alone\. .*--prefix Token\.\nIts document says: .* "Token"\n/);
  report.security_schemes.pop();
  t.match(await add(), /--prefix Token\.\n(?!Its document)/, 'nothing, if that says nothing');
  t.notMatch(await add('--prefix', 'Token'), 'alone');
  made = { ...CONNECTION, settings: { ...settings, name: 'X-Key' } };
  t.notMatch(await add(), 'alone');
});

t.test('connections add and reconnect without a secret: the whole command to paste', async (t) => {
  const cwd = t.testdir({});
  const cases: [args: string[], again: string][] = [
    [['add', 'x', '--auth', 'basic', '--username', "it's me", '--alone', '--scheme', 'one',
      '-w', 'wsp_1', '--admin-token', 'gta_x', '--name', ''],
    "add x --workspace wsp_1 --name '' --auth basic --username 'it'\\''s me' --scheme one --alone"
      + ' --admin-token …'],
    [['add', 'x', '--auth', 'bearer', '--workspace=wsp_1'],
      'add x --workspace wsp_1 --auth bearer'],
    [['reconnect', 'con_1', '--auth', 'bearer'], 'reconnect con_1 --auth bearer'],
  ];
  for (const [args, again] of cases) {
    const { code, out, err } = await gatehouse(['connections', ...args], { cwd });
    t.strictSame([code, out], [2, '']);
    t.match(err, 'There is no secret on standard input. Try: printf %s "$TOKEN" | ');
    t.ok(err.endsWith(`/bin/gatehouse connections ${again}\n`), err);
  }
});

t.test('a command in a message becomes one to paste, once', (t) => {
  const whole = 'GATEHOUSE_DATA_DIR=x npx gatehouse';
  const made = (message: string) => callable(message, ['run', 'runs'], whole);
  t.equal(made('Try `gatehouse runs list`, or: gatehouse run'),
    `Try \`${whole} runs list\`, or: ${whole} run`);
  t.equal(made(`Try: ${whole} run`), `Try: ${whole} run`);
  t.equal(made('A gatehouse is no command.'), 'A gatehouse is no command.');
  t.end();
});
