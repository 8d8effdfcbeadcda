/** The limits of a whole service: what is refused costs the database nothing, and clients cope. */
import t from 'tap';
import { newToken } from '../../src/accounts/token.ts';
import { Client as CliClient } from '../../src/cli/client.ts';
import { prompt } from '../support/client.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { faultsOf, limitItems } from '../support/rateLimit.ts';
import { endlessRun, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

t.test('a key that is unknown is looked up only so often, a good one always', async (t) => {
  const { client, sql } = await testServer(t, { config: { auth_failures_per_minute: 3 } });
  await client.expect(200, 'listRuns');
  for (let i = 0; i < 3; i++) {
    await client.expect(401, 'listRuns', { token: newToken(i === 1 ? 'gta' : 'gth') });
  }
  await client.expect(200, 'listRuns');
  t.equal((await client.call('listWorkspaces')).status, 429, 'one that was never seen has to wait');
  await sql`alter table api_keys rename to hidden`; // to look one up is a fault from here on
  const refused = await client.call('listRuns', { token: newToken('gth') });
  t.equal(refused.status, 429);
  t.strictSame(faultsOf(refused.headers), []);
  await sql`alter table hidden rename to api_keys`;
  await client.expect(200, 'listRuns');
});

t.test('no more calls wait for an approval than may', async (t) => {
  const lab = createLab();
  const { client, sql, workspace_id } = await testServer(t,
    { sources: [lab.source], config: { pending_approvals: 1 } });
  await connectLab(sql, workspace_id);
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'lab.*', decision: 'require_approval' } });
  const call = (action: string) => client.call('createActionInvocation', { body: { action } });
  t.match(await call('lab.echo.get'), { status: 403, body: { code: 'approval_required' } });
  const full = await call('lab.error.get');
  t.match(full, { status: 429, body: { code: 'approvals_full', details: { invocation_id: String,
    missing: [{ code: 'approvals_full', most_pending: 1 }] } } });
  t.equal(full.headers.get('retry-after'), '60');
  t.match(await call('lab.echo.get'), { status: 403 }, 'the one that waits is still asked for');
  t.equal((await client.expect(200, 'listApprovals')).data.length, 1);
});

t.test('waits are bounded, and who waits can still ask and cancel', async (t) => {
  const server = await testServer(t,
    { config: { waits_per_key: 2, waits_per_workspace: 3, requests_per_key: 2 } });
  const { client, sql, workspace_id } = server;
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'second' } });
  const beside = client.as(api_key);
  const run = await endlessRun(client, await newSession(client));
  const path = { session_id: run.session_id };
  const wait = (as = client) => as.call('createRun',
    { path, body: prompt('@rehearsal words=1', { wait: true }) });
  const runs = async () => (await sql`select from runs where session_id = ${path.session_id}`)
    .length;
  const waits = [wait(), wait(), wait(beside)];
  await untilSeen('three runs more', runs, (count) => count === 4);
  await client.expect(200, 'listRuns');
  const refusals = [await wait(), await wait(beside)];
  for (const { status, headers } of refusals) t.strictSame([status, faultsOf(headers)], [429, []]);
  t.match(refusals.map(({ headers }) => limitItems(headers, 'RateLimit')[0]),
    [{ policy: 'key-waits' }, { policy: 'workspace-waits' }]);
  t.equal(await runs(), 4, 'no run was made for them');
  const other = await otherWorkspace(server);
  await other.expect(200, 'createRun', { path: { session_id: await newSession(other) },
    body: prompt('@rehearsal words=1', { wait: true }) });
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  for (const one of waits) t.match(await one, { status: 200, body: { status: 'completed' } });
  t.equal((await wait()).status, 200, 'the places are given back');
});

t.test('the command line waits for a moment, and says so if that was not enough', async (t) => {
  const { service, client } = await testServer(t, { config: { rate_per_key: 2, rate_burst_s: 1 } });
  const cli = new CliClient({ base_url: service.base_url, workspace_id: null,
    api_key: client.api_key!, admin_token: null, file: 'none', withheld_for: null, withheld: {} });
  let refused = 0;
  while (refused === 0) { // until the key is at its limit
    await Promise.all(Array.from({ length: 5 }, async () => {
      refused += Number((await client.call('listRuns')).status === 429);
    }));
  }
  t.match(await cli.request('GET', '/runs', {}), { object: 'list' });
});
