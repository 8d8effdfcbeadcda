/** OAuth 2.0 through the running service, with a server that is not ours. */
import type { OAuth2Server } from 'oauth2-mock-server';
import t, { type Test } from 'tap';
import { createLog } from '../../../src/log.ts';
import { Browser } from '../../support/browser.ts';
import { startOAuthServer } from '../../support/oauthServer.ts';
import type { TestServer } from '../../support/server.ts';
import { age } from '../credentials/oauthSupport.ts';
import { json, serve, type TestUpstream } from '../egress/support.ts';
import {
  addNotes, agentCall, connectAccount, gatewayServer, invoke, secondNode,
  type Credentials,
} from './support.ts';

interface Asked {
  grant_type: string;
  scope?: string;
}

interface OAuthLab {
  server: TestServer;
  upstream: TestUpstream;
  oauth: OAuth2Server;
  url: string;
  /** What the token endpoint was asked, in order. */
  asked: Asked[];
  /** Tokens that were given out, in order. */
  given: string[];
  /** Connects with what is common to all. */
  connect(rest: Partial<Credentials>): ReturnType<typeof connectAccount>;
}

/** A service whose notes take the tokens that the OAuth server has given out last. */
async function oauthLab(t: Test): Promise<OAuthLab> {
  const oauth = await startOAuthServer(t);
  const asked: Asked[] = [];
  const given: string[] = [];
  oauth.service.on('beforeResponse', (answer: { body: { access_token: string } },
    request: { body: Asked }) => {
    asked.push(request.body);
    // Those of one second would be the same.
    answer.body.access_token = `${answer.body.access_token}.${given.length}`;
    given.push(answer.body.access_token);
  });
  const upstream = await serve(t, ({ headers }, response) =>
    json(response, [], headers.authorization === `Bearer ${given.at(-1)}` ? 200 : 401));
  const server = await gatewayServer(t);
  const url = oauth.issuer.url!;
  const { host } = new URL(url.replace('localhost', '127.0.0.1'));
  await addNotes(server, upstream, { egress_allow: [...upstream.egress_allow, host] });
  const common = { type: 'oauth2', token_url: `${url}/token`, client_id: 'a-client',
    client_secret: 'the-secret-of-the-client' };
  return { server, upstream, oauth, url, asked, given,
    connect: (rest) => connectAccount(server, 'acme', { ...common, ...rest } as Credentials) };
}

t.test('client credentials: 50 calls at once ask for one token', async (t) => {
  const { server: { client }, asked, connect } = await oauthLab(t);
  const { status } = await connect({ grant: 'client_credentials', scopes: ['notes'] });
  t.equal(status, 'connected');
  const calls = await Promise.all(Array.from({ length: 50 }, () =>
    invoke(client, 'acme.notes.list')));
  t.strictSame([...new Set(calls.map((answer) => answer.status))], [201]);
  t.match(asked, [{ grant_type: 'client_credentials', scope: 'notes' }]);
  t.equal(asked.length, 1);
});

t.test('whom the tokens are for is said where the server has to be told', async (t) => {
  const { server: { client }, url, asked, connect } = await oauthLab(t);
  const said = { audience: 'https://api.acme.example/', resource: 'https://graph.acme.example/v1' };
  const { settings } = await connect({ grant: 'client_credentials', ...said });
  t.match(settings, said);
  t.equal((await invoke(client, 'acme.notes.list')).status, 201);
  t.match(asked, [{ grant_type: 'client_credentials', ...said }]);

  const authorize = async (authorize_url: string) => {
    const made = await connect({ grant: 'authorization_code', authorize_url, ...said });
    const browser = new Browser();
    const { location } = await browser.open(made.authorization_url!);
    t.equal((await browser.consent(location!)).status, 200);
    t.match(asked.at(-1), { grant_type: 'authorization_code', ...said });
    return [...new URL(location!).searchParams]
      .filter(([name]) => ['audience', 'resource'].includes(name)).sort();
  };
  t.strictSame(await authorize(`${url}/authorize`),
    [['audience', said.audience], ['resource', said.resource]]);
  t.strictSame(await authorize(`${url}/authorize?audience=another`),
    [['audience', 'another'], ['resource', said.resource]], 'the address has said it');
});

/** A person opens what the operator gave them, and consents. */
const consent = (authorization_url: string | null) => new Browser().consent(authorization_url!);

