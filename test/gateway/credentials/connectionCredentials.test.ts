/** Credentials other than OAuth's, what is kept of them, and the status that follows. */
import t, { type Test } from 'tap';
import { NeedsReconnect } from '../../../src/gateway/credentials/credentialStore.ts';
import type { StoredCredentials } from '../../../src/gateway/credentials/credentials.ts';
import { TokenRequestFailed } from '../../../src/gateway/credentials/oauthClient.ts';
import { Scrubber } from '../../../src/gateway/vault/scrubber.ts';
import { Patience, patience } from '../../../src/patience.ts';
import { setConnectionStatus } from '../../../src/store/connections.ts';
import { testDatabase } from '../../support/database.ts';
import { addConnection, addWorkspaces, masterKeys, statusOf } from '../vault/support.ts';
import { age, oauthClient, processWith, store, tokenServer, type Answer } from './oauthSupport.ts';

async function setUp(t: Test) {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1', 'wsp_2');
  const key = await addConnection(sql, 'wsp_1', 'con_1');
  const keys = masterKeys('a');
  const log_scrubber = new Scrubber();
  const { credentials } = processWith(t, sql, keys, { log_scrubber });
  const target = { ...key, egress_allow: [], action: 'acme.get' };
  return { sql, keys, key, target, credentials, log_scrubber };
}

t.test('each kind comes out as it went in, with what must not be seen of it', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  const kinds: [StoredCredentials, string[]][] = [
    [{ type: 'bearer', token: 'token-1234' }, ['token-1234']],
    [{ type: 'api_key', in: 'query', name: 'key', value: 'value-1234', prefix: 'x' },
      ['value-1234']],
    [{ type: 'basic', username: 'me', password: 'geheim-1234' },
      ['geheim-1234', 'me:geheim-1234']],
  ];
  for (const [given, secrets] of kinds) {
    await store(sql, credentials, key, given);
    const issued = await credentials.for(target);
    t.strictSame([issued.credentials, issued.secrets], [given, secrets], given.type);
    t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
    const [row] = await sql<{ text: string }[]>`
      select connection_secrets::text as text from connection_secrets`;
    for (const secret of secrets) t.notOk(row!.text.includes(secret), 'it is stored sealed');
  }
  const oauth = oauthClient({ access_token: 'access-1', refresh_token: 'refresh-1' });
  await store(sql, credentials, key, oauth);
  const issued = await credentials.for(target);
  t.strictSame([issued.credentials, issued.secrets], [{ type: 'oauth2', access_token: 'access-1' },
    ['access-1', 'refresh-1', 'client-secret-1']], 'a call sees no more than the access token');
  await store(sql, credentials, key, { type: 'none' });
  t.match(await credentials.for(target), { credentials: { type: 'none' }, secrets: [] });
  t.same(await sql`select 1 from connection_secrets`, []);
});

t.test('the status follows from what is stored', async (t) => {
  const { sql, key, credentials } = await setUp(t);
  const after = async (given: StoredCredentials) => {
    await store(sql, credentials, key, given);
    return (await statusOf(sql, key))!.status;
  };
  t.equal(await after(oauthClient({})), 'pending', 'somebody has to authorize it');
  t.equal(await after(oauthClient({ refresh_token: 'r' })), 'connected');
  t.equal(await after(oauthClient({})), 'pending', 'another client: once more');
  t.equal(await after(oauthClient({ grant: 'client_credentials' })), 'connected');
  await sql`update connections set status = 'needs_reconnect', status_reason = 'why'`;
  t.equal(await after({ type: 'bearer', token: 'token-1234' }), 'connected');
  t.match(await statusOf(sql, key), { status_reason: null });
  await sql`update connections set status = 'disabled'`;
  t.equal(await after({ type: 'bearer', token: 'token-1234' }), 'disabled');
});

t.test('with the connection, in one transaction, or not at all', async (t) => {
  const { sql, credentials } = await setUp(t);
  const key = { workspace_id: 'wsp_1', connection_id: 'con_new' };
  const target = { ...key, egress_allow: [] };
  const storeIn = await credentials.prepare(key, { type: 'bearer', token: 'token-1234' });
  const create = (fail: boolean) => sql.begin(async (tx) => {
    await tx`
      insert into connections (workspace_id, id, integration, name, status)
      values ('wsp_1', 'con_new', 'github', 'new', 'pending')`;
    await storeIn(tx);
    if (fail) throw new Error('no');
  });
  await t.rejects(create(true), { message: 'no' });
  await t.rejects(credentials.for(target), NeedsReconnect);
  await create(false);
  t.match(await credentials.for(target), { credentials: { token: 'token-1234' } });
  await sql`delete from connections where id = 'con_new'`;
  t.same(await sql`select 1 from connection_secrets`, [], 'it goes with its connection');
});

