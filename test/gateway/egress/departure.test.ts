/** Whether anything of a call has left: an approval that it used depends on it. */
import { createServer } from 'node:net';
import t from 'tap';
import { failure as callFailure } from '../../../src/gateway/action/failure.ts';
import type { Issued } from '../../../src/gateway/credentials/connectionCredentials.ts';
import { NeedsReconnect } from '../../../src/gateway/credentials/credentialStore.ts';
import { TokenRequestFailed } from '../../../src/gateway/credentials/oauthClient.ts';
import { Unauthorized } from '../../../src/gateway/credentials/unauthorized.ts';
import { withCredentials } from '../../../src/gateway/credentials/withCredentials.ts';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { listen } from '../../support/listen.ts';
import { connection, documentOf } from '../support.ts';
import {
  actionOf, callerOf, failure, json, lookupTo, never, serve, testUpstream, type TestCall,
} from './support.ts';

const body = (schema: object, type = 'application/json') =>
  ({ requestBody: { content: { [type]: { schema } } } });
const plain = actionOf(documentOf('/a/{id}', 'post', {
  parameters: [{ in: 'path', name: 'id', required: true, schema: {} }], ...body({}) }));
const elsewhere = actionOf(documentOf('/a', 'post',
  { servers: [{ url: 'https://other.example' }] }));
const form = actionOf(documentOf('/a', 'post', body({}, 'application/x-www-form-urlencoded')));

t.test('nothing has left', async (t) => {
  const server = await serve(t, (_request, response) => json(response, {}));
  const call = callerOf(t, server);
  const cases: [string, typeof plain, TestCall][] = [
    ['an argument that leads elsewhere', plain, { input: { path: { id: '..' } } }],
    ['a body that cannot be written', form, { input: { body: 'text' } }],
    ['a server of its own', elsewhere, {}],
    ['refused', plain, { input: { path: { id: 'x' } }, target: { egress_allow: [] } }],
    ['no URL', plain, { input: { path: { id: 'x' } }, target: { base_url: 'x' } }],
    ['nobody there', plain, { input: { path: { id: 'x' } },
      target: { base_url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] } }],
    ['unusable credentials', plain, { input: { path: { id: 'x' } },
      credentials: { type: 'bearer', token: 'a\nb' } }],
  ];
  for (const [why, action, given] of cases) {
    const departure = new Departure();
    await failure(call(action, { ...given, departure }));
    t.notOk(departure.left, why);
  }
  t.equal(server.received.length, 0);
});

t.test('it has, or may have', async (t) => {
  const input = { path: { id: 'x' } };
  for (const [why, status, headers] of [
    ['refused credentials', 401, {}], ['an error', 500, {}], ['too many', 429, {}],
    ['forbidden', 403, {}], ['a way that is not allowed', 303, { location: 'http://10.0.0.1/' }],
    ['a way that leads nowhere', 303, { location: 'http://127.0.0.1:1/' }]] as const) {
    const server = await serve(t, (_request, response) => json(response, {}, status, headers));
    const egress_allow = [...server.egress_allow, '127.0.0.1:1'];
    const departure = new Departure();
    await failure(callerOf(t, server)(plain, { input, departure, target: { egress_allow } }));
    t.ok(departure.left, why);
  }
  const lost = await serve(t, (_request, response) => void response.destroy());
  const departure = new Departure();
  t.match(await failure(callerOf(t, lost)(plain, { input, departure })),
    { code: 'outcome_unknown' });
  t.ok(departure.left, 'the answer was lost');
});

t.test('an attempt that was refused before says nothing of the next one', async (t) => {
  const server = await serve(t, (_request, response) => void response.destroy());
  const call = callerOf(t, server);
  const input = { path: { id: 'x' } };
  const departure = new Departure();
  departure.mark();
  t.match(await failure(call(plain, { input, departure,
    target: { base_url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] } })),
  { code: 'upstream_error', message: /refuses connections/ });
  t.match(await failure(call(plain, { input, departure })), { code: 'outcome_unknown' });
});

