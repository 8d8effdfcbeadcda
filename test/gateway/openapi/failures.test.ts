import t from 'tap';
import type { Credentials } from '../../../src/gateway/action/credentials.ts';
import { Unauthorized } from '../../../src/gateway/credentials/unauthorized.ts';
import { retryAfter } from '../../../src/gateway/egress/retryAfter.ts';
import { actionOf, callerOf, failure, json, serve, type TestUpstream } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const plain = actionOf(documentOf('/a', 'get', {}));

/** What becomes of an answer. */
async function outcome(
  t: Parameters<typeof serve>[0], status: number, headers: Record<string, string>, body: unknown,
  action = plain) {
  const server = await serve(t, (_request, response) => json(response, body, status, headers));
  return await failure(callerOf(t, server)(action));
}

t.test('401 asks for a refresh', async (t) => {
  const error = await outcome(t, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }, {});
  t.type(error, Unauthorized);
  t.match(error.message, /acme does not accept the credentials/);
});

t.test('401 of where a call was led says nothing of its credentials', async (t) => {
  const credentials = { type: 'bearer', token: 'a-token' } as const;
  const other = await serve(t, (_request, response) => json(response, {}, 401));
  const led = async (method: string, status: number, location: string) => {
    const server = await serve(t, ({ target }, response) => {
      if (target === '/end') return json(response, {}, 401);
      response.writeHead(status, { location }).end();
    });
    const target = { egress_allow: [...server.egress_allow, ...other.egress_allow] };
    const error = await failure(callerOf(t, server)(
      actionOf(documentOf('/a', method, {})), { credentials, target }));
    return { error, made: server.received.filter((one) => one.target === '/a').length };
  };
  for (const [method, status] of [['post', 303], ['post', 302], ['delete', 303]] as const) {
    const { error, made } = await led(method, status, `${other.url}/x`);
    t.match(error,
      { code: 'outcome_unknown', message: /has led this call to .* may have taken effect/ });
    t.equal(made, 1);
    t.match((await led(method, status, '/end')).error, { code: 'outcome_unknown' },
      'it was made, and then something else was asked for');
  }
  t.match((await led('get', 302, `${other.url}/x`)).error,
    { code: 'upstream_error', message: `acme has led this call to ${other.url}, which does not`
      + ' accept it. Credentials are never sent to another origin.' });
  t.type((await led('get', 302, '/end')).error, Unauthorized, 'they came along');
  t.type((await led('post', 307, '/end')).error, Unauthorized, 'it was not made before');
  t.match((await led('post', 303, 'http://10.0.0.1/')).error,
    { code: 'outcome_unknown', message: /has led this call to where it may not go: .*not public/ });
});

t.test('a write that a redirect made another request of is not told as done', async (t) => {
  const other = await serve(t, (_request, response) => json(response, '<html>Sign in', 200));
  const led = async (method: string, status: number, location: string, given = {}) => {
    const server = await serve(t, ({ target }, response) => {
      if (target.startsWith('/end')) return json(response, { made: 'by /end' });
      response.writeHead(status, { location }).end();
    });
    const { target = {}, effect } = given as { target?: object, effect?: string };
    const action = { ...actionOf(documentOf('/a', method, {})), ...(effect && { effect }) };
    return await callerOf(t, server)(action as typeof plain, {
      credentials: { type: 'bearer', token: 'a-token' },
      scrub: (value) => JSON.parse(JSON.stringify(value).replaceAll('a-token', '***')),
      target: { egress_allow: [...server.egress_allow, ...other.egress_allow], ...target },
    }).then(({ result }) => result, ({ outcome: { error } }) => error);
  };
  for (const [method, status] of [['post', 301], ['post', 302], ['post', 303], ['delete', 307],
    ['get', 302]] as const) {
    const error = await led(method, status, `${other.url}/login/a-token?to=secret#x`,
      { effect: 'write' });
    t.match(error, { code: 'outcome_unknown', message: `acme has led this call to ${other.url
    }/login/***, ` }, `${method} ${status}`);
    t.match(error.message, /may have taken effect, and was not repeated\./);
    t.notMatch(error.message, /to=|secret/);
  }
  for (const status of [301, 302]) {
    t.match(await led('post', status, '/end/'), { code: 'outcome_unknown',
      message: /has led this call to http\S+\/end\/, and so has made a GET of it, without its body/,
    }, `post ${status}`);
  }
  for (const [method, status] of [['post', 303], ['delete', 303], ['post', 307], ['put', 302],
    ['patch', 308]] as const) {
    t.same(await led(method, status, '/end'), { made: 'by /end' }, `${method} ${status}`);
  }
  for (const method of ['get', 'post']) {
    t.match(await led(method, 302, `${other.url}/x`, { effect: 'read' }), /Sign in/, 'it reads');
  }
  t.match(await led('delete', 307, `${other.url}/x`, { target: { other_origins: [other.url] } }),
    /Sign in/, 'the integration is there, too');
});

