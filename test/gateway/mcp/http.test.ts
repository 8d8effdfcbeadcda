/** Sessions over Streamable HTTP: whose they are, how long they last, what goes over the wire. */
import t from 'tap';
import { createUpstream } from '../../../src/gateway/egress/upstream.ts';
import { until } from '../../support/until.ts';
import {
  event, fakeServer, json, RESULT, result, stream, TOOLS, withoutSessions, type Answer,
} from './httpServer.ts';
import { connect, importFrom, integrationOf, lab } from './support.ts';

const count = (list: string[], item: string) => list.filter((other) => other === item).length;

t.test('a session serves one connection, with its credentials on every request', async (t) => {
  const fake = await fakeServer(t);
  const made = lab();
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  t.same(fake.methods(), ['initialize', 'notifications/initialized', 'GET', 'tools/list', 'DELETE'],
    'the import leaves no session behind');
  fake.received.length = 0;
  made.credentials = { type: 'bearer', token: 'hunter2' };
  t.same(await call('act', { a: 1 }), RESULT);
  t.same(await call('act', { a: 2 }), RESULT);
  t.equal(count(fake.methods(), 'initialize'), 1);
  t.equal(count(fake.methods(), 'tools/list'), 1);
  t.equal(count(fake.methods(), 'tools/call'), 2);
  t.ok(fake.received.every(({ headers }) => headers.authorization === 'Bearer hunter2'));
  t.match(fake.received.find(({ message }) => message.method === 'tools/call')!.message.params,
    { name: 'act', arguments: { a: 1 } });
  t.match(fake.received[0]!.message.params, {
    clientInfo: { name: 'gatehouse', version: '1.2.3' }, capabilities: {} });

  await call('act', {}, { connection_id: 'con_2' });
  t.equal(count(fake.methods(), 'initialize'), 2, 'another connection has a session of its own');
});

t.test('an integer that is too large for a number is one where a tool wants one', async (t) => {
  const fake = await fakeServer(t);
  fake.answers['tools/list'] = (message, response) => json(response, result(message, { tools: [
    { name: 'act', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } }] }));
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  await call('act', { id: '1076543210012345678', name: '1076543210012345678' });
  const { text } = fake.received.find(({ message }) => message.method === 'tools/call')!;
  t.match(text, '"arguments":{"id":1076543210012345678,"name":"1076543210012345678"}');
});

t.test('other credentials of a connection begin a new session, and end the old one', async (t) => {
  const fake = await fakeServer(t);
  const made = lab();
  const { call, source } = await connect(t, integrationOf({ url: fake.url }), made);
  made.credentials = { type: 'api_key', in: 'header', name: 'X-Key', value: 'one' };
  await call('act');
  fake.received.length = 0;
  made.credentials = { type: 'oauth2', access_token: 'two' };
  await call('act');
  await until(async () => fake.methods().includes('DELETE'));
  const first = fake.received.find(({ message }) => message.method === 'initialize')!;
  t.equal(first.headers.authorization, 'Bearer two');
  t.notOk('x-key' in first.headers);
  t.match(fake.received.find(({ verb }) => verb === 'DELETE'), { headers: { 'x-key': 'one' } });
  await source.close();
  t.equal(count(fake.methods(), 'DELETE'), 2, 'closing says goodbye');
});

t.test('a forgotten session is begun anew, once', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  await call('act');
  fake.sessions.clear();
  t.same(await call('act'), RESULT, '404 is how a server says so');
  fake.answers['tools/call'] = (message, response) => {
    if (fake.methods().filter((method) => method === 'initialize').length > 3) {
      json(response, result(message, RESULT));
    } else {
      json(response, { error: { message: 'Bad Request: No valid session ID provided' } }, 400);
    }
  };
  t.same(await call('act'), RESULT, 'so do many others');
  fake.answers['tools/call'] = (_message, response) => void response.writeHead(404).end();
  await t.rejects(call('act'), { name: 'ActionFailure', code: 'upstream_error',
    message: 'The server forgets its sessions.' });
});

