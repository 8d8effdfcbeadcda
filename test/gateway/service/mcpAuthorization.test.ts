/** MCP servers that say themselves how they are authorized: one address, and a person's consent. */
import t, { type Test } from 'tap';
import {
  authorizationServer, type AuthorizationServer,
} from '../../support/authorizationServer.ts';
import { Browser } from '../../support/browser.ts';
import type { Client } from '../../support/client.ts';
import { until, untilSeen } from '../../support/until.ts';
import { age } from '../credentials/oauthSupport.ts';
import {
  fakeServer, json, result, withoutSessions, type FakeServer,
} from '../mcp/httpServer.ts';
import { dump, found } from './canaries.ts';
import { fakeTools } from './mcpTools.ts';
import {
  addIntegration, agentCall, connectAccount, gatewayServer, invoke, secondNode,
} from './support.ts';

interface Lab {
  authority: AuthorizationServer;
  tools: FakeServer;
  /** What its metadata says; a test may change it. */
  resource: Record<string, unknown>;
  /** Added to the challenge. */
  challenge: { more: string };
  /** How often its metadata was asked for. */
  asked: { times: number };
  egress_allow: string[];
}

const METADATA = '/.well-known/oauth-protected-resource';

/** A server whose tools are for those alone that have a token for it. */
async function lab(
  t: Test, { path = '', well_known, names = true, answers }: {
    path?: string; well_known?: string; names?: boolean; answers?: FakeServer['answers'];
  } = {}): Promise<Lab> {
  const authority = await authorizationServer(t, path, well_known);
  const tools = await fakeServer(t, answers);
  const resource: Record<string, unknown> = { resource: tools.url,
    authorization_servers: [authority.issuer], scopes_supported: ['read'] };
  const challenge = { more: '' };
  const asked = { times: 0 };
  for (const [method, answer] of Object.entries(tools.answers)) {
    tools.answers[method] = (message, response, request) => {
      if (request.url === `${METADATA}/mcp`) {
        asked.times++;
        return json(response, resource);
      }
      const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
      if (authority.tokens.get(token)?.resource === tools.url) {
        return answer(message, response, request);
      }
      const where = new URL(`${METADATA}/mcp`, tools.url).href;
      response.writeHead(401, { 'www-authenticate': names
        ? `Bearer resource_metadata="${where}"${challenge.more}` : 'Bearer' }).end();
    };
  }
  return { authority, tools, resource, challenge, asked,
    egress_allow: [authority.host, new URL(tools.url).host] };
}

const listed = (client: Client) => untilSeen('the tools are listed', () => client.expect(200,
  'listActions', { query: { integration: 'tools' } }), ({ data }) => data.length > 0);
const OAUTH = { type: 'oauth2' } as const;

