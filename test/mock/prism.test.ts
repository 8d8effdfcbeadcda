/** Examples of the document: whatever is sent is answered, and costs nobody else anything. */
import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { startExamplesOnly } from '../../src/mock/examplesOnly.ts';
import { readAll } from '../http/support.ts';
import { testMock } from './support.ts';

interface Asked extends Pick<RequestOptions, 'method' | 'path' | 'headers'> { body?: string }

/** Not by fetch, which does not send all of it. */
async function ask(base_url: string, { body, headers, ...asked }: Asked) {
  const sent = request(base_url, { ...asked,
    headers: { authorization: 'Bearer me', ...headers as Record<string, string> } });
  sent.end(body);
  const [answer] = await once(sent, 'response') as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const NO_UTF8 = [400, 'invalid_request', null];
const NO_RANGE = [406, 'not_acceptable', 'accept'];
const NO_JSON = [415, 'unsupported_media_type', 'content-type'];
const TITLE = '{"title": "x"}';

/** What the service refuses, and Prism throws for; then status, code and param. */
const REFUSED: [Asked, (string | number | null)[]][] = [
  [{ path: '/v1/sessions/a%2' }, NO_UTF8],
  [{ path: '/v1/actions/%ff' }, NO_UTF8],
  [{ path: '/v1/sessions?limit=%ff' }, NO_UTF8],
  [{ path: '/v1/sessions', headers: { accept: 'zzz' } }, NO_RANGE],
  [{ path: '/v1/sessions', method: 'POST', headers: { 'content-type': 'zzz' }, body: TITLE },
    NO_JSON],
];

/** What the service takes, or has its own word for, and Prism throws for. */
const TAKEN: [Asked, number][] = [
  [{ path: '/v1/sessions', headers: { accept: 'zzz, application/json' } }, 200],
  [{ path: '/v1/sessions', headers: { accept: ',,' } }, 200],
  [{ path: '/v1/sessions', headers: { 'content-type': 'zzz' } }, 200],
  [{ path: '/v1/sessions', method: 'POST', headers: { 'content-type': 'zzz' } }, 201],
  [{ path: '/v1/runs/run_x/cancel', method: 'POST', headers: { 'content-type': 'zzz' },
    body: 'zzz' }, 200],
  [{ path: 'http://gatehouse.example/v1/sessions' }, 200],
  [{ path: '/v1/sessions', method: 'POST', headers: JSON_TYPE, body: '{"☃": 1}' }, 400],
];

const examples = await startExamplesOnly({ host: '127.0.0.1', port: 0, log_level: 'silent' });
t.teardown(() => examples.close());
const { base_url } = await testMock(t);

const MOCKS: [string, string, (status: string | number | null) => string][] = [
  ['beside the service', base_url, (status) => `code=${status}`],
  ['alone', examples.base_url, () => ''],
];
for (const [where, address, preferOf] of MOCKS) {
  t.test(`${where}, an odd request is answered as the service answers it`, async (t) => {
    for (const [asked, [status, code, param]] of REFUSED) {
      const { text, ...answer } = await ask(address,
        { ...asked, headers: { prefer: preferOf('200'), ...asked.headers } });
      t.match([answer.status, JSON.parse(text)], [status, { code, param, request_id: /^req_/ }],
        JSON.stringify(asked));
    }
    for (const [asked, status] of TAKEN) {
      const answer = await ask(address,
        { ...asked, headers: { prefer: preferOf(status), ...asked.headers } });
      t.equal(answer.status, status, JSON.stringify(asked));
      t.equal(answer.headers['content-type'], 'application/json');
    }
  });
  t.test(`${where}, what is no request has the error's body and id`, async (t) => {
    for (const text of ['GET /v1/sessions HTTP/1.1\r\n', 'hello\r\n', 'CONNECT a:1 HTTP/1.1\r\n',
      'GET /v1/sessions HTTP/1.1\r\nHost: x\r\nExpect: much\r\n']) {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      socket.write(`${text}Connection: close\r\n\r\n`);
      const answer = await readAll(socket);
      t.match(answer, /^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: req_/, text);
      t.match(JSON.parse(answer.slice(answer.indexOf('{'))), { code: 'invalid_request' });
    }
  });
  t.test(`${where}, HEAD is answered as GET, without the body`, async (t) => {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => ask(address,
      { path: '/v1/sessions', method, headers: { prefer: preferOf('200') } })));
    t.equal(head!.status, 200);
    t.equal(head!.headers['content-type'], 'application/json');
    t.equal(head!.headers['content-length'], String(get!.text.length));
    t.equal(head!.text, '');
  });
}

