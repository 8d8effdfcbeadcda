/** The commands against a service that says what the test wants, by their output and exit codes. */
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { allCommands, gatehouse } from './oneProcess.ts';
import { against } from './operator.ts';
import {
  event, fakeService, gatehouse as spawned, GATEHOUSE, helpOf, json, RUN_ID, SESSION_ID, shortRun,
  start, stream, USAGE, type Answer, type RunEvent,
} from './support.ts';

const COMMANDS = (await allCommands()).flatMap((command, at, all) => {
  const [group, below] = command.split(' ');
  const begins = below !== undefined && !all[at - 1]?.startsWith(`${group} `);
  // `open` is another name of `dashboard`.
  return command === 'open' ? [] : begins ? [group!, command] : [command];
});

/** Takes sessions and runs; their events are these. */
function running(events: RunEvent[]): Answer {
  return ({ method, path }, response) => {
    const making = method === 'POST';
    if (making && path === '/v1/sessions') return json(response, 201, { id: SESSION_ID });
    if (making) return json(response, 202, { id: RUN_ID, status: 'queued' });
    if (!path.includes('/events')) return json(response, 200, { id: RUN_ID, status: 'running' });
    stream(response, events);
    return response.end();
  };
}

const ending = (last: RunEvent): RunEvent[] => [...shortRun('Hello.').slice(0, 4), last];
const FAILED = ending(event(5, 'run.failed', {
  error: { code: 'model_error', message: 'The model is gone.', retryable: false }, usage: USAGE,
}));
const CANCELLED = ending(event(5, 'run.cancelled', {
  previous_status: 'running', reason: 'requested',
}));

