/** From the request line to the operation: routing, authentication, negotiation, parameters. */
import t from 'tap';
import { operations } from '../../generated/operations.ts';
import { ADMIN, AUTHORIZED, CALLER, JSON_BODY, errorOf, room } from './support.ts';

t.test('every operation refuses a request without a key, or with another scheme', async (t) => {
  const { fetch } = await room(t);
  const open = Object.entries(operations).filter(([, { security }]) => security === null);
  t.strictSame(open.map(([id]) => id), ['getDashboardSignIn', 'createDashboardSession'],
    'but for what signs in');
  for (const [id, { method, path, security }] of Object.entries(operations)) {
    if (security === null) continue;
    const url = `/v1${path.replaceAll(/\{\w+\}/g, 'x')}`;
    const none = await fetch(url, { method });
    t.equal(none.status, 401, id);
    t.equal(none.headers.get('www-authenticate'), 'Bearer');
    t.equal((await errorOf(t, none)).code, 'missing_api_key');
    const basic = await fetch(url, { method, headers: { authorization: 'Basic eDp5' } });
    t.equal((await errorOf(t, basic)).code, 'missing_api_key', id);
    const wrong = await fetch(url, { method, headers: { authorization: 'Bearer wrong' } });
    t.equal(wrong.status, 401, id);
    t.equal(wrong.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    t.equal((await errorOf(t, wrong)).code, 'invalid_api_key', id);
  }
});

t.test('an api key is no admin token, nor the other way round', async (t) => {
  const { fetch } = await room(t);
  const admin = { authorization: `Bearer ${ADMIN}` };
  t.equal((await fetch('/v1/admin/workspaces', { headers: AUTHORIZED })).status, 401);
  t.equal((await fetch('/v1/sessions', { headers: admin })).status, 401);
  const answer = await fetch('/v1/admin/workspaces', { headers: admin });
  t.equal(answer.status, 200);
  t.equal((await answer.json() as { caller: unknown }).caller, null, 'the operator is no caller');
  const caller = await fetch('/v1/sessions', { headers: AUTHORIZED });
  t.strictSame((await caller.json() as { caller: unknown }).caller, CALLER);
});

t.test('odd Authorization headers', async (t) => {
  const { fetch } = await room(t);
  for (const [header, code] of [
    ['bearer gth_test', null], ['BEARER  gth_test', null], ['Bearer', 'missing_api_key'],
    ['Bearer a b', 'invalid_api_key'], [`Bearer ${'x'.repeat(600)}`, 'invalid_api_key'],
    ['Bearer schlüssel', 'invalid_api_key'],
  ] as const) {
    const answer = await fetch('/v1/runs', { headers: { authorization: header } });
    t.equal(answer.status, code === null ? 200 : 401, header);
    if (code !== null) t.equal((await errorOf(t, answer)).code, code, header);
  }
});

t.test('of two Authorization headers neither counts', async (t) => {
  const { raw } = await room(t);
  const ask = (...headers: string[]) => raw(`GET /v1/runs HTTP/1.1\r\nHost: x\r\n${headers
    .map((value) => `Authorization: ${value}\r\n`).join('')}Connection: close\r\n\r\n`);
  const good = AUTHORIZED.authorization;
  t.match(await ask(good), /^HTTP\/1\.1 200 /);
  for (const pair of [[good, 'Bearer wrong'], ['Bearer wrong', good], [good, good]]) {
    t.match(await ask(...pair), /^HTTP\/1\.1 401 /);
  }
});

t.test('a header that is given twice, though it may be once, is refused', async (t) => {
  const { raw } = await room(t);
  const ask = (...lines: string[]) => raw([
    'POST /v1/sessions HTTP/1.1', `Authorization: ${AUTHORIZED.authorization}`,
    'Content-Type: application/json', 'Content-Length: 2', 'Connection: close', ...lines, '', '{}',
  ].join('\r\n'));
  t.match(await ask('Host: x', 'Idempotency-Key: a, b'), /^HTTP\/1\.1 200 /, 'a comma is its own');
  for (const [name, lines] of [
    ['host', ['Host: x', 'Host: y']], ['host', ['Host: x', 'Host: x']],
    ['idempotency-key', ['Host: x', 'Idempotency-Key: a', 'idempotency-key: b']],
  ] as const) {
    const answer = await ask(...lines);
    t.match(answer, /^HTTP\/1\.1 400 /, lines.join());
    t.match(answer, `"error":"The header ${name} is given more than once. Give it once."`);
    t.match(answer, `"code":"invalid_request","param":"${name}"`);
  }
});

t.test('what authentication throws is not taken for a refusal', async (t) => {
  const { fetch } = await room(t, {
    services: {
      authenticate: async () => { throw new Error('connection refused'); },
      isUnavailable: (error) => (error as Error).message === 'connection refused',
    },
  });
  const answer = await fetch('/v1/runs', { headers: AUTHORIZED });
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal((await errorOf(t, answer)).code, 'unavailable');
});

t.test('unknown routes are 404, with or without a key; paths are exact', async (t) => {
  const { fetch } = await room(t);
  for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/runs/', '/v1/Runs', '/V1/runs',
    '/v1//runs', '/v1/runs/a/b', '/v2/runs', '/runs', '/v1/openapixjson', '/v1/admin',
    '/__proto__']) {
    const answer = await fetch(path, { headers: AUTHORIZED });
    t.equal(answer.status, 404, path);
    const refusal = await errorOf(t, answer);
    t.equal(refusal.code, 'not_found', path);
    t.equal(/a slash too many/.test(refusal.error), /^\/v1\/+runs\/?$/.test(path), path);
  }
});

