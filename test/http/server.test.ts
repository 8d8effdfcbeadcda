/** The server itself: pages beside the API, what is no HTTP, slow senders, pipelining, drain. */
import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { read } from '../support/sourceTree.ts';
import { AUTHORIZED, JSON_BODY, deferred, readAll, readUntil, room } from './support.ts';

const GET = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n`
  + `Authorization: ${AUTHORIZED.authorization}\r\n${more}\r\n`;

t.test('health and readiness need no key', async (t) => {
  const reasons: string[] = [];
  let broken = false;
  let hangs = false;
  const { fetch } = await room(t, {
    services: {
      readiness: async () => {
        if (broken) throw new Error('no');
        if (hangs) await new Promise(() => {});
        return reasons;
      },
    },
  });
  t.strictSame(await (await fetch('/healthz')).json(), { status: 'ok' });
  const ready = await fetch('/readyz');
  t.equal(ready.status, 200);
  t.strictSame(await ready.json(), { status: 'ready' });
  reasons.push('database', 'schema');
  const not = await fetch('/readyz');
  t.equal(not.status, 503);
  t.strictSame(await not.json(), { status: 'not_ready', reasons: ['database', 'schema'] });
  broken = true;
  const failed = await fetch('/readyz');
  t.equal(failed.status, 503, 'a check that fails is no success');
  t.strictSame(await failed.json(), { status: 'not_ready', reasons: ['database'] });
  [broken, hangs] = [false, true];
  t.strictSame(await (await fetch('/readyz')).json(),
    { status: 'not_ready', reasons: ['database'] }, 'nor is one that does not end');
  t.equal((await fetch('/healthz')).status, 200, 'the process is well nevertheless');
});

t.test('the root leads to the documentation', async (t) => {
  const { fetch } = await room(t);
  const root = await fetch('/', { redirect: 'manual' });
  t.equal(root.status, 302);
  t.equal(root.headers.get('location'), 'docs');
  const document = await (await fetch('/docs/openapi.json')).json() as
    { paths: object; servers: object[] };
  t.ok('/runs/{run_id}' in document.paths);
  t.notOk(Object.keys(document.paths).some((path) => path.startsWith('/admin')));
  t.strictSame(document.servers, [{ url: '../v1' }], 'found from where the document is');
  const elsewhere = await room(t, { config: { public_url: 'https://x.example/gatehouse/' } });
  t.match(await (await elsewhere.fetch('/docs/openapi.json')).json(),
    { servers: [{ url: 'https://x.example/gatehouse/v1' }] });
});

t.test('the views of the document are served without a key', async (t) => {
  const { fetch } = await room(t);
  for (const name of ['openapi.3.0.json', 'openapi.3.2.json', 'openapi.codegen.json']) {
    const answer = await fetch(`/docs/${name}`);
    t.match(answer.headers.get('content-type'), /^application\/json/);
    t.strictSame(await answer.json(), {
      ...JSON.parse(read(`generated/${name}`)), servers: [{ url: '../v1' }],
    }, name);
  }
});

t.test('what is no HTTP gets a JSON answer, and the connection is closed', async (t) => {
  const { raw, fetch } = await room(t);
  for (const [bytes, status] of [
    ['hello\r\n\r\n', 400], ['GET / HTTP/9.9\r\n\r\n', 400], ['\x16\x03\x01\x02\x00\x01', 400],
    ['GET / HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n', 400],
    ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 400], ['CONNECT a:1 HTTP/1.1\r\n\r\n', 400],
    ['POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n'
      + 'Transfer-Encoding: chunked\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const answer = await raw(bytes);
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), bytes.slice(0, 30));
    const body = JSON.parse(answer.slice(answer.indexOf('{'))) as { request_id: string };
    t.match(body, { error: String, code: 'invalid_request', param: null, request_id: /^req_/ });
    t.match(answer, `\r\nX-Request-Id: ${body.request_id}\r\n`);
  }
  t.equal((await fetch('/healthz')).status, 200);
});

t.test('what Node would refuse without a word is refused as everything else', async (t) => {
  const { raw } = await room(t);
  const authorization = `Authorization: ${AUTHORIZED.authorization}\r\nConnection: close\r\n`;
  for (const [head, param] of [
    ['GET /v1/runs HTTP/1.1\r\n', 'host'], ['GET /healthz HTTP/1.1\r\n', 'host'],
    ['GET /v1/runs HTTP/1.1\r\nHost: x\r\nExpect: much\r\n', 'expect'],
    ['POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: a, 100-continue\r\n',
      'expect'],
  ] as const) {
    const answer = await raw(`${head}X-Request-Id: mine\r\n${authorization}\r\n`);
    t.match(answer, /^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: mine\r\n/, head);
    t.match(JSON.parse(answer.slice(answer.indexOf('{'))),
      { error: String, code: 'invalid_request', param, request_id: 'mine' });
  }
  for (const head of ['GET /v1/runs HTTP/1.0\r\n', 'GET /v1/runs HTTP/1.0\r\nExpect: much\r\n',
    'GET /v1/runs HTTP/1.1\r\nHost:\r\nExpect: 100-Continue\r\n']) {
    t.match(await raw(`${head}${authorization}\r\n`), /^HTTP\/1\.1 200 /, head);
  }
});

t.test('a tunnel that is asked for after a request is refused after its answer', async (t) => {
  const { raw } = await room(t);
  const answers = await raw(
    `${GET('/v1/runs/run_1')}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\nmore`);
  t.match(answers, /^HTTP\/1\.1 200 [^]*\}HTTP\/1\.1 400 [^]*CONNECT asks for a tunnel/);
});

t.test('garbage after a request does not spoil that one\'s answer', async (t) => {
  const arrived = deferred();
  const go = deferred();
  const { socket } = await room(t, {
    handlers: {
      getRun: async () => {
        arrived.resolve();
        await go.promise;
        return { status: 200, body: { answered: true } };
      },
    },
  });
  const opened = await socket();
  const all = readAll(opened);
  opened.write(`${GET('/v1/runs/x')}garbage\r\n\r\n`);
  await arrived.promise;
  go.resolve();
  const text = await all;
  t.match(text, /^HTTP\/1\.1 200 OK[^]*\{"answered":true\}HTTP\/1\.1 400 Bad Request/);
});

t.test('pipelined requests are answered in their order', async (t) => {
  const { raw } = await room(t, {
    handlers: {
      getRun: async ({ params }) => ({ status: 200, body: params.path }),
    },
  });
  const text = await raw(GET('/v1/runs/a') + GET('/v1/runs/b') + GET('/v1/nothing')
    + GET('/v1/runs/c', 'Connection: close\r\n'));
  t.strictSame([...text.matchAll(/"run_id":"(\w)"|"(not_found)"/g)].map(([, a, b]) => a ?? b),
    ['a', 'b', 'not_found', 'c']);
});

t.test('who sends head or body too slowly is told so, and cut off', async (t) => {
  const { socket } = await room(t, {
    timeouts: { headers_ms: 100, request_ms: 150, check_ms: 20 },
  });
  const head = await socket();
  head.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  t.match(await readAll(head), /^HTTP\/1\.1 408 [^]*"invalid_request"/);
  const body = await socket();
  body.write('POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Length: 100\r\n\r\n{`);
  t.match(await readAll(body), /^HTTP\/1\.1 408 /);
  const silent = await socket();
  t.equal(await readAll(silent), '', 'one that says nothing at all is cut off without a word');
});

