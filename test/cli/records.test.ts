/** Sessions, runs and calls in a terminal: lists, what one holds, and ids by their beginning. */
import { once } from 'node:events';
import t from 'tap';
import { duration } from '../../src/cli/records.ts';
import { against, error, page } from './operator.ts';
import { json, start } from './support.ts';

const HOSTILE = 'Say it.\u001b]0;owned\u0007\nTwice\u202e';
const RUN = {
  id: 'run_01kagz4e6f1s3t5v7w9x1y3z5a', object: 'run', session_id: 'ses_1', status: 'failed',
  source: 'api', model: 'rehearsal',
  input: [{ role: 'user', content: [{ type: 'input_text', text: HOSTILE }] }],
  error: { code: 'model_error', message: 'The model\u001b[2J is gone.', retryable: false },
  usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 }, attempts: 2,
  metadata: { ticket: '4711' }, created_at: '2025-11-21T09:00:00.000Z',
  updated_at: '2025-11-21T09:00:00.000Z', started_at: '2025-11-21T09:00:00.100Z',
  finished_at: '2025-11-21T09:01:05.100Z',
};
const OTHER = { ...RUN, id: 'run_01kagz4e6g000000000000000b', status: 'running' };
const WHOLE = {
  ...RUN, instructions: 'Be brief.', max_steps: 32, timeout_s: 900, max_total_tokens: 9_000,
  output: [], tool_calls: [{
    tool_call_id: 'call_1', name: 'github.issues.list', status: 'failed',
    arguments: { action: 'github.issues.list', input: { page: 1 } },
    error: { code: 'upstream_error', message: 'It said\u009b1A no.' },
    invocation_id: 'inv_1', started_at: RUN.started_at, finished_at: RUN.finished_at,
  }],
};
const SESSION = {
  id: 'ses_01kagz4c8me3t0v5x7n9q2r4ab', object: 'session', status: 'active', title: 'Weekly\u0007',
  metadata: {}, active_run_id: RUN.id, created_at: RUN.created_at, updated_at: RUN.created_at,
};
const CALL = {
  invocation_id: 'inv_01kagz4ec9e1f3g5h7j9k1m3n5', object: 'action_invocation',
  action: 'github.issues.list', connection_id: 'con_1', status: 'completed', error: null,
  source: 'run', run_id: RUN.id, duration_ms: 12, truncated: false, created_at: RUN.created_at,
};
const REFUSED = { ...CALL, invocation_id: 'inv_01kagz4ed', status: 'failed',
  error: { code: 'not_permitted', message: 'No.' } };
const safe = /^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]*$/;

