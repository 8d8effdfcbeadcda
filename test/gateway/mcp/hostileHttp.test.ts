/** Servers over HTTP that lie, flood, hang and refuse: a clear failure, and soon. */
import { createServer } from 'node:http';
import t, { type Test } from 'tap';
import type { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { EgressRefused } from '../../../src/gateway/egress/egress.ts';
import { listen } from '../../support/listen.ts';
import { until } from '../../support/until.ts';
import {
  event, fakeServer, json, RESULT, result, stream, TOOLS, type Answer, type FakeServer,
} from './httpServer.ts';
import { connect, importFrom, integrationOf, lab, type Imported } from './support.ts';

interface Case {
  answer: Answer;
  code?: string;
  message: string | RegExp;
}

const LOST = ' The call may have taken effect, and was not repeated. Find out before you call it'
  + ' again.';

const TOO_LARGE = 'The server answered with more than 50000 bytes, which is not read. Ask it for'
  + ' less at a time: a narrower query, a smaller page, one thing instead of all. `fields` cannot'
  + ` help, because they choose from an answer that has been read.${LOST}`;

async function connected(t: Test, limits = {}): Promise<Imported & { fake: FakeServer }> {
  const fake = await fakeServer(t);
  const made = lab({ message_limit_bytes: 50_000, ...limits });
  return { ...await connect(t, integrationOf({ url: fake.url }), made), fake };
}

const SECRET = 'sk-0123456789abcdef';

const cases: Record<string, Case> = {
  'a JSON answer that is too large': {
    answer: (message, response) => json(response, result(message, { content: 'x'.repeat(60_000) })),
    code: 'outcome_unknown', message: TOO_LARGE,
  },
  'a stream that never ends': {
    answer: async (_message, response) => {
      stream(response);
      while (!response.destroyed) {
        response.write(event({ jsonrpc: '2.0', method: 'notifications/message' }));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    code: 'outcome_unknown', message: TOO_LARGE,
  },
  'one event that never ends': {
    answer: async (_message, response) => {
      stream(response);
      response.write('data: ');
      while (!response.destroyed) {
        response.write('x'.repeat(1_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    code: 'outcome_unknown', message: TOO_LARGE,
  },
  'JSON that is none': {
    answer: (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"jsonrpc": "2.0", "id": 2, "result": {');
    },
    code: 'outcome_unknown', message: `The server answered, but not to what it was asked.${LOST}`,
  },
  'an answer to another question': {
    answer: (message, response) =>
      json(response, { jsonrpc: '2.0', id: Number(message.id) + 1, result: RESULT }),
    code: 'outcome_unknown', message: `The server answered, but not to what it was asked.${LOST}`,
  },
  'a stream that answers another question': {
    answer: (message, response) => {
      stream(response);
      response.end(event({ jsonrpc: '2.0', id: `not ${message.id}`, result: RESULT }));
    },
    code: 'outcome_unknown', message: `The server ended before it answered.${LOST}`,
  },
  'what only looks like an answer': {
    answer: (message, response) => {
      stream(response);
      response.end(event({ id: message.id, result: 'done' }));
    },
    code: 'outcome_unknown', message: `The server ended before it answered.${LOST}`,
  },
  'an answer that breaks off': {
    answer: (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"jsonrpc"', () => response.destroy());
    },
    code: 'outcome_unknown', message: `The server broke off before it had answered.${LOST}`,
  },
  'no answer at all': {
    answer: (_message, response) => void response.destroy(),
    code: 'outcome_unknown', message: /^The server cannot be reached: the connection broke/,
  },
  'another type of answer': {
    answer: (_message, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<h1>Welcome</h1>');
    },
    code: 'outcome_unknown', message: /^The server answered .* else than MCP \(text.html\)/,
  },
  'a result that is none': {
    answer: (message, response) => json(response, result(message, { content: 'done' })),
    code: 'outcome_unknown',
    message: `The server gave an answer that is no result of a tool.${LOST}`,
  },
  'null in place of a result, in a stream that stays open': {
    answer: (message, response) => {
      stream(response);
      response.write(event({ jsonrpc: '2.0', id: message.id, result: null }));
    },
    code: 'outcome_unknown', message: `The server answered, but not to what it was asked.${LOST}`,
  },
  'a tool that says that it failed': {
    answer: (message, response) => json(response, result(message, { isError: true, content: [
      { type: 'text', text: 'No such city.' }, { type: 'image' }, 7,
      { type: 'text', text: 'Try another.' }] })),
    message: 'No such city.\nTry another.',
  },
  'a tool that fails without a word': {
    answer: (message, response) => json(response, result(message, { isError: true })),
    message: 'The server says that the call failed, and not why.',
  },
  'an error of the protocol': {
    answer: (message, response) => json(response, { jsonrpc: '2.0', id: message.id,
      error: { code: -32_602, message: `Unknown tool, said ${SECRET}` } }),
    message: 'The server refused the call: Unknown tool, said [secret]',
  },
  'an error of the protocol with a status': {
    answer: (_message, response) => json(response, { jsonrpc: '2.0', id: null,
      error: { code: -32_602, message: `city is no text, said ${SECRET}` } }, 400),
    message: 'The server refused the call (HTTP 400): city is no text, said [secret]',
  },
  'an error of an API that speaks no MCP': {
    answer: (_message, response) =>
      json(response, { error: { code: 405, message: 'Not Allowed' } }, 405),
    message: /HTTP 405\. Its address may be wrong/,
  },
  'the same of a fault of the server': {
    answer: (_message, response) => json(response, { jsonrpc: '2.0', id: null,
      error: { code: -32_603, message: `at line 7: ${SECRET}` } }, 500),
    message: 'The server answered with HTTP 500.',
  },
  'a refusal by status': {
    answer: (_message, response) => void response.writeHead(403).end(`{"error": "${SECRET}"}`),
    code: 'upstream_forbidden', message: 'The server does not let the connected account do this.',
  },
  'too many calls': {
    answer: (_message, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
    code: 'upstream_rate_limited',
    message: 'The server takes no more calls for now. Repeat this one in 7 s.',
  },
  'a fault of the server': {
    answer: (_message, response) => void response.writeHead(500).end(`at line 7: ${SECRET}`),
    message: 'The server answered with HTTP 500.',
  },
  'a server that is not available': {
    answer: (_message, response) => void response.writeHead(503).end(),
    message: 'The server answered with HTTP 503.',
  },
  'a proxy that has waited long enough': {
    answer: (_message, response) => void response.writeHead(504).end(),
    code: 'outcome_unknown', message: 'The server answered with HTTP 504, as a proxy or gateway in'
      + ` between does that got no answer.${LOST}`,
  },
  'a proxy whose connection broke': {
    answer: (_message, response) => void response.writeHead(502).end(),
    code: 'outcome_unknown', message: /^The server answered with HTTP 502, as a proxy or gateway/,
  },
  'a timeout that is passed on': {
    answer: (message, response) => json(response, { jsonrpc: '2.0', id: message.id,
      error: { code: -32_001, message: `Request timed out, said ${SECRET}` } }),
    code: 'outcome_unknown', message: 'The server or a proxy or gateway in between said: Request'
      + ` timed out, said [secret].${LOST}`,
  },
  'a broken connection that is passed on': {
    answer: (message, response) => json(response, { jsonrpc: '2.0', id: message.id,
      error: { code: -32_000, message: 'Connection closed' } }),
    code: 'outcome_unknown',
    message: `The server or a proxy or gateway in between said: Connection closed.${LOST}`,
  },
};

for (const [name, { answer, code = 'upstream_error', message }] of Object.entries(cases)) {
  t.test(name, async (t) => {
    const { fake, call, source } = await connected(t);
    fake.answers['tools/call'] = answer;
    await t.rejects(call('act', {}, { secrets: [SECRET] }),
      { name: 'ActionFailure', code, message });
    fake.answers['tools/call'] = (asked, response) => json(response, result(asked, RESULT));
    t.same(await call('act'), RESULT, 'and the next call is well');
    await source.close();
  });
}

t.test('what a refusal has besides words is told, but for the inside of a server', async (t) => {
  const { fake, call, source } = await connected(t);
  const failing = async (code: number, data: unknown) => {
    fake.answers['tools/call'] = (message, response) => json(response, { jsonrpc: '2.0',
      id: message.id, error: { code, message: 'No', data } });
    return await call('act', {}, { secrets: [SECRET] })
      .catch((error: unknown) => (error as ActionFailure).outcome);
  };
  const data = { field: 'zone', allowed: ['a', SECRET] };
  t.match(await failing(-32_602, data), { error: { message: 'The server refused the call: No',
    details: { body: { field: 'zone', allowed: ['a', '[secret]'] } } } });
  t.match(await failing(-32_602, undefined), { error: { details: undefined } });
  t.match(await failing(-32_603, data), { error: {
    message: 'The server answered with an internal error: No', details: undefined } });
  await source.close();
});

t.test('an answer that is lost is no matter if the tool only reads', async (t) => {
  const fake = await fakeServer(t, { 'tools/list': (message, response) => json(response,
    result(message, { tools: [{ name: 'look', annotations: { readOnlyHint: true } }] })) });
  const integration = integrationOf({ url: fake.url, trust_hints: true });
  const { call } = await connect(t, integration, lab());
  fake.answers['tools/call'] = (_message, response) => void response.destroy();
  await t.rejects(call('look'), { code: 'upstream_error' });
  fake.answers['tools/call'] = (_message, response) => void response.writeHead(504).end();
  await t.rejects(call('look'),
    { code: 'upstream_error', message: 'The server answered with HTTP 504.' });
  fake.answers['tools/call'] = (message, response) => json(response,
    { jsonrpc: '2.0', id: message.id, error: { code: -32_001, message: 'Request timed out' } });
  await t.rejects(call('look'),
    { code: 'upstream_error', message: 'The server refused the call: Request timed out' });
});

t.test('a reading answer beyond 8 MiB fails with what to do, and nothing may have changed',
  async (t) => {
    const fake = await fakeServer(t, { 'tools/list': (message, response) => json(response,
      result(message, { tools: [{ name: 'look', annotations: { readOnlyHint: true } }] })) });
    const integration = integrationOf({ url: fake.url, trust_hints: true });
    const { call } = await connect(t, integration, lab());
    const text = 'x'.repeat(9 * 1_048_576);
    fake.answers['tools/call'] = (message, response) =>
      json(response, result(message, { content: [{ type: 'text', text }] }));
    await t.rejects(call('look'), { code: 'upstream_error',
      message: /^The server answered with more than 8 MiB, .*Ask it for less.* been read\.$/ });
    fake.answers['tools/call'] = (message, response) => json(response, result(message, RESULT));
    t.same(await call('look'), RESULT);
  });

t.test('credentials that are not taken', async (t) => {
  const { fake, call } = await connected(t);
  fake.answers['tools/call'] = (_message, response) => void response.writeHead(401).end();
  await t.rejects(call('act'), { name: 'Unauthorized' });
  fake.answers.initialize = (_message, response) => void response.writeHead(401).end();
  await t.rejects(importFrom(integrationOf({ url: fake.url }), lab()), { name: 'Unauthorized' });
});

t.test('a handshake that hangs, at each of its steps', async (t) => {
  const fake = await fakeServer(t);
  const made = lab({ connect_timeout_ms: 50, list_timeout_ms: 50 });
  const importing = (limits = made) => importFrom(integrationOf({ url: fake.url }), limits);
  const late = { name: 'ActionFailure', message: 'The server did not answer in time.' };
  for (const step of ['tools/list', 'notifications/initialized', 'initialize']) {
    fake.answers[step] = () => {};
    await t.rejects(importing(), late, step);
  }
  fake.answers.initialize = (message, response) => json(response, result(message, {
    protocolVersion: 'tomorrow', capabilities: {}, serverInfo: { name: 'x', version: '1' } }));
  await t.rejects(importing(lab()),
    { message: /^The server speaks a version of MCP that .* not know \(tomorrow\)/ });
  fake.answers.initialize = (_message, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Hi</h1>');
  };
  await t.rejects(importing(lab()),
    { message: /something else than MCP \(text.html\)\. Its address may be wrong/ });
  for (const status of [404, 405]) {
    fake.answers.initialize = (_message, response) => void response.writeHead(status).end();
    await t.rejects(importing(lab()), { message: `The server answered with HTTP ${status}. Its`
      + ' address may be wrong: that of an MCP server often ends in /mcp. Servers of the former'
      + ' transport, HTTP+SSE, cannot be called.' });
  }
});

t.test('a session that hangs is given up after a ping', async (t) => {
  const { fake, call } = await connected(t, { ping_timeout_ms: 20 });
  await call('act');
  fake.answers['tools/call'] = () => {};
  fake.answers.ping = () => {};
  await t.rejects(call('act', {}, { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
  await until(async () => fake.methods().filter((method) => method === 'DELETE').length === 2);
  fake.answers['tools/call'] = (message, response) => json(response, result(message, RESULT));
  t.same(await call('act'), RESULT);
  t.equal(fake.methods().filter((method) => method === 'initialize').length, 3);
});

t.test('credentials never leave for another host', async (t) => {
  const elsewhere: unknown[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(request.headers);
    response.end();
  });
  const location = `http://127.0.0.1:${await listen(t, other)}/mcp`;
  const { fake, call } = await connected(t);
  for (const status of [302, 307, 308]) {
    fake.answers['tools/call'] = (_message, response) =>
      void response.writeHead(status, { location }).end();
    await t.rejects(call('act'), { code: 'outcome_unknown', message: 'The server leads elsewhere'
      + ` (HTTP ${status}), to ${location}, and was not followed. Its address may be that one, if`
      + ` it is meant.${LOST}` });
  }
  fake.answers.initialize = (_message, response) =>
    void response.writeHead(307, { location: `${location}?token=${SECRET}` }).end();
  await t.rejects(importFrom(integrationOf({ url: fake.url }), lab()), {
    message: `The server leads elsewhere (HTTP 307), to ${location}, and was not followed. Its`
      + ' address may be that one, if it is meant.' });
  t.same(elsewhere, []);
});

t.test('a call that has left, and is led to where it may not go', async (t) => {
  const fake = await fakeServer(t);
  const { deps, ...made } = lab();
  const { call } = await connect(t, integrationOf({ url: fake.url }), { ...made,
    deps: { ...deps, async fetch(input, init = {}) {
      if (!String(init.body).includes('tools/call')) return await deps.fetch(input, init);
      init.departure!.mark();
      throw new EgressRefused('it leads to an address that is not public.');
    } } });
  await t.rejects(call('act'), { code: 'outcome_unknown', message: 'The server has led this call to'
    + ` where it may not go: it leads to an address that is not public.${LOST}` });
});

t.test('of a batch the answer alone is looked at, and handed on', async (t) => {
  const { fake, call } = await connected(t, { message_limit_bytes: 4_000_000 });
  const digits = '1076543210012345678';
  const others = '{},null,[],{"jsonrpc":"2.0","method":"x"},'.repeat(4_000);
  const batch = (id: unknown, answer: string): Answer => (_message, response) => void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(`[${others}{"jsonrpc":"2.0","id":${id},"method":"roots/list"},${answer}]`);
  fake.answers['tools/call'] = (message, response, request) => batch(message.id,
    `{"jsonrpc":"2.0","id":${message.id},"result":{"structuredContent":{"n":${digits}}}}`)(
    message, response, request);
  t.same(await call('act'), { n: digits });
  fake.answers['tools/call'] = (message, response, request) =>
    batch(message.id, '{"id":-1}')(message, response, request);
  await t.rejects(call('act'), { message: /answered, but not to what it was asked/ });
  fake.answers['tools/list'] = (message, response) => json(response,
    [...Array(50_000).fill({}), result(message, { tools: [{ ...TOOLS[0] }] })]);
  t.equal((await importFrom(integrationOf({ url: fake.url }), lab())).actions.length, 1);
});

t.test('a stream of changes that ends at once is not asked for at once', async (t) => {
  let streams = 0;
  const { fake, call } = await connected(t);
  fake.answers.GET = (_message, response) => {
    streams += 1;
    stream(response);
    response.end('retry: 0\n\n');
  };
  const started_ms = performance.now();
  for (let calls = 0; calls < 20; calls++) await call('act');
  const seconds = Math.floor((performance.now() - started_ms) / 1_000);
  t.ok(streams <= 2 + seconds, 'whatever it says, a second is waited');
});

t.test('a server that asks many questions gets few answers at a time', async (t) => {
  const { fake, call } = await connected(t);
  const held: (() => void)[] = [];
  fake.answers.POST = (_message, response) => {
    held.push(() => response.writeHead(202).end());
  };
  fake.answers['tools/call'] = (message, response) => {
    stream(response);
    for (let n = 0; n < 300; n++) {
      response.write(event({ jsonrpc: '2.0', id: `q${n}`, method: 'roots/list' }));
    }
    response.end(event(result(message, RESULT)));
  };
  t.same(await call('act'), RESULT);
  await until(async () => held.length === 20);
  t.same(await call('act'), RESULT);
  t.equal(held.length, 20, 'and no more as long as it takes none of them');
  for (const release of held) release();
});

t.test('an address that is none, and one where nobody is', async (t) => {
  for (const url of ['ftp://example.com/', 'no', 'http://user:password@example.com/']) {
    await t.rejects(importFrom(integrationOf({ url }), lab()), {
      name: 'ActionFailure', message: /is not an http or https URL/ });
  }
  const fake = await fakeServer({ teardown: (end: () => unknown) => { stop = end; } } as Test);
  await stop();
  await t.rejects(importFrom(integrationOf({ url: fake.url }), lab()), {
    name: 'ActionFailure', message: 'The server cannot be reached: it refuses connections.' });
});
let stop: () => unknown = () => {};
