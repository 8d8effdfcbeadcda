import t from 'tap';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { EgressRefused } from '../../../src/gateway/egress/egress.ts';
import { freePort } from '../../support/freePort.ts';
import { failure, json, lookupTo, never, serve, testUpstream, type Handler } from './support.ts';

const HEADERS = { authorization: 'Bearer secret', cookie: 'a=secret', 'x-api-key': 'secret',
  accept: 'application/json', 'x-custom': 'mine', 'user-agent': 'test' };

/** `/to?status=302&url=…` redirects, everything else says what it got. */
const redirecting: Handler = (request, response) => {
  const { pathname, searchParams } = new URL(request.target, 'http://x');
  if (pathname !== '/to') return json(response, { method: request.method });
  response.writeHead(Number(searchParams.get('status') ?? 302),
    { location: searchParams.get('url') ?? '/end' }).end('moved');
};
const to = (url: string, status = 302) => `/to?status=${status}&url=${encodeURIComponent(url)}`;

t.test('redirects within the origin', async (t) => {
  const server = await serve(t, redirecting);
  const upstream = testUpstream(t);
  const send = (path: string, method = 'GET', body?: string) => upstream.send({
    method, url: new URL(path, server.url), body, egress_allow: server.egress_allow,
    headers: { ...HEADERS, ...(body === undefined ? {} : { 'content-type': 'text/plain' }) },
  }, never);

  const answer = await send(to('/end#fragment'));
  t.match(answer, { status: 200, url: `${server.url}/end` });
  t.match(server.received.at(-1), { target: '/end', headers: HEADERS }, 'all headers are kept');

  for (const [status, method, then] of [[301, 'POST', 'GET'], [302, 'POST', 'GET'],
    [303, 'PUT', 'GET'], [303, 'HEAD', 'HEAD'], [302, 'PUT', 'PUT'], [307, 'POST', 'POST'],
    [308, 'PATCH', 'PATCH']] as const) {
    const body = method === 'HEAD' ? undefined : 'content';
    await send(to('/end', status), method, body);
    const last = server.received.at(-1)!;
    t.equal(last.method, then, `${status} ${method}`);
    const kept = then === method && body !== undefined;
    t.equal(last.body.toString(), kept ? 'content' : '', `${status} ${method}`);
    t.equal(last.headers['content-type'], kept ? 'text/plain' : undefined);
  }
  t.match(await send('/to?status=304'), { status: 304 }, 'is no redirect');
  t.match(await send('/to?status=300'), { status: 300 });
});

t.test('an address that is written with letters of its language', async (t) => {
  const bytes = { utf8: '/für?é=€', latin1: '/f\u00fcr' } as const;
  const server = await serve(t, ({ target }, response) => {
    const name = target === '/utf8' || target === '/latin1'
      ? target.slice(1) as keyof typeof bytes : null;
    if (name === null) return json(response, {});
    response.writeHead(302, { location: Buffer.from(bytes[name], name).toString('latin1') }).end();
  });
  for (const [path, target] of [['/utf8', '/f%C3%BCr?%C3%A9=%E2%82%AC'],
    ['/latin1', '/f%C3%BCr']] as const) {
    await testUpstream(t).send({ method: 'GET', url: new URL(path, server.url), headers: {},
      egress_allow: server.egress_allow }, never);
    t.equal(server.received.at(-1)!.target, target);
    await testUpstream(t).fetchFor(server)(server.url + path);
    t.equal(server.received.at(-1)!.target, target, 'for libraries, too');
  }
});

t.test('at most three', async (t) => {
  const server = await serve(t, redirecting);
  const upstream = testUpstream(t);
  const chain = (length: number): string => length === 0 ? '/end' : to(chain(length - 1));
  const request = (path: string) => ({ method: 'GET', url: new URL(path, server.url), headers: {},
    egress_allow: server.egress_allow });
  t.equal((await upstream.send(request(chain(3)), never)).status, 200);
  const guarded = upstream.fetchFor(server);
  t.equal((await guarded(server.url + chain(3))).status, 200);
  server.received.length = 0;
  t.type(await failure(upstream.send(request(chain(4)), never)), EgressRefused);
  t.equal(server.received.length, 4);
  t.type(await failure(guarded(server.url + chain(4))), EgressRefused);
});

