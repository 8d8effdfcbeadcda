/** Renewing access tokens: once for all who need it, and what a failure means. */
import { inspect } from 'node:util';
import t, { type Test } from 'tap';
import type {
  ConnectionCredentialsOptions,
} from '../../../src/gateway/credentials/connectionCredentials.ts';
import { NeedsReconnect } from '../../../src/gateway/credentials/credentialStore.ts';
import type { OAuth2Client, OAuth2Tokens } from '../../../src/gateway/credentials/credentials.ts';
import { TokenRequestFailed } from '../../../src/gateway/credentials/oauthClient.ts';
import { deleteConnectionRow } from '../../../src/store/connections.ts';
import { connect } from '../../../src/store/database.ts';
import { testDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { addConnection, addWorkspaces, masterKeys, statusOf } from '../vault/support.ts';
import {
  age, oauthClient, processWith, store, tokenServer, type Answer, type Asked,
} from './oauthSupport.ts';

const numbered = (number: number, more: object = {}): Answer => ({ body: {
  access_token: `access-${number}`, refresh_token: `refresh-${number}`, token_type: 'Bearer',
  expires_in: 3_600, ...more } });

interface Given {
  answer?: (asked: Asked, number: number) => Answer | Promise<Answer>;
  client?: Partial<OAuth2Client & OAuth2Tokens>;
  granted_scopes?: string[];
  options?: Partial<ConnectionCredentialsOptions>;
}

/** A connection with the tokens `access-0` and `refresh-0`, and a process that uses it. */
async function connected(t: Test, given: Given = {}) {
  const { sql, url } = await testDatabase(t);
  const server = await tokenServer(t, given.answer ?? ((_, number) => numbered(number)));
  await addWorkspaces(sql, 'wsp_1');
  const key = await addConnection(sql, 'wsp_1', 'con_1');
  const target = { ...key, egress_allow: [], action: 'acme.get' };
  const keys = masterKeys('a');
  const { credentials } = processWith(t, sql, keys, given.options);
  await store(sql, credentials, key, oauthClient({
    token_url: `${server.url}/token`, access_token: 'access-0', refresh_token: 'refresh-0',
    ...given.client,
  }), { lifetime_s: 3_600, granted_scopes: given.granted_scopes ?? null });
  return { sql, url, server, key, target, keys, credentials };
}

const tokenOf = ({ credentials }: { credentials: { type: string; access_token?: string } }) =>
  credentials.access_token;

t.test('50 calls in two processes on an expired token: one request', async (t) => {
  const many = Promise.withResolvers<void>();
  const { sql, url, server, key, target, keys, credentials } = await connected(t, {
    // Answers only when every call is surely waiting for it.
    answer: async (_, number) => {
      await many.promise;
      return numbered(number);
    },
  });
  const pool = connect(url, { max: 3, application_name: 'second process' });
  t.teardown(() => pool.end());
  const second = processWith(t, pool, keys).credentials;
  await age(sql, key, 'expired');
  let begun = 0;
  const calls = Array.from({ length: 50 }, async (_, i) => {
    begun += 1;
    return await (i % 2 === 0 ? credentials : second).for(target);
  });
  await until(async () => begun === 50 && server.asked.length > 0);
  // The other process has looked for its turn, and its connections are free meanwhile.
  t.equal((await pool`select 1 as one`).length, 1);
  many.resolve();
  const issued = await Promise.all(calls);
  t.strictSame([...new Set(issued.map(tokenOf))], ['access-1']);
  t.equal(server.asked.length, 1);
  t.match(server.asked[0], { url: '/token', form: {
    grant_type: 'refresh_token', refresh_token: 'refresh-0' } });
  t.equal(server.asked[0]!.headers.authorization,
    `Basic ${Buffer.from('client+1:client-secret-1').toString('base64')}`);
  t.match(await statusOf(sql, key), { status: 'connected' });

  await age(sql, key, 'expired');
  t.equal(tokenOf(await second.for(target)), 'access-2');
  t.equal(server.asked[1]!.form.refresh_token, 'refresh-1', 'with the new refresh token');
});

t.test('50 refusals of one token in two processes: one request, too', async (t) => {
  const { url, server, target, keys, credentials } = await connected(t);
  const pool = connect(url, { max: 3 });
  t.teardown(() => pool.end());
  const second = processWith(t, pool, keys).credentials;
  const issued = await Promise.all(Array.from({ length: 50 }, (_, i) =>
    (i % 2 === 0 ? credentials : second).for(target)));
  t.equal(server.asked.length, 0);
  const again = await Promise.all(issued.map((one, i) =>
    (i % 2 === 0 ? credentials : second).refused(target, one)));
  t.strictSame([...new Set(again.map(tokenOf))], ['access-1']);
  t.equal(server.asked.length, 1);
});

t.test('a token that is about to expire is renewed beside the call', async (t) => {
  const answering = Promise.withResolvers<void>();
  const { sql, server, key, target, credentials } = await connected(t, {
    answer: async (_, number) => {
      await answering.promise;
      return numbered(number);
    },
  });
  await age(sql, key, 'due');
  t.equal(tokenOf(await credentials.for(target)), 'access-0', 'the call does not wait');
  t.equal(tokenOf(await credentials.for(target)), 'access-0');
  await until(async () => server.asked.length > 0);
  answering.resolve();
  await until(async () => tokenOf(await credentials.for(target)) === 'access-1');
  t.equal(server.asked.length, 1);
});

t.test('the old refresh token stays when none comes back', async (t) => {
  const { sql, server, key, target, credentials } = await connected(t, {
    answer: (_, number) => numbered(number, { refresh_token: number === 1 ? undefined : null }),
  });
  for (const expected of ['access-1', 'access-2', 'access-3']) {
    await age(sql, key, 'expired');
    t.equal(tokenOf(await credentials.for(target)), expected);
  }
  t.strictSame(server.asked.map(({ form }) => form.refresh_token),
    ['refresh-0', 'refresh-0', 'refresh-0']);
});

t.test('a client\'s own token is fetched when it is first needed', async (t) => {
  const { sql, server, key, target, credentials } = await connected(t, {
    client: { grant: 'client_credentials', access_token: null, refresh_token: null,
      client_auth: 'post', scopes: ['read', 'write'] },
    answer: (_, number) => numbered(number, { refresh_token: undefined }),
  });
  t.match(await statusOf(sql, key), { status: 'connected' });
  const all = await Promise.all(Array.from({ length: 5 }, () => credentials.for(target)));
  t.strictSame(all.map(tokenOf), Array.from({ length: 5 }, () => 'access-1'));
  t.strictSame(server.asked.map(({ form }) => form), [{
    grant_type: 'client_credentials', scope: 'read write',
    client_id: 'client 1', client_secret: 'client-secret-1' }]);
  await age(sql, key, 'expired');
  t.equal(tokenOf(await credentials.for(target)), 'access-2');
});

t.test('a short-lived token is not renewed by each call', async (t) => {
  const { sql, server, key, target, credentials } = await connected(t, {
    answer: (_, number) => numbered(number, { expires_in: 30 }),
  });
  await age(sql, key, 'expired');
  await credentials.for(target);
  await credentials.for(target);
  await credentials.close();
  t.equal(server.asked.length, 1);
  const [row] = await sql<{ margin_s: number; left_s: number }[]>`
    select extract(epoch from expires_at - refresh_at)::float8 as margin_s,
      extract(epoch from expires_at - now())::float8 as left_s from connection_secrets`;
  t.equal(row!.margin_s, 6);
  t.ok(row!.left_s > 0 && row!.left_s <= 30);
});

t.test('what may pass leaves the connection as it is', async (t) => {
  const passing: Record<string, [Answer, RegExp]> = {
    'a fault': [{ status: 500, body: 'oops' }, /answered 500, and no token/],
    'a fault that speaks of the grant': [
      { status: 503, body: { error: 'invalid_grant' } }, /answered 503 with invalid_grant/],
    'too many requests': [{ status: 429, body: { error: 'slow_down' } }, /answered 429/],
    'a fault that speaks of the client': [
      { status: 503, body: { error: 'invalid_client' } }, /answered 503 with invalid_client/],
    'no token': [{ body: { hello: 'world' } }, /answered 200, and no token/],
    'a page': [{ body: '<html>access_token</html>', headers: { 'content-type': 'text/html' } },
      /answered 200, and no token/],
    'nothing': [{ status: 204, body: '' }, /answered 204, and no token/],
    'a redirect': [{ status: 302, headers: { location: '/elsewhere' }, body: '' }, /answered 302/],
    'another protocol': [
      numbered(1, { token_type: 'DPoP' }), /answered 200 with unsupported_token_type/],
    'an error that is none': [{ body: { error: 'x'.repeat(500) } }, /with an error of its own/],
  };
  let answer: Answer;
  const { sql, server, key, target, credentials } = await connected(t, { answer: () => answer });
  for (const [what, [wrong, message]] of Object.entries(passing)) {
    answer = wrong;
    await age(sql, key, 'expired');
    const failed = await credentials.for(target).catch((error: Error) => error);
    t.type(failed, TokenRequestFailed, what);
    t.match((failed as Error).message, message, what);
    t.match(await statusOf(sql, key), { status: 'connected', status_reason: null }, what);
  }
  answer = numbered(7);
  t.equal(tokenOf(await credentials.for(target)), 'access-7', 'the next call tries again');
  t.equal(server.asked.length, Object.keys(passing).length + 1, 'one request for each call');
});

t.test('so do a server that is silent, or away', async (t) => {
  const { sql, key, target, credentials } = await connected(t, {
    answer: () => new Promise(() => {}), options: { timeout_ms: 1_000 },
  });
  await age(sql, key, 'expired');
  await t.rejects(credentials.for(target), { name: 'TokenRequestFailed',
    message: 'The token endpoint did not answer in time.' });
  await store(sql, credentials, key, oauthClient({ refresh_token: 'r-1' }));
  await t.rejects(credentials.for(target), { name: 'TokenRequestFailed',
    message: 'The token endpoint could not be reached.' });
  await store(sql, credentials, key, oauthClient({ refresh_token: 'r-1', token_url: 'no url' }));
  await t.rejects(credentials.for(target), { name: 'TokenRequestFailed' });
  t.match(await statusOf(sql, key), { status: 'connected' });
});

t.test('no error holds what a token endpoint answered', async (t) => {
  const secret = 'tok_do-not-show-me';
  let answer: Answer;
  const { sql, key, target, credentials } = await connected(t, { answer: () => answer });
  const answers: Answer[] = [
    { body: `{"access_token": "${secret}"` }, { status: 500, body: { access_token: secret } },
    { body: { access_token: secret, token_type: 'dpop' } },
    { body: { error: secret.padEnd(70), error_description: secret } },
    { status: 401, headers: { 'www-authenticate': `Bearer x="${secret}"` }, body: '' },
    { body: { error: 'client-secret-1' } }, { status: 400, body: { error: 'refresh-0' } },
  ];
  for (const [i, one] of answers.entries()) {
    answer = one;
    await age(sql, key, 'expired');
    const error = await credentials.for(target).catch((thrown: unknown) => thrown);
    t.type(error, TokenRequestFailed, `answer ${i}`);
    const shown = inspect(error, { depth: 20, showHidden: true });
    t.notOk([secret, 'client-secret', 'refresh-0'].some((one) => shown.includes(one)),
      `answer ${i}`);
  }
});

t.test('a grant that holds no longer asks for reconnection', async (t) => {
  const refusals: Answer[] = [
    { status: 400, body: { error: 'invalid_grant' } },
    { status: 200, body: { error: 'bad_refresh_token' } },
    { status: 200, body: { ok: false, error: 'invalid_refresh_token' } },
    { status: 401, headers: { 'www-authenticate': 'Basic' }, body: { error: 'invalid_grant' } },
    { status: 400, body: { status: 'BAD_REFRESH_TOKEN' } },
  ];
  for (const refusal of refusals) {
    const { sql, server, key, target, credentials } = await connected(t, { answer: () => refusal });
    await age(sql, key, 'expired');
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, () => credentials.for(target)));
    t.ok(all.every((one) => one.status === 'rejected' && one.reason instanceof NeedsReconnect));
    t.match(await statusOf(sql, key),
      { status: 'needs_reconnect', status_reason: /withdrawn.*\(invalid_grant\)/ });
    await t.rejects(credentials.for(target), NeedsReconnect);
    t.equal(server.asked.length, 1, 'it is not asked again and again');
  }
});