t.test('a person consents: code and PKCE, once', async (t) => {
  const { server, url, asked, given, upstream, connect } = await oauthLab(t);
  const { client } = server;
  const made = await connect(
    { grant: 'authorization_code', authorize_url: `${url}/authorize`, scopes: ['notes'] });
  t.equal(made.status, 'pending');
  t.equal(made.expires_at, null, 'there is no token yet');
  t.notMatch(made.authorization_url, 'the-secret');
  t.match(await invoke(client, 'acme.notes.list'),
    { status: 409, body: { code: 'not_connected' } }, 'until then it cannot be used');
  const browser = new Browser();
  const { location } = await browser.open(made.authorization_url!);
  const authorize = new URL(location!);
  t.match(Object.fromEntries(authorize.searchParams), { response_type: 'code', scope: 'notes',
    client_id: 'a-client', code_challenge_method: 'S256', code_challenge: /^[\w-]{43}$/,
    redirect_uri: `${new URL(server.service.base_url).origin}/oauth/callback` });
  t.notMatch(location, 'the-secret');
  const { location: back } = await browser.open(location!);
  const cookies = Object.values(browser.cookies);
  const { status, page } = await browser.open(back!);
  t.match([status, page], [200, 'The account is connected']);
  const code = new URL(back!).searchParams.get('code')!;
  for (const secret of [code, given[0]!, ...cookies]) t.notMatch(page, secret);
  t.match(asked, [{ grant_type: 'authorization_code', code_verifier: /^[\w.~-]{43,}$/ }]);
  t.match(await client.expect(200, 'getConnection', { path: { connection_id: made.id } }),
    { status: 'connected', authorization_url: null, expires_at: String });
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
  t.equal(upstream.received.at(-1)!.headers.authorization, `Bearer ${given[0]}`);
  t.equal((await browser.open(back!)).status, 400, 'a state is good once');
  t.equal(asked.length, 1);
  const { data } = await client.expect(200, 'listAuditEntries', {});
  t.match(data[0], { event: 'connection.authorized', target: made.id });
});

t.test('of two links to one connection, one connects it', async (t) => {
  const { server, url } = await oauthLab(t);
  const { client, workspace_id } = server;
  // A repeat of the request answers another address.
  const begin = () => client.expect(201, 'createConnection', {
    headers: { 'idempotency-key': 'two' }, body: { workspace_id, integration: 'acme', name: 'acme',
      credentials: { type: 'oauth2', grant: 'authorization_code', client_id: 'a-client',
        client_secret: 'the-secret-of-the-client', token_url: `${url}/token`,
        authorize_url: `${url}/authorize` } } });
  const [first, second, third] = [await begin(), await begin(), await begin()];
  const late = new Browser();
  const back = await late.leave(third.authorization_url!);
  await consent(first.authorization_url);
  t.match(await new Browser().open(second.authorization_url!), { status: 400,
    page: /Ask whoever gave it/ });
  t.match(await late.open(back), { status: 400 });
  t.match(await client.expect(200, 'getConnection', { path: { connection_id: first.id } }),
    { status: 'connected' });
});

t.test('whoever has the code has nothing: it counts in one browser', async (t) => {
  const { server, url, asked, connect } = await oauthLab(t);
  const standing = async ({ id }: { id: string }) =>
    (await server.client.expect(200, 'getConnection', { path: { connection_id: id } })).status;
  const begin = () => connect({ grant: 'authorization_code', authorize_url: `${url}/authorize` });
  const [owner, thief] = [new Browser(), new Browser()];
  const made = await begin();
  const stolen = await owner.leave(made.authorization_url!);
  t.equal((await thief.open(stolen)).status, 400);
  // The other way round: the thief's account is not to get into somebody else's connection.
  const planted = await begin();
  const trap = await thief.leave(planted.authorization_url!);
  t.equal((await owner.open(trap)).status, 400);
  t.equal(asked.length, 0, 'no code was exchanged');
  t.strictSame([await standing(made), await standing(planted)], ['pending', 'pending']);
  t.equal((await owner.open(stolen)).status, 200, 'its own browser can still use it');
  t.equal(await standing(made), 'connected');
});