t.test('one address and a consent: the client is registered, the tools are listed', async (t) => {
  const { authority, tools, asked, egress_allow } = await lab(t);
  const server = await gatewayServer(t);
  const { client, sql, workspace_id } = server;
  const added = await addIntegration(server, { ...fakeTools(tools), egress_allow });
  t.match(added, { auth_methods: ['oauth2'], title: 'tools',
    report: { imported: 0, warnings: [/Connect one: then they are listed/] } });
  t.equal(asked.times, 1);
  const made = await connectAccount(server, 'tools', OAUTH);
  t.match(made, { status: 'pending', settings: { client_id: /^client-/, resource: tools.url,
    issuer: authority.issuer, scopes: ['read', 'offline_access'], client_auth: 'post' } });
  const { status, sent, page } = await new Browser().consent(made.authorization_url!);
  t.match([status, page], [200, 'The account is connected']);
  t.match(Object.fromEntries(new URL(sent[0]!).searchParams), { resource: tools.url,
    code_challenge_method: 'S256', scope: 'read offline_access' });
  const path = { slug: 'tools' };
  const tools_listed = await untilSeen('the tools are listed',
    () => client.expect(200, 'getIntegration', { path }), ({ report }) => report.imported > 0);
  t.match(tools_listed, { title: 'fake', auth_methods: ['oauth2'], report: { imported: 1 } });
  t.match((await agentCall(client, 'tools.tools.act')).error, { code: 'not_permitted' });
  t.equal(asked.times, 2, 'once when it is added, and once when it is connected');

  await age(sql, { workspace_id, connection_id: made.id }, 'expired');
  t.match(await client.expect(200, 'refreshIntegration', { path, body: {} }),
    { report: { imported: 1 } }, 'by a token that was renewed');
  t.strictSame(authority.pathsAsked(), ['/register', '/authorize', '/token', '/token']);
  t.match(authority.asked, [{ params: { client_name: 'Gatehouse', application_type: 'native',
    redirect_uris: [/\/oauth\/callback\/tools$/], scope: 'read offline_access' } }, {}, {},
  { params: { grant_type: 'refresh_token', resource: tools.url } }]);

  await connectAccount(server, 'tools', OAUTH);
  t.equal(authority.clients.size, 1, 'another account has the same client');
  const secret = [...authority.clients.values()][0]!.client_secret!;
  t.strictSame(found({ secret }, await dump(sql)), [], 'whose secret is sealed');
});

t.test('a client that the server has forgotten is made anew', async (t) => {
  const { authority, tools, egress_allow } = await lab(t);
  const server = await gatewayServer(t);
  const { client, sql, workspace_id } = server;
  await addIntegration(server, { ...fakeTools(tools), egress_allow,
    overrides: { act: { effect: 'read' } } });
  const made = await connectAccount(server, 'tools', OAUTH);
  t.equal((await new Browser().consent(made.authorization_url!)).status, 200);
  const path = { connection_id: made.id };
  await listed(client);
  authority.clients.clear();
  await age(sql, { workspace_id, connection_id: made.id }, 'expired');
  t.match(await invoke(client, 'tools.tools.act'), { status: 409, body: {
    code: 'needs_reconnect', error: /invalid_client.*Connecting again registers another/ } });
  t.match(await client.expect(200, 'getConnection', { path }), { status: 'needs_reconnect' });

  const again = () =>
    client.expect(200, 'updateConnection', { path, body: { credentials: OAUTH } });
  const anew = await again();
  t.equal(authority.clients.size, 1);
  authority.clients.clear();
  t.equal((await new Browser().consent(anew.authorization_url!)).status, 400,
    'the authorization server sends nobody back');
  t.equal((await new Browser().consent((await again()).authorization_url!)).status, 200);
  t.match(await invoke(client, 'tools.tools.act'), { status: 201 });
  authority.clients.clear();
  t.equal((await new Browser().consent((await again()).authorization_url!)).status, 400);
  t.match(await invoke(client, 'tools.tools.act'), { status: 201 }, 'it is in use still');
  t.equal((await new Browser().consent((await again()).authorization_url!)).status, 200);
});

t.test('a server that reads about its clients registers none', async (t) => {
  const { authority, tools, egress_allow } = await lab(t);
  authority.metadata.client_id_metadata_document_supported = true;
  const first = await gatewayServer(t);
  await addIntegration(first, { ...fakeTools(tools), egress_allow });
  const node = await secondNode(t, first, { config: { public_url: 'https://x.example/gate/' } });
  const origin = new URL(node.service.base_url).origin;
  authority.readClient = async (client_id) => {
    const response = await fetch(client_id.replace('https://x.example/gate', origin));
    return await response.json() as Record<string, unknown>;
  };
  const made = await connectAccount(node, 'tools', OAUTH);
  t.match(made.settings, { client_id: 'https://x.example/gate/oauth/client/tools',
    client_auth: 'none', redirect_uri: 'https://x.example/gate/oauth/callback/tools' });
  const browser = new Browser();
  const { location } = await browser.open(made.authorization_url!
    .replace('https://x.example/gate', origin));
  const { location: back } = await browser.open(location!);
  t.match(back, /^https:\/\/x\.example\/gate\/oauth\/callback\/tools\?.*code=/);
  const cookie = Object.entries(browser.cookies).map((pair) => pair.join('=')).join();
  t.match(await (await fetch(back!.replace('https://x.example/gate', origin),
    { headers: { cookie } })).text(), 'The account is connected');
  t.strictSame(authority.pathsAsked(), ['/authorize', '/token']);
  t.equal((await fetch(`${origin}/oauth/client/No%2Fslug`)).status, 404);
});

