/** GET /admin/overview */
import t from 'tap';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, endlessRun, newSession, queueRun } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
const session_id = await newSession(client);
await completeRun(client, session_id, '@rehearsal words=3');
const failed = await completeRun(client, session_id, '@rehearsal fail=model_error');
await client.expect(201, 'createIntegration', { body: petIntegration(store) });
const connection = await connectPets(client, workspace_id);
await sql`update connections set status = 'needs_reconnect', status_reason = 'Expired.'
  where id = ${connection.id}`;
await client.expect(201, 'createGrant', { body: {
  workspace_id, actions: 'gateway.connections.list', decision: 'require_approval' } });
await client.expect(403, 'createActionInvocation',
  { body: { action: 'gateway.connections.list' } });
const other = await otherWorkspace(server);
await completeRun(other, await newSession(other), '@rehearsal words=1');
await endlessRun(client, session_id);
await queueRun(client, session_id, 'hello');

t.test('all of the service', async (t) => {
  const overview = await client.expect(200, 'getOverview');
  t.match(overview, {
    object: 'overview', workspace_id: null, bucket_s: 3_600,
    open_runs: { queued: 1, running: 1 },
    failures: [{ error_code: failed.error!.code, runs: 1 }],
    durations: { runs: 3, p50_s: Number }, waits: { runs: 4, p99_s: Number },
    pending_approvals: 1,
    connections: { needs_reconnect: 1, pending: 0, first: [{ id: connection.id, workspace_id,
      integration: 'pets', name: 'pets', status: 'needs_reconnect', status_reason: 'Expired.' }] },
  });
  t.equal(overview.buckets.length, 24);
  const sum = (of: 'open' | 'completed' | 'failed') =>
    overview.buckets.reduce((all, bucket) => all + bucket[of], 0);
  t.strictSame([sum('open'), sum('completed'), sum('failed')], [2, 2, 1]);
  t.equal(overview.slowest.length, 3);
  const [worker] = overview.workers;
  t.match(overview.workers, [{ id: /^wrk_/, host: String, alive: true, running_runs: 1 }]);
  t.ok(Date.parse(worker!.started_at) <= Date.parse(overview.made_at));
  t.strictSame(overview.findings.map(({ check }) => check), ['free connections', 'durability',
    'clock', 'node clocks', 'partitions', 'workers', 'integrations', 'connections', 'embeddings']);
  t.match(overview.findings.at(-2), { status: 'warning', found: /1 needs_reconnect/,
    advice: new RegExp(`gatehouse connections reconnect ${connection.id}`) });
});

t.test('one workspace', async (t) => {
  const theirs = (await client.expect(200, 'listWorkspaces')).data
    .find(({ id }) => id !== workspace_id)!;
  const overview = await client.expect(200, 'getOverview',
    { query: { workspace_id: theirs.id, hours: 720 } });
  t.match(overview, { workspace_id: theirs.id, bucket_s: 86_400, failures: [],
    open_runs: { queued: 0, running: 0 }, durations: { runs: 1 }, pending_approvals: 0,
    connections: { needs_reconnect: 0, first: [] }, workers: [{ running_runs: 1 }] });
  t.equal((await client.expect(200, 'getOverview', { query: { workspace_id } })).pending_approvals,
    1);
});

t.test('what is no window', async (t) => {
  for (const hours of [0, 721, 'week']) {
    t.match(await client.expect(400, 'getOverview', { query: { hours } }),
      { code: 'invalid_request', param: 'hours' });
  }
});