const EVENTS = '/v1/runs/run_x/events';
const RUNS: Asked = { path: '/v1/sessions/ses_x/runs', method: 'POST',
  body: '{"input":[{"role":"user","content":[{"type":"input_text","text":"x"}]}]}' };

t.test('who asks for a stream gets the status that is asked for', async (t) => {
  const stream = { accept: 'text/event-stream' };
  const get = async (asked: Asked, prefer: string, headers: object = stream) => {
    const answer = await ask(base_url, { ...asked, headers: { prefer, ...headers } });
    return [answer.status, answer.headers['content-type']];
  };
  for (const status of [400, 401, 404, 406, 410, 429, 500, 503]) {
    t.strictSame(await get({ path: EVENTS }, `code=${status}`), [status, 'application/json']);
  }
  t.strictSame(await get({ path: EVENTS }, 'code=200'), [200, 'text/event-stream']);
  t.strictSame(await get({ path: EVENTS }, 'code=200', { accept: '*/*' }),
    [200, 'application/json']);
  const posted = { ...stream, ...JSON_TYPE };
  t.strictSame(await get(RUNS, 'code=202', posted), [202, 'application/json']);
  t.strictSame(await get(RUNS, 'code=409', posted), [409, 'application/json']);
});

t.test('headers of examples are such as the service sends', async (t) => {
  const headersOf = async (prefer: string) =>
    (await ask(base_url, { path: '/v1/sessions/ses_x', headers: { prefer } })).headers;
  t.match(await headersOf('code=404'), { 'x-request-id': /^req_[0-9a-z]{26}$/ });
  t.match(await headersOf('code=401'), { 'www-authenticate': 'Bearer' });
  t.match(await headersOf('code=503'), { 'retry-after': '1' });
  const { headers } = await ask(base_url, { ...RUNS,
    headers: { ...JSON_TYPE, prefer: 'code=202' } });
  t.match(headers.location, /^\/v1\/runs\/run_[0-9a-z]{26}$/);
  t.match(await headersOf('code=418'), { 'content-type': 'application/problem+json' },
    'Prism has a word of its own for what is not declared');
});

t.test('Prefer is read as RFC 7240 has it', async (t) => {
  const at = async (prefer: string) =>
    (await ask(base_url, { path: '/v1/sessions', headers: { prefer } })).status;
  for (const [prefer, status] of [
    ['code=503, code=429', 503], ['return=minimal; pace=abc', 200],
    ['return=minimal; code=503', 200], ['return=minimal; a="x, code=503"', 200],
    ['respond-async, code="503"', 503], ['code=503; pace=abc', 503], ['wait=1,Code = "5\\03"', 503],
    ['pace=0, pace=abc', 200], ['pace=abc, pace=0', 400],
  ] as const) t.equal(await at(prefer), status, prefer);
});

t.test('Prism says what is wrong with a request, in letters that a header can have', async (t) => {
  const { headers } = await ask(examples.base_url,
    { path: '/v1/sessions', method: 'POST', headers: JSON_TYPE, body: '{"☃": 1}' });
  t.match(JSON.parse(String(headers['sl-violations'])),
    [{ location: ['request', 'body'], message: /☃/ }]);
});

t.test('a preference that Prism does not know is refused', async (t) => {
  for (const [prefer, said] of [['code=zzz', 'code is "zzz"; it must be a status'],
    ['dynamic=1', 'dynamic is "1"; it must be true or false']] as const) {
    const { status, text } = await ask(base_url, { path: '/v1/sessions', headers: { prefer } });
    t.match([status, JSON.parse(text)],
      [400, { code: 'invalid_request', param: 'prefer', error: `Prefer: ${said}.` }]);
  }
});