t.test('it is told why OAuth is not offered, and offered once it can be', async (t) => {
  const { authority, tools, egress_allow } = await lab(t);
  const server = await gatewayServer(t);
  const own = new URL(tools.url).host;
  const added = await addIntegration(server, { ...fakeTools(tools), egress_allow: [own] });
  t.match(added, { auth_methods: ['bearer', 'api_key', 'oauth2', 'none'], report: { warnings: [
    /lists its tools only/, /OAuth cannot be used\. .*egress_allow/] } });
  const { metadata } = authority;
  const { issuer } = metadata;
  metadata.issuer = 'https://other.example';
  const change = async () => await server.client.expect(200, 'updateIntegration',
    { path: { slug: 'tools' }, body: { egress_allow } });
  t.match(await change(), { report: { warnings: [
    /lists its tools only/, /The server has .* calls itself https:\/\/other\.example\.$/] } });
  metadata.issuer = issuer;
  const { auth_methods, report } = await change();
  t.strictSame([auth_methods, report!.warnings.length], [['oauth2'], 1]);
});

t.test('where an account has listed the tools, its way stays', async (t) => {
  const { authority, tools, egress_allow } = await lab(t);
  const server = await gatewayServer(t);
  const own = new URL(tools.url).host;
  await addIntegration(server, { ...fakeTools(tools), egress_allow: [own] });
  authority.tokens.set('given', { resource: tools.url, scope: 'read' });
  await connectAccount(server, 'tools', { type: 'bearer', token: 'given' });
  await listed(server.client);
  authority.tokens.delete('given');
  const { auth_methods } = await server.client.expect(200, 'updateIntegration',
    { path: { slug: 'tools' }, body: { egress_allow } });
  t.strictSame(auth_methods, ['bearer', 'api_key', 'oauth2', 'none']);
});