t.test('--help of every command says what it does and shows an example', async (t) => {
  const cwd = t.testdir({});
  t.ok(COMMANDS.length > 75, `${COMMANDS.length} commands and groups`);
  const helps = await helpOf(COMMANDS, { cwd });
  for (const [index, command] of COMMANDS.entries()) {
    const help = helps[index]!;
    t.match(help, new RegExp(`^Usage: gatehouse ${command}(\\|\\w+)? .*\n\n[A-Z][^\n]+`), command);
    // An example of a command with others below it shows one of those.
    t.match(help, new RegExp(`\nExample:\n.*gatehouse ${command}\\b`), command);
    // zsh refuses a pattern that no file matches, and other shells may put files in its place.
    const [, examples = ''] = /\nExample:\n((?:.+\n)+)/.exec(help) ?? [];
    t.notMatch(examples.replaceAll(/'[^']*'|"[^"]*"/g, ''), /[*?]/, `${command}: for any shell`);
  }
  const all = await spawned(['--help'], { cwd });
  t.match(all, { code: 0, err: '' });
  t.match((await gatehouse(['grants', 'add', '--help'], { cwd })),
    { code: 0, err: '', out: /default: "allow"/ });
  const { out } = await gatehouse(['connections', 'add', '--help'], { cwd });
  t.notMatch(out, 'default: []');
  for (const command of COMMANDS) t.match(all.out, new RegExp(`\n  ${command.split(' ')[0]}[ |]`));
  t.strictSame(await gatehouse([], { cwd }), all, 'bare, it shows the same');
  t.match(await gatehouse(['runs'], { cwd }), { code: 0, out: /^Usage: gatehouse runs/, err: '' });
});

t.test('--help has no broken lines on 60 columns, but what is copied', async (t) => {
  const helps = await helpOf(COMMANDS, { cwd: t.testdir({}) }, 60);
  for (const help of helps) {
    const words = help.replace(/\nExample:\n(?:.+\n)+/, '').replace(/^Usage: .*/, '');
    const lines = words.split('\n');
    t.strictSame(lines.filter((line) => line.length > 60), []);
    const early = lines.filter((line, index) => {
      const [word] = lines[index + 1]?.split(' ') ?? [];
      return /^\S.*[^.:]$/.test(line) && word && `${line} ${word}`.length <= 60;
    });
    t.strictSame(early, [], 'nor lines that end early');
  }
});

t.test('serve --help ends with the table of settings', async (t) => {
  const { out } = await gatehouse(['serve', '--help'], { cwd: t.testdir({}) });
  t.match(out, /\n {2}PORT \(3000\)\n {6}.*\n {2}HOST \(127\.0\.0\.1\)\n/);
  t.match(out, /\n {2}OTEL_METRIC_EXPORT_INTERVAL \(\d+\)\n {6}.*\n$/);
});

t.test('wrong usage ends with 2 and says what is right', async (t) => {
  const cwd = t.testdir({});
  const cases: [string[], RegExp][] = [
    [['sreve'], /unknown command 'sreve'\n\(Did you mean serve\?\)/],
    [['keys', 'revok'], /Did you mean revoke\?/], [['--json'], /\(flags go behind the command: /],
    [['run'], /There is no prompt/],
    [['run', 'list', 'sessions'], /too many arguments/],
    [['run', 'List', 'my', 'runs'], /got 3: List, my, runs\.\n\(a prompt .* quoted: gatehouse /],
    [['run', '- list sessions'], /begins with a dash goes last, after --: gatehouse run /],
    [['runs', 'list', '--statu x'], /unknown option '--statu x'\n(?!\(a text)/],
    [['run', '', '--api-key', 'gth_test'], /The prompt is empty/],
    [['run', 'x', '--base-url', 'nowhere'], /"nowhere" is not the address of a service/],
    [['run', 'x', '--api-key', 'gth_ü'], /characters that no api key has/],
    [['run', 'x'], /There is no api key for http:.*:3000\/v1\. Set GATEHOUSE_API_KEY/],
    [['runs', 'events', 'run_1', '--after', '-1'], /It must be a whole number from 0/],
    [['serve', '--port', '70000'], /It must be a whole number from 0 to 65535/],
    [['serve', '--log-level', 'loud'], /Allowed choices are fatal/],
    [['keys', 'create'], /required option '--name <name>'/],
    [['keys', 'create', '--name', 'x', '--expires', '2027-02-30'], /It must be a time such as/],
    [['keys', 'create', '--name', 'x', '--admin-token', 'gta_x'], /Give --workspace/],
    [['setup'], /Which database\? Set DATABASE_URL/],
    [['integrations', 'add', 'GitHub'], /It must be of a-z, 0-9, _ and -, such as github/],
    [['integrations', 'add', 'x', '--base-url', 'http://127.0.0.1:1'],
      /Give one of --document, --mcp-url and --mcp-command/],
    [['integrations', 'add', 'x', '--document', 'nowhere.json'],
      /The document cannot be read: .*nowhere\.json/],
    [['connections', 'add', 'x'], /Which workspace is the connection for\? Give --workspace/],
    [['grants', 'add'], /required option '--actions <pattern>' not specified/],
    [['connections', 'add', 'x', '--auth', 'magic'], /Allowed choices are none, bearer/],
    [['connections', 'add', 'x', '--auth', 'none', '--admin-token', 'gta_x'], /Give --workspace/],
    [['connections', 'add', 'x', '--auth', 'bearer', '--workspace', 'wsp_1'],
      /There is no secret on standard input\. Try: printf %s "\$TOKEN" \| .*\/bin\/gatehouse/],
    [['connections', 'add', 'x', '--auth', 'basic', '--workspace', 'wsp_1'],
      /--username is needed/],
    [['grants', 'add', '--actions', 'Issues Create'], /It must be the name of an action/],
    [['grants', 'add', '--actions', 'x.*', '--decision', 'maybe'], /Allowed choices are allow/],
    [['actions', 'invoke', 'x', '{}'], /got 2: x, \{\}\.\n\(.* NAME --input '\{…\}'\)\n/],
    [['actions', 'invoke', 'x', '--input', '[]', '--api-key', 'gth_x'],
      /The input must be a JSON object, such as '\S+ \{"limit": 2\}\}'\.\n$/],
    [['actions', 'invoke', 'x', '--input', '{"a": 1,}', '--api-key', 'gth_x'],
      /The input must be a JSON object.* It is no JSON: .* at position 8/],
    [['actions', 'invoke', 'x', '--input', '{"token": sk-SECRET}', '--api-key', 'gth_x'],
      /It is no JSON: Unexpected token 's'\n$/],
    [['audit', 'tail', '--limit', '0'], /It must be a whole number from 1/],
  ];
  for (const [args, message] of cases) {
    const { code, out, err } = await gatehouse(args, { cwd });
    t.equal(code, 2, args.join(' '));
    t.match(err, message);
    t.notMatch(err, /\n {4}at /, 'no stack trace');
    t.equal(out, '');
  }
  t.match(await spawned(['sreve'], { cwd }), { code: 2, out: '', err: /unknown command/ });
});

t.test('run prints the answer and says how to go on', async (t) => {
  const { call, requests } = await against(t, running(shortRun('Hello.\u001b')));
  const { code, out, err } = await call('run', 'Say it.', '--model', 'rehearsal');
  t.equal(code, 0);
  t.equal(out, 'Hello.\u001b\n', 'a pipe gets it as it is');
  t.match(err, /^New session; go on in it with: .*gatehouse run --session ses_1 "…"\n$/);
  t.match(requests.map(({ method, path }) => `${method} ${path}`),
    ['POST /v1/sessions', 'POST /v1/sessions/ses_1/runs',
      'GET /v1/runs/run_1/events?starting_after=0']);
  t.match(requests[1], {
    headers: { authorization: 'Bearer gth_test', 'idempotency-key': /./ },
    body: {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Say it.' }] }],
      model: 'rehearsal',
    },
  });
});

t.test('run in a session that there is, with the prompt from standard input', async (t) => {
  const { callWith, requests } = await against(t, running(shortRun('Hello.')));
  const { code, err } = await callWith('Two\nlines\n', 'run', '-', '--session', 'ses_9');
  t.equal(code, 0);
  t.equal(err, '');
  t.equal(requests[0]!.path, '/v1/sessions/ses_9/runs');
  t.match(requests[0]!.body, { input: [{ content: [{ text: 'Two\nlines\n' }] }] });
});

t.test('run --follow shows it live, run --json as it came', async (t) => {
  const { call } = await against(t, running(shortRun('Hello.')));
  const live = await call('run', 'x', '--follow');
  t.match(live, { code: 0, out: 'run run_1 · session ses_1\n> Say it.\n\nHello.\n\n✓ completed' });
  t.notMatch(live.out, '\u001b', 'a pipe has no colours');
  const raw = await call('run', 'x', '--json');
  t.equal(raw.code, 0);
  t.same(raw.out.trimEnd().split('\n').map((line) => JSON.parse(line)), shortRun('Hello.'));
});

t.test('the exit code tells how the run ended', async (t) => {
  for (const [events, code, message] of [
    [FAILED, 1, 'The run failed: The model is gone. (model_error)\n'],
    [CANCELLED, 3, 'The run was cancelled.\n'],
  ] as const) {
    const { call, cwd, env } = await against(t, running(events));
    for (const args of [['run', 'x'], ['run', 'x', '--follow'], ['run', 'x', '--json'],
      ['runs', 'events', RUN_ID, '--follow'], ['runs', 'watch', RUN_ID]]) {
      t.equal((await call(...args)).code, code, args.join(' '));
    }
    t.match(await spawned(['run', 'x', '--session', SESSION_ID], { cwd, env }),
      { code, out: '', err: message }, 'as a process of its own, too');
  }
});

t.test('so it does where nothing is left to follow; without --follow it is 0', async (t) => {
  for (const [status, code] of [['completed', 0], ['failed', 1], ['cancelled', 3]] as const) {
    const { call } = await against(t, ({ headers }, response) => {
      if (headers.accept === 'text/event-stream') return response.writeHead(200).end();
      return json(response, 200, { id: RUN_ID, status, data: [] });
    });
    const events = ['runs', 'events', RUN_ID, '--after', '5'];
    t.match(await call(...events, '--follow'), { code, out: '', err: '' }, status);
    t.match(await call(...events), { code: 0, out: '', err: '' });
  }
  const { out } = await gatehouse(['runs', 'events', '--help'], { cwd: t.testdir({}) });
  t.match(out, '\nExit codes with --follow: 0 completed, 1 failed, ');
});

t.test('Ctrl-C leaves the run alone and says how to come back', async (t) => {
  const service = await fakeService(t, (request, response) =>
    request.path.includes('/events') ? stream(response, shortRun('Hello.').slice(0, 3))
      : running([])(request, response));
  const { child, ended } = start(['run', 'x', '--follow', '--session', SESSION_ID], {
    cwd: t.testdir({}),
    env: { GATEHOUSE_BASE_URL: service.base_url, GATEHOUSE_API_KEY: 'gth_test' },
  });
  for await (const [chunk] of onData(child.stdout!)) if (String(chunk).includes('Hello.')) break;
  child.kill('SIGINT');
  const { code, err } = await ended;
  t.equal(code, 130);
  t.match(err, /Detached; the run goes on\.\n.*gatehouse runs events run_1 --after 3 --follow\n/);
  t.match(err, /gatehouse runs cancel run_1\n$/);
  t.notOk(service.requests.some(({ path }) => path.endsWith('/cancel')));
});

t.test('Ctrl-C before anything was shown, and flags that have to be repeated', async (t) => {
  const waiting = Promise.withResolvers<void>();
  const service = await fakeService(t, (request, response) => {
    if (!request.path.includes('/events')) return running([])(request, response);
    stream(response, shortRun('Hello.').slice(0, 3));
    return waiting.resolve();
  });
  const { child, ended } = start(['run', 'x', '--api-key', 'gth_test', '--base-url',
    service.base_url], { cwd: t.testdir({}) });
  await waiting.promise;
  child.kill('SIGINT');
  const { code, err } = await ended;
  t.equal(code, 130);
  const flags = `--base-url ${service.base_url} --api-key …`;
  t.match(err, `gatehouse run --session ses_1 ${flags} "…"\n`);
  t.match(err, `gatehouse runs events run_1 --after 0 --follow ${flags}\n`);
  t.match(err, `gatehouse runs cancel run_1 ${flags}\n`);
  t.notMatch(err, 'gth_test', 'what is printed ends up in logs');
});

async function* onData(readable: NodeJS.ReadableStream): AsyncGenerator<unknown[]> {
  for (;;) yield await once(readable, 'data');
}

t.test('events: pages, and begins where it is told to', async (t) => {
  const all = shortRun('Hello.');
  const { call, requests } = await against(t, ({ path }, response) => {
    const after = Number(new URL(path, 'http://fake').searchParams.get('starting_after'));
    const data = all.slice(after, after + 2);
    json(response, 200, { object: 'list', data, has_more: after + 2 < 5, next_cursor: null });
  });
  const { code, out } = await call('runs', 'events', RUN_ID, '--json', '--after', '1');
  t.equal(code, 0);
  t.same(out.trimEnd().split('\n').map((line) => JSON.parse(line)), all.slice(1));
  t.equal(requests.length, 2);
  t.match((await call('runs', 'events', RUN_ID)).out, /^run run_1[^]*Hello\.\n\n✓ completed/);
});

t.test('cancel', async (t) => {
  let status = 'cancelled';
  const { call, requests } = await against(t, (_request, response) =>
    json(response, 200, { id: RUN_ID, status }));
  t.match(await call('runs', 'cancel', 'run_1'), { code: 0, out: 'run_1 is cancelled.\n' });
  t.match(requests[0], { method: 'POST', path: '/v1/runs/run_1/cancel' });
  status = 'completed';
  t.match(await call('runs', 'cancel', 'run_1'),
    { code: 0, out: 'run_1 has ended already: completed.\n' });
});

t.test('errors of the service: message, code, request id', async (t) => {
  const wrongRun = {
    error: 'No run has the id "run_1".', code: 'not_found', param: null, request_id: 'req_1',
  };
  const wrongBody = {
    error: 'The body is not valid.', code: 'invalid_request', param: '/name', request_id: 'req_2',
    details: [{ path: '/name', message: 'is required' }, { path: '/x', message: 'is unknown' }],
  };
  const { call } = await against(t, ({ path }, response) => path.includes('keys')
    ? json(response, 400, wrongBody) : json(response, 404, wrongRun));
  t.match(await call('runs', 'cancel', 'run_1'), {
    code: 1, out: '', err: 'No run has the id "run_1".\n(not_found, request req_1)\n' });
  t.equal((await call('keys', 'revoke', 'key_1')).err, 'The body is not valid.\n'
    + '  /name is required\n  /x is unknown\n(invalid_request, request req_2)\n');
});

t.test('something else than the service answers, or nothing does', async (t) => {
  const { call, stop } = await against(t, (_request, response) => response.end('<html>'));
  t.match(await call('runs', 'cancel', 'run_1'),
    { code: 1, err: /answered something that is not JSON/ });
  t.match(await call('runs', 'list', '--base-url', 'http://127.0.0.1:6000'), { code: 1,
    err: /^Nothing was sent to \S+:6000\/v1: .* Give the service another PORT\.\n$/ });
  const foreign = [['keys', 'list'], ['runs', 'list'], ['run', 'x'], ['runs', 'show', 'run_1'],
    ['runs', 'cancel', 'run_1'], ['keys', 'create', '--name', 'x', '--workspace', 'wsp_1'],
    ['actions', 'invoke', 'x.y'], ['integrations', 'show', 'x'], ['grants', 'remove', 'grt_1']];
  for (const answer of ['null', '[]', '{"ok": true}', '{"data": []}', '']) {
    const other = await against(t, (_request, response) => response.end(answer));
    const err = /answered something that is no(t JSON| object of the API)\. Is it the address/;
    for (const args of foreign) {
      t.match(await other.call(...args), { code: 1, out: '', err }, `${args.join(' ')}: ${answer}`);
    }
  }
  const alike = await against(t, (_request, response) =>
    response.end('{"object": "list", "data": []}'));
  t.match(await alike.call('keys', 'list'),
    { code: 1, out: '', err: /answered something that is no list\. Is it the address of a / });
  await stop();
  t.match(await call('run', 'x'), {
    code: 1,
    err: /^Nothing answers at \S+\/v1\. Is the service running\? Start it with: \S+house serve\n$/,
  });
});

t.test('keys and workspaces', async (t) => {
  const key = {
    id: 'key_1', workspace_id: 'wsp_1', name: 'backend', hint: '…k3v9', status: 'active',
    created_at: '2026-11-21T08:59:00.000Z', last_used_at: null, revoked_at: null,
    expires_at: '2027-01-31T00:00:00.000Z', identities: ['sub:ada'],
  };
  const workspace = {
    id: 'wsp_1', name: 'growth', status: 'active', model: null, created_at: key.created_at,
  };
  const { call, requests } = await against(t, ({ method, path }, response) => {
    if (method === 'DELETE') return response.writeHead(204).end();
    if (method === 'POST' && path.endsWith('/api_keys')) {
      return json(response, 201, { ...key, api_key: 'gth_secret' });
    }
    if (method === 'POST') return json(response, 201, workspace);
    const item = path.includes('/api_keys') ? key : workspace;
    const next_cursor = path.includes('cursor=') ? null : 'more';
    return json(response, 200, { object: 'list', data: [item], next_cursor, has_more: false });
  });
  const made = await call('keys', 'create', '--name', 'backend', '--workspace', 'wsp_1',
    '--expires', '2027-01-31');
  t.match(made, { code: 0, out: 'gth_secret\n', err: /^key_1 for wsp_1, valid until 2027-01-31/ });
  t.match(requests[0], {
    headers: { authorization: 'Bearer gta_test' },
    body: { workspace_id: 'wsp_1', name: 'backend', expires_at: '2027-01-31T00:00:00.000Z' },
  });
  const { out } = await call('keys', 'list', '--workspace', 'wsp_1');
  const [head, row] = ['ID     NAME     ENDS IN  STATUS  WORKSPACE  LAST USED  EXPIRES',
    'key_1  backend  …k3v9    active  wsp_1      -          2027-01-31 00:00Z  sub:ada\n'];
  t.equal(out, `${head}            STANDS FOR\n${row}${row}`);
  t.match(requests.at(-1)!.path, 'workspace_id=wsp_1&limit=100&cursor=more');
  t.match(await call('keys', 'revoke', 'key_1'), { code: 0, out: 'key_1 is revoked.\n' });
  t.match(requests.at(-1), { method: 'DELETE', path: '/v1/admin/api_keys/key_1' });
  t.match(await call('workspaces', 'create', '--name', 'growth'), { code: 0, out: 'wsp_1\n' });
  t.match((await call('workspaces', 'list')).out,
    'wsp_1  growth  active  -      2026-11-21 08:59Z\n');
});

t.test('it is found through links, from any folder', async (t) => {
  const cwd = t.testdir({ one: {} });
  mkdirSync(join(cwd, 'two'));
  symlinkSync(GATEHOUSE, join(cwd, 'one', 'gatehouse'));
  symlinkSync('../one/gatehouse', join(cwd, 'two', 'gatehouse'));
  const { code, out, err } = await spawned(['--version'],
    { cwd, command: join(cwd, 'two', 'gatehouse') });
  t.match({ code, err }, { code: 0, err: '' });
  t.match(out, /^\d+\.\d+\.\d+\n$/);
});

t.test('a Node that is too old is said', async (t) => {
  const cwd = t.testdir({
    package: { bin: {}, src: { 'main.ts': '' } },
    path: { node: '#!/bin/sh\necho v22.1.0\n' },
  });
  const command = join(cwd, 'package', 'bin', 'gatehouse');
  copyFileSync(GATEHOUSE, command);
  chmodSync(join(cwd, 'path', 'node'), 0o755);
  const old = await spawned(['--version'],
    { cwd, command, env: { PATH: `${cwd}/path:/usr/bin:/bin` } });
  t.match(old, { code: 1, err: /^gatehouse needs Node\.js 24 or newer; this is v22\.1\.0\. Run/ });
});