t.test('a page in place of data is no result of what reads', async (t) => {
  const page = '\n<!DOCTYPE html><title>Sign in</title>';
  const asked = async (schema: object, { type = 'text/html;charset=UTF-8', text = page } = {}) => {
    const server = await serve(t, ({ target }, response) => {
      if (target === '/a') return response.writeHead(302, { location: '/login;s=1?to=/a' }).end();
      response.writeHead(200, { 'content-type': type }).end(text);
    });
    const responses = { 200: { content: { '*/*': { schema } } } };
    return await callerOf(t, server)(actionOf({ ...documentOf('/a', 'get', { responses }),
      components: { schemas: { A: { allOf: [{ type: 'object' }] },
        B: { allOf: [{ $ref: '#/components/schemas/B' }] } } } }))
      .then(({ result }) => result, ({ outcome: { error } }) => error);
  };
  for (const schema of [{ type: 'array' }, { type: 'object' }, { properties: {} },
    { $ref: '#/components/schemas/A' }, { type: ['object', 'null'] },
    { oneOf: [{ type: 'array' }, { type: 'null' }] }, { anyOf: [{ type: 'object' }] }]) {
    t.match(await asked(schema), { code: 'upstream_error', details: { status: 200 },
      message: /^acme answered with a page at http\S+\/login;s=1, not with .* to sign in, or / },
    JSON.stringify(schema));
  }
  for (const schema of [{}, { type: 'string' }, { type: ['object', 'string'] }, { type: 'null' },
    { anyOf: [{ type: 'object' }, {}] }, { $ref: '#/components/schemas/B' }]) {
    t.equal(await asked(schema), page, 'it may be a page');
  }
  t.equal(await asked({ type: 'object' }, { type: 'text/plain' }), page);
  t.same(await asked({ type: 'object' }, { text: '{"a":1}' }), { a: 1 }, 'it is data all the same');
});

t.test('what is read after a write, and refused, does not say that the write was', async (t) => {
  for (const [method, status] of [['post', 303], ['delete', 303], ['put', 303]] as const) {
    for (const answered of [403, 404, 429, 500, 503]) {
      const server = await serve(t, ({ target }, response) => {
        if (target === '/end') return json(response, { why: 'not ready' }, answered);
        response.writeHead(status, { location: '/end' }).end();
      });
      const error = await failure(callerOf(t, server)(actionOf(documentOf('/a', method, {}))));
      t.match(error, { code: 'outcome_unknown', details: { status: answered },
        message: `acme answered ${answered} to this call, where it has led it. ` });
      t.match(error.message, /may have taken effect, and was not repeated\./);
    }
  }
  const server = await serve(t, ({ target }, response) => {
    if (target === '/end') return json(response, {}, 404);
    response.writeHead(303, { location: '/end' }).end();
  });
  const reading = { ...actionOf(documentOf('/a', 'post', {})), effect: 'read' as const };
  t.match(await failure(callerOf(t, server)(reading)), { code: 'upstream_error' });
});