t.test('a token refused after one renewal asks for reconnection', async (t) => {
  const { sql, server, key, target, credentials } = await connected(t);
  const first = await credentials.for(target);
  const second = await credentials.refused(target, first);
  t.equal(tokenOf(second), 'access-1');
  t.match(await statusOf(sql, key), { status: 'connected' });
  t.equal(tokenOf(await credentials.refused(target, first)), 'access-1',
    'an old one that is refused late says nothing of the new one');
  await t.rejects(credentials.refused(target, second), NeedsReconnect);
  t.match(await statusOf(sql, key),
    { status: 'needs_reconnect',
      status_reason: 'The integration refused its credentials in a call of acme.get.' });
  t.equal(server.asked.length, 1);
});

t.test('scopes that were lost ask for reconnection; others do not', async (t) => {
  let scope: string | undefined = 'gist,repo user';
  const { sql, key, target, credentials } = await connected(t, {
    granted_scopes: ['repo', 'gist'], answer: (_, number) => numbered(number, { scope }),
  });
  const renew = async () => {
    await age(sql, key, 'expired');
    return tokenOf(await credentials.for(target));
  };
  const scopes = async () => (await sql<{ granted_scopes: string[] }[]>`
    select granted_scopes from connection_secrets`)[0]!.granted_scopes;
  t.equal(await renew(), 'access-1', 'more, and in another order');
  t.strictSame(await scopes(), ['gist', 'repo', 'user']);
  scope = undefined;
  t.equal(await renew(), 'access-2', 'not said: the same as before');
  t.strictSame(await scopes(), ['gist', 'repo', 'user']);
  scope = 'repo';
  await t.rejects(renew(), NeedsReconnect);
  t.match(await statusOf(sql, key), { status: 'needs_reconnect',
    status_reason: 'It was granted less than before; it lost gist, user.' });
});

