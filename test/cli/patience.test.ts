/** What commands repeat while the service is away or cannot do it yet, and what they do not. */
import t from 'tap';
import { against, error, page } from './operator.ts';
import {
  json, RUN_ID, SESSION_ID, shortRun, stream, type Answer, type Request,
} from './support.ts';

/** Answers the requests that make something one after the other, and then as a service does. */
function making(refusals: Answer[]): Answer {
  return async (request, response) => {
    if (request.method !== 'POST') {
      stream(response, shortRun('Hello.'));
      return response.end();
    }
    const refusal = refusals.shift();
    if (refusal) return await refusal(request, response);
    const of_run = request.path.endsWith('/runs');
    return json(response, of_run ? 202 : 201,
      { id: of_run ? RUN_ID : SESSION_ID, session_id: SESSION_ID });
  };
}

const answering = (status: number, code: string, headers = {}): Answer => (_request, response) =>
  json(response, status, error(code, `It is ${code}.`), headers);
const breaking: Answer = (_request, response) => response.destroy();

t.test('run is sent again by its key, until the service can do it', async (t) => {
  const at_ms: number[] = [];
  const answer = making([
    answering(503, 'unavailable', { 'Retry-After': '1' }), answering(500, 'internal_error'),
    breaking,
  ]);
  const { call, requests } = await against(t, (request, response) => {
    at_ms.push(performance.now());
    return answer(request, response);
  });
  const { code, out, err } = await call('run', 'x');
  t.match({ code, out }, { code: 0, out: 'Hello.\n' }, err);
  t.ok(at_ms[1]! - at_ms[0]! >= 990, 'after as long as it has said');
  t.match(err, 'It is unavailable.\n(unavailable, request req_1) Trying again (1 of 10) …\n');
  t.match(err, /The connection to http.* failed: .* Trying again \(3 of 10\) …\n/);
  const keys = keysOf(requests);
  t.strictSame(keys, [...Array(4).fill(keys[0]), keys[4]], 'the session by one key');
  t.not(keys[4], keys[0], 'and the run by its own');
});

t.test('run waits for a request with its key that is under way', async (t) => {
  const { call, requests } = await against(t, making([
    answering(409, 'idempotency_in_progress', { 'Retry-After': '0' }),
  ]));
  t.match(await call('run', 'x', '--session', SESSION_ID), { code: 0, out: 'Hello.\n' });
  const keys = keysOf(requests);
  t.strictSame(keys, [keys[0], keys[0]]);
});

t.test('run is not sent again where that cannot help', async (t) => {
  for (const [status, code] of [[409, 'session_busy'], [429, 'queue_full'],
    [400, 'invalid_request']] as const) {
    const { call, requests } = await against(t, making([answering(status, code)]));
    t.match(await call('run', 'x', '--session', SESSION_ID),
      { code: 1, out: '', err: `It is ${code}.\n(${code}, request req_1)\n` });
    t.equal(requests.length, 1, code);
  }
  const { call, stop } = await against(t, making([]));
  await stop();
  t.match(await call('run', 'x'), { code: 1, err: /^Nothing answers at .*\n$/ });
});

t.test('audit tail --follow goes on once the service is back', async (t) => {
  const rounds: Answer[] = [
    answering(503, 'unavailable'), listing(2, 1), breaking, answering(429, 'queue_full'),
    listing(4, 3, 2, 1), answering(400, 'invalid_request'),
  ];
  const { call } = await against(t, (request, response) => rounds.shift()!(request, response));
  const { code, out, err } = await call('audit', 'tail', '--limit', '1', '--follow');
  t.strictSame(out.match(/^\d/gm), ['2', '3', '4'], 'all that is new, and of the old the last');
  t.strictSame(err.match(/ Trying again \(\d+ of 10\) …$/gm)?.map((note) => note.match(/\d+/)![0]),
    ['1', '1', '2'], 'and counts anew after an answer');
  t.equal(code, 1);
  t.match(err, /^It is invalid_request\.\n.*\n$/m, 'what will not pass ends it');

  const { call: once, requests } = await against(t, answering(503, 'unavailable'));
  t.match(await once('audit', 'tail'), { code: 1, out: '' });
  t.equal(requests.length, 1, 'without --follow at once');
});

function listing(...numbers: number[]): Answer {
  return (_request, response) => json(response, 200, page(...numbers.map((sequence_number) => ({
    sequence_number, created_at: 'now', event: 'grant.created', target: null, outcome: 'ok',
    actor: { type: 'admin', id: null }, reason: null,
  }))));
}

function keysOf(requests: Request[]): unknown[] {
  return requests.filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['idempotency-key']);
}
