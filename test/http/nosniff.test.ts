/** No answer, whoever writes it, is left to a browser that guesses at types. */
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { createLog } from '../../src/log.ts';
import { openMetrics } from '../../src/http/metricsPage.ts';
import { readConfig } from '../../src/config.ts';
import { AUTHORIZED, JSON_BODY, readAll, room } from './support.ts';

const frame = { sequence_number: 1, type: 'run.created', json: '{}' };
const served = await room(t, { config: { body_limit_bytes: 1_024 }, handlers: {
  streamRunEvents: async () => ({ status: 200, events: (async function* () { yield [frame]; })() }),
  getRun: async () => { throw new Error('a fault'); },
  getOpenapiDocument: async () => ({ status: 304 }),
} });

t.test('answers of the API and pages', async (t) => {
  const requests: [number, string, RequestInit?][] = [
    [200, '/v1/sessions', { headers: AUTHORIZED }],
    [401, '/v1/sessions'],
    [304, '/v1/openapi.json', { headers: AUTHORIZED }],
    [400, '/v1/sessions?x=1', { headers: AUTHORIZED }],
    [413, '/v1/sessions', { method: 'POST', headers: JSON_BODY, body: '"'.padEnd(9_999, 'x') }],
    [500, '/v1/runs/run_1', { headers: AUTHORIZED }],
    [404, '/nowhere'], [404, '/'.padEnd(3_000, 'x')], [405, '/v1/sessions', { method: 'DELETE' }],
    [400, '/v1/runs/%ff', { headers: AUTHORIZED }],
    [200, '/v1/runs/run_1/events', { headers: { ...AUTHORIZED, accept: 'text/event-stream' } }],
    [200, '/v1/runs/run_1/events',
      { method: 'HEAD', headers: { ...AUTHORIZED, accept: 'text/event-stream' } }],
    [302, '/', { redirect: 'manual' }], [200, '/healthz'], [200, '/readyz'], [200, '/docs'],
    [200, '/docs/assets/site.js'], [200, '/docs/openapi.json'], [404, '/docs/nothing'],
    [500, '/oauth/callback'], [200, '/oauth/callback', { method: 'HEAD' }],
  ];
  for (const [status, path, init] of requests) {
    const response = await served.fetch(path, init);
    const { method = 'GET' } = init ?? {};
    t.equal(response.status, status, `${method} ${path.slice(0, 40)}`);
    t.equal(response.headers.get('x-content-type-options'), 'nosniff', `${method} ${path}`);
    await response.text();
  }
});

/** By the API; where Node answers on the port of the metrics otherwise, its status as well. */
const RAW: [number, string, number?][] = [
  [400, 'GARBAGE\r\n\r\n'],
  [400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'], // there is no Host
  [400, 'GET / HTTP/1.1\r\nHost: x\r\nExpect: much\r\nConnection: close\r\n\r\n', 417],
  [431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
];

function check(t: Test, status: number, answer: string): void {
  t.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
  t.match(answer, /^X-Content-Type-Options: nosniff\r$/m);
}

t.test('answers to what is no request', async (t) => {
  for (const [status, text] of RAW) check(t, status, await served.raw(text));
});

t.test('the port of the metrics', async (t) => {
  const metrics = await openMetrics({ config: readConfig({}, { metrics_port: 0 }),
    log: createLog('silent') }, async () => 'up 1\n');
  t.teardown(() => metrics.stop());
  for (const path of ['/metrics', '/nowhere']) {
    const response = await fetch(new URL(path, metrics.own_url));
    t.equal(response.headers.get('x-content-type-options'), 'nosniff');
  }
  for (const [of_api, text, status = of_api] of RAW) {
    const socket = connect(Number(new URL(metrics.own_url!).port), '127.0.0.1');
    socket.write(text);
    check(t, status, await readAll(socket));
  }
});
