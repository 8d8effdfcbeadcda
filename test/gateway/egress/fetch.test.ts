import t from 'tap';
import { hostile } from './hostile.ts';
import { failure, json, never, serve, testUpstream } from './support.ts';

t.test('a fetch for libraries', async (t) => {
  const server = await serve(t, ({ body }, response) => json(response, body.toString(), 201));
  const guarded = testUpstream(t).fetchFor(server);
  const response = await guarded(new URL(server.url), { method: 'POST',
    headers: new Headers({ 'x-a': 'b' }), body: new URLSearchParams({ grant: 'x y' }) });
  t.type(response, Response);
  t.match(response, { status: 201, url: `${server.url}/` });
  t.equal(await response.json(), 'grant=x+y');
  t.match(server.received[0], { method: 'POST', headers: { 'x-a': 'b',
    'content-type': /^application\/x-www-form-urlencoded/ } });
  const nothing = await serve(t, (_request, answer) => answer.writeHead(204).end());
  t.equal((await testUpstream(t).fetchFor(nothing)(nothing.url)).body, null);
});

t.test('what is streamed comes as it is sent', async (t) => {
  const next = Promise.withResolvers<void>();
  const server = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    void next.promise.then(() => response.end('data: 2\n\n'));
  });
  const response = await testUpstream(t).fetchFor(server)(server.url);
  const texts: string[] = [];
  for await (const chunk of response.body!) {
    texts.push(Buffer.from(chunk).toString());
    next.resolve(); // the second is sent only once the first has come
  }
  t.equal(texts.join(''), 'data: 1\n\ndata: 2\n\n');
});

t.test('a fetch that is aborted', async (t) => {
  const server = await serve(t, hostile);
  const guarded = testUpstream(t).fetchFor(server);
  const before = new AbortController();
  const asked = failure(guarded(`${server.url}/silent`, { signal: before.signal }));
  before.abort(new Error('enough'));
  t.match(await asked, { message: 'enough' });
  const during = new AbortController();
  const response = await guarded(`${server.url}/trickle`, { signal: during.signal });
  const read = failure(response.text());
  during.abort(new Error('enough'));
  t.match(await read, { message: 'enough' });
});

t.test('closing breaks off what is under way', async (t) => {
  const server = await serve(t, hostile);
  const upstream = testUpstream(t);
  const get = (path: string) => upstream.send({ method: 'GET', url: new URL(path, server.url),
    headers: {}, egress_allow: server.egress_allow }, never);
  const waiting = failure(get('/stuck'));
  await get('/html-as-json');
  await upstream.close();
  t.match(await waiting, { name: 'UpstreamUnreachable' });
});

t.test('connections are used again', async (t) => {
  const ports = new Set<number | undefined>();
  const server = await serve(t, (_request, response) => {
    ports.add(response.socket?.remotePort);
    json(response, 1);
  });
  const upstream = testUpstream(t);
  for (let i = 0; i < 5; i++) {
    await upstream.send({ method: 'GET', url: new URL(server.url), headers: {},
      egress_allow: server.egress_allow }, never);
  }
  t.ok(ports.size < 5, `${ports.size} connections for 5 requests`);
});