t.test('403 says which rights are needed', async (t) => {
  t.match(await outcome(t, 403, { 'x-accepted-oauth-scopes': 'repo, admin:org',
    'x-oauth-scopes': 'gist', 'x-github-request-id': 'G1' }, { message: 'Not you' }), {
    code: 'upstream_forbidden', message: /asks for: repo, admin:org/,
    details: { status: 403, correlation_id: 'inv_1', upstream_request_id: 'G1',
      scopes_needed: ['repo', 'admin:org'], scopes_granted: ['gist'],
      body: { message: 'Not you' } },
  });
  t.match(await outcome(t, 403, {
    'www-authenticate': 'Bearer realm="x", error="insufficient_scope", scope="files.read mail"',
  }, {}), { message: /asks for: files\.read, mail\./,
    details: { scopes_needed: ['files.read', 'mail'] } });
  t.match(await outcome(t, 403, { 'x-accepted-github-permissions': 'issues=write' }, {}),
    { details: { scopes_needed: ['issues:write'] } });
  t.match(await outcome(t, 403, {}, 'no'), { code: 'upstream_forbidden',
    details: { scopes_needed: [], body: 'no' } });
});

t.test('403 of an account by OAuth 2.0 says how it gets the scopes of the challenge', async (t) => {
  let credentials: Credentials = { type: 'oauth2', access_token: 'a-token' };
  const refusing = (headers: Record<string, string>) =>
    serve(t, (_request, response) => json(response, {}, 403, headers));
  const told = async (server: TestUpstream, egress_allow = server.egress_allow) =>
    (await failure(callerOf(t, server)(plain, { credentials, target: { egress_allow } }))).message;
  const refused = async (headers: Record<string, string>) => told(await refusing(headers));
  t.match(await refused({ 'www-authenticate': 'Bearer scope="mail write"' }),
    /reconnect con_\w+ --auth oauth2 --scope mail --scope write --scope <each other>`\.$/,
    'as it stands it would take away what the account has');
  t.match(await refused({ 'x-accepted-oauth-scopes': 'repo, public_repo' }),
    /asks for: repo, public_repo\.$/, 'one of them will do');
  credentials = { ...credentials, scopes: ['read', 'mail'] };
  t.match(await refused({ 'www-authenticate': 'Bearer scope="mail write"' }),
    /reconnect con_\w+ --auth oauth2 --scope read --scope mail --scope write`\.$/,
    'as it stands it takes nothing away');
  credentials.scopes = Array.from({ length: 30 }, (_, nth) => `s${nth}`);
  t.match(await refused({ 'www-authenticate': 'Bearer scope="mail"' }),
    / --auth oauth2 --scope mail --scope <each other>`\.$/, 'too many to paste');
  const stranger = await refusing({ 'www-authenticate': 'Bearer scope="everything"' });
  const leading = await serve(t, (_request, response) =>
    response.writeHead(302, { location: stranger.url }).end());
  const led = await told(leading, [...leading.egress_allow, ...stranger.egress_allow]);
  t.match(led, /let the connected account do this/);
  t.notMatch(led, /reconnect/, 'by a stranger');
});

t.test('429 says when to repeat', async (t) => {
  t.match(await outcome(t, 429, { 'retry-after': '7' }, {}), {
    code: 'upstream_rate_limited', retry_after_s: 7, message: /in 7 s/,
    details: { retry_after_s: 7 } });
  t.match(await outcome(t, 429, {}, {}), { code: 'upstream_rate_limited', retry_after_s: null });
  t.match(await outcome(t, 403, { 'x-ratelimit-remaining': '0', 'retry-after': '60' }, {}),
    { code: 'upstream_rate_limited', retry_after_s: 60 }, 'as GitHub says it');
});

t.test('the time to wait', async (t) => {
  const now_ms = Date.parse('2026-11-21T09:00:00Z');
  for (const [headers, seconds] of [
    [{ 'retry-after': '0' }, 0], [{ 'retry-after': '1.2' }, 2],
    [{ 'retry-after': '999999' }, 86_400],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:01:00 GMT' }, 60],
    [{ 'retry-after': 'Sat, 21 Nov 2020 09:01:00 GMT' }, 0], [{ 'retry-after': 'soon' }, null],
    [{ 'x-ratelimit-reset': String(now_ms / 1000 + 30) }, 30],
    [{ 'x-ratelimit-reset': String(now_ms + 30_000) }, 30], [{ 'ratelimit-reset': '12' }, 12],
    [{ 'retry-after': 'soon', 'x-ratelimit-reset': '5' }, 5], [{}, null],
    // By a clock that is an hour ahead of ours.
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT', date: 'Sat, 21 Nov 2026 10:00:30 GMT' }, 30],
    [{ 'x-ratelimit-reset': String(now_ms / 1000 + 3_610),
      date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, 10],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:01:00 GMT', date: 'today' }, 60],
  ] as const) {
    t.equal(retryAfter({ ...headers }, now_ms), seconds, JSON.stringify(headers));
  }
});

t.test('other errors are opaque', async (t) => {
  const wrong = await outcome(t, 422, { 'x-request-id': 'r'.repeat(500) }, { field: 'is wrong' });
  t.equal(wrong.message, 'acme answered 422 to this call. The record of the call is inv_1.');
  t.match(wrong, { code: 'upstream_error', details: { status: 422, correlation_id: 'inv_1',
    upstream_request_id: 'r'.repeat(128), body: { field: 'is wrong' } } });
  const broken = await outcome(t, 500, {}, { stack: 'at internal.example' });
  t.same(broken.details, { status: 500, correlation_id: 'inv_1' });
  const large = await outcome(t, 400, {}, 'x'.repeat(100_000));
  t.ok(JSON.stringify(large.details).length < 5_000);
  const nested = await serve(t, (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' });
    response.end('['.repeat(100_000) + ']'.repeat(100_000));
  });
  const deep = await failure(callerOf(t, nested)(plain));
  t.equal(deep.code, 'upstream_error', 'whatever it is');
  t.match(JSON.stringify(deep.details), /\[\["\[nested deeper than 512 levels\]"\]\]/);
  const image = Buffer.from([0x89, 0x50, 0xff, 0]);
  const server = await serve(t, (_request, response) =>
    response.writeHead(404, { 'content-type': 'image/png' }).end(image));
  t.same((await failure(callerOf(t, server)(plain))).details, { status: 404,
    correlation_id: 'inv_1', body: { media_type: 'image/png', bytes: 4 } }, 'nobody reads base64');
  t.match(await outcome(t, 304, {}, ''), { code: 'upstream_error', message: /304/ });
});

t.test('nobody knows what came of a write that a proxy has answered', async (t) => {
  const write = (method: string) => actionOf(documentOf('/a', method, {}));
  for (const status of [408, 502, 504, 520, 522, 524]) {
    const lost = await outcome(t, status, { 'x-request-id': 'r1' }, 'page', write('post'));
    t.match(lost, { code: 'outcome_unknown', details: { status, upstream_request_id: 'r1' },
      message: new RegExp(`^acme answered ${status} .*proxy or gateway in between.*inv_1.*`
        + 'may have taken effect, and was not repeated') });
    t.equal((await outcome(t, status, {}, {})).code, 'upstream_error', 'it reads');
  }
  t.match(await outcome(t, 504, {}, {}, write('put')), { code: 'outcome_unknown' },
    'as if the connection had broken: never repeated by itself, idempotent or not');
  for (const status of [400, 404, 409, 500, 501, 503, 507, 525]) {
    t.match(await outcome(t, status, {}, {}, write('post')),
      { code: 'upstream_error' }, `${status} is what the service says`);
  }
});

t.test('errors that call themselves successes', async (t) => {
  const soft = actionOf(documentOf('/a', 'get', {}), { overrides: { '*': {
    soft_error: { pointer: '/ok', equals: false, message_pointer: '/error' } } } });
  const said = (body: unknown) => outcome(t, 200, {}, body, soft);
  t.match(await said({ ok: false, error: 'channel_not_found' }), { code: 'upstream_error',
    details: { status: 200, body: { error: 'channel_not_found' } } });
  t.type(await said({ ok: false, error: 'token_expired' }), Unauthorized);
  t.match(await said({ ok: false, error: 'missing_scope', needed: 'chat:write',
    provided: 'users:read' }), { code: 'upstream_forbidden',
    details: { scopes_needed: ['chat:write'], scopes_granted: ['users:read'] } });
  t.match(await said({ ok: false, error: 'ratelimited' }), { code: 'upstream_rate_limited' });
  t.match(await said({ ok: false }), { code: 'upstream_error' });
  const good = await serve(t, (_request, response) => json(response, { ok: true }));
  t.same((await callerOf(t, good)(soft)).result, { ok: true });
  const list = await serve(t, (_request, response) => json(response, []));
  t.same((await callerOf(t, list)(soft)).result, []);
});
