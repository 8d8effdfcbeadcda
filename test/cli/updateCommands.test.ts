/** Changing integrations and connections, against a service that says what the test wants. */
import t from 'tap';
import { against, CONNECTION, INTEGRATION } from './operator.ts';
import { json } from './support.ts';

t.test('integrations update: what the operator knows better, for whom, and where', async (t) => {
  const overrides = { 'GET /a': { hidden: true }, 'GET /b': { effect: 'write' },
    'GET /c': { soft_error: { pointer: '/ok', equals: false } } };
  let now: object = { ...INTEGRATION, overrides };
  const { call, callWith, requests } = await against(t, (_request, response) =>
    json(response, 200, now));
  const update = async (...flags: string[]) => {
    const ended = await call('integrations', 'update', 'github', ...flags);
    return { ...ended, body: requests.at(-1)!.body };
  };
  const { body } = await update('--effect', 'POST /a?b=c=read', '--effect', 'GET /b=destructive',
    '--hide', 'DELETE /d', '--show', 'GET /a', '--hide-parameter', 'GET /b=header.x',
    '--hide-parameter', 'GET /b=header.y');
  t.match(requests.at(-2), { method: 'GET', path: '/v1/admin/integrations/github',
    headers: { authorization: 'Bearer gta_test' } });
  t.match(requests.at(-1), { method: 'PATCH', path: '/v1/admin/integrations/github' });
  t.strictSame(body, { overrides: {
    'GET /b': { effect: 'destructive', hidden_parameters: ['header.x', 'header.y'] },
    'GET /c': overrides['GET /c'], 'POST /a?b=c': { effect: 'read' },
    'DELETE /d': { hidden: true },
  } });
  const reset = await update('--reset', 'GET /a', '--reset', 'GET /b');
  t.strictSame(reset.body, { overrides: { 'GET /c': overrides['GET /c'] } });
  t.match(reset, { code: 0, err: '' });
  t.strictSame((await update('--reset', '*', '--hide', 'GET /e')).body,
    { overrides: { 'GET /e': { hidden: true } } }, '* is all of them');
  await callWith('{"*": {"effect": "write"}}', 'integrations', 'update', 'github', '--overrides',
    '-', '--hide', 'GET /e');
  t.strictSame(requests.at(-1)!.body,
    { overrides: { '*': { effect: 'write' }, 'GET /e': { hidden: true } } });

  const set = await update('--set', '*=header.Notion-Version=2022-06-28', '--set',
    'POST /a?b=c=query.q=x=y', '--set', 'GET /a=path.id=7', '--set', 'GET /a=path.id=');
  t.strictSame(set.body, { overrides: { ...overrides,
    '*': { parameters: { 'header.Notion-Version': '2022-06-28' } },
    'POST /a?b=c': { parameters: { 'query.q': 'x=y' } } } }, 'an empty one is taken back');
  t.match(await update('--set', '*=Notion-Version=1'), { code: 2, err: /must be like/ });

  now = { ...INTEGRATION, workspace_ids: ['wsp_1', 'wsp_2'], overrides: { ...overrides,
    'GET /a': { effect: 'read', hidden: true, hidden_parameters: ['header.x'] } } };
  const offered = await update('--workspace', 'wsp_1', '--workspace', 'wsp_2', '--title', 'GH',
    '--allow', '10.0.0.0/8:443', '--api-url', 'https://x.example',
    '--document', 'https://x.example/d');
  t.strictSame(offered.body, { document_url: 'https://x.example/d', title: 'GH',
    base_url: 'https://x.example', egress_allow: ['10.0.0.0/8:443'],
    workspace_ids: ['wsp_1', 'wsp_2'] });
  t.match(offered.out, '  you say: GET /a: read; hidden; without header.x\n'
    + '  you say: GET /b: write\n  you say: GET /c: failed if /ok is false\n'
    + '  offered to: wsp_1, wsp_2\n');
  t.strictSame((await update('--all-workspaces', '--public-only')).body,
    { egress_allow: [], workspace_ids: null });
});

t.test('integrations update: hints that are to be believed', async (t) => {
  const mcp = { command: 'x', env_names: ['TOKEN'], trust_hints: false };
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 200, { ...INTEGRATION, kind: 'mcp', mcp }));
  const update = (...flags: string[]) => call('integrations', 'update', 'files', ...flags);
  t.match(await update('--trust-hints'), { code: 0, out: /21 of 22 tools are actions/ });
  t.strictSame(requests.at(-1)!.body, { mcp: { trust_hints: true } }, 'alone');
  await update('--no-trust-hints');
  t.strictSame(requests.at(-1)!.body, { mcp: { trust_hints: false } });
  const server = ['--mcp-url', 'https://x.example/mcp'];
  await update(...server);
  t.strictSame(requests.at(-1)!.body, { mcp: { url: 'https://x.example/mcp' } }, 'as it is');
  await update(...server, '--no-trust-hints');
  t.strictSame(requests.at(-1)!.body,
    { mcp: { url: 'https://x.example/mcp', trust_hints: false } });
});

t.test('integrations and connections update: what cannot be meant', async (t) => {
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 200, INTEGRATION));
  for (const [flags, message] of [
    [[], 'Say what to change'],
    [['--effect', 'GET /a'], 'It must be like "POST /pets/search=read".'],
    [['--effect', 'GET /a=delete'], 'It must end in =read, =write or =destructive.'],
    [['--hide-parameter', '=x'], 'It must be like "GET /pets=header.x-tenant".'],
    [['--overrides', '[]'], '--overrides must be a JSON object'],
    [['--workspace', 'wsp_1', '--all-workspaces'], 'not both'],
    [['--allow', '10.0.0.1:1', '--public-only'], 'not both'],
    [['--document', 'x', '--mcp-url', 'y'], 'Give one of --document'],
  ] as [string[], string][]) {
    t.match(await call('integrations', 'update', 'github', ...flags),
      { code: 2, out: '', err: message });
  }
  for (const [flags, message] of [
    [[], 'Say what to change'], [['--enable', '--disable'], 'not both'],
  ] as [string[], string][]) {
    t.match(await call('connections', 'update', 'con_1', ...flags),
      { code: 2, out: '', err: message });
  }
  t.strictSame(requests.filter(({ method }) => method !== 'GET'), []);
});

t.test('connections update', async (t) => {
  let made: object = { ...CONNECTION, status: 'disabled' };
  const { call, requests } = await against(t, (_request, response) => json(response, 200, made));
  const update = async (...flags: string[]) => {
    const ended = await call('connections', 'update', 'con_1', ...flags);
    return { ...ended, body: requests.at(-1)!.body };
  };
  const disabled = await update('--disable');
  t.match(disabled, { code: 0, out: 'con_1 (github, octocat) is disabled.\n', err: '' });
  t.match(requests[0], { method: 'PATCH', path: '/v1/admin/connections/con_1' });
  t.strictSame(disabled.body, { status: 'disabled' });
  made = { ...CONNECTION, status: 'pending', account_label: null,
    authorization_url: 'https://x.example/oauth/start?ticket=1',
    authorization_expires_at: '2026-11-21T09:21:00.000Z' };
  const enabled = await update('--enable', '--name', 'gh', '--account', '');
  t.strictSame(enabled.body, { status: 'connected', name: 'gh', account_label: null });
  t.match(enabled, { code: 0, out: 'con_1 (github) is pending.\n',
    err: /^Open this until 2026-11-21 09:21Z.*\nhttps:\/\/x\.example\/oauth\/start\?ticket=1\n/ });
});