t.test('another origin gets no credentials and no body', async (t) => {
  const first = await serve(t, redirecting);
  const second = await serve(t, redirecting);
  const upstream = testUpstream(t);
  const egress_allow = [...first.egress_allow, ...second.egress_allow];
  const url = new URL(to(`${second.url}/end`), first.url);
  await upstream.send({ method: 'GET', url, headers: HEADERS, egress_allow }, never);
  await upstream.fetchFor({ egress_allow })(url, { headers: HEADERS });
  t.equal(second.received.length, 2);
  for (const { headers } of second.received) {
    t.equal(headers.host, new URL(second.url).host);
    t.equal(headers.accept, 'application/json');
    t.notMatch(JSON.stringify(headers), /secret|mine/);
  }
  await upstream.send({ method: 'GET', headers: HEADERS, egress_allow,
    url: new URL(to(`${second.url}${to(`${first.url}/end`)}`), first.url) }, never);
  t.notMatch(JSON.stringify(first.received.at(-1)!.headers), /secret|mine/, 'nor does a way back');

  second.received.length = 0;
  const withBody = { method: 'POST', url: new URL(to(`${second.url}/end`, 307), first.url),
    headers: HEADERS, body: 'client_secret=secret' };
  t.type(await failure(upstream.send({ ...withBody, egress_allow }, never)), EgressRefused);
  t.type(await failure(upstream.fetchFor({ egress_allow })(withBody.url, withBody)), EgressRefused);
  t.same(second.received, []);
});

t.test('a redirect is checked like any other URL', async (t) => {
  const server = await serve(t, redirecting);
  const canary = await serve(t, redirecting);
  const upstream = testUpstream(t, { lookup: lookupTo('127.0.0.1') });
  const guarded = upstream.fetchFor(server);
  for (const target of [canary.url, `http://localhost:${canary.port}/`,
    `http://0x7f.1:${canary.port}/`, `http://[::ffff:7f00:1]:${canary.port}/`,
    `//2130706433:${canary.port}/`, `http://name.example:${canary.port}/`,
    `http://user:pass@127.0.0.1:${server.port}/`, 'http://169.254.169.254/', 'http:///',
    'http://metadata.google.internal/', 'file:///etc/passwd', 'ftp://127.0.0.1/', 'http://[']) {
    const url = new URL(to(target), server.url);
    t.type(await failure(upstream.send({ method: 'GET', url, headers: {},
      egress_allow: server.egress_allow }, never)), EgressRefused, target);
    t.type(await failure(guarded(url)), EgressRefused, `fetch ${target}`);
  }
  t.same(canary.received, []);
});

t.test('what fails behind a redirect has left, and says why the last hop failed', async (t) => {
  const server = await serve(t, redirecting);
  const closed = `127.0.0.1:${await freePort()}`;
  const egress_allow = [...server.egress_allow, closed];
  const upstream = testUpstream(t);
  const guarded = upstream.fetchFor({ egress_allow });
  const post = (url: string, departure: Departure) => upstream.send({
    method: 'POST', body: 'content', url: new URL(url), headers: {}, egress_allow, departure,
  }, never);
  const fetched = (url: string, departure: Departure) =>
    guarded(url, { method: 'POST', body: 'content', departure });
  for (const send of [post, fetched]) {
    for (const [target, message] of [[`http://${closed}/`, 'it refuses connections'],
      ['http://10.0.0.1/', /not public/]] as const) {
      for (const [url, left] of [[server.url + to(target, 303), true], [target, false]] as const) {
        const departure = new Departure();
        t.match(await failure(send(url, departure)), { message }, url);
        t.equal(departure.left, left, url);
      }
    }
  }
});

t.test('fetch heeds how redirects are to be treated', async (t) => {
  const server = await serve(t, redirecting);
  const guarded = testUpstream(t).fetchFor(server);
  const manual = await guarded(server.url + to('/end'), { redirect: 'manual' });
  t.match(manual, { status: 302 });
  t.equal(manual.headers.get('location'), '/end');
  await manual.body?.cancel();
  t.type(await failure(guarded(server.url + to('/end'), { redirect: 'error' })), TypeError);
  const followed = await guarded(new Request(server.url + to('/end', 307), {
    method: 'POST', body: 'content' }));
  t.match(followed, { status: 200, url: `${server.url}/end` });
  t.type(followed, Response);
  t.same(await followed.json(), { method: 'POST' });
  t.equal(server.received.at(-1)!.body.toString(), 'content');
});
