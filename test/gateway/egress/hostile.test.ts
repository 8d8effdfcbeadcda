import { createServer } from 'node:https';
import t from 'tap';
import { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { AnswerTooLarge } from '../../../src/gateway/egress/guardedFetch.ts';
import { unreachable, UpstreamUnreachable } from '../../../src/gateway/egress/unreachable.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { listen } from '../../support/listen.ts';
import { soundness } from '../../support/soundness.ts';
import { documentOf } from '../support.ts';
import { hostile, serveBytes } from './hostile.ts';
import {
  actionOf, callerOf, failure, lookupTo, never, serve, testUpstream, type TestUpstream,
} from './support.ts';

const LIMIT_BYTES = 300_000;
const get = (server: Pick<TestUpstream, 'url' | 'egress_allow'>, path = '/') => ({
  method: 'GET', url: new URL(path, server.url), headers: {}, egress_allow: server.egress_allow });

t.test('an answer is read up to the limit, and not further', async (t) => {
  const server = await serve(t, hostile);
  const upstream = testUpstream(t, { response_limit_bytes: LIMIT_BYTES });
  for (const path of ['/endless', '/gzip-bomb', '/brotli-bomb']) {
    const { body, cut } = await upstream.send(get(server, path), never);
    t.equal(body.length, LIMIT_BYTES, path);
    t.ok(cut);
  }
  const empty = await upstream.send(get(server, '/endless-gzip'), never);
  t.same([empty.body.length, empty.cut], [0, true], 'endless, and nothing in it');
  const exact = await serve(t, (_request, response) => response.end(Buffer.alloc(LIMIT_BYTES)));
  const whole = await upstream.send(get(exact), never);
  t.same([whole.body.length, whole.cut], [LIMIT_BYTES, false]);
});

t.test('a fetch is bounded alike', async (t) => {
  const server = await serve(t, hostile);
  const guarded = testUpstream(t, { response_limit_bytes: LIMIT_BYTES }).fetchFor(server);
  for (const path of ['/endless', '/gzip-bomb', '/brotli-bomb']) {
    const response = await guarded(server.url + path);
    t.equal(response.status, 200);
    t.type(await failure(response.arrayBuffer()), AnswerTooLarge, path);
  }
});

t.test('an answer that takes for ever', async (t) => {
  const server = await serve(t, hostile);
  const slow = testUpstream(t, { timeout_ms: 100 });
  for (const path of ['/silent', '/trickle', '/stuck']) {
    const error = await failure(slow.send(get(server, path), never));
    t.type(error, UpstreamUnreachable, path);
  }
  const patient = testUpstream(t);
  for (const path of ['/silent', '/trickle', '/stuck']) {
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const sent = failure(patient.send(get(server, path), controller.signal));
    setImmediate(() => controller.abort(reason));
    t.equal(await sent, reason, `${path} is left when the signal aborts`);
  }
});

t.test('what is no proper answer', async (t) => {
  const server = await serve(t, hostile);
  const upstream = testUpstream(t, { response_limit_bytes: LIMIT_BYTES });
  for (const [path, message] of [
    ['/stacked', /compressed in a way/], ['/cut-gzip', /broke off/],
    ['/not-gzip', /not compressed as it says/], ['/not-brotli', /not compressed as it says/],
    ['/cut', /broke/], ['/hang-up', /connection broke/], ['/headers', /headers .* too large/],
  ] as const) {
    const departure = new Departure();
    const error = await failure(upstream.send({ ...get(server, path), departure }, never));
    t.type(error, UpstreamUnreachable, path);
    t.match(error, { message }, path);
    t.ok(departure.left, path);
  }
  for (const bytes of ['SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 999999 x\r\n\r\n', '\0\0\0\0',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n']) {
    const error = await failure(upstream.send(get(await serveBytes(t, bytes)), never));
    t.type(error, UpstreamUnreachable, bytes);
    t.match(error, { message: /no proper HTTP|broke/ }, bytes);
  }
  t.match(await failure(upstream.send(
    get(await serveBytes(t, 'HTTP/1.1 200 OK\r\n', true)), never)),
  { message: /headers .* too large/ }, 'headers without end');
});

t.test('an answer without a body that has one is done all the same', async (t) => {
  const upstream = testUpstream(t);
  for (const rest of ['Content-Length: 7\r\n\r\n{"a":1}', 'Content-Length: 7\r\n\r\n',
    'Content-Length: 7\r\nContent-Encoding: gzip\r\n\r\n{"a":1}',
    'Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n', '\r\n{"a":1}']) {
    const server = await serveBytes(t, `HTTP/1.1 204 No Content\r\n${rest}`);
    for (const method of ['POST', 'GET']) {
      const { status, body, cut } = await upstream.send({ ...get(server), method }, never);
      t.same([status, body.length, cut], [204, 0, false], rest);
    }
  }
  const ports = new Set<number | undefined>();
  const proper = await serve(t, (_request, response) => {
    ports.add(response.socket?.remotePort);
    response.writeHead(204).end();
  });
  for (let i = 0; i < 10; i++) await upstream.send(get(proper), never);
  t.ok(ports.size < 5, 'connections of a proper one are used again');
});

t.test('what cannot be reached', async (t) => {
  const gone = await serve(t, hostile);
  const upstream = testUpstream(t);
  const none = { url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] };
  t.match(await failure(upstream.send(get(none), never)), { message: 'it refuses connections' });
  const names = testUpstream(t, { lookup: (_name, _options, callback) =>
    callback(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }), '') });
  t.match(await failure(names.send(
    { ...get(gone), url: new URL('http://nobody.example/') }, never)),
  { message: 'its name does not resolve' });
  t.match(await failure(upstream.send(
    { ...get(gone), url: new URL(`https://127.0.0.1:${gone.port}/`) }, never)),
  { message: 'it does not speak TLS there' });
});

