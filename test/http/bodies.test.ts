/** Request bodies: media type, size, JSON, schema. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import t from 'tap';
import { AUTHORIZED, JSON_BODY, errorOf, readAll, room } from './support.ts';

const post = (body: unknown, headers: Record<string, string> = JSON_BODY): RequestInit =>
  ({ method: 'POST', headers, body: body as string, ...{ duplex: 'half' } });
const rawHead = (length: number, more = '') => 'POST /v1/sessions HTTP/1.1\r\nHost: x\r\n'
  + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Type: application/json\r\n`
  + `Content-Length: ${length}\r\n${more}\r\n`;

t.test('the media type must be JSON in UTF-8, not compressed', async (t) => {
  const { fetch } = await room(t);
  for (const [headers, status] of [
    [{ 'content-type': 'application/json' }, 200],
    [{ 'content-type': 'Application/JSON; charset=UTF-8' }, 200],
    [{ 'content-type': 'application/json; charset="utf-8"' }, 200],
    [{ 'content-type': 'application/json; charset=latin1' }, 415],
    [{ 'content-type': 'text/plain' }, 415], [{ 'content-type': 'application/jsonx' }, 415],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ] as const) {
    for (const path of ['/v1/sessions', '/v1/actions/search']) {
      const body = path === '/v1/sessions' ? '{}' : '{"query":"x"}';
      const answer = await fetch(path, post(body, { ...AUTHORIZED, ...headers }));
      t.equal(answer.status, status, `${JSON.stringify(headers)} for ${path}`);
      if (status === 415) t.equal((await errorOf(t, answer)).code, 'unsupported_media_type');
    }
  }
});

t.test('a body that is not required may be left out, in any way', async (t) => {
  const { fetch, raw } = await room(t);
  const none = await fetch('/v1/sessions', { method: 'POST', headers: AUTHORIZED });
  t.equal(none.status, 200);
  t.notMatch(await none.json(), { body: Object }, 'the operation gets undefined');
  t.equal((await fetch('/v1/sessions', post('', JSON_BODY))).status, 200);
  const chunked = await raw('POST /v1/sessions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
    + `Authorization: ${AUTHORIZED.authorization}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  t.match(chunked, /^HTTP\/1\.1 200 /, 'an empty body in chunks');
  for (const headers of [AUTHORIZED, JSON_BODY]) {
    const empty = await fetch('/v1/actions/search', { method: 'POST', headers });
    t.equal(empty.status, 400, 'one that is required may not');
    t.match(await errorOf(t, empty),
      { code: 'invalid_json', error: 'The body is empty; it must be JSON.' });
  }
  const typeless = await raw('POST /v1/actions/search HTTP/1.1\r\nHost: x\r\nConnection: close\r\n'
    + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Length: 2\r\n\r\n{}`);
  t.match(typeless, /^HTTP\/1\.1 415 [^]*The body has no Content-Type/);
});

t.test('a body comes whole or in chunks, and in no other transfer coding', async (t) => {
  const { raw } = await room(t);
  for (const [coding, status] of [['chunked', 200], ['Chunked', 200], ['gzip, chunked', 415]]) {
    for (const path of ['/v1/sessions', '/v1/actions/search']) {
      const answer = await raw(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
        + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Type: application/json\r\n`
        + `Transfer-Encoding: ${coding}\r\n\r\ne\r\n${path === '/v1/sessions'
          ? '{"title": "x"}' : '{"query": "x"}'}\r\n0\r\n\r\n`);
      t.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), `${coding} for ${path}`);
      if (status === 415) t.match(answer, /"unsupported_media_type","param":"transfer-encoding"/);
    }
  }
});

t.test('malformed JSON is 400 invalid_json and says where', async (t) => {
  const { fetch } = await room(t);
  for (const [text, where] of [
    ['{"title":}', /unexpected "}" at position 9 \(line 1, column 10\)/],
    ['{\n "title": 1,\n}', /unexpected "}" at position 15 \(line 3, column 1\)/],
    ['{"title":1', /ends too early, at position 10/], ['[1 2]', /unexpected "2" at position 3/],
    ['{"title":"a\u0001b"}', /position 11/],
    ['{"title":"\\x"}', /unexpected "\\\\" at position 10/],
    ['nul', /unexpected "n" at position 0/], ['01', /unexpected "1" at position 1/],
    ['{} {}', /unexpected "{" at position 3/], ['{"a" 1}', /unexpected "1" at position 5/],
    ["{'a':1}", /unexpected "'" at position 1/], ['"abc', /ends too early, at position 4/],
    ['\ufeff{}', /unexpected U\+FEFF \(a byte order mark: leave it out\) at position 0/],
    ['\ufeff', /U\+FEFF/], ['[\u00a0]', /unexpected U\+00A0 at position 1/],
    ['  ', /is empty/], ['[1,]', /unexpected "\]" at position 3/],
    ['{"a":1]', /unexpected "\]" at position 6/], ['NaN', /position 0/],
    ['😀', /"😀" at position 0/],
  ] as const) {
    const answer = await fetch('/v1/sessions', post(text));
    t.equal(answer.status, 400, text);
    const body = await errorOf(t, answer);
    t.equal(body.code, 'invalid_json', text);
    t.match(body.error, where, text);
  }
  const latin = await fetch('/v1/sessions', post(Buffer.from('{"title":"\xe9"}', 'latin1')));
  t.match((await errorOf(t, latin)), { code: 'invalid_json', error: /UTF-8/ });
});

t.test('nesting is bounded without recursion', async (t) => {
  const { fetch } = await room(t, { config: { json_depth_limit: 64 } });
  const nested = (depth: number) => `{"action":"a","input":{"x":${'['.repeat(depth - 2)}`
    + `${']'.repeat(depth - 2)}}}`;
  t.equal((await fetch('/v1/action_invocations', post(nested(64)))).status, 200);
  for (const depth of [65, 5_000, 400_000]) {
    const answer = await fetch('/v1/action_invocations', post(nested(depth)));
    t.equal(answer.status, 400);
    t.match(await errorOf(t, answer), { code: 'invalid_request', error: /deeper than 64/ });
  }
  const brackets = JSON.stringify({ action: 'a', input: { x: '[{"\\'.repeat(500) } });
  t.equal((await fetch('/v1/action_invocations', post(brackets))).status, 200,
    'brackets in a string are no nesting');
});

t.test('no body is taken that has more objects and lists than anybody means', async (t) => {
  const { fetch } = await room(t, { config: { json_containers_limit: 1_000 } });
  const withLists = (count: number) =>
    `{"action":"a","input":{"x":[${'[],'.repeat(count)}"[{"]}}`;
  t.equal((await fetch('/v1/action_invocations', post(withLists(997)))).status, 200);
  const answer = await fetch('/v1/action_invocations', post(withLists(998)));
  t.equal(answer.status, 400);
  t.match(await errorOf(t, answer),
    { code: 'invalid_request', error: 'more than 1000 objects and lists' });
});

t.test('a name that is not valid is not told of as if its value were not', async (t) => {
  const { fetch } = await room(t);
  const long = 'k'.repeat(70);
  for (const [name, path, message] of [
    [long, `/metadata/${long}`, 'has too long a name: it may have 64 characters at most'],
    ['', '/metadata/', 'has an empty name'],
    ['k'.repeat(40_000), `/metadata/${'k'.repeat(100)}…`,
      'has too long a name: it may have 64 characters at most'],
  ] as const) {
    const answer = await fetch('/v1/sessions', post(JSON.stringify({ metadata: { [name]: 'v' } })));
    const { error, param, details } = await errorOf(t, answer);
    t.match(error, `The body is not valid: ${path} ${message}.`);
    t.strictSame([param, details], [path, [{ path, message }]]);
  }
});

t.test('every violation is reported, with its path, and no more than twenty', async (t) => {
  const { fetch } = await room(t);
  const answer = await fetch('/v1/sessions/s/runs', post(JSON.stringify({
    input: [{ role: 'system', content: [] }, { role: 'user', content: [{ type: 'input_text' }] }],
    max_steps: 0, titel: 'x', 'a/b~c': 1, metadata: { k: 1 },
  })));
  t.equal(answer.status, 400);
  const { details, param, code } = await errorOf(t, answer);
  t.equal(code, 'invalid_request');
  const paths = details!.map(({ path }) => path).sort();
  t.strictSame(paths, ['/a~1b~0c', '/input/0/content', '/input/0/role', '/input/1/content/0/text',
    '/max_steps', '/metadata/k', '/titel']);
  t.ok(paths.includes(param!));
  t.ok(details!.every(({ message }) => message.length > 0));
  const many = JSON.stringify(Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`k${i}`, 1])));
  t.equal((await errorOf(t, await fetch('/v1/sessions', post(many)))).details!.length, 20);
  const root = await errorOf(t, await fetch('/v1/sessions', post('[]')));
  t.match(root, { code: 'invalid_request', param: null, details: [{ path: '' }] });
});

t.test('who sends a text as the input is shown what one is', async (t) => {
  const { fetch } = await room(t);
  const parts = '[{"type": "input_text", "text": "…"}]';
  for (const [input, path, example] of [
    ['Hello', '/input', `[{"role": "user", "content": ${parts}}]`],
    [[{ role: 'user', content: 'Hello' }], '/input/0/content', parts],
  ] as const) {
    const answer = await fetch('/v1/sessions/s/runs', post(JSON.stringify({ input })));
    const { details } = await errorOf(t, answer);
    t.strictSame(details, [{ path, message: `must be array, such as ${example}` }]);
  }
});

t.test('of a body full of violations the first is told', async (t) => {
  const { fetch } = await room(t);
  const wrong = `{"input":[${'1,'.repeat(500_000)}1]}`;
  const answer = await fetch('/v1/sessions/s/runs', post(wrong));
  t.equal(answer.status, 400);
  t.equal((await errorOf(t, answer)).details!.length, 1, 'half a million would take seconds');
});

t.test('so it is of a small one with very many', async (t) => {
  const { fetch } = await room(t);
  const input = (count: number) => JSON.stringify(
    { input: [{ role: 'user', content: Array.from({ length: count }, () => ({})) }] });
  const path = '/v1/sessions/ses_1/runs';
  const few = await errorOf(t, await fetch(path, post(input(100))));
  t.ok((few.details as unknown[]).length > 10);
  const many = await errorOf(t, await fetch(path, post(input(5_000))));
  t.match([(many.details as unknown[]).length, many.error], [1, /There may be more\.$/]);
});

t.test('lengths count characters, not UTF-16 units', async (t) => {
  const { fetch } = await room(t);
  const titled = (length: number) => post(JSON.stringify({ title: '😀'.repeat(length) }));
  t.equal((await fetch('/v1/sessions', titled(200))).status, 200);
  t.equal((await fetch('/v1/sessions', titled(201))).status, 400);
});

t.test('keys that mean something to JavaScript are keys like any other', async (t) => {
  const { fetch } = await room(t);
  const refused = await fetch('/v1/sessions', post('{"__proto__":{"title":"x"}}'));
  t.equal((await errorOf(t, refused)).param, '/__proto__');
  const kept = await fetch('/v1/sessions',
    post('{"metadata":{"__proto__":"p","constructor":"c"}}'));
  t.match(await kept.text(), '"metadata":{"__proto__":"p","constructor":"c"}');
  const twice = await fetch('/v1/sessions', post('{"title":"a","title":"b"}'));
  t.match(await twice.json(), { body: { title: 'b' } }, 'of two the last one counts');
  t.equal(({} as { title?: string }).title, undefined);
});

t.test('a body that is too large is 413, which the client sees while it is still sending',
  async (t) => {
    const { socket } = await room(t, { config: { body_limit_bytes: 2_000 } });
    const announced = await socket();
    const answer = readAll(announced);
    announced.write(rawHead(5_000_000));
    for (let i = 0; i < 50; i++) {
      if (!announced.write('x'.repeat(100_000))) await once(announced, 'drain');
    }
    t.match(await answer, /^HTTP\/1\.1 413 [^]*Connection: close[^]*"payload_too_large"/);
    t.match(await answer, /\r\nRateLimit: "key";r=\d+[^]*\r\n\r\n/, 'it has taken from the rate');

    const chunked = await socket();
    const second = readAll(chunked);
    chunked.write(rawHead(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'));
    for (let i = 0; i < 5; i++) chunked.write(`3e8\r\n${'x'.repeat(1_000)}\r\n`);
    chunked.write('0\r\n\r\n');
    t.match(await second, /^HTTP\/1\.1 413 [^]*"payload_too_large"/, 'found out while reading');
  });

t.test('a body for which there is no memory is 429, which a client sees that sends all of it first',
  async (t) => {
    const limit_bytes = 200_000_000;
    const { socket } = await room(t, {
      config: { body_limit_bytes: limit_bytes },
      services: { publicUrl: () => 'http://x', accessTokens: null },
      mcp: () => Promise.reject(new Error('No message is whole.')),
    });
    const begin = async (path: string, length: number) => {
      const opened = await socket();
      opened.write(rawHead(length).replace('/v1/sessions', path));
      return opened;
    };
    const send = async (to: Socket, bytes: number) => {
      const part = Buffer.alloc(1_000_000, 'x');
      for (let sent = 0; sent < bytes; sent += part.length) {
        if (!to.write(part)) await once(to, 'drain');
      }
    };
    await send(await begin('/v1/sessions', limit_bytes), 160_000_000);
    for (const path of ['/v1/sessions', '/mcp']) {
      const refused = await begin(path, 10_000_000);
      const answer = readAll(refused);
      await send(refused, 10_000_000);
      t.match(await answer, /^HTTP\/1\.1 429 [^]*Connection: close[^]*fill the memory/, path);
    }
    const short = await begin('/v1/sessions', 2);
    const answer = readAll(short);
    short.write('{}');
    t.match(await answer, /^HTTP\/1\.1 429 /, 'also of one that has come as a whole');
  });

t.test('Expect: 100-continue is answered when the body is wanted, and not before', async (t) => {
  const { socket } = await room(t, { config: { body_limit_bytes: 2_000 } });
  const wanted = await socket();
  wanted.write(rawHead(2, 'Expect: 100-continue\r\nConnection: close\r\n'));
  const [first] = await once(wanted, 'data') as [Buffer];
  t.match(String(first), /^HTTP\/1\.1 100 Continue/);
  wanted.write('{}');
  t.match(await readAll(wanted), /^HTTP\/1\.1 200 /);
  const refused = await socket();
  refused.write(rawHead(9_999, 'Expect: 100-continue\r\n'));
  const [second] = await once(refused, 'data') as [Buffer];
  t.match(String(second), /^HTTP\/1\.1 413 /);
  const old = await socket();
  old.write(`${rawHead(2, 'Expect: 100-continue\r\n').replace('HTTP/1.1', 'HTTP/1.0')}{}`);
  t.match(await readAll(old), /^HTTP\/1\.1 200 /, 'HTTP/1.0 knows no such word');
});

t.test('a connection is good for another request after an error', async (t) => {
  const { socket } = await room(t);
  const opened = await socket();
  const head = (path: string, key: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n`
    + `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 8\r\n`;
  opened.write(`${head('/v1/sessions', 'wrong')}\r\n{"a":1} ${head('/v1/nothing', 'x')}\r\n{"a":1} `
    + `${head('/v1/sessions', 'gth_test')}\r\n{"a":1,}`
    + `${head('/v1/sessions', 'gth_test')}Connection: close\r\n\r\n{      }`);
  const statuses = [...(await readAll(opened)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => s);
  t.strictSame(statuses, ['401', '404', '400', '200']);
});

t.test('a client that goes away in the middle of its body disturbs nobody', async (t) => {
  const { socket, fetch, logged } = await room(t);
  const opened = await socket();
  opened.write(rawHead(100));
  opened.write('{"title":');
  await new Promise<void>((resolve) => opened.end(() => resolve()));
  opened.destroy();
  while (!logged.some(({ status }) => status === 499)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.equal((await fetch('/healthz')).status, 200);
  t.notOk(logged.some(({ level }) => (level as number) >= 50), 'nothing to worry about');
});
