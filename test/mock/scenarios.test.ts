/** What a client team asks of the mock, and gets; every answer is held against the document. */
import t from 'tap';
import type { OperationId } from '../../generated/operations.ts';
import {
  listOperations, publicDocument, readDocument, resolveReference,
} from '../../scripts/document.ts';
import { Client, collect, prompt, type CallOptions, type Schemas } from '../support/client.ts';
import { cookieIn } from '../support/dashboard.ts';
import { tableOf } from '../support/markdown.ts';
import { completeRun, eventsOf, newSession, queueRun, untilEvent } from '../support/runs.ts';
import { testMock } from './support.ts';

const { base_url } = await testMock(t);
const client = new Client({ base_url, api_key: 'a-team', admin_token: 'an-operator' });

interface Description {
  runs: { name: string; says: string }[];
  errors: Record<string, string[]>;
  any: string[];
  streams: string[];
}
const described = await (await fetch(base_url.replace('/v1', '/mock'))).json() as Description;

/** How each run ends, and what becomes of its calls. */
const ENDS: Record<string, [status: string, code?: string | null, ...calls: (string | null)[]]> = {
  completed: ['completed'],
  action: ['completed', null, null],
  failed_action: ['completed', null, 'upstream_error'],
  failed: ['failed', 'model_error'],
  failed_model_error: ['failed', 'model_error'],
  failed_model_rate_limited: ['failed', 'model_rate_limited'],
  failed_max_steps_exceeded: ['failed', 'max_steps_exceeded', null, null],
  failed_timeout: ['failed', 'timeout'],
  failed_budget_exceeded: ['failed', 'budget_exceeded', null],
  failed_worker_lost: ['failed', 'worker_lost'],
  failed_internal_error: ['failed', 'internal_error'],
  cancelled: ['cancelled'],
  long: ['completed'],
  slow: ['completed'],
  cut: ['completed'],
  missing_connection: ['completed', null, 'not_connected'],
  approval: ['completed', null, 'approval_required'],
  approved: ['completed', null, 'approval_required', null],
  denied: ['completed', null, 'approval_required', 'approval_required'],
};

const endOf = ({ status, error, tool_calls }: Schemas['Run']) =>
  [status, error?.code ?? null, ...tool_calls.map((call) => call.error?.code ?? null)];

t.test('a run goes as it is asked to, by the header or by the prompt', async (t) => {
  t.strictSame(described.runs.map(({ name }) => name).sort(), Object.keys(ENDS).sort());
  const { code: { 'x-extensible-enum': codes } } =
    readDocument().components.schemas.RunError!.properties as
      { code: { 'x-extensible-enum': string[] } };
  t.strictSame(described.runs.map(({ name }) => /^failed_(?!action)(.*)/.exec(name)?.[1])
    .filter(Boolean).sort(), codes.toSorted(), 'each code of a run');
  const session_id = await newSession(client);
  for (const [name, [status, code = null, ...calls]] of Object.entries(ENDS)) {
    const run = await client.expect(200, 'createRun', { path: { session_id },
      headers: { prefer: `scenario=${name}, pace=0` }, body: prompt('Hello', { wait: true }) });
    t.strictSame(endOf(run), [status, code, ...calls], name);
    t.match(run.input, [{ content: [{ text: 'Hello' }] }], 'the prompt stays what it was');
  }
  const text = 'Please:\n@scenario failed_budget_exceeded';
  const worded = await completeRun(client, session_id, text);
  t.match(worded, { status: 'failed', error: { code: 'budget_exceeded' } });
  t.match(worded.input, [{ content: [{ text }] }]);
});

t.test('each run asks for an approval of its own, however often it is asked for', async (t) => {
  const session_id = await newSession(client);
  for (const name of ['approval', 'approved', 'denied', 'approval', 'approved', 'denied']) {
    const run = await completeRun(client, session_id, `@scenario ${name}`);
    t.strictSame(endOf(run), ENDS[name], name);
    const { data } = await client.expect(200, 'listApprovals');
    t.strictSame(data.filter(({ run_id }) => run_id === run.id).map(({ status }) => status),
      [{ approval: 'pending', approved: 'used', denied: 'denied' }[name]], name);
  }
});