t.test('a process that died while it refreshed holds nobody up for long', async (t) => {
  const { sql, server, key, target, keys } = await connected(t);
  await age(sql, key, 'expired');
  await sql`
    update connection_secrets set refreshing_by = 'dead',
      refreshing_until = now() + interval '1 hour'`;
  const refused = Promise.withResolvers<void>();
  let attempts = 0;
  const watched = new Proxy(sql, {
    apply: (query, self, [texts, ...values]) => {
      // When it tries once more, it has seen that the lease is another one's.
      if (/set refreshing_by/.test(texts[0]) && ++attempts === 2) refused.resolve();
      return Reflect.apply(query, self, [texts, ...values]);
    },
  });
  const waiting = processWith(t, watched, keys).credentials.for(target);
  await Promise.race([refused.promise, waiting]);
  t.equal(server.asked.length, 0);
  await sql`update connection_secrets set refreshing_until = now() - interval '1 second'`;
  t.equal(tokenOf(await waiting), 'access-1');
  t.match(await sql`select refreshing_by, refreshing_until from connection_secrets`,
    [{ refreshing_by: null, refreshing_until: null }]);
});

t.test('tokens that come late still count, if nobody else got any', async (t) => {
  const late = Promise.withResolvers<Answer>();
  const { sql, server, key, target, keys, credentials } = await connected(t, {
    answer: (_, number) => number === 1 ? late.promise
      : { status: 400, body: { error: 'invalid_grant' } },
  });
  await age(sql, key, 'expired');
  const first = credentials.for(target);
  await until(async () => server.asked.length === 1);
  // A second process takes the first one for dead. The refresh token is used up by then.
  await sql`update connection_secrets set refreshing_until = now() - interval '1 second'`;
  await t.rejects(processWith(t, sql, keys).credentials.for(target), NeedsReconnect);
  t.match(await statusOf(sql, key), { status: 'needs_reconnect' });
  late.resolve(numbered(1));
  t.equal(tokenOf(await first), 'access-1');
  t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
});