t.test('what no header can carry was refused by nobody', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  for (const given of [{ type: 'bearer', token: 'token\n1234' } as const,
    oauthClient({ access_token: 'access\n1' })]) {
    await store(sql, credentials, key, given);
    await t.rejects(credentials.for(target), NeedsReconnect);
    t.match(await statusOf(sql, key), { status: 'needs_reconnect',
      status_reason: /^The (access )?token has a line break in it.*Nothing was sent/ });
  }
});

t.test('what the integration refuses, and cannot be renewed, asks for reconnection', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  for (const given of [{ type: 'bearer', token: 'token-1234' } as const,
    oauthClient({ access_token: 'access-1' })]) {
    await store(sql, credentials, key, given);
    const issued = await credentials.for(target);
    await t.rejects(credentials.refused(target, issued), NeedsReconnect);
    t.match(await statusOf(sql, key), { status: 'needs_reconnect', status_reason: /refused/ });
    await t.rejects(credentials.refused(target, issued), NeedsReconnect,
      'whoever says so');

    await store(sql, credentials, key, { type: 'bearer', token: 'token-5678' });
    t.match(await credentials.refused(target, issued),
      { credentials: { token: 'token-5678' } }, 'but a new one has not been refused');
    t.match(await statusOf(sql, key), { status: 'connected' });
  }
});

t.test('a refusal is of one version, also when it is replaced just then', async (t) => {
  const { sql, key, credentials } = await setUp(t);
  await store(sql, credentials, key, { type: 'bearer', token: 'token-1234' });
  const [row] = await sql<{ version: string }[]>`
    select version::text as version from connection_secrets`;
  const storeIn = await credentials.prepare(key, { type: 'bearer', token: 'token-5678' });
  let marking: Promise<boolean> | undefined;
  await sql.begin(async (tx) => {
    await storeIn(tx);
    let done = false;
    marking = setConnectionStatus(sql, key, { from: ['connected'], to: 'needs_reconnect',
      reason: 'refused', secret_version: row!.version }).finally(() => { done = true; });
    for (let waits = false; !waits && !done;) {
      const [seen] = await sql<{ waits: boolean }[]>`
        select exists (select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock') as waits`;
      waits = seen!.waits;
    }
  });
  t.equal(await marking, false);
  t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
});

t.test('credentials that were changed or moved ask for reconnection', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  const other = await addConnection(sql, 'wsp_1', 'con_2');
  const foreign = await addConnection(sql, 'wsp_2', 'con_1');
  for (const one of [key, other, foreign]) {
    await store(sql, credentials, one, { type: 'bearer', token: `token of ${one.connection_id}` });
  }
  for (const from of [other, foreign]) {
    await sql`
      update connection_secrets set sealed = (select sealed from connection_secrets
        where workspace_id = ${from.workspace_id} and connection_id = ${from.connection_id})
      where workspace_id = 'wsp_1' and connection_id = 'con_1'`;
    await t.rejects(credentials.for(target), NeedsReconnect);
    t.match(await statusOf(sql, key), { status: 'needs_reconnect',
      status_reason: 'Its stored credentials cannot be opened; they were changed or moved.' });
    await store(sql, credentials, key, { type: 'bearer', token: 'token-1234' });
    t.match(await statusOf(sql, key), { status: 'connected' });
  }
  t.match(await statusOf(sql, other), { status: 'connected' });
});

t.test('a process with a wrong master key breaks no connection', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  await store(sql, credentials, key, { type: 'bearer', token: 'token-1234' });
  for (const keys of [masterKeys('a'), masterKeys('b')]) {
    await t.rejects(processWith(t, sql, keys).credentials.for(target),
      { name: 'DataKeyUnavailable', code: 'unavailable' });
  }
  t.match(await statusOf(sql, key), { status: 'connected' });
});

t.test('another workspace\'s connection is none', async (t) => {
  const { sql, key, credentials } = await setUp(t);
  await store(sql, credentials, key, { type: 'bearer', token: 'token-1234' });
  const of = (workspace_id: string, connection_id: string) =>
    credentials.for({ workspace_id, connection_id, egress_allow: [] });
  const answers = await Promise.all([of('wsp_2', 'con_1'), of('wsp_1', 'con_9')]
    .map((answer) => answer.catch((error: Error) => `${error.name}: ${error.message}`)));
  t.type(answers[0], 'string');
  t.equal(answers[0], answers[1]);
});