t.test('a known path with another method is 405 and says what is allowed', async (t) => {
  const { fetch } = await room(t);
  for (const [method, path, allow] of [
    ['PUT', '/v1/sessions', 'GET, HEAD, POST'],
    ['PUT', '/v1/sessions/x', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/v1/runs/x/cancel', 'POST'], ['OPTIONS', '/v1/runs', 'GET, HEAD'],
    ['PROPFIND', '/v1/runs', 'GET, HEAD'], ['POST', '/healthz', 'GET, HEAD'],
  ] as const) {
    const answer = await fetch(path, { method, headers: AUTHORIZED });
    t.equal(answer.status, 405, `${method} ${path}`);
    t.equal(answer.headers.get('allow'), allow);
    t.equal((await errorOf(t, answer)).code, 'method_not_allowed');
  }
});

t.test('a path that a template would match as well has its own methods alone', async (t) => {
  const { fetch } = await room(t);
  const methodsBy = new Map<string, string[]>();
  for (const { path, method } of Object.values(operations)) {
    methodsBy.set(path, [...methodsBy.get(path) ?? [], method]);
  }
  const matching = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
  const shadowing = [...methodsBy].filter(([path]) =>
    [...methodsBy.keys()].some((other) => other !== path && matching(other).test(path)));
  t.ok(shadowing.length >= 3);
  t.strictSame(shadowing.filter(([path]) => path.includes('{')), [],
    'no two templates match one path, for which one would have to be preferred');
  for (const [path, methods] of shadowing) {
    const allow = [...methods, ...methods.includes('GET') ? ['HEAD'] : []].sort();
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
      .filter((method) => !allow.includes(method));
    for (const method of others) {
      const answer = await fetch(`/v1${path}`, { method, headers: AUTHORIZED });
      t.equal(answer.status, 405, `${method} ${path}`);
      t.equal(answer.headers.get('allow'), allow.join(', '), `${method} ${path}`);
    }
  }
});

t.test('HEAD is GET without the body', async (t) => {
  const { fetch } = await room(t);
  const get = await fetch('/v1/runs/run_1', { headers: AUTHORIZED });
  const head = await fetch('/v1/runs/run_1', { method: 'HEAD', headers: AUTHORIZED });
  t.equal(head.status, 200);
  t.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  t.equal(await head.text(), '');
  t.equal((await fetch('/v1/runs', { method: 'HEAD' })).status, 401);
});

t.test('Accept decides, and only names that an operation produces will do', async (t) => {
  const { fetch } = await room(t);
  for (const [accept, path, status, events] of [
    ['*/*', '/v1/runs', 200, false], ['application/*', '/v1/runs', 200, false],
    ['application/json;q=0.1, text/html', '/v1/runs', 200, false],
    ['APPLICATION/JSON', '/v1/runs', 200, false], ['', '/v1/runs', 200, false],
    [', ,', '/v1/runs', 200, false], [', application/json,', '/v1/runs', 200, false],
    ['text/html', '/v1/runs', 406, false], ['text/event-stream', '/v1/runs', 406, false],
    ['application/json;q=0', '/v1/runs', 406, false],
    ['*/*, application/json;q=0', '/v1/runs', 406, false],
    ['text/event-stream', '/v1/runs/x/events', 200, true],
    ['*/*', '/v1/runs/x/events', 200, false], ['text/*', '/v1/runs/x/events', 200, true],
    ['text/*;q=0.5, */*', '/v1/runs/x/events', 200, false],
    ['text/*, */*;q=0.5', '/v1/runs/x/events', 200, true],
    ['application/json, text/event-stream', '/v1/runs/x/events', 200, true],
    ['application/json, text/event-stream;q=0.5', '/v1/runs/x/events', 200, false],
    ['text/event-stream, */*', '/v1/runs/x/events', 200, true],
    ['text/event-stream;q=0.5, */*', '/v1/runs/x/events', 200, false],
    ['text/event-stream;q=0.5, application/*;q=0.4', '/v1/runs/x/events', 200, true],
    ['text/event-stream;q=0, */*;q=0', '/v1/runs/x/events', 406, false],
    ['text/html', '/v1/runs/x/events', 406, false], [',;,/', '/v1/runs', 406, false],
  ] as const) {
    const answer = await fetch(path, { headers: { ...AUTHORIZED, accept } });
    t.equal(answer.status, status, `${accept} for ${path}`);
    if (status === 406) t.equal((await errorOf(t, answer)).code, 'not_acceptable');
    else {
      const { accepts } = await answer.json() as { accepts: object };
      t.strictSame(accepts, { any: true, event_stream: events }, accept);
    }
  }
});

t.test('parameters are typed, completed and bounded', async (t) => {
  const { fetch } = await room(t);
  const ask = async (path: string, headers = {}) =>
    await fetch(path, { headers: { ...AUTHORIZED, ...headers } });
  const page = await (await ask('/v1/runs?limit=7&created_after=2026-11-21T00%3A00%3A00Z')).json();
  t.strictSame((page as { params: unknown }).params, {
    path: {}, headers: {},
    query: { limit: 7, created_after: '2026-11-21T00:00:00Z', order: 'desc' },
  });
  const events = await (await ask('/v1/runs/a%20b/events?starting_after=3',
    { 'last-event-id': '5', cookie: 'secret' })).json();
  t.strictSame((events as { params: unknown }).params, {
    path: { run_id: 'a b' }, query: { starting_after: 3, limit: 100 },
    headers: { 'last-event-id': 5 },
  }, 'only declared headers, by their names in lower case');
  for (const [query, param] of [
    ['limit=0', 'limit'], ['limit=101', 'limit'], ['limit=1.5', 'limit'], ['limit=', 'limit'],
    ['limit=x', 'limit'], ['limit=0x1', 'limit'], ['limit=1e1', 'limit'], ['limit=%2B1', 'limit'],
    ['limit=+1', 'limit'], ['limit=1.0', 'limit'], ['limit=1%0A', 'limit'],
    ['order=up', 'order'], ['created_after=yesterday', 'created_after'],
    ['cursor=', 'cursor'], ['unknown=1', 'unknown'], ['Limit=1', 'Limit'],
    ['__proto__=1', '__proto__'], ['limit=1&limit=2', 'limit'], ['constructor=1', 'constructor'],
  ] as const) {
    const answer = await ask(`/v1/runs?${query}`);
    t.equal(answer.status, 400, query);
    const body = await errorOf(t, answer);
    t.equal(body.code, 'invalid_request', query);
    t.equal(body.param, param, query);
  }
  const time = await errorOf(t, await ask('/v1/runs?created_after=2026-01-31T12:00:00+01:00'));
  t.equal(time.error, 'The parameter created_after must be a valid date-time, such as'
    + ' 2026-01-31T12:00:00Z; write + as %2B there.');
  const header = await ask('/v1/runs/x/events', { 'last-event-id': 'x' });
  t.equal((await errorOf(t, header)).param, 'last-event-id');
  const none = await (await ask('/v1/runs/x/events', { 'last-event-id': '' })).json();
  t.strictSame((none as { params: { headers: object } }).params.headers, {},
    'an empty last id says that there is none');
});

t.test('all wrong parameters are reported at once', async (t) => {
  const { fetch } = await room(t);
  const answer = await fetch('/v1/runs?limit=0&order=x&y=1', { headers: AUTHORIZED });
  const body = await errorOf(t, answer);
  t.strictSame(body.details?.map(({ path }) => path).sort(), ['limit', 'order', 'y']);
});

t.test('broken percent-encoding and U+0000 are 400', async (t) => {
  const { fetch, raw } = await room(t);
  const head = `Host: x\r\nAuthorization: ${AUTHORIZED.authorization}\r\nConnection: close\r\n\r\n`;
  for (const target of ['/v1/runs/%', '/v1/runs/%zz', '/v1/runs/%ff', '/v1/runs?cursor=%c3%28',
    '/v1/runs?%=1', '/v1/runs/a%00b', '/v1/runs?cursor=%00']) {
    const answer = await raw(`GET ${target} HTTP/1.1\r\n${head}`);
    t.match(answer, /^HTTP\/1\.1 400 /, target);
    t.match(answer, '"code":"invalid_request"', target);
  }
  const encoded = await fetch('/v1/runs/%252f%C3%A9', { headers: AUTHORIZED });
  t.match(await encoded.json(), { params: { path: { run_id: '%2fé' } } }, 'decoded once');
});

t.test('the absolute form of a target is served', async (t) => {
  const { raw } = await room(t);
  const answer = await raw('GET http://elsewhere.test/healthz HTTP/1.1\r\nHost: elsewhere.test\r\n'
    + 'Connection: close\r\n\r\n');
  t.match(answer, /^HTTP\/1\.1 200 /);
});

t.test('X-Request-Id: kept if it can be, made if not', async (t) => {
  const { fetch, raw } = await room(t);
  const made = (await fetch('/v1/runs', { headers: AUTHORIZED })).headers.get('x-request-id');
  t.match(made, /^req_[0-9a-z]{26}$/);
  const kept = await fetch('/v1/nothing', { headers: { 'x-request-id': 'trace-1/2=3' } });
  t.equal((await errorOf(t, kept)).request_id, 'trace-1/2=3');
  for (const bad of ['x'.repeat(129), 'a b', 'ä']) {
    const answer = await raw(`GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${bad}\r\n`
      + 'Connection: close\r\n\r\n');
    t.match(answer, /X-Request-Id: req_/, bad.slice(0, 5));
  }
});

t.test('a log line per request, without query, body or key', async (t) => {
  const { fetch, logged } = await room(t);
  const headers = { ...JSON_BODY, 'x-request-id': 'r1' };
  await fetch('/v1/sessions/ses_1?secret=query', { headers });
  const lines = logged.filter(({ request_id }) => request_id === 'r1');
  t.equal(lines.length, 1);
  t.match(lines[0], {
    level: 30, method: 'GET', path: '/sessions/{session_id}', operation_id: 'getSession',
    status: 400, duration_ms: Number,
  });
  t.notMatch(JSON.stringify(logged), /secret|gth_test/);
});

t.test('each operation says that one may ask too much', async (t) => {
  t.strictSame(Object.entries(operations).filter(([, { responses }]) => !('429' in responses))
    .map(([id]) => id), []);
});