t.test('on the wire, for both ways to send', async (t) => {
  const server = await serve(t, ({ target }, response) => {
    if (target === '/cut') response.destroy();
    else response.end('x');
  });
  const quiet = createServer((socket) => socket.on('error', () => {}).resume());
  const port = await listen(t, quiet);
  const egress_allow = [...server.egress_allow, '127.0.0.1:1', `127.0.0.1:${port}`];
  const upstream = testUpstream(t, { lookup: (_name, _options, callback) =>
    callback(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), '') });
  const guarded = upstream.fetchFor({ egress_allow });
  const sending: [string, boolean][] = [[`${server.url}/`, true], [`${server.url}/reused`, true],
    [`${server.url}/cut`, true], ['http://127.0.0.1:1/', false],
    ['http://nobody.example/', false], [`https://127.0.0.1:${server.port}/`, false]];
  for (const [url, left] of sending) {
    for (const method of ['GET', 'POST']) {
      const [sent, fetched] = [new Departure(), new Departure()];
      await upstream.send({ method, url: new URL(url), headers: {}, egress_allow, departure: sent },
        never).catch(() => {});
      await guarded(url, { method, departure: fetched }).then((answer) => answer.text())
        .catch(() => {});
      t.same([sent.left, fetched.left], [left, left], `${method} ${url}`);
    }
  }
  const [before, during] = [new Departure(), new Departure()];
  const url = `http://127.0.0.1:${port}/`;
  await failure(guarded(url, { departure: before, signal: AbortSignal.abort() }));
  t.notOk(before.left, 'aborted before');
  const stop = new AbortController();
  quiet.once('connection', (socket) => socket.once('data', () => stop.abort()));
  await failure(guarded(url, { departure: during, signal: stop.signal }));
  t.ok(during.left, 'aborted while it waited for the answer');
});

t.test('what is aborted while it connects is not sent', async (t) => {
  for (const way of ['send', 'fetch'] as const) {
    let bytes = 0;
    const [connected, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const server = createServer((socket) => {
      connected.resolve();
      socket.on('data', (data) => { bytes += data.length; }).on('error', () => {})
        .on('close', () => closed.resolve());
    });
    const port = await listen(t, server);
    const [asked, found] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lookup = lookupTo('127.0.0.1');
    const upstream = testUpstream(t, { lookup: (...given) => {
      asked.resolve();
      void found.promise.then(() => lookup(...given));
    } });
    const [departure, stop] = [new Departure(), new AbortController()];
    const url = new URL(`http://slow.example:${port}/`);
    const egress_allow = [`127.0.0.1:${port}`];
    const sent = failure(way === 'fetch'
      ? upstream.fetchFor({ egress_allow })(url, { method: 'POST', departure, signal: stop.signal })
      : upstream.send({ method: 'POST', url, headers: {}, egress_allow, departure }, stop.signal));
    await asked.promise;
    stop.abort();
    found.resolve();
    await Promise.all([sent, connected.promise]);
    await upstream.close();
    await closed.promise;
    t.same([bytes, departure.left], [0, false], way);
  }
});

t.test('credentials that are refused are renewed once', async (t) => {
  const issued = { credentials: { type: 'none' }, secrets: [], version: null };
  const give = async () => issued as unknown as Issued;
  const fail = (error: Error) => async (): Promise<Issued> => { throw error; };
  const outcome = async (
    first: () => Promise<Issued>, second: () => Promise<Issued>, ...calls: Error[]) => {
    const failed = await failure(withCredentials({ for: first, refused: second },
      { workspace_id: 'wsp_1', connection_id: 'con_1', egress_allow: [], action: 'acme.get' },
      connection(), async () => { throw calls.shift()!; }, never));
    return [calls.length, failed] as const;
  };
  const token = new TokenRequestFailed('The token endpoint is away.');
  const gone = new NeedsReconnect('It was removed.');
  for (const [error, told] of [[token, { message: 'The token endpoint is away.' }],
    [gone, { missing: [{ code: 'needs_reconnect', reason: 'It was removed.' }] }]] as const) {
    t.match(await outcome(fail(error), give), [0, told]);
    t.match(await outcome(give, fail(error), new Unauthorized('x')), [0, told]);
  }
  const other = callFailure('another');
  t.match(await outcome(give, give, other, other), [1, { message: 'another' }]);
  t.match(await outcome(give, give, new Unauthorized('x'), other), [0, { message: 'another' }]);
  t.match(await outcome(give, give, new Unauthorized('x'), new Unauthorized('again'), other),
    [1, { code: 'upstream_error', message: 'again' }]);
});
