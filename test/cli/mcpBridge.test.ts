/** `gatehouse mcp --stdio` between clients and services of all manners. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import { linesOf } from '../../src/cli/lines.ts';
import { bridge } from '../../src/cli/mcpBridge.ts';
import { gatehouse, killWhenSilent, start } from './support.ts';

interface Said { jsonrpc: string; id: unknown; result?: unknown; error?: object }
type Answer = (
  message: Record<string, unknown>, response: ServerResponse, request: IncomingMessage) => void;

const json = (response: ServerResponse, body: unknown, status = 200) =>
  void response.writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(body));
const echo: Answer = ({ id, params }, response) =>
  json(response, { jsonrpc: '2.0', id, result: params ?? {} });
const line = (message: object) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

/** A service that answers as a test says, at an address that stays the same while it is away. */
async function fakeService(t: Test, answer: Answer = echo) {
  const received: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray() as Buffer[]).toString();
      received.push({ headers: request.headers, body });
      answer(JSON.parse(body) as Record<string, unknown>, response, request);
    })();
  });
  const listen = async (port = 0) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = () => server.listening
    ? new Promise((resolve) => server.close(resolve).closeAllConnections()) : undefined;
  const port = await listen();
  t.teardown(close);
  return { url: `http://127.0.0.1:${port}/mcp`, received, close, listen: () => listen(port) };
}

/** A bridge of this process, what it says, and the end of its input. */
function bridgeTo(url: string) {
  const input = new PassThrough();
  const said: Said[] = [];
  const lines: string[] = [];
  const heard = new PassThrough({ objectMode: true });
  const ended = bridge({ url, api_key: 'a-key', input, write: (text) => {
    lines.push(text);
    said.push(JSON.parse(text) as Said);
    heard.write(said.at(-1));
  } });
  const next = async (): Promise<Said> => (await once(heard, 'data') as [Said])[0];
  return { input, said, lines, next, async end(last = '') {
    input.end(last);
    await ended;
    return said;
  } };
}

t.test('lines end at a line feed, wherever they are cut', async (t) => {
  const all = async (chunks: (Uint8Array | string)[], limit_chars = 100) =>
    await Array.fromAsync(linesOf(async function* () { yield* chunks; }(), limit_chars));
  const bytes = Buffer.from('\ufeff{"é": "\u2028\x85"}\r\n\n{"next"');
  for (const size of [1, 2, 3, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size));
    t.strictSame(await all(chunks), ['{"é": "\u2028\x85"}\r', '', '{"next"'], `by ${size}`);
  }
  t.strictSame(await all(['12345', '67', '\n1234567\n', '123456\n', '1234567'], 6),
    [null, null, '123456', null], 'what is too long is not kept');
  t.strictSame(await all([]), []);
});

t.test('each line is answered as JSON-RPC has it', async (t) => {
  const service = await fakeService(t);
  const client = bridgeTo(service.url);
  const said = await client.end(['not json', '[]', '"text"', '[{"jsonrpc":"2.0","id":1}]',
    '{"jsonrpc":"1.0","id":"old","method":"ping"}', '{"jsonrpc":"2.0","id":3}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}', '  ', '\r', '{"jsonrpc":"2.0","id":'].join('\n'));
  t.match(said, [
    { id: null, error: { code: -32_700 } },
    { id: null, error: { code: -32_600, message: /one message at a time/ } },
    { id: null, error: { code: -32_600 } },
    { id: null, error: { code: -32_600 } },
    { id: 'old', error: { code: -32_600 } },
    { id: 3, error: { code: -32_600 } },
    { id: null, error: { code: -32_600 } },
    { id: null, error: { code: -32_700 } },
  ]);
  t.equal(said.length, 8);
  t.strictSame(service.received, [], 'none of it was sent');
});

