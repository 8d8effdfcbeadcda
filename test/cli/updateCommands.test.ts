/** Changing integrations, connections and workspaces, with a service that says what is wanted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { testServer } from '../support/server.ts';
import { gatehouse } from './oneProcess.ts';
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
  for (const wrong of ['true', 'null', '"read"']) {
    t.match(await update('--overrides', `{"GET /a": ${wrong}}`, '--show', 'GET /b'), { code: 2,
      err: '--overrides: GET /a must have an object, such as {"effect": "read"}.\n' });
  }

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

t.test('integrations update: what is shown wins over the pattern that hides it', async (t) => {
  const before = { 'GET /a': { hidden: true }, 'pets.old.*': { hidden: true },
    'GET /b': { effect: 'write' } };
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 200, { ...INTEGRATION, overrides: before }));
  const shown = async (...flags: string[]) => {
    await call('integrations', 'update', 'github', ...flags);
    return (requests.at(-1)!.body as { overrides: object }).overrides;
  };
  t.strictSame(await shown('--show', 'GET /a', '--show', 'GET /b'), { ...before,
    'GET /a': { hidden: false }, 'GET /b': { effect: 'write', hidden: false } });
  t.strictSame(await shown('--show', 'pets.old.*'),
    { 'GET /a': { hidden: true }, 'GET /b': { effect: 'write' } }, 'the pattern itself');
  t.strictSame(await shown('--hide', '*', '--show', '*', '--reset', 'pets.old.*'),
    { 'GET /a': { hidden: true }, 'GET /b': { effect: 'write' } }, 'nothing is above *');
});

t.test('integrations update, on a service: all is hidden, and three are shown', async (t) => {
  const { client: { base_url, admin_token } } = await testServer(t);
  const cwd = t.testdir({});
  const env = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_ADMIN_TOKEN: admin_token! };
  const call = (...args: string[]) => gatehouse(['integrations', ...args], { cwd, env });
  const of = (operationId: string) => ({ get: { operationId, responses: {} } });
  writeFileSync(join(cwd, 'api.json'), JSON.stringify({ openapi: '3.1.0',
    info: { title: 'Letters', version: '1' }, servers: [{ url: 'https://letters.example' }],
    paths: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((one) => [`/${one}`, of(one)])) }));
  t.match(await call('add', 'letters', '--document', 'api.json'), { code: 0, out: /5 of 5/ });
  const three = ['GET /a', 'GET /b', 'GET /c'].flatMap((key) => ['--show', key]);
  const first = await call('update', 'letters', '--hide', '*', ...three);
  t.match(first, { code: 0, out: /: 3 of 5 operations are actions/ });
  t.match(first.out, /you say: \*: hidden\n.*you say: GET \/a: offered\n/);
  t.match(await call('update', 'letters', '--show', 'GET /d'), { code: 0, out: /: 4 of 5/ });
  t.match(await call('update', 'letters', '--hide', 'GET /d', '--reset', 'GET /a'),
    { code: 0, out: /: 2 of 5/ });
});

t.test('integrations update: hints that are to be believed', async (t) => {
  const mcp = { command: 'x', env_names: ['TOKEN'], trust_hints: false };
  let has_resources: boolean | undefined;
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 200, { ...INTEGRATION, kind: 'mcp', mcp,
      report: { ...INTEGRATION.report, has_resources } }));
  const update = (...flags: string[]) => call('integrations', 'update', 'files', ...flags);
  t.match(await update('--trust-hints'), { code: 0, out: /21 of 22 tools are actions/ });
  t.strictSame(requests.at(-1)!.body, { mcp: { trust_hints: true } }, 'alone');
  t.notMatch((await update('--trust-hints')).out, 'resources');
  has_resources = true;
  t.match(await update('--trust-hints'),
    { out: /21 of 22 tools are actions, and one reads resources: 12 read/ });
  await update('--no-trust-hints');
  t.strictSame(requests.at(-1)!.body, { mcp: { trust_hints: false } });
  const server = ['--mcp-url', 'https://x.example/mcp'];
  await update(...server);
  t.strictSame(requests.at(-1)!.body, { mcp: { url: 'https://x.example/mcp' } }, 'as it is');
  await update(...server, '--no-trust-hints');
  t.strictSame(requests.at(-1)!.body,
    { mcp: { url: 'https://x.example/mcp', trust_hints: false } });
});

t.test('workspaces update', async (t) => {
  const before = {
    id: 'wsp_1', name: 'growth', status: 'active', model: null, allowed_models: null,
    instructions: null, limits: { max_steps: 9, timeout_s: 60 },
    storage: { bytes: 7, limit_bytes: null }, created_at: '2026-11-21T09:10:00.000Z',
    updated_at: '2026-11-21T09:10:00.000Z',
  };
  const { call, requests } = await against(t, ({ method, body }, response) =>
    json(response, 200, { ...before, ...(method === 'PATCH' && body as object) }));
  const update = (...flags: string[]) => call('workspaces', 'update', 'wsp_1', ...flags);
  t.match(await update('--model', 'openai/x', '--allow-model', 'openai/*', '--allow-model',
    'rehearsal', '--max-steps', '4', '--max-tokens', '1000', '--instructions', ''), {
    code: 0, out: new RegExp('^growth\n *id +wsp_1\n *status +active\n *model +openai/x\n'
      + ' *instructions +none\n *runs may name +openai/\\*, rehearsal\n *max_steps +4\n'
      + ' *timeout_s +60\n *max_total_tokens +1000\n'),
  });
  t.strictSame(requests.at(-1)!.body, {
    model: 'openai/x', allowed_models: ['openai/*', 'rehearsal'], instructions: null,
    limits: { max_steps: 4, timeout_s: 60, max_total_tokens: 1_000 },
  });
  await update('--model', '', '--any-model', '--max-steps', 'none', '--max-tokens-per-day', '5');
  t.strictSame(requests.at(-1)!.body, {
    model: null, allowed_models: null, limits: { timeout_s: 60, max_total_tokens_per_day: 5 },
  });
  t.match(await update('--archive'), { code: 0, out: /^ *status +archived$/m });
  t.strictSame(requests.at(-1)!.body, { status: 'archived' });
  await update('--activate');
  t.strictSame(requests.at(-1)!.body, { status: 'active' });
  t.match(await update('--activate', '--archive'), { code: 2, err: /not both/ });
  t.match(await update(), { code: 2, err: /Say what to change/ });
  t.match(await update('--any-model', '--allow-model', 'x'), { code: 2, err: /not both/ });
  t.match(await update('--max-steps', '0'), { code: 2, err: /from 1 to 1000/ });
});

t.test('integrations, connections and keys update: what cannot be meant', async (t) => {
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
  for (const [group, id, both] of [
    ['connections', 'con_1', ['--enable', '--disable']],
    ['keys', 'key_1', ['--identity', 'ada@example.com', '--nobody']],
  ] as [string, string, string[]][]) {
    t.match(await call(group, 'update', id), { code: 2, out: '', err: 'Say what to change' });
    t.match(await call(group, 'update', id, ...both), { code: 2, out: '', err: 'not both' });
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