t.test('a prompt that names no scenario of a run is refused, as the header is', async (t) => {
  const session_id = await newSession(client);
  const create = (text: string, prefer = 'pace=0') => client.call('createRun',
    { path: { session_id }, headers: { prefer }, body: prompt(text, { wait: true }) });
  for (const name of ['faild', 'session_busy', 'failed-timeout']) {
    const { status, body } = await create(`Please:\n@scenario ${name}`);
    t.match([status, body], [400, { code: 'invalid_request', param: '/input',
      error: new RegExp(`no scenario "${name}" of a run\\. GET /mock lists`) }]);
  }
  for (const [text, prefer] of [['What does a line @scenario do?', 'pace=0'],
    ['@scenario faild', 'scenario=completed']] as const) {
    t.match(await create(text, prefer), { status: 200, body: { status: 'completed' } }, text);
  }
  t.equal((await client.expect(200, 'listRuns', { query: { session_id } })).data.length, 2);
});

t.test('what a scenario sets is no part of what makes a request the same', async (t) => {
  const session_id = await newSession(client);
  const create = async (key: string, prefer: string, more: object = {}) =>
    await client.expect(200, 'createRun', { path: { session_id },
      headers: { 'idempotency-key': key, prefer },
      body: prompt('Hello', { wait: true, ...more }) });
  const first = await create('one', 'scenario=failed_max_steps_exceeded');
  t.strictSame(endOf(first), ENDS.failed_max_steps_exceeded);
  t.equal((await create('one', 'pace=0')).id, first.id);
  const other = await create('two', 'scenario=failed_max_steps_exceeded', { max_steps: 1 });
  t.strictSame(endOf(other), ['failed', 'max_steps_exceeded', null], 'what is asked for counts');
});

t.test('a hundred teams that begin at once are all let in', async (t) => {
  const statuses = await Promise.all(Array.from({ length: 100 }, async (_, index) => {
    const team = new Client({ base_url, api_key: `team-${index}` });
    const { status } = await team.call('createSession', { body: {} });
    return status;
  }));
  t.strictSame(statuses.filter((status) => status !== 201), []);
});

t.test('an approval that stays pending is decided by an operator', async (t) => {
  const session_id = await newSession(client);
  const text = 'call gatehouse.sessions.create {"body": {"title": "Mine"}}';
  const { id } = await completeRun(client, session_id, text);
  const { data } = await client.expect(200, 'listApprovals', { query: { status: 'pending' } });
  const { id: approval_id } = data.find(({ run_id }) => run_id === id)!;
  await client.expect(200, 'decideApproval',
    { path: { approval_id }, body: { decision: 'approve' } });
  t.strictSame(endOf(await completeRun(client, session_id, text)), ['completed', null, null]);
});

const BODIES: Partial<Record<OperationId, unknown>> = {
  createSession: {}, updateSession: { title: 'y' }, createRun: prompt('x'),
  searchActions: { query: 'x' }, createActionInvocation: { action: 'gatehouse.sessions.list' },
};

t.test('an operation refuses as it is asked to, as the service does', async (t) => {
  const session_id = await newSession(client);
  for (const [id, codes] of Object.entries(described.errors) as [OperationId, string[]][]) {
    for (const code of codes) {
      const options: CallOptions = { path: { session_id }, body: BODIES[id] };
      const { status, headers, body } = await client.call(id,
        { ...options, headers: { prefer: `scenario=${code}` } }) as unknown as
        { status: number; headers: Headers; body: unknown };
      t.match(body, { code, request_id: headers.get('x-request-id') }, `${id} ${code}`);
      t.notMatch(body, { error: /undefined/ }, `${id} ${code}`);
      if (code === 'rate_limited') t.match(headers.get('ratelimit'), /"key";r=0;/);
      else if (status !== 401 && status !== 413) t.ok(headers.get('ratelimit'), `${id} ${code}`);
      if (status === 429 || status === 503) t.match(headers.get('retry-after'), /^\d+$/);
      if (status === 401) t.match(headers.get('www-authenticate'), /^Bearer\b/);
    }
  }
  const by = async (scenario: string) => (await client.call('createRun',
    { path: { session_id }, body: prompt('x'), headers: { prefer: `scenario=${scenario}` } })).body;
  for (const [status, code] of [['401', 'invalid_api_key'], ['409', 'session_busy'],
    ['429', 'rate_limited'], ['503', 'unavailable']]) {
    t.match(await by(status!), { code });
  }
  t.match(await by('tea'), { code: 'invalid_request', param: 'prefer', error: /GET \/mock/ });
  t.equal((await client.expect(200, 'listRuns', { query: { session_id } })).data.length, 0);
  for (const scenario of ['415', 'unsupported_media_type']) {
    const headers = { prefer: `scenario=${scenario}` };
    t.match(await client.expect(415, 'createSession', { headers }),
      { code: 'unsupported_media_type', param: 'content-type', error: /must be JSON in UTF-8/ },
      'where no body is needed, too');
  }
});