t.test('credentials stored during a refresh win over what it brings', async (t) => {
  const refused = { status: 400, body: { error: 'invalid_grant' } };
  for (const [late, remove] of [[numbered(1), true], [numbered(1), false], [refused, true],
    [refused, false]] as const) {
    const answering = Promise.withResolvers<Answer>();
    const { sql, server, key, target, credentials } = await connected(t, {
      answer: () => answering.promise });
    await age(sql, key, 'expired');
    const waiting = credentials.for(target);
    await until(async () => server.asked.length === 1);
    if (remove) await store(sql, credentials, key, { type: 'none' });
    await store(sql, credentials, key,
      oauthClient({ access_token: 'access-new', refresh_token: 'r' }));
    answering.resolve(late);
    t.equal(tokenOf(await waiting), 'access-new');
    t.equal(tokenOf(await credentials.for(target)), 'access-new');
    t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
  }
});

t.test('who gives up does not end the refresh for the others', async (t) => {
  const answering = Promise.withResolvers<Answer>();
  const { sql, server, key, target, credentials } = await connected(t, {
    answer: () => answering.promise });
  await age(sql, key, 'expired');
  const stop = new AbortController();
  const gone = credentials.for(target, stop.signal);
  const stays = credentials.for(target, new AbortController().signal);
  await until(async () => server.asked.length === 1);
  stop.abort(new Error('the call was cancelled'));
  await t.rejects(gone, { message: 'the call was cancelled' });
  answering.resolve(numbered(1));
  t.equal(tokenOf(await stays), 'access-1');
  t.equal(server.asked.length, 1);
});