t.test('wherever the metadata is, and only if it is right', async (t) => {
  const OPENID = '/.well-known/openid-configuration';
  const cases: [string, Parameters<typeof lab>[1], (lab: Lab) => void, RegExp | string][] = [
    ['an issuer with a path', { path: '/tenant' }, () => {}, 'pending'],
    ['OpenID Connect, path inserted',
      { path: '/tenant', well_known: `${OPENID}/tenant` }, openid, 'pending'],
    ['OpenID Connect, path appended',
      { path: '/tenant', well_known: `/tenant${OPENID}` }, openid, 'pending'],
    ['a challenge that names nothing', { names: false }, () => {}, 'pending'],
    ['a challenge with scopes', {}, ({ challenge }) => {
      challenge.more = ', scope="a b"';
    }, 'pending'],
    ['another issuer', {}, ({ authority }) => {
      authority.metadata.issuer = 'https://other.example';
    }, /authorization server http:\/\/\S+\d, which calls itself https:\/\/other\.example\./],
    ['another resource', {}, ({ resource }) => {
      resource.resource = 'https://other.example/mcp';
    }, /metadata of another resource/],
    ['no PKCE', {}, ({ authority }) => {
      delete authority.metadata.code_challenge_methods_supported;
    }, /does not say that it knows PKCE/],
    ['an endpoint that is not called', {}, ({ authority }) => {
      authority.metadata.token_endpoint = 'http://10.0.0.1/token';
    }, /egress_refused/],
    ['a consent page that says where to come back to', {}, ({ authority }) => {
      authority.metadata.authorization_endpoint += '?redirect_uri=https%3A%2F%2Felse.example';
    }, /authorized at an address whose query has redirect_uri/],
    ['an authorization server that is not called', {}, ({ resource }) => {
      resource.authorization_servers = ['http://169.254.169.254/'];
    }, /egress_refused/],
    ['metadata that is too large', {}, ({ resource }) => {
      resource.more = 'x'.repeat(300_000);
    }, /more of its authorization than is read/],
    ['a server that registers nobody', {}, ({ authority }) => {
      delete authority.metadata.registration_endpoint;
    }, /Give client_id: .* registers no clients by itself.*oauth\/callback\/case_/],
    ['a registration that is refused', {}, ({ authority }) => {
      authority.metadata.registration_endpoint = `${authority.issuer}/elsewhere`;
    }, /did not register a client \(404\)/],
    ['a registration that is refused, with words', {}, ({ authority }) => {
      Object.assign(authority.registered, { error: 'insufficient_scope',
        error_description: 'Policy \'Trusted Hosts\' rejected it.\n Host not trusted.' });
    }, /\(403 insufficient_scope: Policy 'Trusted Hosts' rejected it\. Host not trusted\)\./],
  ];
  const server = await gatewayServer(t);
  for (const [at, [name, options, change, expected]] of cases.entries()) {
    const made = await lab(t, options);
    change(made);
    await addIntegration(server,
      { ...fakeTools(made.tools), egress_allow: made.egress_allow, slug: `case_${at}` });
    const came = await connectAccount(server, `case_${at}`, OAUTH)
      .then(({ status, settings }) => `${status} ${settings!.scopes!.join(' ')}`,
        (error: Error) => error.message);
    t.match(came, expected, name);
    if (at === 4) t.equal(came, 'pending a b offline_access');
  }
});

function openid({ authority }: Lab): void {
  Object.assign(authority.metadata, { jwks_uri: `${authority.issuer}/jwks`,
    subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] });
}

t.test('what a server says of the client that it has registered', async (t) => {
  const { authority, tools, resource, egress_allow } = await lab(t, { path: '/a|b' });
  const server = await gatewayServer(t);
  await addIntegration(server, { ...fakeTools(tools), egress_allow });
  const cases: [Record<string, unknown>, string | RegExp][] = [
    [{}, 'post'],
    [{ client_secret: '' }, 'none'],
    // As Ory Hydra says what it was not told.
    [{ contacts: null, jwks: null, tos_uri: '', logo_uri: null }, 'post'],
    [{ client_secret_expires_at: 1e300 }, 'post'],
    [{ client_secret_expires_at: -1e300 }, 'post'],
    [{ token_endpoint_auth_method: 'constructor' }, 'post'],
    [{ token_endpoint_auth_method: '__proto__' }, 'post'],
    [{ client_id: '' }, /gives a client no usable id/],
    [{ client_id: 'a\0b' }, /gives a client no usable id/],
    [{ client_secret: 'x'.repeat(16_384) }, 'post'],
    [{ client_secret: 'x'.repeat(16_385) }, /gives a client too long a secret/],
  ];
  for (const [said, expected] of cases) {
    authority.registered = said;
    await server.sql`delete from oauth_clients`;
    const came = await connectAccount(server, 'tools', OAUTH)
      .then(({ settings }) => settings!.client_auth!, (error: Error) => error.message);
    t.match(came, expected, JSON.stringify(said));
  }
  resource.authorization_servers = [`${authority.issuer}\0`];
  await t.rejects(connectAccount(server, 'tools', OAUTH), /no authorization server by URL/);
  resource.authorization_servers = ['\x1b[2J', 'x'.repeat(100_000), authority.issuer];
  await t.rejects(connectAccount(server, 'tools', { ...OAUTH, issuer: 'https://other.example' }),
    { message: /server https:\/\/other\.example, but http:\/\/127\.0\.0\.1:\d+\/a\|b\. / });
});

