/** Where the metrics are: beside the API, on a port of their own, on every kind of node. */
import t from 'tap';
import { scrape, valueOf } from '../support/prometheus.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import { testDatabase } from '../support/database.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/service.ts';

const api = await testServer(t, { config: { role: 'api', metrics_port: 0 } });
const { service } = api;

t.test('on a port of their own they are not on that of the API', async (t) => {
  t.equal((await fetch(service.base_url.replace('/v1', '/metrics'))).status, 404);
  t.not(new URL(service.metrics_url).port, String(service.port));
  t.ok((await scrape(service.metrics_url)).size > 10);
  const head = await fetch(service.metrics_url, { method: 'HEAD' });
  t.match([head.status, await head.text()], [200, '']);
  for (const [path, method] of [['/', 'GET'], ['/healthz', 'GET'], ['/metrics', 'POST']] as const) {
    t.equal((await fetch(new URL(path, service.metrics_url), { method })).status, 404, path);
  }
});

t.test('a worker shows what it does, an api node what it does', async (t) => {
  const worker = await testServer(t, { config: { role: 'worker' }, database: api });
  t.equal(worker.service.metrics_url, worker.service.base_url.replace('/v1', '/metrics'));
  await completeRun(api.client, await newSession(api.client), 'hello');
  const [ofWorker, ofApi] =
    [await scrape(worker.service.metrics_url), await scrape(service.metrics_url)];
  t.equal(valueOf(ofWorker, 'gatehouse_runs_ended_total'), 1);
  t.equal(valueOf(ofApi, 'gatehouse_runs_ended_total'), 0, 'nothing of the other, in one process');
  t.equal(valueOf(ofApi, 'gatehouse_http_request_duration_seconds_count',
    { operation: 'createRun' }), 1);
  t.equal(valueOf(ofWorker, 'gatehouse_http_request_duration_seconds_count'), 0);
});

t.test('where a token is asked for, only who has it sees them', async (t) => {
  const metrics_token = 'of-the-scraper-'.padEnd(40, 'x');
  const beside = await testServer(t, { database: api, config: { metrics_token } });
  const apart = await testServer(t, { database: api, config: { metrics_token, metrics_port: 0 } });
  for (const { metrics_url } of [beside.service, apart.service]) {
    const ask = (authorization?: string) => fetch(metrics_url,
      { headers: authorization === undefined ? {} : { authorization } });
    for (const wrong of [undefined, metrics_token, `Bearer ${metrics_token}x`, 'Bearer ',
      `Bearer ${beside.client.admin_token}`]) {
      const answer = await ask(wrong);
      t.match([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'],
        wrong ?? 'none');
      t.notMatch(await answer.text(), 'gatehouse_');
    }
    t.match(await (await ask(`Bearer ${metrics_token}`)).text(), 'gatehouse_runs{');
  }
  t.throws(() => readConfig({ GATEHOUSE_METRICS_TOKEN: 'short' }),
    /must have 32 to 8192 characters/);
});

t.test('a port that is taken is named, and nothing is left running', async (t) => {
  const { url } = await testDatabase(t);
  const config = readConfig({}, {
    port: 0, database_url: url, master_keys: api.config.master_keys,
    metrics_port: Number(new URL(service.metrics_url).port),
  });
  await t.rejects(startService({ config, log: createLog('silent') }),
    { message: /^GATEHOUSE_METRICS_PORT \d+ cannot be had on 127\.0\.0\.1: .*EADDRINUSE/ });
});

t.test('without the database all is shown but what only that knows', async (t) => {
  const { url, sql } = await testDatabase(t);
  const alone = await testServer(t, { database: { url, sql } });
  const before = await scrape(alone.service.metrics_url);
  t.ok(before.has('gatehouse_runs'));
  await sql`alter table runs rename to runs_away`;
  t.teardown(() => sql`alter table runs_away rename to runs`);
  const shown = await untilSeen('a scrape that has asked the database anew',
    () => scrape(alone.service.metrics_url), (found) => !found.has('gatehouse_runs'));
  t.notOk(shown.has('gatehouse_runs'));
  t.notOk(shown.has('gatehouse_queue_age_seconds'));
  t.ok(shown.has('gatehouse_build_info'));
});