t.test('new tokens are stored though the database fails for a moment', async (t) => {
  const { sql, server, key, target, keys } = await connected(t);
  await age(sql, key, 'expired');
  let failures = 0;
  const failing = new Proxy(sql, {
    get(inner, name, receiver) {
      if (name !== 'begin' || failures === 4) return Reflect.get(inner, name, receiver);
      failures += 1;
      return () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' }));
    },
  });
  t.equal(tokenOf(await processWith(t, failing, keys).credentials.for(target)), 'access-1');
  t.strictSame([failures, server.asked.length], [4, 1]);
});

t.test('tokens of a connection that is removed meanwhile are given back', async (t) => {
  const { sql, server, target, credentials } = await connected(t, {
    answer: async ({ url }, number) => {
      if (url === '/back') return { body: '' };
      await sql.begin((tx) => deleteConnectionRow(tx, 'con_1'));
      return numbered(number);
    },
  });
  await store(sql, credentials, target, oauthClient({
    token_url: `${server.url}/token`, revoke_url: `${server.url}/back`,
    access_token: 'access-0', refresh_token: 'refresh-0',
  }), { lifetime_s: 3_600 });
  await age(sql, target, 'expired');
  await t.rejects(credentials.for(target), { message: 'It was removed.' });
  t.strictSame(server.asked.map(({ url, form }) => [url, form.token]),
    [['/token', undefined], ['/back', 'refresh-1'], ['/back', 'access-1']]);
  t.match((await sql<{ entry: string }[]>`select entry from audit_entries`)
    .map(({ entry }) => JSON.parse(entry)), [{ event: 'connection.revoked', target: 'con_1',
    actor: { type: 'system', id: null }, outcome: 'ok',
    details: { revoked: ['refresh_token', 'access_token'], renewed_meanwhile: true } }]);
});