t.test('a certificate that is not taken is named, and what to do about it', async (t) => {
  const ofCode = (code: string) =>
    unreachable(new TypeError('fetch failed', { cause: { code } }), false).message;
  for (const code of ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'DEPTH_ZERO_SELF_SIGNED_CERT']) {
    t.match(ofCode(code), /^its certificate is of an authority .*NODE_EXTRA_CA_CERTS/, code);
  }
  t.equal(ofCode('CERT_HAS_EXPIRED'), 'its certificate has expired');
  t.equal(ofCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'its certificate is for another name');
  t.equal(ofCode('CERT_REVOKED'), 'no TLS connection to it came about (CERT_REVOKED)');

  const certificate = makeCertificate(t);
  if (!certificate) return t.pass('a real one', { skip: 'there is no openssl' });
  const server = createServer(certificate, (_request, response) => response.end('x'));
  const port = await listen(t, server);
  const secure = { url: `https://127.0.0.1:${port}`, egress_allow: [`127.0.0.1:${port}`] };
  t.match(await failure(testUpstream(t).send(get(secure), never)),
    { message: /^its certificate is of an authority that is not known here; .*NODE_EXTRA/ });
});

t.test('what a code means depends on whether the request had left', async (t) => {
  const error = Object.assign(new Error('x'), { code: 'ETIMEDOUT' });
  for (const thrown of [error, new TypeError('fetch failed', { cause: error })]) {
    t.equal(unreachable(thrown, false).message, 'it does not take connections');
    t.equal(unreachable(thrown, true).message, 'the exchange failed');
  }
});

t.test('headers of the transport cannot be set', async (t) => {
  const server = await serve(t, hostile);
  const upstream = testUpstream(t, { lookup: lookupTo('127.0.0.1') });
  await upstream.send({ ...get(server, '/echo?'), headers: { host: 'evil.example', Host: 'evil',
    connection: 'upgrade', 'content-length': '99', 'transfer-encoding': 'chunked', te: 'x',
    upgrade: 'websocket', expect: '100-continue', 'proxy-authorization': 'x',
    'keep-alive': 'x', 'x-mine': 'kept' } }, never);
  const { headers } = server.received[0]!;
  t.equal(headers.host, `127.0.0.1:${server.port}`);
  t.match(headers, { 'x-mine': 'kept', 'user-agent': 'gatehouse', connection: 'keep-alive' });
  t.notMatch(JSON.stringify(headers), /evil|upgrade|expect|proxy|"99"/);
});