t.test('lists are tables for a person, and the objects of the API for a program', async (t) => {
  const { call, requests } = await against(t, ({ path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://fake');
    if (pathname === '/v1/sessions') return json(response, 200, page(SESSION));
    if (pathname === '/v1/action_invocations') return json(response, 200, page(REFUSED, CALL));
    const limit = Number(searchParams.get('limit'));
    return json(response, 200, { object: 'list', data: Array(limit).fill(RUN), has_more: true,
      next_cursor: `after ${limit}` });
  });
  const runs = await call('runs', 'list', '--status', 'failed', '--limit', '101');
  t.match(requests.map(({ path }) => path), ['/v1/runs?status=failed&limit=100',
    '/v1/runs?status=failed&limit=1&cursor=after+100'], 'no more is read than is shown');
  t.match(runs, { code: 0, err: 'There are older ones: --limit shows more.\n' });
  t.match(runs.out, safe);
  const [headings, row, ...others] = runs.out.trimEnd().split('\n');
  t.match(headings, /^ID +STATUS +AGE +TOOK +PROMPT$/);
  t.match(row, /^run_01kagz4e6f1s3t5v7w9x1y3z5a  failed  \d+d +1m05s  Say .* Twice<U\+202E>$/);
  t.equal(others.length, 100);
  const listed = await call('runs', 'list', '--limit', '2', '--cursor', 'x', '--json');
  t.equal(requests.at(-1)!.path, '/v1/runs?limit=2&cursor=x');
  t.match(listed, { err: '', out: safe });
  t.strictSame(JSON.parse(listed.out),
    { object: 'list', data: [RUN, RUN], has_more: true, next_cursor: 'after 2' });
  t.match((await call('sessions', 'list', '--query', 'weekly')).out,
    /\nses_01kagz4c8me3t0v5x7n9q2r4ab  running  \d+d  Weekly.\n$/);
  t.match((await call('invocations', 'list')).out, new RegExp(String.raw`^ID.* ACTION +ERROR
inv_01kagz4ed +failed .*  run  github\.issues\.list  not_permitted
inv_01kagz4ec9e1f3g5h7j9k1m3n5  completed  \d+d +12 ms  run  github\.issues\.list  -\n$`));
});

t.test('one of them: what a person wants to know, or the object', async (t) => {
  const message = (role: string, ...content: object[]) =>
    ({ id: 'msg_1', run_id: RUN.id, role, content, created_at: RUN.created_at });
  const session = {
    ...SESSION, messages_next_cursor: 'more', messages: [
      message('user', { type: 'input_text', text: HOSTILE }),
      message('assistant', { type: 'tool_call', tool_call_id: 'call_1', name: 'x.list',
        arguments: { action: 'x.list', input: {} } }),
      message('tool', { type: 'tool_result', tool_call_id: 'call_1', name: 'x.list',
        result: { result: { data: [1, 2] } } }),
      message('assistant', { type: 'of_a_newer_service' },
        { type: 'output_text', text: 'Two.\u001b[2J' }),
    ],
  };
  const { call } = await against(t, ({ path }, response) => json(response, 200,
    path.startsWith('/v1/runs') ? WHOLE : path.startsWith('/v1/sessions') ? session
      : { ...CALL, result: { text: '\u009b' } }));
  const run = await call('runs', 'show', RUN.id);
  t.match(run, { code: 0, err: '', out: safe });
  for (const line of [/^run_01kagz4e6f1s3t5v7w9x1y3z5a\n  status +failed\n/, /\n> Twice<U\+202E>\n/,
    /\n  error +The model.*is gone\. \(model_error\)\n/, /\n  attempts +2\n/, /\n  took +1m05s\n/,
    /\n  tokens +12 in, 3 out\n/, /\n  metadata +\{"ticket":"4711"\}\n/,
    /\n  instructions +Be brief\.\n  may take +32 steps, 15m00s, 9000 tokens\n/,
    /\n→ github\.issues\.list \{"page":1\}\n  failed · upstream_error: It said.*inv_1\n/]) {
    t.match(run.out, line);
  }
  const shown = await call('runs', 'show', RUN.id, '--json');
  t.match(shown.out, safe);
  t.strictSame(JSON.parse(shown.out), WHOLE);
  const talk = await call('sessions', 'show', SESSION.id);
  t.match(talk, { out: safe, err: /^Earlier messages are left out/ });
  t.match(talk.out, /\n> Say it\..*\n> Twice.*\n→ x\.list \{\}\n  ✓ 2 items\n\nTwo\..*\n$/);
  t.strictSame(JSON.parse((await call('sessions', 'show', SESSION.id, '--json')).out), session);
  t.match((await call('invocations', 'show', CALL.invocation_id)).out,
    /^github\.issues\.list\n  id +inv_[^]*\{\n  "text": "\\u009b"\n\}\n$/);
});

t.test('the beginning of an id stands for the whole', async (t) => {
  const { call, requests } = await against(t, ({ method, path }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://fake');
    const prefix = searchParams.get('id_prefix');
    if (prefix !== null) {
      return json(response, 200, page(...[OTHER, RUN].filter(({ id }) => id.startsWith(prefix))));
    }
    if (pathname === '/v1/admin/grants') {
      return json(response, 200, page({ id: 'grt_10' }, { id: 'grt_2' }));
    }
    const known = [`/v1/runs/${RUN.id}/cancel`, '/v1/admin/grants/grt_2', `/v1/runs/${RUN.id}`];
    if (!known.includes(pathname)) {
      return json(response, 404, error('not_found', `Nothing is at ${pathname}.`));
    }
    if (method === 'DELETE') return response.writeHead(204).end();
    return json(response, 200, { ...WHOLE, status: 'cancelled' });
  });
  t.match(await call('runs', 'cancel', 'run_01kagz4e6f'), { code: 0,
    out: `${RUN.id} is cancelled.\n`, err: `run_01kagz4e6f is ${RUN.id}\n` });
  t.match(requests.map(({ method, path }) => `${method} ${path}`), [
    'POST /v1/runs/run_01kagz4e6f/cancel', 'GET /v1/runs?id_prefix=run_01kagz4e6f&limit=100',
    `POST /v1/runs/${RUN.id}/cancel`]);
  t.equal((await call('runs', 'show', '01kagz4e6f', '--json')).code, 0, 'also without its kind');
  const before = requests.length;
  t.equal((await call('runs', 'show', RUN.id, '--json')).code, 0);
  t.equal(requests.length, before + 1, 'a whole id is not looked for');
  t.match(await call('runs', 'cancel', 'run_01k'), { code: 2, out: '', err:
    `Several ids begin with run_01k:\n  ${OTHER.id}\n  ${RUN.id}\nGive more of the one` });
  t.match(await call('runs', 'show', 'run_zz'),
    { code: 1, err: 'Nothing is at /v1/runs/run_zz.\n(not_found, request req_1)\n' });
  t.match(await call('runs', 'show', 'ses_01'), { code: 2, err: /those begin with run_\.\n$/ });
  t.match(await call('grants', 'remove', 'grt_2'), { code: 0, err: '' }, 'a whole one wins');
  t.match(await call('grants', 'remove', '2'), { code: 0, err: '2 is grt_2\n' });
});

t.test('sessions archive: several at once', async (t) => {
  const { call, requests } = await against(t, ({ path, body }, response) =>
    json(response, 200, { ...SESSION, id: path.split('/').at(-1), ...body as object }));
  t.equal((await call('sessions', 'archive', 'ses_1', 'ses_2')).out,
    'ses_1 is archived.\nses_2 is archived.\n');
  t.match(requests, [{ method: 'PATCH', path: '/v1/sessions/ses_1', body: { status: 'archived' } },
    { path: '/v1/sessions/ses_2' }]);
  t.equal((await call('sessions', 'activate', 'ses_1')).out, 'ses_1 is active.\n');
});

t.test('sessions delete: several at once, also by the beginning of an id', async (t) => {
  const whole = `ses_${'1'.repeat(26)}`;
  let parts = 0;
  const { call, requests } = await against(t, ({ path, method }, response) => method === 'GET'
    ? json(response, 200, page({ ...SESSION, id: whole }))
    : parts++ < 4 ? json(response.setHeader('Retry-After', '0'), 503,
      error('unavailable', 'Some of its runs are gone.'))
    : parts === 5 ? json(response.setHeader('Retry-After', '0'), 429,
      error('rate_limited', 'Ask more slowly.'))
    : path.endsWith('/ses_3') ? json(response, 409, error('session_busy', 'It has an open run.'))
      : response.writeHead(204).end());
  const { code, out, err } = await call('sessions', 'delete', 'ses_1', whole, 'ses_3');
  t.equal(out, `${whole} is deleted.\n`.repeat(2), 'what was deleted is told before what fails');
  t.match([code, err], [1, /It has an open run/]);
  t.strictSame(requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path),
    [...Array(7).fill(whole), 'ses_3'].map((id) => `/v1/sessions/${id}`));
});

