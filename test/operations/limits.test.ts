/** The limits of a whole service: what is refused costs the database nothing, and clients cope. */
import t from 'tap';
import { newToken } from '../../src/accounts/token.ts';
import { Client as CliClient } from '../../src/cli/client.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { faultsOf } from '../support/rateLimit.ts';
import { testServer } from '../support/server.ts';

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

t.test('each admin token has its own share, and what it revokes is never refused', async (t) => {
  const { client, workspace_id } = await testServer(t, { config: { rate_per_key: 1 } });
  const { admin_token } = await client.expect(201, 'createAdminToken', { body: { name: 'two' } });
  const key = await client.expect(201, 'createApiKey', { body: { workspace_id, name: 'lost' } });
  const asFirst = () => client.call('listWorkspaces');
  while ((await asFirst()).status !== 429); // until it is at its limit
  const asSecond = client.call('listWorkspaces', { token: admin_token });
  t.equal((await asSecond).status, 200);
  const more = await Promise.all(Array.from({ length: 5 }, asFirst));
  t.ok(more.some(({ status }) => status === 429), 'a second may have given the first one more');
  await client.expect(204, 'revokeApiKey', { path: { api_key_id: key.id } });
});

t.test('the command line waits for a moment, and says so if that was not enough', async (t) => {
  const { service, client } = await testServer(t, { config: { rate_per_key: 2 } });
  const cli = new CliClient({ base_url: service.base_url, workspace_id: null,
    api_key: client.api_key!, admin_token: null, file: 'none', address_from: null,
    withheld_for: null, withheld: {} });
  let refused = 0;
  while (refused === 0) { // until the key is at its limit
    await Promise.all(Array.from({ length: 5 }, async () => {
      refused += Number((await client.call('listRuns')).status === 429);
    }));
  }
  t.match(await cli.request('GET', '/runs', {}), { object: 'list' });
});
