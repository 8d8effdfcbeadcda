/** The operator's commands for the gateway against a service that says what the test wants. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { against, CONNECTION, error, INTEGRATION, page } from './operator.ts';
import { json } from './support.ts';

t.test('integrations add: a document, and what comes next', async (t) => {
  let made: object = INTEGRATION;
  const { call, requests, cwd } = await against(t, (_request, response) =>
    json(response, 201, made));
  writeFileSync(join(cwd, 'api.yaml'), 'openapi: 3.1.0');
  const added = await call('integrations', 'add', 'github', '--document', 'api.yaml',
    '--title', 'GH', '--api-url', 'https://x.example', '--allow', '10.0.0.0/8:443');
  t.match(requests[0], {
    method: 'POST', path: '/v1/admin/integrations', headers: { authorization: 'Bearer gta_test' },
    body: {
      slug: 'github', kind: 'openapi', document: 'openapi: 3.1.0', title: 'GH',
      base_url: 'https://x.example', egress_allow: ['10.0.0.0/8:443'],
    },
  });
  t.match(added, { code: 0, out: 'github (GitHub): 21 of 22 operations are actions: 12 read, 7'
    + ' write, 2 destructive.\n  left out: TRACE /x: the method is not supported\n'
    + '  note: A warning.\n' });
  t.match(added.err, /^The API is called at: https:\S+\nConnect .* --workspace … --auth bearer\n$/);

  const told = `Somewhere. ${'Very long. '.repeat(30)}Say where: gatehouse integrations update x`;
  made = { ...INTEGRATION, report: { ...INTEGRATION.report, skipped: [],
    warnings: [told, ...Array.from({ length: 11 }, (_, at) => `It is ${at}.`)] } };
  const noted = (await call('integrations', 'refresh', 'github')).out;
  t.match(noted, /\n {2}note: Somewhere\. .*Say where: \S+\/bin\/gatehouse integrations update x\n/,
    'with a command to paste, all of it');
  t.match(noted, '\n  note: It is 8.\n  and 2 more\n');

  made = { ...INTEGRATION, auth_methods: [], base_url: null };
  const bare = await call('integrations', 'add', 'github', '--document', 'https://x.example/d');
  t.match(requests.at(-1)!.body, { document_url: 'https://x.example/d' });
  t.match(bare.err, /^Connect .*\nor, if it needs no account: .*add github .* --auth none\n$/);

  made = { ...INTEGRATION, auth_methods: ['api_key'], actions: { ...INTEGRATION.actions,
    quarantined: 2 } };
  const keyed = await call('integrations', 'refresh', 'github', '--accept');
  t.match(requests.at(-1), { path: '/v1/admin/integrations/github/refresh',
    body: { accept_changes: true } });
  t.match(keyed.out,
    '2 are new or have changed, and are quarantined until you accept them: refresh --accept.');

  made = { ...INTEGRATION, report: { ...INTEGRATION.report, changes_total: 3, changes: [
    { action: 'github.issues.create', source_key: 'POST /issues', offered: true, fields_total: 2,
      fields: [{ field: 'description', before: 'Creates.', after: 'Sends \\u{202e}\u001b[8m.' }] },
    { action: 'github.x', source_key: 'x', offered: false, fields_total: 1,
      fields: [{ field: '/input_schema/required', before: null, after: '["all"]' }] },
  ] } };
  const shown = await call('integrations', 'refresh', 'github');
  t.match(requests.at(-1), { body: { accept_changes: false } });
  t.match(shown.out, '  changed: github.issues.create (goes on as it was accepted)\n'
    + '    description\n      - Creates.\n      + Sends \\u{202e}\ufffd[8m.\n'
    + '    and 1 more that are not shown\n  changed: github.x (quarantined)\n'
    + '    /input_schema/required\n      + ["all"]\n  and 1 more actions that are not shown\n');
  t.match(shown.out, /Accept what has changed, .* with: .* integrations refresh github --accept/);
});

t.test('integrations add: MCP servers', async (t) => {
  // That one reads resources, which no hint is about.
  const actions = { read: 1, write: 3, destructive: 0, quarantined: 0 };
  const made = { ...INTEGRATION, kind: 'mcp', base_url: null, actions, mcp: { command: 'x' } };
  const { call, requests, cwd } = await against(t, (_request, response) =>
    json(response, 201, made));
  const { err } = await call('integrations', 'add', 'files', '--mcp-env', 'SECRET_OF_MCP',
    '--mcp-command', `./serve --root "/my files" --name='a "b"' ''`);
  t.match(requests[0]!.body, { kind: 'mcp', mcp: {
    command: join(cwd, 'serve'), args: ['--root', '/my files', '--name=a "b"', ''],
    env: { SECRET_OF_MCP: 'for the server alone' },
  } });
  t.notOk('trust_hints' in (requests[0]!.body as { mcp: object }).mcp, 'which is no trust');
  t.match(err, /^Every tool counts as one that writes\.[^]* update files --trust-hints\nIt runs /);
  t.match(err, /\nIt runs once for all workspaces [^]* update github --workspace wsp_…\nConnect /);
  t.match(err, /\nConnect it with: .* --auth none\n$/);
  await call('integrations', 'add', 'tools', '--mcp-url', 'https://x.example/mcp',
    '--trust-hints');
  t.strictSame((requests[1]!.body as { mcp: object }).mcp,
    { url: 'https://x.example/mcp', trust_hints: true });
  await call('integrations', 'add', 'files', '--mcp-command',
    String.raw`serve my\ files it\'s "say \"hi\" to C:\new" 'as\is' \\ ä`);
  t.strictSame((requests.at(-1)!.body as { mcp: object }).mcp, { command: 'serve',
    args: ['my files', "it's", String.raw`say "hi" to C:\new`, String.raw`as\is`, '\\', 'ä'] });
  actions.write = 0;
  const add = ['integrations', 'add', 'later', '--mcp-url', 'https://x.example/mcp'];
  t.notMatch((await call(...add)).err, 'Every tool', 'it only has resources');
  actions.read = 0;
  t.match((await call(...add)).err, /^Every tool counts as one that writes\./,
    'once they are listed, to an account');
  t.match(await call('integrations', 'add', 'x', '--mcp-command', 'y', '--mcp-env', 'NOT_SET'),
    { code: 1, err: 'NOT_SET is not set in this environment.\n' });
  for (const [command, said] of [["serve --name O'Brien", 'has a quote that does not end'],
    ['serve "', 'has a quote that does not end'], ['serve \\', 'ends in a backslash']] as const) {
    t.match(await call('integrations', 'add', 'x', '--mcp-command', command),
      { code: 2, err: `--mcp-command ${said}.\n` });
  }
});

t.test('integrations add: a command over several lines has the words of a shell', async (t) => {
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 201, { ...INTEGRATION, kind: 'mcp', mcp: { command: 'x' } }));
  for (const [line, [command, ...args]] of [
    ['docker run \\\n  -i image\\\n', ['docker', 'run', '-i', 'image']],
    ['a\\\nb \\\n', ['ab']],
    ['a\n"b\\\nc"\t\'d\\\ne\' f\u00a0g', ['a', 'bc', 'd\\\ne', 'f\u00a0g']],
  ] as const) {
    await call('integrations', 'add', 'x', '--mcp-command', line);
    t.strictSame((requests.at(-1)!.body as { mcp: object }).mcp, { command, args });
  }
});

t.test('integrations list and remove', async (t) => {
  const { call, requests } = await against(t, ({ method, path }, response) => {
    if (method === 'GET') return json(response, 200, page(INTEGRATION));
    return path.endsWith('/used') ? json(response, 409, error('integration_in_use',
      'Remove them first; `gatehouse connections list --integration used` lists them.'))
      : response.writeHead(204).end();
  });
  t.match((await call('integrations', 'list')).out,
    /^SLUG .*\ngithub {2}openapi {2}12 +7 +2 +0 +GitHub\n$/);
  t.match(await call('integrations', 'remove', 'github'), { out: 'github is removed.\n' });
  t.match(requests.at(-1), { method: 'DELETE', path: '/v1/admin/integrations/github' });
  const { err } = await call('integrations', 'remove', 'used');
  t.match(err, /`\S*\/bin\/gatehouse connections list --integration used` lists/,
    'a command in a message can be pasted');
});

t.test('connections add: the secret comes by standard input', async (t) => {
  const { callWith, requests } = await against(t, (_request, response) =>
    json(response, 201, CONNECTION));
  const cases: [string[], object][] = [
    [['--auth', 'none'], { type: 'none' }],
    [['--auth', 'bearer'], { type: 'bearer', token: 's3cret' }],
    [['--auth', 'api_key', '--header', 'X-Key'],
      { type: 'api_key', in: 'header', name: 'X-Key', value: 's3cret' }],
    [['--auth', 'api_key', '--header', 'key', '--in', 'query', '--prefix', 'Token'],
      { type: 'api_key', in: 'query', name: 'key', value: 's3cret', prefix: 'Token' }],
    [['--auth', 'basic', '--username', 'me'],
      { type: 'basic', username: 'me', password: 's3cret' }],
    [['--auth', 'api_key'], { type: 'api_key', value: 's3cret' }],
    [['--auth', 'api_key', '--in', 'query'], { type: 'api_key', in: 'query', value: 's3cret' }],
    [['--auth', 'oauth2', '--client-id', 'c'],
      { type: 'oauth2', client_id: 'c', client_secret: 's3cret' }],
    [['--auth', 'oauth2', '--client-id', 'c', '--scope', '', '--scheme', 'a', '--client-auth',
      'post', '--refresh-url', 'https://x/r'],
    { type: 'oauth2', client_id: 'c', scheme: 'a', refresh_url: 'https://x/r', client_auth: 'post',
      scopes: [], client_secret: 's3cret' }],
    [['--auth', 'client_credentials', '--token-url', 'https://x/t', '--client-id', 'c',
      '--scope', 'a', '--scope', 'b', '--audience', 'https://a/', '--resource', 'https://r/'],
    { type: 'oauth2', grant: 'client_credentials', token_url: 'https://x/t', client_id: 'c',
      scopes: ['a', 'b'], client_secret: 's3cret', audience: 'https://a/', resource: 'https://r/' },
    ],
  ];
  for (const [flags, credentials] of cases) {
    const { code, out, err } = await callWith('s3cret\n', 'connections', 'add', 'github',
      '--workspace', 'wsp_1', ...flags);
    t.match({ code, out }, { code: 0, out: 'con_1\n' }, flags.join(' '));
    t.match(err, /^It is connected, and was not tried yet\..*connections check con_1\n$/);
    t.strictSame(requests.at(-1)!.body,
      { workspace_id: 'wsp_1', integration: 'github', name: 'github', credentials });
  }
  const client = ['--auth', 'authorization_code', '--token-url', 'https://x/t', '--client-id', 'c',
    '--authorize-url', 'https://x/a'];
  await callWith('', 'connections', 'add', 'github', '--workspace', 'wsp_1', ...client);
  t.notOk('client_secret' in (requests.at(-1)!.body as { credentials: object }).credentials,
    'a public client has none');
});

t.test('connections add: refused as it was asked for its tools', async (t) => {
  const { callWith } = await against(t, (_request, response) => json(response, 201, {
    ...CONNECTION, status: 'needs_reconnect', status_reason: 'It refused\u001b the token.' }));
  const { code, err } = await callWith('s3cret', 'connections', 'add', 'github',
    '--workspace', 'wsp_1', '--auth', 'bearer');
  t.equal(code, 0);
  t.match(err, /^It does not work: It refused\S* the token\. Reconnect it with: .* con_1\n$/);
});

t.test('connections add: as the document says', async (t) => {
  let auth_methods: string[] = ['oauth2'];
  let answer: [number, object] = [201, { ...CONNECTION, settings: {
    grant: 'authorization_code', token_url: 'https://x.example/t\u001b', scopes: ['a', 'b'] } }];
  const { callWith, requests } = await against(t, ({ method }, response) => (method === 'GET'
    ? json(response, 200, { ...INTEGRATION, auth_methods }) : json(response, ...answer)));
  const add = (...flags: string[]) =>
    callWith('s3cret', 'connections', 'add', 'github', '--workspace', 'wsp_1', ...flags);
  const made = await add('--client-id', 'c');
  t.match(requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /v1/admin/integrations/github', 'POST /v1/admin/connections']);
  t.strictSame((requests[1]!.body as { credentials: object }).credentials,
    { type: 'oauth2', client_id: 'c', client_secret: 's3cret' });
  t.match(made, { code: 0, out: 'con_1\n' });
  t.match(made.err, /^It is used so; .*\n {2}grant: authorization_code\n {2}token_url: /);
  t.match(made.err, /\n {2}scopes: a b\nIt is connected, /);
  t.notMatch(made.err, '\u001b');
  await add();
  t.strictSame((requests.at(-1)!.body as { credentials: object }).credentials, { type: 'oauth2' },
    'without a client there is no secret of it');

  auth_methods = ['bearer', 'basic', 'oauth2'];
  const { code, err } = await add();
  t.equal(code, 2);
  t.match(err.split('\n'), [/^Accounts can be used in several ways\. Give --auth:$/,
    /^printf %s "\$SECRET" \| .*connections add github --workspace wsp_1 --auth bearer$/,
    /--auth basic --username …$/, /--auth oauth2 --client-id …$/]);
  auth_methods = [];
  t.match((await add()).err.split('\n'), [/does not say how/, / --auth none$/, / --auth bearer$/]);

  auth_methods = ['api_key'];
  for (const [field, flag] of [['name', '--header'], ['grant', '--auth'], ['scopes', '--scope'],
    ['token_url', '--token-url']]) {
    answer = [400, error('invalid_request', `Give ${field}: the document does not declare it.`)];
    t.match(await add(), { code: 1, err: `\nHere: ${flag}\n` });
  }
  answer = [400, error('invalid_request', 'Something else.')];
  t.notMatch((await add()).err, 'Here');
});

t.test('connections reconnect, list, check and remove', async (t) => {
  let ok = true;
  let action: string | null = 'github.x';
  let [auth_type, status] = ['bearer', 'pending'];
  const authorization_url = 'https://x.example/authorize?state=1';
  const authorization_expires_at = '2026-11-21T09:21:00.000Z';
  const { call, callWith, requests } = await against(t, ({ method, path }, response) => {
    if (method === 'DELETE') return response.writeHead(204).end();
    if (path.endsWith('/check')) {
      return json(response, 200, { ok, status: 'connected', action, message: 'It answered.' });
    }
    if (method === 'GET' && path.endsWith('/con_1')) {
      return json(response, 200, { ...CONNECTION, auth_type });
    }
    if (path.endsWith('/integrations/github')) return json(response, 200, INTEGRATION);
    return json(response, 200, method === 'GET' ? page(CONNECTION)
      : { ...CONNECTION, status, authorization_url, authorization_expires_at });
  });
  const again = await callWith('new', 'connections', 'reconnect', 'con_1', '--auth', 'bearer');
  t.match(requests[0], { method: 'PATCH', path: '/v1/admin/connections/con_1',
    body: { credentials: { type: 'bearer', token: 'new' } } });
  t.match(again, { out: 'con_1\n',
    err: 'Open this until 2026-11-21 09:21Z, and consent; it opens once, in one browser:\n'
    + `${authorization_url}\nThen try it with:` });
  await callWith('newer', 'connections', 'reconnect', 'con_1');
  t.strictSame(requests.at(-1)!.body, { credentials: { type: 'bearer', token: 'newer' } },
    'the kind that it is');
  [auth_type, status] = ['oauth2', 'connected'];
  t.match(await callWith('', 'connections', 'reconnect', 'con_1'),
    { err: /\nUntil then it keeps what it has.*, tells: .* connections show con_1\n$/ });
  t.strictSame(requests.at(-1)!.body, { credentials: { type: 'oauth2' } }, 'as it was');
  auth_type = 'api_key';
  await callWith('x', 'connections', 'reconnect', 'con_1');
  t.strictSame(requests.at(-1)!.body, { credentials: { type: 'api_key', value: 'x' } },
    'the document says where it goes');
  t.match((await call('connections', 'list', '--integration', 'github')).out,
    /\ncon_1 {2}github +github +octocat {2}bearer {2}connected {2}wsp_1 {6}-\n$/);
  t.match(requests.at(-1)!.path, 'integration=github');
  t.match(await call('connections', 'check', 'con_1'),
    { code: 0, out: 'It works (connected): It answered.\n' });
  action = null;
  t.match(await call('connections', 'check', 'con_1'),
    { code: 0, out: 'Not tried (connected): It answered.\n' });
  ok = false;
  t.match(await call('connections', 'check', 'con_1'), { code: 1, out: 'It does not work' });
  t.match(await call('connections', 'remove', 'con_1'), { out: 'con_1 is removed.\n' });
});

t.test('grants and approvals', async (t) => {
  const grant = { id: 'grt_1', actions: 'github.*', decision: 'deny', workspace_id: 'wsp_1',
    approval_scope: 'api_key', api_key_id: null, connection_id: null,
    expires_at: '2099-01-31T00:00:00.000Z' };
  let matches = 3;
  const approval = { id: 'apr_1', action: 'github.issues.create', status: 'pending',
    connection_id: 'con_1', run_id: 'run_1', input: { body: { title: '\u001b[2J' } },
    api_key_id: 'key_1', scope: 'api_key', expires_at: '2026-11-22T09:13:00.000Z' };
  const { call, requests } = await against(t, ({ method, path, body }, response) => {
    if (method === 'DELETE') return response.writeHead(204).end();
    if (path.includes('/grants')) {
      return json(response, method === 'GET' ? 200 : 201, method === 'GET' ? page(grant)
        : { ...grant, matches });
    }
    const { decision } = (body ?? {}) as { decision?: string };
    const others = { ...approval, id: 'apr_2', run_id: null, effect: 'write' };
    return json(response, 200, decision === undefined ? page(approval, others)
      : { ...approval, status: decision === 'approve' ? 'approved' : 'denied' });
  });
  t.match(await call('grants', 'add', '--actions', 'github.*', '--decision', 'deny', '--workspace',
    'wsp_1', '--key', 'key_1', '--connection', 'con_1', '--expires', '2027-01-31'),
  { code: 0, out: 'grt_1\n', err: '' });
  t.strictSame(requests[0]!.body, { workspace_id: 'wsp_1', actions: 'github.*', decision: 'deny',
    api_key_id: 'key_1', connection_id: 'con_1', expires_at: '2027-01-31T00:00:00.000Z' });
  await call('grants', 'add', '--actions', '*', '--decision', 'require_approval',
    '--approval-scope', 'workspace', '--workspace', 'wsp_1');
  t.match(requests.at(-1)!.body, { approval_scope: 'workspace' });
  matches = 0;
  t.match(await call('grants', 'add', '--actions', 'nope', '--workspace', 'wsp_1'), { code: 0,
    out: 'grt_1\n', err: /^It matches no action of today\. .* grants remove grt_1\n$/ });
  t.match((await call('grants', 'list')).out, /^grt_1 .* -    -           2099-01-31 00:00Z$/m);
  grant.expires_at = '2026-01-31T00:00:00.000Z';
  t.match((await call('grants', 'list')).out, /2026-01-31 00:00Z \(expired\)$/m);
  t.match(await call('grants', 'remove', 'grt_1'), { out: 'grt_1 is removed.\n' });

  const { out } = await call('approvals', 'list', '--workspace', 'wsp_1');
  t.match(requests.at(-1)!.path, '/v1/admin/approvals?workspace_id=wsp_1&status=pending');
  t.equal(out, [
    'ID     ACTION                STATUS   EXPIRES            CONNECTION  ASKED BY    FOR    INPUT',
    'apr_1  github.issues.create  pending  2026-11-22 09:13Z  con_1       run_1       key_1  '
      + '{"body":{"title":"\\u001b[2J"}}',
    'apr_2  github.issues.create  pending  2026-11-22 09:13Z  con_1       MCP client  key_1  '
      + '{"body":{"title":"\\u001b[2J"}}', ''].join('\n'));
  await call('approvals', 'list', '--status', 'denied');
  t.match(requests.at(-1)!.path, /\?status=denied&/);
  await call('approvals', 'list', '--status', 'all');
  t.notMatch(requests.at(-1)!.path, 'status');
  t.match(await call('approvals', 'approve', 'apr_1', '--reason', 'fine'), {
    out: 'apr_1 (github.issues.create) is approved. The next call that is exactly this one, by the'
      + ' key key_1, goes through, until 2026-11-22 09:13Z.\n' });
  t.match(requests.at(-1), { path: '/v1/admin/approvals/apr_1/decision',
    body: { decision: 'approve', reason: 'fine' } });
  t.match(await call('approvals', 'deny', 'apr_1'),
    { out: 'apr_1 (github.issues.create) is denied.\n' });
});

t.test('actions', async (t) => {
  const action = { name: 'x.y.list', effect: 'read', title: 'List y' };
  const { call, callWith, requests, cwd } = await against(t, ({ method, path, body }, response) => {
    const { action: called } = (body ?? {}) as { action?: string };
    if (called === 'x.bad') {
      return json(response, 400, error('invalid_input', 'The input is not valid.', { missing: [{
        code: 'invalid_input', violations: [{ path: '/input/a', message: 'is required' },
          { path: '/input/b', message: 'is required' }] }] }));
    }
    if (called === 'x.down') {
      return json(response, 502, error('upstream_error', 'X answered 404 to this call.',
        { upstream: { status: 404, body: { error: 'No such\u001b zone' } } }));
    }
    if (called === 'x.two') {
      return json(response, 409, error('connection_ambiguous', 'Which one?', { missing: [{
        connections: [{ connection_id: 'con_1', account_label: 'octocat' },
          { connection_id: 'con_2', account_label: null }] }] }));
    }
    if (path.endsWith('/action_invocations')) {
      return json(response, 201, { result: { a: 1 }, truncated: called === 'x.cut',
        page: { next_cursor: 'c2' } });
    }
    const found = method === 'POST' || !path.includes('none');
    return json(response, 200, page(...found ? [action] : []));
  });
  const table = 'ACTION    EFFECT  TITLE\nx.y.list  read    List y\n';
  t.equal((await call('actions', 'list', '--integration', 'x')).out, table);
  t.match(await call('actions', 'list', '--integration', 'none'),
    { code: 0, out: '', err: 'There are no such actions.\n' });
  t.equal((await call('actions', 'search', 'list', 'my', 'y', '--limit', '3')).out, table);
  t.strictSame(requests.at(-1)!.body, { query: 'list my y', limit: 3 });
  t.match((await call('actions', 'describe', 'x.y.list')).out, '{\n  "a": 1\n}\n');
  t.strictSame(requests.at(-1)!.body,
    { action: 'gateway.actions.describe', input: { name: 'x.y.list' } });

  writeFileSync(join(cwd, 'input.json'), '{"query": {"limit": 2}}');
  const made = await call('actions', 'invoke', 'x.cut', '--input', '@input.json', '--fields', 'a,b',
    '--connection', 'con_1', '--cursor', 'c1');
  t.strictSame(requests.at(-1)!.body, { action: 'x.cut', input: { query: { limit: 2 } },
    connection_id: 'con_1', fields: ['a', 'b'], cursor: 'c1' });
  t.match(made, { code: 0, out: '{\n  "a": 1\n}\n', err: 'The result is longer than what is kept of'
    + ' one.\nThere is more: --cursor c2\n' });
  await callWith('{"body": {}}', 'actions', 'invoke', 'x.y', '--input', '-');
  t.match(requests.at(-1)!.body, { input: { body: {} } });

  const many = requests.length;
  t.match(await call('actions', 'invoke', 'x.y', '--input', '{"id":9007199254740993}'),
    { code: 2, err: /\/id is the number 9007199254740993, .*send it as a text/ });
  t.equal(requests.length, many, 'nothing was asked');
  t.match((await call('actions', 'invoke', 'x.down')).err,
    /^X answered 404 to this call\.\n {2}It said: \{"error":"No such\\u001b zone"\}\n\(upstream_/);
  t.equal((await call('actions', 'invoke', 'x.bad')).err, 'The input is not valid.\n'
    + '  /input/a is required\n  /input/b is required\n(invalid_input, request req_1)\n');
  t.equal((await call('actions', 'invoke', 'x.two')).err, 'Which one?\n  con_1 octocat\n'
    + '  con_2 (no label)\n(connection_ambiguous, request req_1)\n');
});

t.test('dashboard: a link alone, for whoever takes it', async (t) => {
  const url = 'http://127.0.0.1:3000/dashboard/#ticket=gtk_x';
  const { call, requests } = await against(t, (_request, response) => json(response, 201,
    { object: 'dashboard_ticket', ticket: 'gtk_x', url, expires_at: '2026-11-21T09:10:00.000Z' }));
  for (const flags of [[], ['--no-open']]) {
    t.match(await call('dashboard', ...flags), { code: 0, out: `${url}\n`,
      err: 'This link signs in once, until 2026-11-21T09:10:00.000Z:\n' });
  }
  t.match(requests[0], { method: 'POST', path: '/v1/admin/dashboard_tickets',
    headers: { authorization: 'Bearer gta_test' } });
});
