/** Consents to other credentials of an account that is in use: what it has stays until then. */
import t, { type Test } from 'tap';
import { digestOf, type OAuth2Client } from '../../../src/gateway/credentials/credentials.ts';
import type { AuthorizationFailed } from '../../../src/gateway/credentials/flows.ts';
import { until } from '../../support/until.ts';
import { oauthClient, pending, REDIRECT_URI, tokenServer } from './oauthSupport.ts';

/** A connection in use, and an authorization of another client for it, opened in a browser. */
async function awaited(t: Test, urls: Partial<OAuth2Client>) {
  const made = await pending(t, { ...urls, client_id: 'former' });
  const { sql, key, flows } = made;
  await sql`update connections set status = 'connected'`;
  const client = oauthClient({ ...urls, client_id: 'other' });
  const { ticket } = await flows.start(
    key, { redirect_uri: REDIRECT_URI, awaited: { client, account_label: 'sales' } });
  return { ...made, client, opened: await flows.open(ticket) };
}

t.test('a node of the version before does not take the other client for the one that is stored',
  async (t) => {
    const { sql, key, secrets, credentials, client } = await awaited(t,
      { token_url: 'http://127.0.0.1:9/t', authorize_url: 'http://127.0.0.1:9/a' });
    const [row] = await sql<{ state_sha256: Buffer; sealed: string }[]>`
      select state_sha256, sealed from oauth_flows`;
    // It compares this one alone with what is stored, and knows nothing of `awaited`.
    const { client_sha256 } = await secrets.open<{ client_sha256: string }>(key.workspace_id,
      { table: 'oauth_flows', row: key.connection_id,
        field: `flow:${row!.state_sha256.toString('hex')}` }, row!.sealed);
    t.equal(client_sha256, digestOf(client));
    t.not(client_sha256, digestOf((await credentials.oauthClient(key))!));
  });

t.test('an account that is removed meanwhile is not said to stay', async (t) => {
  for (const [way, stays] of [['removed', false], ['refused', true]] as const) {
    const held = Promise.withResolvers<void>();
    const { url, asked } = await tokenServer(t, async () => {
      await held.promise;
      return way === 'removed' ? { body: { access_token: 'access-1' } }
        : { status: 400, body: { error: 'invalid_grant' } };
    });
    const { sql, opened, finish } = await awaited(t,
      { token_url: url, authorize_url: `${url}/authorize` });
    const coming = finish(opened, { code: 'x' }).then(() => null,
      (error: AuthorizationFailed) => error);
    await until(async () => asked.length === 1);
    if (way === 'removed') await sql`delete from connections`;
    held.resolve();
    t.match((await coming)?.of, { stays }, way);
    const told = await sql`
      select 1 from audit_entries where event = 'connection.authorized'`;
    t.equal(told.length, stays ? 1 : 0, 'as failed');
  }
});