t.test('a connection without traffic is closed after its time', async (t) => {
  const { raw } = await room(t, { config: { connection_idle_ms: 200 }, handlers: {
    createActionInvocation: async ({ signal }) => {
      await once(signal, 'abort');
      return { status: 201, body: {} };
    },
  } });
  const body = '{"action":"a"}';
  t.equal(await raw('POST /v1/action_invocations HTTP/1.1\r\nHost: x\r\n'
    + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Type: application/json\r\n`
    + `Content-Length: ${body.length}\r\n\r\n${body}`), '');
});

t.test('a request that came while the process stood still is answered', async (t) => {
  const { socket, fetch } = await room(t, {
    // Counted from when a connection was accepted: both are to be in time until it stands still.
    timeouts: { headers_ms: 2_000, request_ms: 2_000, check_ms: 20 },
    handlers: { createSession: async () => ({ status: 201, body: { made: true } }) },
  });
  const [whole, half] = [await socket(), await socket()];
  await fetch('/healthz'); // came after them: they are accepted
  const answers = Promise.all([readAll(whole), readAll(half)]);
  // Sent at once: both are in the server's sockets when it looks for those that are too slow.
  whole.write(`POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
    + `Authorization: ${AUTHORIZED.authorization}\r\nContent-Length: 2\r\n`
    + 'Connection: close\r\n\r\n{}');
  half.write('POST /v1/sessions HTTP/1.1\r\nHost: x\r\n');
  const until_ms = performance.now() + 3_000;
  while (performance.now() < until_ms);
  const [answered, refused] = await answers;
  t.match(answered, /^HTTP\/1\.1 201 /);
  t.match(refused, /^HTTP\/1\.1 408 /);
});

t.test('a drain lets requests finish, and refuses new connections', async (t) => {
  const arrived = deferred();
  const go = deferred();
  const { server, socket, port } = await room(t, {
    config: { drain_ms: 5_000 },
    handlers: {
      getRun: async ({ draining }) => {
        arrived.resolve();
        await once(draining, 'abort');
        await go.promise;
        return { status: 200, body: { finished: true } };
      },
    },
  });
  const idle = await socket();
  idle.write(GET('/healthz'));
  await readUntil(idle, '"ok"}');
  const busy = await socket();
  busy.write(GET('/v1/runs/x'));
  await arrived.promise;
  const idleEnd = once(idle, 'close');
  const answer = readAll(busy);
  const drained = server.drain();
  await idleEnd;
  const late = connect(port, '127.0.0.1');
  t.match(await once(late, 'error'), [{ code: 'ECONNREFUSED' }]);
  go.resolve();
  t.match(await answer, /^HTTP\/1\.1 200 OK[^]*Connection: close[^]*\{"finished":true\}$/);
  await drained;
});

t.test('a drain lets a request finish whose body waited to be asked for', async (t) => {
  const arrived = deferred();
  const go = deferred();
  const { server, socket } = await room(t, {
    config: { drain_ms: 5_000 },
    handlers: {
      createSession: async () => {
        arrived.resolve();
        await go.promise;
        return { status: 201, body: { finished: true } };
      },
    },
  });
  const busy = await socket();
  const { authorization, 'content-type': type } = JSON_BODY;
  busy.write(`POST /v1/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`
    + `Content-Type: ${type}\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`);
  await readUntil(busy, '100 Continue');
  busy.write('{}');
  await arrived.promise;
  const unused = await socket();
  const unusedEnd = once(unused, 'close');
  const answer = readAll(busy);
  const drained = server.drain();
  // Connections without a request are closed by now: this one has one.
  await unusedEnd;
  go.resolve();
  t.match(await answer, /^HTTP\/1\.1 201 [^]*\{"finished":true\}$/);
  await drained;
});

t.test('whoever has connected by then is answered', async (t) => {
  const { server, port } = await room(t, {
    handlers: { getRun: async () => ({ status: 200, body: { finished: true } }) },
  });
  const clients = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
  t.teardown(() => clients.forEach((client) => client.destroy()));
  const answers = clients.map((client) => readAll(client));
  for (const client of clients) client.write(GET('/v1/runs/x'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const drained = server.drain();
  for (const answer of await Promise.all(answers)) t.match(answer, /^HTTP\/1\.1 200 OK/);
  await drained;
});

t.test('behind a proxy it serves on until that has heard that the node goes', async (t) => {
  const { server, socket } = await room(t, {
    config: { drain_ms: 6_000, trusted_proxies: '127.0.0.1' },
    handlers: { getRun: async () => ({ status: 200, body: { finished: true } }) },
  });
  const [idle, asking, unused] = [await socket(), await socket(), await socket()];
  for (const kept of [idle, asking, unused]) {
    kept.write(GET('/healthz'));
    await readUntil(kept, '"ok"}');
  }
  const drained = server.drain();
  const ready = readAll(asking);
  asking.write(GET('/readyz'));
  t.match(await ready, /^HTTP\/1\.1 503 [^]*Connection: close[^]*"draining"/);
  for (const on of [idle, await socket()]) {
    const answer = readAll(on);
    on.write(GET('/v1/runs/x'));
    t.match(await answer, /^HTTP\/1\.1 200 OK[^]*Connection: close[^]*\{"finished":true\}$/);
  }
  await once(unused, 'close');
  await drained;
});

t.test('a drain answers what takes longer than drain_ms; a second one is the same', async (t) => {
  const arrived = deferred();
  const aborted = deferred();
  const { server, socket } = await room(t, {
    config: { drain_ms: 50 },
    handlers: {
      createSession: async ({ signal }) => {
        signal.addEventListener('abort', () => aborted.resolve());
        arrived.resolve();
        return await new Promise(() => undefined);
      },
    },
  });
  const opened = await socket();
  opened.write('POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n'
    + `Authorization: ${JSON_BODY.authorization}\r\n\r\n`);
  await arrived.promise;
  const cut = readAll(opened);
  await Promise.all([server.drain(), server.drain()]);
  t.match(await cut, new RegExp('^HTTP/1\\.1 503 [^]*Retry-After: 1\r\n[^]*Connection: close\r\n'
    + '[^]*"error":"The service is stopping, .* may have taken effect[^]*"code":"unavailable"'));
  await aborted.promise;
  await server.drain();
});

t.test('so does one at /mcp', async (t) => {
  const arrived = deferred();
  const { server, socket } = await room(t, {
    config: { drain_ms: 50 },
    services: { publicUrl: () => 'http://x', accessTokens: null },
    mcp: async ({ signal }) => {
      arrived.resolve();
      await once(signal, 'abort');
      throw signal.reason as Error;
    },
  });
  const opened = await socket();
  opened.write('POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n'
    + `Content-Type: application/json\r\nAuthorization: ${JSON_BODY.authorization}\r\n\r\n{}`);
  const answer = readAll(opened);
  await arrived.promise;
  await server.drain();
  t.match(await answer, /^HTTP\/1\.1 503 [^]*"code":"unavailable"/);
});

t.test('an address that is taken is an error', async (t) => {
  const first = await room(t);
  await t.rejects(room(t, { config: { port: first.port } }), { code: 'EADDRINUSE' });
});