/** The names in a value, and of what type each is: what a client reads it by. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'object').map(shapeOf);
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]));
}

/** Their examples are of another request than the scenario, and name what that asks for. */
const NAMES_WHAT_WAS_ASKED = ['invalid_request', 'invalid_json', 'not_found', 'invalid_input',
  'action_not_read_only', 'unknown_action', 'not_connected'];

t.test('a refusal is such as the example of the document', async (t) => {
  const document = publicDocument(readDocument());
  const session_id = await newSession(client);
  const seen = new Set<string>();
  for (const { operation_id, node } of listOperations(document)) {
    const id = operation_id as OperationId;
    for (const response of Object.values(node.responses ?? {})) {
      const examples = Object.values((resolveReference(document, response)
        .content?.['application/json'] as { examples?: object } | undefined)?.examples ?? {});
      for (const example of examples) {
        const { value } = resolveReference(document, example as { value: Schemas['ApiError'] });
        const { code, error, param, details } = value;
        if (seen.has(code) || !described.errors[id]!.includes(code)) continue;
        seen.add(code);
        const { body } = await client.call(id, { path: { session_id }, body: BODIES[id],
          headers: { prefer: `scenario=${code}` } });
        const refusal = body as Schemas['ApiError'];
        t.strictSame(shapeOf(refusal.details), shapeOf(details), `${code}: details`);
        if (NAMES_WHAT_WAS_ASKED.includes(code)) continue;
        const wordsOf = (text: string) => text.replaceAll(/[a-z]{3}_[0-9a-z]{26}|\d+/g, '…');
        t.strictSame([wordsOf(refusal.error), refusal.param], [wordsOf(error), param], code);
      }
    }
  }
  t.ok(seen.size > 20, `${seen.size} codes`);
});

t.test('what is refused by name is refused in the words of the state', async (t) => {
  const session_id = await newSession(client);
  const path = { session_id };
  const open = await queueRun(client, session_id, '@rehearsal words=100 delay_ms=60000');
  const keyed = { 'idempotency-key': 'once' };
  await client.expect(202, 'createRun', { path, body: prompt('one'), headers: keyed });
  const unlike = ({ request_id: _, ...error }: { request_id?: string }) => error;
  const refused = async (code: string, options: CallOptions) => {
    const real = await client.call('createRun', { path, body: prompt('x'), ...options });
    const played = await client.call('createRun', { path: options.path ?? path, body: prompt('x'),
      headers: { prefer: `scenario=${code}` } });
    t.strictSame(unlike(played.body as never), unlike(real.body as never), code);
  };
  await refused('session_busy', { body: prompt('x', { concurrency: 'reject' }) });
  await refused('idempotency_key_reused', { body: prompt('two'), headers: keyed });
  await refused('not_found', { path: { session_id: 'ses_none' } });
  await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  await client.expect(200, 'updateSession', { path, body: { status: 'archived' } });
  await refused('session_archived', {});
  t.strictSame(unlike(await client.expect(404, 'getAction', { headers: { prefer: 'scenario=404' },
    path: { action: 'gatehouse.sessions.list' } })),
  unlike(await client.expect(404, 'getAction', { path: { action: 'tickets.issue.list' } })));
});

t.test('a stream breaks off in the middle, and is resumed', async (t) => {
  const session_id = await newSession(client);
  const seen: Schemas['RunEvent'][] = [];
  await t.rejects(async () => {
    for await (const event of client.events('createRun', { path: { session_id },
      headers: { prefer: 'scenario=cut' }, body: prompt('Hello', { stream: true }) })) {
      seen.push(event);
    }
  }, { message: 'terminated' }, 'the connection is cut, not ended');
  t.strictSame(seen.map(({ sequence_number }) => sequence_number), [1, 2, 3, 4, 5, 6, 7, 8]);
  const { run_id } = seen[0]!;
  const resumed = await collect(client.events('streamRunEvents',
    { path: { run_id }, headers: { 'last-event-id': '8' } }));
  t.equal(resumed.at(-1)!.type, 'run.completed');
  t.strictSame([...seen, ...resumed], await eventsOf(client, run_id),
    'nothing is lost or repeated');
  await t.rejects(collect(client.events('streamRunEvents',
    { path: { run_id }, headers: { prefer: 'scenario=cut' } })), { message: 'terminated' });
});

