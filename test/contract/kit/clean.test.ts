/** A sound service raises no alarm, and the kit leaves nothing there but what it has archived. */
import t from 'tap';
import { runKit } from '../../../src/contract/kit.ts';
import { otherWorkspace, testServer } from '../../support/server.ts';
import { newSession, completeRun, OFFLINE } from '../../support/runs.ts';

/** CONTRACT_CLEAN_RUNS=20 takes as many as one likes: each costs some seconds. */
const RUNS = Number(process.env.CONTRACT_CLEAN_RUNS ?? 2);
const PATIENCE_MS = 60_000;

t.setTimeout(1_200_000);

/** A limit that fills up so slowly that a client sees it shrink. */
const SEEN_RATES = { rate_per_key: 100, rate_per_workspace: 400 };

t.test('clean runs raise no alarm while others work in the same workspace', async (t) => {
  const server = await testServer(t, { config: {
    auth_failures_per_minute: 0, concurrency: 100, ...SEEN_RATES } });
  const { client, sql, workspace_id } = server;
  const other = await otherWorkspace(server);
  const theirs = await newSession(client, 'of somebody else');
  const { id } = await completeRun(client, theirs, '@rehearsal words=2', OFFLINE);
  const before = [await client.expect(200, 'getSession', { path: { session_id: theirs } }),
    await client.expect(200, 'getRun', { path: { run_id: id } })];
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'somebody else' } });
  const somebody = client.as(api_key);
  const at_work = new AbortController();
  const work = (async () => {
    while (!at_work.signal.aborted) {
      // It takes some time, so that nobody is told to ask more slowly.
      await completeRun(somebody, await newSession(somebody), '@rehearsal words=3 delay_ms=20',
        OFFLINE);
    }
  })();
  work.catch(() => undefined); // It is awaited in the end.
  for (let run = 0; run < RUNS; run++) {
    // Two at once, with the limits of requests as they are unless set: the kit waits when it asks
    // too often. Set are wrong keys in a minute, of which two kits send many, and runs at once.
    const reports = await Promise.all([...run === 0 ? [1, 2] : [1]].map(() => runKit({
      base_url: client.base_url, api_key: client.api_key!, patience_ms: PATIENCE_MS, parallel: 8,
      other_api_key: other.api_key })));
    for (const { results, left, requests, duration_ms } of reports) {
      t.strictSame(results.filter(({ status }) => status !== 'passed')
        .map(({ check, reason }) => `${check.name}: ${reason}`), []);
      t.strictSame(left, []);
      t.comment(`${requests} requests in ${Math.round(duration_ms)} ms`);
    }
  }
  at_work.abort();
  await work;
  t.strictSame([await client.expect(200, 'getSession', { path: { session_id: theirs } }),
    await client.expect(200, 'getRun', { path: { run_id: id } })], before, 'what others have');
  t.strictSame([...await sql`select id from runs where status in ('queued', 'running')`], [],
    'no run is open');
  t.strictSame([...await sql`select id from sessions where status = 'active'
    and metadata::text like '%gatehouse_contract%'`], [], 'no session of the kit is active');
});

t.test('without a second key and the rehearsal model it says what it cannot look at', async (t) => {
  const { client } = await testServer(t, { config: {
    allowed_models: 'openai/none', model: 'openai/none', openai_api_key: 'none' } });
  const { results } = await runKit({ base_url: client.base_url, api_key: client.api_key!,
    patience_ms: PATIENCE_MS, parallel: 8, only: ['isolation', 'streams.whole', 'auth'] });
  t.ok(results.some(({ status }) => status === 'passed'));
  for (const { check, status, reason } of results) {
    if (check.needs === 'other') t.match([status, reason], ['skipped', '--other-api-key']);
    else if (check.needs === 'offline') t.match([status, reason], ['skipped', 'rehearsal']);
    else t.equal(status, 'passed', `${check.name} ${reason}`);
  }
});