t.test('an idle session is closed, one in use is not', async (t) => {
  const fake = await fakeServer(t);
  const made = lab({ idle_ms: 20 });
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  fake.received.length = 0;
  let release = () => {};
  fake.answers['tools/call'] = (message, response) => {
    release = () => json(response, result(message, RESULT));
  };
  const waiting = call('act');
  await until(async () => fake.methods().includes('tools/call'));
  const other = call('act', {}, { connection_id: 'con_2' });
  await until(async () => count(fake.methods(), 'tools/call') === 2);
  release();
  await other;
  await until(async () => fake.methods().includes('DELETE'));
  t.equal(count(fake.methods(), 'DELETE'), 1, 'of the two only the one that nobody uses');
  fake.answers['tools/call'] = (message, response) => json(response, result(message, RESULT));
  await call('act', {}, { connection_id: 'con_2' });
  t.equal(count(fake.methods(), 'initialize'), 3);
  t.equal(await Promise.race([waiting.catch(() => 'lost'), call('act').then(() => 'waits')]),
    'waits');
});

t.test('sessions are bounded: an idle one makes room', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab({ sessions_limit: 1 }));
  await call('act', {}, { connection_id: 'con_1' });
  await call('act', {}, { connection_id: 'con_2' });
  await until(async () => count(fake.methods(), 'DELETE') === 2);
  fake.answers['tools/call'] = () => {};
  const stopped = new AbortController();
  const waiting = call('act', {}, { connection_id: 'con_2', signal: stopped.signal });
  await t.rejects(call('act', {}, { connection_id: 'con_3' }),
    { message: 'Too many connections to the server are in use at once.' });
  stopped.abort(new Error('enough'));
  await t.rejects(waiting, { message: 'enough' });
});

t.test('drained: calls under way end as they do, and each session with the last', async (t) => {
  const fake = await fakeServer(t);
  const { call, source } = await connect(t, integrationOf({ url: fake.url }), lab());
  const answered = fake.answers['tools/call']!;
  // By what they say of themselves: they may arrive in another order than they left in.
  const releases: (() => void)[] = [];
  fake.answers['tools/call'] = (message, response, request) => {
    const { n } = message.params!.arguments as { n: number };
    releases[n] = () => void answered(message, response, request);
  };
  const held = () => Object.keys(releases).length;
  const waiting = [call('act', { n: 0 }), call('act', { n: 1 }),
    call('act', { n: 2 }, { connection_id: 'con_2' })];
  await until(async () => held() === 3);
  fake.received.length = 0;
  let ended = false;
  const drained = source.drain().then(() => { ended = true; });
  const late = call('act', { n: 3 });
  await until(async () => held() === 4);
  releases[3]!();
  t.same(await late, RESULT, 'whoever comes too late has a session of his own');
  await until(async () => count(fake.methods(), 'DELETE') === 1);
  releases[0]!();
  t.same(await waiting[0], RESULT);
  releases[2]!();
  t.same(await waiting[2], RESULT);
  await until(async () => count(fake.methods(), 'DELETE') === 2);
  t.equal(ended, false);
  releases[1]!();
  t.same(await waiting[1], RESULT, 'one who shared a session that others have left');
  await drained;
  t.equal(count(fake.methods(), 'DELETE'), 3);
});

t.test('drained, then closed: calls under way are cut off', async (t) => {
  const fake = await fakeServer(t, { 'tools/call': () => {} });
  const { call, source } = await connect(t, integrationOf({ url: fake.url }), lab());
  const waiting = t.rejects(call('act'), { name: 'ActionFailure' });
  await until(async () => fake.methods().includes('tools/call'));
  const drained = source.drain();
  await source.close();
  await Promise.all([waiting, drained]);
  t.equal(count(fake.methods(), 'DELETE'), 2, 'of the import, and of the call');
});

t.test('all pages are read, up to a bound, and none twice', async (t) => {
  const fake = await fakeServer(t);
  const page = (names: string[], nextCursor?: string) => ({
    tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })), nextCursor });
  fake.answers['tools/list'] = (message, response) => {
    const number = Number(message.params?.cursor ?? 0);
    json(response, result(message, page([`tool_${number}`], String(number + 1))));
  };
  const integration = integrationOf({ url: fake.url });
  const pages = await importFrom(integration, lab({ pages_limit: 5 }));
  t.equal(pages.actions.length, 5);
  t.equal(pages.report.cut, true);
  const tools = await importFrom(integration, lab({ tools_limit: 3 }));
  t.same(tools.actions.map(({ name }) => name),
    ['server.tools.tool_0', 'server.tools.tool_1', 'server.tools.tool_2']);

  let asked = 0;
  fake.answers['tools/list'] = (message, response) => {
    asked += 1;
    json(response, result(message, { ...page([], String(asked)), other: 'x'.repeat(400) }));
  };
  const empty = await importFrom(integration, lab({ list_limit_chars: 1_000 }));
  t.match([empty.actions.length, empty.report.cut, asked], [0, true, 3], 'nor more than there is');

  fake.answers['tools/list'] = (message, response) =>
    json(response, result(message, page(['a'], 'again')));
  t.equal((await importFrom(integration, lab())).report.cut, true, 'a circle of pages ends');
  fake.answers['tools/list'] = (message, response) => json(response, result(message, page(['a'])));
  const whole = await importFrom(integration, lab());
  t.equal(whole.report.cut, false);
});

