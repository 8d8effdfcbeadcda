/** What a sound target may be set to raises no alarm; what a faulty one takes is tidied up. */
import t from 'tap';
import { tidyUp } from '../../../src/contract/cleanup.ts';
import { runKit } from '../../../src/contract/kit.ts';
import { Made } from '../../../src/contract/made.ts';
import { Wire } from '../../../src/contract/wire.ts';
import { otherWorkspace, testServer } from '../../support/server.ts';
import { startDefectProxy } from '../defects/proxy.ts';
import { unendingServer } from '../unending.ts';
import type { Answered, Asked } from '../defects/defect.ts';

const PATIENCE_MS = 60_000;

t.setTimeout(600_000);

/** A limit that fills up so slowly that a client sees it shrink. */
const SEEN_RATES = { rate_per_key: 100, rate_per_workspace: 400 };

t.test('a session made with another credential is tidied up with it', async (t) => {
  const server = await testServer(t);
  const other = await otherWorkspace(server);
  const made = new Made();
  const wire = new Wire({ base_url: server.client.base_url, api_key: server.client.api_key!,
    patience_ms: PATIENCE_MS, signal: new AbortController().signal, mark: 'kit-test', made });
  const { id } = await wire.expect(201, 'createSession',
    { body: {}, authorization: `Bearer ${other.api_key}` });
  t.strictSame(await tidyUp(made, 'kit-test', [wire]), []);
  t.match(await other.expect(200, 'getSession', { path: { session_id: id } }),
    { status: 'archived' });
});

t.test('an answer that never ends is given up, whatever it was to be', async (t) => {
  // Long enough for its head to come, on whatever machine.
  const wireFor = async (status: number) => new Wire({ base_url: await unendingServer(t, status),
    api_key: 'any', patience_ms: 2_000, signal: new AbortController().signal, mark: 'kit-test',
    made: new Made() });
  const message = /the answer does not come to its end within 2 s/;
  const unwell = await wireFor(503);
  const failing = await wireFor(500);
  await Promise.all([
    t.rejects(unwell.fetch('/sessions'), { message }),
    t.rejects(failing.follow('streamRunEvents', { path: { run_id: 'run_x' } }), { message }),
    t.rejects(failing.call('listSessions'), { message }),
  ]);
});

t.test('a workspace whose grants deny raises no alarm', async (t) => {
  const server = await testServer(t, { config: {
    auth_failures_per_minute: 0, concurrency: 100, ...SEEN_RATES } });
  const { client, sql } = server;
  const other = await otherWorkspace(server);
  for (const { id: workspace_id } of await sql`select id from workspaces`) {
    for (const actions of ['gateway.*', 'gatehouse.*']) {
      await client.expect(201, 'createGrant',
        { body: { workspace_id, actions, decision: 'deny' } });
    }
  }
  const { results, left } = await runKit({ base_url: client.base_url, api_key: client.api_key!,
    other_api_key: other.api_key, patience_ms: PATIENCE_MS, parallel: 4 });
  t.strictSame(results.filter(({ status }) => status === 'failed')
    .map(({ check, reason }) => `${check.name}: ${reason}`), []);
  const skipped = results.filter(({ status }) => status === 'skipped');
  t.ok(skipped.length > 5, `${skipped.length} are skipped`);
  for (const { reason } of skipped) t.match(reason, /^the key may not see /);
  t.strictSame(left, []);
});

t.test('a target without its database for a moment raises no alarm, and is named', async (t) => {
  const server = await testServer(t, { config: {
    auth_failures_per_minute: 0, concurrency: 100, ...SEEN_RATES } });
  const api_key = server.client.api_key!;
  const other_api_key = (await otherWorkspace(server)).api_key!;
  const kitWith = async (isAway: (asked: Asked) => boolean, only: string[]) => {
    const proxy = await startDefectProxy(
      { base_url: server.client.base_url, api_key, other_api_key },
      { name: 'status.away', does: 'has no database', topics: [],
        request: (asked) => (isAway(asked) ? unavailable(asked) : undefined) });
    t.teardown(() => proxy.close());
    return await runKit({
      base_url: proxy.base_url, api_key, other_api_key, patience_ms: PATIENCE_MS, parallel: 8,
      only });
  };
  const seen = new Set<string | undefined>([undefined]);
  const passing = await kitWith(({ method, headers }) => {
    const request_id = headers['x-request-id'];
    const is_first = !seen.has(request_id);
    seen.add(request_id);
    return is_first && (method === 'GET' || 'idempotency-key' in headers);
  }, ['paging', 'runs', 'resume']);
  t.strictSame(passing.results.filter(({ status }) => status !== 'passed')
    .map(({ check, reason }) => `${check.name}: ${reason}`), []);
  t.ok(passing.unavailable > 10, `${passing.unavailable} were repeated`);
  const lasting = await kitWith(({ id }) => id === 'listRuns', ['paging.runs']);
  t.match(lasting.results.filter(({ status }) => status === 'failed').map(({ reason }) => reason),
    [/503 after 3 repeats/]);
});

function unavailable({ headers }: Asked): Answered {
  const request_id = headers['x-request-id'] ?? 'none';
  return { status: 503, stream: false, headers: { 'retry-after': '0', 'x-request-id': request_id,
    'content-type': 'application/json', 'cache-control': 'no-store' },
  body: { error: 'No database just now: try again.', code: 'unavailable', param: null,
    request_id } };
}