t.test('runs watch: where no person reads, a line for each change, until Ctrl-C', async (t) => {
  const rounds = [[RUN], [OTHER, RUN], [{ ...OTHER, status: 'completed' }, RUN]];
  let round = 0;
  let broken = false;
  const { base_url, cwd } = await against(t, (_request, response) => {
    if (round !== 1 || broken) return json(response, 200, page(...rounds[Math.min(round++, 2)]!));
    broken = true;
    return json(response, 503, error('unavailable', 'It starts.'));
  });
  const { child, ended } = start(['runs', 'watch', '--every', '1', '--json'],
    { cwd, env: { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_API_KEY: 'gth_test' } });
  let seen = '';
  while (!seen.includes('"completed"')) seen += (await once(child.stdout!, 'data'))[0];
  child.kill('SIGINT');
  const { code, out, err } = await ended;
  t.equal(code, 130);
  t.strictSame(out.trimEnd().split('\n').map((line) => JSON.parse(line)),
    [RUN, OTHER, { ...OTHER, status: 'completed' }], 'each once, also after an error');
  t.match(err, /^It starts\.\n.* Trying again \(1 of 10\) …\n$/);
});

t.test('a duration is never rounded up to the next unit', async (t) => {
  t.same([999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000].map(duration),
    ['999 ms', '1.0 s', '59.9 s', '1m00s', '59m59s', '1h00m']);
});