t.test('begun on one node, opened on another, ended on the first; nothing is logged', async (t) => {
  const { server, url, connect } = await oauthLab(t);
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const node = await secondNode(t, server, { log: { log: createLog('trace', { destination }) } });
  const made = await connect({ grant: 'authorization_code', authorize_url: `${url}/authorize` });
  const [here, there] = [server, node].map(({ service }) => new URL(service.base_url).origin);
  const browser = new Browser();
  // A balancer in front of both has one origin; here the cookie is carried over by hand.
  const { location } = await browser.open(made.authorization_url!.replace(here!, there!));
  const back = (await browser.open(location!)).location!;
  const cookie = Object.entries(browser.cookies).map((pair) => pair.join('=')).join();
  t.match(await (await fetch(back, { headers: { cookie } })).text(), 'The account is connected');
  const again = await fetch(back.replace(here!, there!), { headers: { cookie } });
  t.equal(again.status, 400, 'and once, on whatever node');
  const { code, state } = Object.fromEntries(new URL(back).searchParams);
  const { ticket } = Object.fromEntries(new URL(made.authorization_url!).searchParams);
  for (const secret of [code, state, ticket, ...Object.values(browser.cookies)]) {
    t.notMatch(logged.join(''), secret!);
  }
});

t.test('an expired token: 50 calls on two nodes, one refresh', async (t) => {
  const { server, url, asked, connect } = await oauthLab(t);
  const node = await secondNode(t, server);
  const made = await connect({ grant: 'authorization_code', authorize_url: `${url}/authorize` });
  t.equal((await consent(made.authorization_url)).status, 200);
  await age(server.sql, { workspace_id: server.workspace_id, connection_id: made.id }, 'expired');
  const calls = await Promise.all(Array.from({ length: 50 }, (_, index) =>
    invoke(index % 2 === 0 ? server.client : node.client, 'acme.notes.list')));
  t.strictSame([...new Set(calls.map(({ status }) => status))], [201]);
  t.strictSame(asked.map(({ grant_type }) => grant_type), ['authorization_code', 'refresh_token']);
});

t.test('a 401 is answered by one refresh, for all who got it', async (t) => {
  const { server: { client }, url, asked, given, connect } = await oauthLab(t);
  const made = await connect({ grant: 'authorization_code', authorize_url: `${url}/authorize` });
  t.equal((await consent(made.authorization_url)).status, 200);
  given.push('withdrawn'); // The upstream takes another one now.
  const calls = await Promise.all(Array.from({ length: 50 }, () =>
    invoke(client, 'acme.notes.list')));
  t.strictSame([...new Set(calls.map(({ status }) => status))], [201]);
  t.strictSame(asked.map(({ grant_type }) => grant_type), ['authorization_code', 'refresh_token']);
});

t.test('a token endpoint that is away, and one that has withdrawn the grant', async (t) => {
  const { server, oauth, asked, url, connect } = await oauthLab(t);
  const { client, sql, workspace_id } = server;
  const made = await connect({ grant: 'authorization_code', authorize_url: `${url}/authorize` });
  const key = { workspace_id, connection_id: made.id };
  t.equal((await consent(made.authorization_url)).status, 200);
  await age(sql, key, 'expired');
  oauth.service.once('beforeResponse', (answer: { statusCode: number; body: unknown }) => {
    answer.statusCode = 503;
    answer.body = { error: 'temporarily_unavailable' };
  });
  t.match(await invoke(client, 'acme.notes.list'), { status: 502, body: {
    code: 'upstream_error', error: /The token endpoint answered 503/ } });
  const standing = () => client.expect(200, 'getConnection', { path: { connection_id: made.id } });
  t.match(await standing(), { status: 'connected' }, 'this may pass');
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });

  await age(sql, key, 'expired');
  oauth.service.once('beforeResponse', (answer: { statusCode: number; body: unknown }) => {
    answer.statusCode = 400;
    answer.body = { error: 'invalid_grant' };
  });
  const { error } = await agentCall(client, 'acme.notes.list');
  t.match(error, { code: 'needs_reconnect', missing: [{ connection_id: made.id }] });
  t.match(await standing(), { status: 'needs_reconnect', status_reason: /invalid_grant/ });
  const before = asked.length;
  t.match(await invoke(client, 'acme.notes.list'), { status: 409 });
  t.equal(asked.length, before, 'nobody asks again in vain');

  const again = await client.expect(200, 'updateConnection', { path: { connection_id: made.id },
    body: { credentials: { type: 'oauth2', grant: 'authorization_code', client_id: 'a-client',
      client_secret: 'the-secret-of-the-client', token_url: `${url}/token`,
      authorize_url: `${url}/authorize` } } });
  t.equal(again.id, made.id);
  t.equal((await consent(again.authorization_url)).status, 200);
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
});

t.test('a token endpoint that is not to be reached', async (t) => {
  const { server: { client }, connect } = await oauthLab(t);
  await t.rejects(connect({ grant: 'client_credentials', token_url: 'http://10.0.0.1/token' }),
    { message: /egress_refused/ });
  t.match((await fetch(`${new URL(client.base_url).origin}/oauth/callback?state=x&code=y`)).status,
    400);
});