t.test('an empty cursor ends a list, but in the protocol that says that it is one', async (t) => {
  const pages: Answer = (message, response) => {
    const { cursor } = message.params!;
    const [name, nextCursor] = cursor === undefined ? ['first', ''] : ['second', undefined];
    json(response, result(message, { resultType: 'complete', ttlMs: 0, cacheScope: 'private',
      tools: [{ name, inputSchema: { type: 'object' } }], nextCursor }));
  };
  for (const [others, listed] of [
    [{}, ['server.tools.first']],
    [withoutSessions(), ['server.tools.first', 'server.tools.second']]] as const) {
    const fake = await fakeServer(t, { ...others, 'tools/list': pages });
    const { actions, report } = await importFrom(integrationOf({ url: fake.url }), lab());
    t.same(actions.map(({ name }) => name), listed);
    t.equal(report.cut, false);
  }
});

t.test('a cancelled call is told to the server, and its stream given up', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  let left = false;
  fake.answers['tools/call'] = (_message, response) => {
    stream(response);
    response.write(event({ jsonrpc: '2.0', method: 'notifications/message', params: {
      level: 'info', data: 'working' } }, 'a1'));
    response.on('close', () => { left = true; });
  };
  const cancel = new AbortController();
  const waiting = call('act', {}, { signal: cancel.signal });
  await until(async () => fake.methods().includes('tools/call'));
  cancel.abort(new Error('enough'));
  await t.rejects(waiting, { message: 'enough' });
  await until(async () => left && fake.methods().includes('notifications/cancelled'));
  const sent = (method: string) =>
    fake.received.find(({ message }) => message.method === method)!.message;
  t.match(sent('notifications/cancelled').params, { requestId: sent('tools/call').id });
});

t.test('a stream that breaks off is resumed where it was', async (t) => {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  let asked: unknown;
  fake.answers['tools/call'] = (message, response) => {
    asked = message.id;
    stream(response);
    response.end(`retry: 1\nid: a1\ndata:\n\n`);
  };
  fake.answers.GET = (_message, response, { headers }) => {
    if (headers['last-event-id'] !== 'a1') return void response.writeHead(405).end();
    stream(response);
    response.write(event({ jsonrpc: '2.0', id: asked, result: RESULT }, 'a2'));
  };
  t.same(await call('act'), RESULT);
});