t.test('events come one after another, at the pace that is asked for', async (t) => {
  const session_id = await newSession(client);
  let words = 0;
  const begun_ms = performance.now();
  for await (const { type } of client.events('createRun', { path: { session_id },
    headers: { prefer: 'pace=30' }, body: prompt('@rehearsal words=8', { stream: true }) })) {
    if (type === 'message.output.delta') words++;
  }
  const took_ms = performance.now() - begun_ms;
  t.equal(words, 8);
  // There are seven paces between eight words; a slow machine only makes it longer.
  t.ok(took_ms >= 7 * 30 - 15, `${took_ms} ms`);
  const slow = await queueRun(client, session_id, '@scenario slow');
  await untilEvent(client, slow.id, 'run.started');
  const cancelled = await client.expect(200, 'cancelRun', { path: { run_id: slow.id } });
  t.equal(cancelled.status, 'cancelled', 'it can be cancelled while it speaks');
});

t.test('any token opens a workspace of its own', async (t) => {
  const session_id = await newSession(client);
  const other = client.as('another-team');
  await other.expect(404, 'getSession', { path: { session_id } });
  await client.as('a-team').expect(200, 'getSession', { path: { session_id } });
  t.match(await client.expect(401, 'listSessions', { token: null }), { code: 'missing_api_key' });
  t.match(await client.as('invalid').expect(401, 'listSessions'), { code: 'invalid_api_key' });
  for (const prefer of ['code=200', 'example=one', 'dynamic=true', 'code=404']) {
    const headers = { prefer };
    t.match(await client.expect(401, 'listSessions', { token: null, headers }),
      { code: 'missing_api_key' }, 'an example is no way round it');
    t.match(await client.as('invalid').expect(401, 'listSessions', { headers }),
      { code: 'invalid_api_key' });
  }
});

t.test('any token but the refused one signs in to the dashboard', async (t) => {
  const { status, headers } = await client.call('createDashboardSession',
    { body: { admin_token: 'whatever' } });
  t.equal(status, 201);
  const here = { token: null,
    headers: { cookie: cookieIn(headers), 'sec-fetch-site': 'same-origin' } };
  t.match(await client.expect(200, 'getCurrentDashboardSession', here), { role: 'admin' });
  t.match(await client.expect(401, 'createDashboardSession', { body: { admin_token: 'invalid' } }),
    { code: 'invalid_api_key' });
});

t.test('Prefer: code and example show every answer that the document declares', async (t) => {
  const document = publicDocument(readDocument());
  for (const { operation_id, node } of listOperations(document)) {
    const id = operation_id as OperationId;
    for (const [status, response] of Object.entries(node.responses ?? {})) {
      const { content } = resolveReference(document, response);
      const json = content?.['application/json'] as { examples?: object } | undefined;
      for (const name of ['', ...Object.keys(json?.examples ?? {})]) {
        const prefer = `code=${status}${name && `, example=${name}`}`;
        const answer = await client.call(id, { headers: { prefer }, body: BODIES[id] });
        t.equal(String(answer.status), status, `${id} ${prefer}`);
      }
    }
  }
  const broken = await client.call('createSession',
    { raw: '{"title": ', headers: { 'content-type': 'application/json', prefer: 'code=201' } });
  t.match([broken.status, broken.body], [400, { code: 'invalid_json' }], 'it is always answered');
});

t.test('GET /mock is the one way to ask for it', async (t) => {
  const answer = await fetch(base_url.replace('/v1', '/mock'), { method: 'PUT' });
  t.equal(answer.status, 405);
  t.equal(answer.headers.get('allow'), 'GET, HEAD');
  t.match(await answer.json(), { code: 'method_not_allowed', param: null, request_id: /^req_/ });
});

t.test('docs/mock.md lists what GET /mock lists', async (t) => {
  t.strictSame(tableOf('docs/mock.md', ['scenario of a run', 'what happens']).map(
    ({ 'scenario of a run': name, 'what happens': says }) => ({ name, says })),
  described.runs.map(({ name, says }) => ({ name: `\`${name}\``, says })));
  const common = described.errors.listSessions!.filter((code) =>
    Object.values(described.errors).every((codes) => codes.includes(code)));
  t.strictSame(tableOf('docs/mock.md', ['operation', 'errors']).map(({ operation, errors }) =>
    [operation!.replaceAll('`', ''), errors!.replaceAll('`', '').split(', ')]),
  [['each', common], ...Object.entries(described.errors)
    .map(([id, codes]) => [id, codes.filter((code) => !common.includes(code))])
    .filter(([, codes]) => codes!.length > 0)]);
  t.strictSame([described.any, described.streams], [['slow'], ['cut']]);
});