t.test('a server that lets everybody begin, and asks where its tools are asked for', async (t) => {
  const { authority, tools, resource, challenge, egress_allow } = await lab(t);
  tools.answers.initialize = (message, response) => {
    tools.sessions.add('begun');
    json(response, result(message, { protocolVersion: '2025-11-25', capabilities: { tools: {} },
      serverInfo: { name: 'fake', version: '1' } }), 200, { 'mcp-session-id': 'begun' });
  };
  resource.scopes_supported = ['everything'];
  challenge.more = ', scope="read"';
  const server = await gatewayServer(t);
  await addIntegration(server, { ...fakeTools(tools), egress_allow });
  tools.received.length = 0;
  tools.answers.DELETE = (_message, response) =>
    void response.writeHead(307, { location: `${authority.issuer}/authorize?led=on` }).end();
  const made = await connectAccount(server, 'tools', OAUTH);
  t.match(made.settings, { issuer: authority.issuer, scopes: ['read', 'offline_access'] });
  await until(async () => tools.received.some(({ verb, headers }) =>
    verb === 'DELETE' && headers['mcp-session-id'] === 'begun'));
  t.equal((await new Browser().consent(made.authorization_url!)).status, 200);
  await listed(server.client);
  t.strictSame(authority.asked.filter(({ params }) => params.led), [], 'and led nowhere');
});

t.test('a server without sessions, which refuses to begin one before it asks', async (t) => {
  const { authority, tools, resource, challenge, egress_allow } =
    await lab(t, { answers: withoutSessions() });
  tools.answers.initialize = (_message, response) => void response.writeHead(400).end();
  resource.scopes_supported = ['everything'];
  challenge.more = ', scope="read"';
  const server = await gatewayServer(t);
  t.match(await addIntegration(server, { ...fakeTools(tools), egress_allow }), {
    auth_methods: ['oauth2'], report: { warnings: [/Connect one: then they are listed/] } });
  const made = await connectAccount(server, 'tools', OAUTH);
  t.match(made.settings, { issuer: authority.issuer, scopes: ['read', 'offline_access'] });
  t.equal((await new Browser().consent(made.authorization_url!)).status, 200);
  await listed(server.client);
});

t.test('a client that was registered by hand; what an account may not do yet', async (t) => {
  const { authority, tools, egress_allow } = await lab(t);
  delete authority.metadata.registration_endpoint;
  const server = await gatewayServer(t);
  const { client } = server;
  await addIntegration(server, { ...fakeTools(tools), egress_allow,
    overrides: { act: { effect: 'read' } } });
  const redirect_uri = `${new URL(server.service.base_url).origin}/oauth/callback/tools`;
  authority.clients.set('mine', { client_secret: 'by-hand', redirect_uris: [redirect_uri],
    token_endpoint_auth_method: 'client_secret_post' });
  const made = await connectAccount(server, 'tools',
    { ...OAUTH, client_id: 'mine', client_secret: 'by-hand', client_auth: 'post',
      issuer: authority.issuer, scopes: ['read'] });
  t.equal((await new Browser().consent(made.authorization_url!)).status, 200);
  await listed(client);
  t.match(await invoke(client, 'tools.tools.act'), { status: 201 });
  tools.answers['tools/call'] = (_message, response) => void response.writeHead(403, {
    'www-authenticate': 'Bearer error="insufficient_scope", scope="read write"' }).end();
  t.match(await invoke(client, 'tools.tools.act'), { status: 502, body: {
    code: 'upstream_forbidden',
    error: /scopes read write.*reconnect con_\w+ .*--scope read --scope write`\.$/,
    details: { upstream: { status: 403, scopes_needed: ['read', 'write'] } } } });
});