t.test('a server tells of changes on a stream of its own', async (t) => {
  const fake = await fakeServer(t, { GET: (_message, response) => {
    stream(response);
    tell = () => response.write(event({
      jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
  } });
  let tell: () => void = () => t.fail('no stream is open');
  const made = lab();
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  await call('act');
  await until(async () => count(fake.methods(), 'GET') === 2);
  const changed = { ...TOOLS[0], annotations: { readOnlyHint: true } };
  fake.answers['tools/list'] = (message, response) =>
    json(response, result(message, { tools: [changed] }));
  t.same(await call('act'), RESULT, 'what has been seen counts, as long as nothing is said');
  tell();
  await until(async () => made.changes.length > 0);
  tell();
  await until(async () => made.changes.length > 1); // Somebody may have listed them in between.
  const before = count(fake.methods(), 'tools/call');
  await t.rejects(call('act'), { message: /has changed since it was accepted/ });
  t.equal(count(fake.methods(), 'tools/call'), before);
  t.same(made.changes, ['server', 'server', 'server']);
  fake.answers['tools/list'] = (message, response) => json(response, result(message, {
    tools: [] }));
  tell();
  await t.rejects(call('act'), { message: /(has changed|does not offer)/ });
});

t.test('every request passes the egress guard', async (t) => {
  const fake = await fakeServer(t);
  const upstream = createUpstream({ response_limit_bytes: 1_000_000 });
  t.teardown(() => upstream.close());
  const integration = integrationOf({ url: fake.url });
  const refusing = lab({}, { fetch: upstream.fetchFor({ egress_allow: [] }) });
  await t.rejects(importFrom(integration, refusing), {
    name: 'ActionFailure', message: /^The server must not be reached: / });
  t.same(fake.received, []);
  const egress_allow = [new URL(fake.url).host];
  const allowing = lab({}, { fetch: upstream.fetchFor({ egress_allow }) });
  const { call, source } = await connect(t, integration, allowing);
  t.same(await call('act'), RESULT);
  const content = [{ type: 'text', text: 'x'.repeat(1_100_000) }];
  const tooLarge = { message: /^The server answered with more than .* Ask it for less/ };
  fake.answers['tools/call'] = (message, response) => json(response, result(message, { content }));
  await t.rejects(call('act'), tooLarge, 'the guard is the first to see it');
  fake.answers['tools/call'] = (message, response) => {
    stream(response);
    response.end(event(result(message, { content })));
  };
  await t.rejects(call('act'), tooLarge, 'in a stream as well');
  await source.close();
});

t.test('a server of the protocol without sessions', async (t) => {
  const fake = await fakeServer(t, withoutSessions());
  const { call, report } = await connect(t, integrationOf({ url: fake.url }), lab());
  t.match(report, { server: { protocol: '2026-07-28' } });
  t.same(await call('act'), RESULT);
  fake.answers['tools/call'] = (message, response) => json(response, result(message, RESULT));
  t.same(await call('act'), RESULT, 'a result that does not say its type');
  fake.answers['tools/list'] = (message, response) =>
    json(response, result(message, { tools: TOOLS, ttlMs: 0, cacheScope: 'private' }));
  t.equal((await importFrom(integrationOf({ url: fake.url }), lab())).actions.length, 1);
  fake.answers['tools/call'] = (message, response) => json(response, result(message, {
    resultType: 'input_required', inputRequests: {} }));
  await t.rejects(call('act'), { name: 'ActionFailure' }, 'nobody is there to be asked');
  fake.answers.initialize = (message, response) => json(response, result(message, {
    protocolVersion: '2026-07-28', capabilities: {}, serverInfo: { name: 'x', version: '1' } }));
  t.match((await importFrom(integrationOf({ url: fake.url }), lab())).report,
    { server: { protocol: '2026-07-28' } }, 'which may also say so where it is asked to begin one');
});

t.test('a server that refuses a client which says in which ways it can be asked', async (t) => {
  // As the Java SDK 0.17 does: with sessions by a status, without them by an error.
  const words = 'Unrecognized field "form" (class ClientCapabilities$Elicitation)';
  const refusals: Answer[] = [
    (_message, response) => json(response, { message: words }, 400),
    ({ id }, response) => json(response,
      { jsonrpc: '2.0', id, error: { code: -32_603, message: words } }),
  ];
  for (const refuse of refusals) {
    const fake = await fakeServer(t);
    const begin = fake.answers.initialize!;
    fake.answers.initialize = (message, response, request) => {
      const { elicitation } = message.params!.capabilities as { elicitation: object };
      return (Object.keys(elicitation).length > 0 ? refuse : begin)(message, response, request);
    };
    fake.answers['server/discover'] = refuse;
    const { call, source } = await connect(t, integrationOf({ url: fake.url }), lab());
    t.same(await call('act'), RESULT);
    await source.close();
  }
});

t.test('where neither protocol is spoken, or not to everybody, it is said why', async (t) => {
  const fake = await fakeServer(t, withoutSessions());
  const added = () => importFrom(integrationOf({ url: fake.url }), lab());
  const discover = fake.answers['server/discover']!;
  fake.answers['server/discover'] = (_message, response) => void response.writeHead(401).end();
  await t.rejects(added(), { name: 'Unauthorized', message: /does not accept the credentials/ });
  fake.answers['server/discover'] = (_message, response) =>
    void response.writeHead(429, { 'retry-after': '7' }).end();
  await t.rejects(added(), { name: 'ActionFailure', message: /no more calls for now.*in 7 s/ });
  fake.answers.initialize = (message, response) => json(response, { jsonrpc: '2.0',
    id: message.id, error: { code: -32_603, message: 'the licence has expired' } });
  fake.answers['server/discover'] = (message, response) => json(response, { jsonrpc: '2.0',
    id: message.id, error: { code: -32_601, message: 'no such method' } });
  await t.rejects(added(), {
    message: 'The server answered with an internal error: the licence has expired' });
  fake.answers.initialize = (_message, response) => void response.writeHead(400).end('no');
  await t.rejects(added(), { message: 'The server answered with HTTP 400.' });
  fake.answers['server/discover'] = discover;
  t.match((await added()).report, { server: { protocol: '2026-07-28' } });
});
