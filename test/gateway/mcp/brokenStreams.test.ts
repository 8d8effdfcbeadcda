/** Streams over HTTP that break off while a server is away for a while, and are taken up again. */
import type { ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { until } from '../../support/until.ts';
import { event, fakeServer, json, RESULT, result, stream, TOOLS } from './httpServer.ts';
import { connect, integrationOf, lab } from './support.ts';

t.test('a server that was away is heard again, and its tools are looked at anew', async (t) => {
  const made = lab();
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  const asked_ms: number[] = [];
  let open: ServerResponse | undefined;
  fake.answers.GET = (_message, response) => {
    asked_ms.push(performance.now());
    if (asked_ms.length === 2) return void response.destroy();
    if (asked_ms.length === 3) return void response.writeHead(503).end();
    stream(response);
    response.write('retry: 1\n\n');
    open = response;
  };
  t.same(await call('act'), RESULT);
  await until(async () => open !== undefined);
  const changed = { ...TOOLS[0], annotations: { readOnlyHint: true } };
  fake.answers['tools/list'] = (message, response) =>
    json(response, result(message, { tools: [changed] }));
  open!.destroy();
  await until(async () => made.changes.length > 0);
  t.equal(asked_ms.length, 4);
  const waits_ms = asked_ms.slice(1).map((at_ms, n) => at_ms - asked_ms[n]!);
  t.ok(waits_ms[2]! > 2_000, `more time each, whatever it says: ${waits_ms.join(', ')}`);
  t.same(made.changes, ['server'], 'it may have said something meanwhile');
  await t.rejects(call('act'), { message: /has changed since it was accepted/ });
  open!.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
  await until(async () => made.changes.length > 2);
});

/** A call whose stream breaks off at once, and what then becomes of GETs for the rest of it. */
async function resumed(
  t: Test, ...answers: ((response: ServerResponse, answer: string) => void)[]) {
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), lab());
  let answer = '';
  let resumes = 0;
  fake.answers['tools/call'] = (message, response) => {
    answer = event(result(message, RESULT), 'a2');
    stream(response);
    response.end('retry: 1\nid: a1\ndata:\n\n');
  };
  fake.answers.GET = (_message, response, { headers }) => {
    if (headers['last-event-id'] !== 'a1') return void response.writeHead(405).end();
    const next = answers[resumes++];
    if (next === undefined) throw new Error('it is asked once more');
    next(response, answer);
  };
  const told = await call('act').catch((error: unknown) => error);
  return { told, resumes, calls: fake.methods().filter((name) => name === 'tools/call').length };
}

const status = (code: number) => (response: ServerResponse) => void response.writeHead(code).end();
const rest = (response: ServerResponse, answer: string) => {
  stream(response);
  response.write(answer);
};

t.test('the rest of an answer is asked for until the server is there again', async (t) => {
  const { told, resumes, calls } = await resumed(t,
    (response) => void response.destroy(), status(503), status(429), rest);
  t.same(told, RESULT);
  t.same([resumes, calls], [4, 1]);
});

t.test('the rest of an answer that is refused is lost', async (t) => {
  for (const code of [400, 401, 403, 404, 405]) {
    const { told, resumes } = await resumed(t, status(code));
    t.match(told, { name: 'ActionFailure', code: 'outcome_unknown',
      message: /^The server broke off before it had answered\./ });
    t.equal(resumes, 1, String(code));
  }
});

t.test('a stream that is ended, and is there again at once, has missed nothing', async (t) => {
  const made = lab();
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  let streams = 0;
  fake.answers.GET = (_message, response) => {
    streams += 1;
    stream(response);
    response.end();
  };
  await call('act');
  await until(async () => streams === 3);
  t.same(made.changes, []);
});

t.test('a server that refuses the stream is not asked for it again', async (t) => {
  const made = lab();
  const fake = await fakeServer(t);
  const { call } = await connect(t, integrationOf({ url: fake.url }), made);
  const asked: Record<string, number> = {};
  fake.answers.GET = (_message, response, { headers }) => {
    const [, token = ''] = headers.authorization!.split(' ');
    const times = asked[token] = (asked[token] ?? 0) + 1;
    if (token !== 'forever' && times > 1) return void response.writeHead(Number(token)).end();
    stream(response);
    response.end();
  };
  const statuses = ['400', '401', '403', '404', '405'];
  for (const token of [...statuses, 'forever']) {
    made.credentials = { type: 'bearer', token };
    await call('act', {}, { connection_id: token });
  }
  await until(async () => asked.forever === 5);
  for (const status of statuses) t.equal(asked[status], 2, status);
});