t.test('the log\'s scrubber knows what this process has opened', async (t) => {
  const { sql, key, target, credentials, log_scrubber } = await setUp(t);
  const seen = () => log_scrubber.scrub('first-token second-token third-token');
  for (const token of ['first-token', 'second-token', 'third-token']) {
    await store(sql, credentials, key, { type: 'bearer', token });
    await credentials.for(target);
    await credentials.for(target);
  }
  t.equal(seen(), 'first-token [secret] [secret]', 'the one before counts: calls still use it');
  await store(sql, credentials, key, { type: 'none' });
  t.equal(seen(), 'first-token second-token third-token');
});

for (const [grant, refresh_token, grant_type, error, is_own = false] of [
  ['client_credentials', null, 'client_credentials', 'invalid_client'],
  // As Keycloak says it of a wrong secret.
  ['client_credentials', null, 'client_credentials', 'unauthorized_client'],
  ['authorization_code', 'refresh-0', 'refresh_token', 'invalid_client'],
  // One that the service registered itself may be refused the grant, and not be forgotten.
  ['authorization_code', 'refresh-0', 'refresh_token', 'unauthorized_client', true]] as const) {
  const whose = is_own ? 'an own client' : 'a client';
  t.test(`${grant}: ${whose} that is refused (${error}) asks for reconnection`, async (t) => {
    const { sql, keys, key, target, credentials } = await setUp(t);
    const second = processWith(t, sql, keys).credentials;
    let answer: Answer = { status: 503, body: { error } };
    const { url, asked } = await tokenServer(t, () => answer);
    await store(sql, credentials, key, oauthClient({
      grant, refresh_token, token_url: `${url}/token`, ...(is_own && { is_own, issuer: url }) }));
    await t.rejects(credentials.for(target), TokenRequestFailed, 'a fault that speaks of it');
    t.match(await statusOf(sql, key), { status: 'connected' });
    answer = { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' },
      body: { error } };
    const all = await Promise.allSettled(Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? credentials : second).for(target)));
    t.ok(all.every((one) => one.status === 'rejected' && one.reason instanceof NeedsReconnect));
    t.match(await statusOf(sql, key), { status: 'needs_reconnect',
      status_reason: new RegExp(`not know the client, or not by this secret.*\\(${error}\\)`) });

    const before = asked.length;
    await t.rejects(credentials.for(target), NeedsReconnect);
    t.equal(asked.length, before + 1, 'a check asks once more: it may have been mended there');
    answer = { body: { access_token: 'access-1', token_type: 'Bearer', expires_in: 3_600 } };
    t.match(await credentials.for(target), { credentials: { access_token: 'access-1' } });
    t.match(asked.at(-1)!.form, { grant_type, ...(refresh_token && { refresh_token }) });
    t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
  });
}

t.test('a token that has ended, and came without another, is told as such', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  await store(sql, credentials, key, oauthClient({ access_token: 'access-1' }));
  const refused = async () => {
    await t.rejects(credentials.refused(target, await credentials.for(target)), NeedsReconnect);
    return (await statusOf(sql, key))!.status_reason;
  };
  t.notMatch(await refused(), 'has ended', 'before its end that is not why');
  await age(sql, key, 'expired');
  t.match(await refused(), /has ended.*no refresh token.*prompt=consent/);
});

t.test('a token that cannot be renewed ahead of time is left alone for a while', async (t) => {
  const { sql, key, target, credentials } = await setUp(t);
  const { url, asked } = await tokenServer(t, () => ({ status: 503, body: 'busy' }));
  await store(sql, credentials, key, oauthClient({
    token_url: `${url}/token`, access_token: 'access-1', refresh_token: 'refresh-1' }));
  await age(sql, key, 'due');
  await credentials.for(target);
  await credentials.close();
  t.match((await credentials.for(target)).credentials, { access_token: 'access-1' });
  await credentials.close();
  t.equal(asked.length, 1);
  await age(sql, key, 'expired');
  await t.rejects(credentials.for(target), TokenRequestFailed);
  t.equal(asked.length, 2);
});

t.test('a token is renewed for all, without the patience of the call that began it', async (t) => {
  const { sql, keys, key, target } = await setUp(t);
  const { url } = await tokenServer(t, () => ({ body: {
    access_token: 'access-1', token_type: 'Bearer', expires_in: 3_600 } }));
  const patient: boolean[] = [];
  const { credentials } = processWith(t, sql, keys, { fetchFor: () => {
    patient.push(patience() !== undefined);
    return fetch;
  } });
  await store(sql, credentials, key, oauthClient({ token_url: `${url}/token`,
    access_token: 'access-0', refresh_token: 'refresh-0' }), { lifetime_s: 3_600 });
  await age(sql, key, 'expired');
  const issued = await new Patience('createActionInvocation').during(() => credentials.for(target));
  t.match(issued.credentials, { access_token: 'access-1' });
  t.strictSame(patient, [false]);
});