t.test('a long line, one of another system, and one that nothing ends', async (t) => {
  const service = await fakeService(t);
  const client = bridgeTo(service.url);
  client.input.write(`${'x'.repeat(17 * 1_048_576)}\n`);
  const text = `\u2028\x85${'é'.repeat(1_048_576)}`;
  client.input.write(line({ id: 1, method: 'ping', params: { text } }).replace('\n', '\r\n'));
  const said = await client.end(line({ id: 2, method: 'ping' }).trimEnd());
  t.match(said[0], { id: null, error: { code: -32_700, message: /at most 16777216/ } });
  t.strictSame(said.find(({ id }) => id === 1)?.result, { text });
  t.match(said.find(({ id }) => id === 2), { result: {} });
  t.notMatch(client.lines.join(''), /[\u2028\u2029\x85]/, 'which some clients take for an end');
});

t.test('nobody is answered who has not asked', async (t) => {
  const service = await fakeService(t, (message, response) =>
    json(response, message.method === 'ping' ? { jsonrpc: '2.0', id: message.id, result: {} }
      : { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Not so.' } }, 400));
  const client = bridgeTo(service.url);
  client.input.write(line({ method: 'notifications/initialized' }));
  client.input.write(line({ id: 'theirs', result: {} }));
  client.input.write(line({ id: 'asked', method: 'other' }));
  const said = await client.end(line({ id: 'last', method: 'ping' }));
  t.equal(service.received.length, 4);
  t.strictSame(said.map(({ id }) => id).toSorted(), ['asked', 'last']);
  t.match(said.find(({ id }) => id === 'asked'), { error: { message: 'Not so.' } });
  await service.close();
  const away = bridgeTo(service.url);
  away.input.write(line({ id: 'theirs', error: { code: 1, message: 'no' } }));
  t.strictSame(await away.end(line({ method: 'notifications/initialized' })), []);
});

t.test('the service goes away, and comes back', async (t) => {
  const service = await fakeService(t, ({ id, method }, response) => {
    if (method === 'cut') response.destroy();
    else json(response, { jsonrpc: '2.0', id, result: {} });
  });
  const { input, next, end } = bridgeTo(service.url);
  const ask = (id: number, method = 'ping') => {
    const answer = next();
    input.write(line({ id, method }));
    return answer;
  };
  t.match(await ask(1), { id: 1, result: {} });
  t.match(await ask(2, 'cut'), { id: 2, error: { message: /may have taken\s+effect/ } });
  await service.close();
  t.match(await ask(3), { id: 3, error: { code: -32_000, message: /cannot be reached/ } });
  await service.listen();
  t.match(await ask(4), { id: 4, result: {} });
  await end();
});

t.test('an answer by events, one that is none, and a refusal', async (t) => {
  const service = await fakeService(t, ({ id, method }, response) => {
    if (method === 'events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      response.write(': hello\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\n');
      response.end(`data: "method":"notifications/message"}\n\ndata: ${JSON.stringify(
        { jsonrpc: '2.0', id, result: { whole: true } })}\n\n`);
    } else if (method === 'refused') {
      json(response, { error: 'This key has been revoked.', code: 'invalid_api_key',
        request_id: 'req_1' }, 401);
    } else if (method === 'foreign') json(response, { error: 'Bad Gateway' }, 502);
    else if (method === 'broken off') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(': hello\n\n');
    } else if (method === 'page') response.writeHead(502).end('<html>');
    else if (method === 'other') response.end('<html>');
    else response.writeHead(202).end();
  });
  const client = bridgeTo(service.url);
  for (const method of [
    'events', 'refused', 'page', 'nothing', 'other', 'foreign', 'broken off']) {
    client.input.write(line({ id: method, method }));
  }
  const said = await client.end();
  const of = (method: string) => said.find(({ id }) => id === method);
  t.match(said.find(({ id }) => id === undefined), { method: 'notifications/message' });
  t.match(of('events'), { result: { whole: true } });
  t.match(of('refused'), { error: { message: 'This key has been revoked.' } });
  for (const method of ['page', 'foreign']) {
    t.match(of(method), { error: { message:
      /answered 502\. .* a proxy before it has got no answer .* may have taken effect: find/ } });
  }
  for (const method of ['nothing', 'broken off']) {
    t.match(of(method), { error: { message: /gave no answer .* may have taken effect: find/ } });
  }
  t.match(of('other'), { error: { message: /is no message of MCP\. Is it the address of a / } });
});

t.test('an address that leads elsewhere, where the key is not sent', async (t) => {
  const { url, received } = await fakeService(t, (_message, response) =>
    void response.writeHead(308, { location: 'https://gatehouse.example/mcp?state=any' }).end());
  const { end } = bridgeTo(url);
  t.match(await end(line({ id: 1, method: 'ping' })), [{ id: 1, error: { code: -32_000,
    message: `What answers at ${new URL(url).origin} leads to https://gatehouse.example. If` } }]);
  t.equal(received.length, 1);
});

t.test('what stands in the head, whatever the names', async (t) => {
  const service = await fakeService(t);
  const client = bridgeTo(service.url);
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const names = ['call_action', 'Größe', ' a b ', '=?base64?x?=', 'a\nb'];
  for (const name of names) {
    client.input.write(line({ id: name, method: 'tools/call', params: { name, _meta } }));
  }
  client.input.write(line({ id: 'uri', method: 'resources/read',
    params: { uri: 'a:b', _meta: { ..._meta } } }));
  t.equal((await client.end()).filter(({ result }) => result !== undefined).length, 6);
  const decoded = service.received.map(({ headers }) => {
    const name = String(headers['mcp-name']);
    const [, base64] = /^=\?base64\?(.*)\?=$/.exec(name) ?? [];
    return base64 === undefined ? name : Buffer.from(base64, 'base64').toString();
  });
  t.strictSame(decoded.toSorted(), [...names, 'a:b'].toSorted());
  t.match(service.received[0]!.headers, { 'mcp-method': 'tools/call',
    'mcp-protocol-version': '2026-07-28', authorization: 'Bearer a-key' });
});

t.test('a hundred calls at once, some of them cancelled', async (t) => {
  const open: (() => void)[] = [];
  const all = Promise.withResolvers<void>();
  let gone = 0;
  const onGone = Promise.withResolvers<void>();
  const service = await fakeService(t, (message, response) => {
    open.push(() => echo(message, response, undefined as never));
    response.on('close', () => {
      if (!response.writableFinished && ++gone === 10) onGone.resolve();
    });
    if (open.length === 100) all.resolve();
  });
  const client = bridgeTo(service.url);
  for (let id = 0; id < 100; id++) client.input.write(line({ id, method: 'ping' }));
  await all.promise;
  for (let requestId = 0; requestId < 10; requestId++) {
    client.input.write(line({ method: 'notifications/cancelled', params: { requestId } }));
  }
  client.input.write(line({ method: 'notifications/cancelled', params: { requestId: 'none' } }));
  await onGone.promise;
  for (const answer of open) answer();
  const said = await client.end();
  t.strictSame(said.map(({ id }) => Number(id)).toSorted((a, b) => a - b),
    Array.from({ length: 90 }, (_, index) => index + 10));
});

t.test('the process ends with its input, and by a signal', async (t) => {
  const held = Promise.withResolvers<() => void>();
  const service = await fakeService(t, (message, response) => {
    if (message.method === 'hold') held.resolve(() => response.destroy());
    else echo(message, response, undefined as never);
  });
  const env = { GATEHOUSE_API_KEY: 'a-key',
    GATEHOUSE_BASE_URL: service.url.replace('/mcp', '/v1') };
  const options = { cwd: t.testdir(), env };
  const { code, out } = await gatehouse(['mcp', '--stdio'],
    { ...options, input: line({ id: 1, method: 'ping' }).trimEnd() });
  t.match([code, JSON.parse(out)], [0, { id: 1, result: {} }], 'what is open is answered first');
  const { child, ended } = start(['mcp', '--stdio'],
    { ...options, input: line({ id: 2, method: 'hold' }) });
  const enough = killWhenSilent(child);
  await held.promise;
  child.kill('SIGTERM');
  t.match([await ended, child.signalCode], [{ out: '', err: '' }, 'SIGTERM']);
  enough();
});