const operation = (path: string, method = 'get') => actionOf(documentOf(path, method, {
  parameters: [{ in: 'query', name: 'page', schema: { type: 'integer' } },
    { in: 'query', name: 'q', schema: { type: 'string' } }],
  responses: { 200: { content: { 'application/json': { schema: {} } } } },
}));

t.test('a service that lies about what it answers', async (t) => {
  const call = callerOf(t, await serve(t, hostile));
  t.match((await call(operation('/html-as-json'))).result,
    { not_json: { bytes: 16 }, text: '<h1>Sign in</h1>' });
  t.same((await call(operation('/json-as-html'))).result, { a: 1 }, 'the document says it is JSON');
});

t.test('an answer that is too large says so', async (t) => {
  const call = callerOf(t, await serve(t, hostile), { response_limit_bytes: LIMIT_BYTES });
  const { result, truncated, source_cursor } = await call(operation('/endless'));
  t.equal(truncated, true);
  t.equal(source_cursor, null);
  const { head, truncated: report } = result as { head: string, truncated: object };
  t.match(head, /^a+$/);
  t.match(report, { bytes: null, returned: head.length, hint: /Ask for less/ });
  t.ok(Buffer.byteLength(JSON.stringify(result)) <= 100_000, 'it fits into what is kept');
  t.match((await call(operation('/gzip-bomb'))).result, { truncated: { bytes: null } });
});

t.test('a service that echoes secrets', async (t) => {
  soundness(t, 'a secret in a text');
  const server = await serve(t, hostile);
  const call = callerOf(t, server, { response_limit_bytes: LIMIT_BYTES });
  const secret = 'canary-5ecret';
  const scrub = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(secret, '[secret]')) as T;
  for (const credentials of [
    { type: 'bearer', token: secret },
    { type: 'api_key', in: 'query', name: 'key', value: secret },
    { type: 'api_key', in: 'cookie', name: 'key', value: secret },
  ] as const) {
    const performed = await call(operation('/echo'), { credentials, input: { query: { q: 'x' } },
      scrub });
    t.ok(performed.source_cursor);
    t.notMatch(performed.source_cursor, secret, 'it is in no cursor');
    t.match(performed.source_cursor, '"page":"2"');
    t.notMatch(JSON.stringify(performed), secret);
    for (const path of ['/echo-400', '/echo-500']) {
      const error = await failure(call(operation(path), { credentials, scrub }));
      t.type(error, ActionFailure);
      t.notMatch(JSON.stringify([error.message, error.stack, error.details]), secret, path);
    }
    t.match(JSON.stringify(server.received.at(-1)), secret, 'although it was sent');
  }
});

t.test('a secret at the place where an answer is cut', async (t) => {
  soundness(t, 'a secret in a text');
  const secret = 'canary-5ecret-of-some-length';
  const seen: string[] = [];
  for (let shift = 0; shift < secret.length; shift++) {
    const server = await serve(t, (_request, response) => response.end(
      'x'.repeat(50_000 - shift) + secret + 'x'.repeat(50_000)));
    const call = callerOf(t, server, { response_limit_bytes: 50_000 });
    const { result } = await call(operation('/'), {
      scrub: <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll(secret, '')) as T });
    seen.push(JSON.stringify(result));
  }
  t.notMatch(seen.join(''), 'canary', 'not even its beginning is told');
});

t.test('a write whose answer is lost has an unknown outcome', async (t) => {
  const server = await serve(t, hostile);
  const call = callerOf(t, server, { timeout_ms: 2_000 });
  for (const path of ['/hang-up', '/silent', '/cut', '/cut-gzip']) {
    t.match(await failure(call(operation(path, 'post'))), { code: 'outcome_unknown' }, path);
    t.match(await failure(call(operation(path, 'get'))), { code: 'upstream_error' }, path);
  }
  t.equal(server.received.length, 8, 'and none is sent again');
  const nobody = { target: { base_url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] } };
  t.match(await failure(call(operation('/a', 'post'), nobody)),
    { code: 'upstream_error', message: /refuses connections/ }, 'nothing was sent');
  t.match(await failure(call(operation('/a', 'post'), { target: { egress_allow: [] } })),
    { code: 'egress_refused', message: /not public/ });
});
