/** People who sign in: access tokens of the identity provider at `/mcp`, in place of an api key. */
import { Client as McpClient, StreamableHTTPClientTransport, type OAuthClientProvider }
  from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { OAuth2Server } from 'oauth2-mock-server';
import { createServer } from 'node:http';
import t from 'tap';
import { AccessTokens } from '../../src/accounts/accessTokens.ts';
import { createLog } from '../../src/log.ts';
import { heldRequest } from '../support/heldRequest.ts';
import { listen } from '../support/listen.ts';
import { otherWorkspace, testServer, type TestServer } from '../support/server.ts';
import { callAction, doorOf, mcpClient, post } from './support.ts';

const provider = new OAuth2Server();
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
await provider.issuer.keys.add({ ...await exportJWK(privateKey), kid: 'one', alg: 'ES256' });
await provider.issuer.keys.generate('ES256');
await provider.start(0, '127.0.0.1');
t.teardown(() => provider.stop());
const issuer = provider.issuer.url!;
const settings = {
  oidc_issuer: issuer, oidc_client_id: 'gatehouse', oidc_viewers: '@example.com',
  auth_failures_per_minute: 0, concurrency: 0,
};
const server = await testServer(t, { config: settings });
const { client, workspace_id } = server;
const door = doorOf(server);
const metadata_url = new URL('/.well-known/oauth-protected-resource/mcp', door);
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const now_s = () => Math.floor(Date.now() / 1_000);

const ada = { sub: 'u-1', email: 'Ada@Example.com', email_verified: true };

/** A token for this service, of Ada unless it says otherwise. */
function tokenOf(claims: JWTPayload = {}, { key = privateKey, header = {} } = {}) {
  return new SignJWT({ iss: issuer, aud: door.href, exp: now_s() + 300, ...ada, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt', ...header }).sign(key);
}

async function ask(token: string, url = door) {
  const response = await post(url, LIST, { Authorization: `Bearer ${token}` });
  const said = await response.text();
  // An answer of the protocol is a stream of one event, an error of the service is JSON.
  const body = JSON.parse(/^data: (.*)$/m.exec(said)?.[1] ?? said) as Record<string, any>;
  return { status: response.status, headers: response.headers, body };
}

async function keyFor(
  identities: string[], of: Pick<TestServer, 'client' | 'workspace_id'> = server,
): Promise<string> {
  const { id } = await of.client.expect(201, 'createApiKey', { body: {
    workspace_id: of.workspace_id, name: `for ${identities.join()}`, identities } });
  return id;
}

const revoke = (api_key_id: string) =>
  client.expect(204, 'revokeApiKey', { path: { api_key_id } });

t.test('where to sign in is told to whoever comes without a credential', async (t) => {
  const response = await post(door, LIST);
  t.equal(response.status, 401);
  const { error } = await response.json() as { error: string };
  t.ok(error.includes(`sign you in at ${issuer},`), error);
  t.equal(response.headers.get('www-authenticate'),
    `Bearer resource_metadata="${metadata_url}", scope="openid email profile"`);
  for (const path of [metadata_url, new URL('/.well-known/oauth-protected-resource', door)]) {
    const found = await fetch(path, { headers: { host: 'evil.example' } });
    t.match(await found.json(), {
      resource: door.href, authorization_servers: [issuer], bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'email', 'profile'],
    });
  }
  t.match((await ask('gth_wrong')).headers.get('www-authenticate'), /error="invalid_token"$/);
});

t.test('without an identity provider there is no such page, and no such token', async (t) => {
  const plain = await testServer(t, { config: { concurrency: 0 } });
  const url = doorOf(plain);
  t.equal((await fetch(new URL('/.well-known/oauth-protected-resource/mcp', url))).status, 404);
  const { status, headers } = await ask(await tokenOf({ aud: url.href }), url);
  t.strictSame([status, headers.get('www-authenticate')],
    [401, 'Bearer error="invalid_token"']);
});

t.test('a token acts as the key that stands for its person', async (t) => {
  const refused = await ask(await tokenOf());
  t.match(refused,
    { status: 403, body: { code: 'not_permitted', error: /ada@example\.com.*u-1/ } });
  const id = await keyFor(['Ada@example.com']);
  t.match(await ask(await tokenOf()), { status: 200, body: { result: { tools: [{}, {}, {}] } } });
  t.equal((await ask(await tokenOf({ email_verified: false }))).status, 403,
    'an address that anybody could have given');
  await client.expect(200, 'updateApiKey', { path: { api_key_id: id }, body: { identities: [] } });
  t.equal((await ask(await tokenOf())).status, 403, 'at once');
  await client.expect(200, 'updateApiKey',
    { path: { api_key_id: id }, body: { identities: ['sub:u-1', 'group:support'] } });
  t.equal((await ask(await tokenOf())).status, 200);
  t.equal((await ask(await tokenOf({ sub: 'u-2', groups: ['support'] }))).status, 200);
  t.equal((await ask(await tokenOf({ sub: 'u-2', groups: 'support' }))).status, 200,
    'a single one as AD FS writes it');
  t.equal((await ask(await tokenOf({ sub: 'group:support' }))).status, 403);
  t.equal((await ask(await tokenOf({ sub: 'u-\u00001', groups: ['sup\0port'] }))).status, 403);
  await revoke(id);
  t.equal((await ask(await tokenOf())).status, 403, 'a session does not outlive the key');
});

t.test('for whom the key stands no more does nothing, however slowly the body comes', async (t) => {
  const id = await keyFor(['ada@example.com']);
  const head = `POST /mcp HTTP/1.1\r\nAuthorization: Bearer ${await tokenOf()}`;
  const finish = await heldRequest(t, client.base_url, head, LIST);
  await client.expect(200, 'updateApiKey', { path: { api_key_id: id }, body: { identities: [] } });
  t.equal(await finish(), 403);
  await revoke(id);
});

t.test('what somebody calls is theirs in the audit log', async (t) => {
  const id = await keyFor(['ada@example.com']);
  const mcp = await mcpClient(t, server, { api_key: await tokenOf() });
  t.match(await callAction(mcp, 'gatehouse.sessions.create', { body: {} }),
    { ok: false, code: 'not_permitted' });
  const { data: [entry] } = await client.expect(200, 'listAuditEntries',
    { query: { event: 'action.refused' } });
  t.match(entry, { actor: { type: 'person', id: 'ada@example.com' }, workspace_id,
    details: { api_key_id: id, source: 'mcp' } });
  const { data: [call] } = await client.expect(200, 'listActionInvocations',
    { query: { source: 'mcp' } });
  t.equal(call!.invocation_id, (entry!.details as { invocation_id: string }).invocation_id);
  await revoke(id);
});

t.test('a subject that no text of the database can hold keeps nobody from calling', async (t) => {
  const id = await keyFor(['group:support']);
  await client.expect(201, 'createGrant', { body: { workspace_id, api_key_id: id,
    actions: 'gatehouse.sessions.create', decision: 'allow' } });
  const token = await tokenOf({ sub: 'u-\0\ud800', email: undefined, groups: ['support'] });
  const mcp = await mcpClient(t, server, { api_key: token });
  t.match(await callAction(mcp, 'gatehouse.sessions.create', { body: {} }), { ok: true });
  const { data: [entry] } = await client.expect(200, 'listAuditEntries',
    { query: { event: 'action.called' } });
  t.match(entry, { actor: { type: 'person', id: 'sub:u-\ufffd\ufffd' } });
  await revoke(id);
});

t.test('the entry that names somebody most exactly decides, else they choose', async (t) => {
  await otherWorkspace(server);
  const theirs = (await client.expect(200, 'listWorkspaces')).data
    .find(({ id }) => id !== workspace_id)!.id;
  const everybody = await keyFor(['@example.com']);
  const own = await keyFor(['ada@example.com'], { client, workspace_id: theirs });
  const seen = async (search = '') => {
    const { body } = await ask(await tokenOf(), doorOf(server, search));
    return body.result === undefined ? body : 'tools';
  };
  t.equal(await seen(), 'tools');
  t.equal(await seen(`?api_key_id=${everybody}`), 'tools');
  const second = await keyFor(['ada@example.com']);
  t.match(await seen(), { code: 'not_permitted', error: new RegExp(`${own}.*${second}`) });
  t.equal(await seen(`?api_key_id=${second}`), 'tools');
  const stranger = await keyFor(['eve@example.com']);
  t.match(await seen(`?api_key_id=${stranger}`),
    { code: 'not_permitted', error: /none that stands/ });
  const key = server.client.api_key!;
  t.equal((await ask(key, doorOf(server, `?api_key_id=${own}`))).status, 200,
    'an api key is what it is');
  for (const id of [everybody, own, second, stranger]) await revoke(id);
});

t.test('tokens that are not good', async (t) => {
  const id = await keyFor(['ada@example.com', 'sub:u-1']);
  const { privateKey: strange } = await generateKeyPair('ES256');
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)));
  const good = await tokenOf();
  const [head, , signature] = good.split('.');
  const claims = { iss: issuer, aud: door.href, exp: now_s() + 300, ...ada };
  const bad: Record<string, string> = {
    'for another service': await tokenOf({ aud: 'https://other.example/mcp' }),
    'for the client': await tokenOf({ aud: 'gatehouse' }),
    'for nobody': await tokenOf({ aud: undefined }),
    'of another provider': await tokenOf({ iss: 'https://evil.example' }),
    'expired': await tokenOf({ exp: now_s() - 60 }),
    'without an end': await tokenOf({ exp: undefined }),
    'not yet good': await tokenOf({ nbf: now_s() + 300 }),
    'of nobody': await tokenOf({ sub: undefined }),
    'of an empty name': await tokenOf({ sub: '' }),
    'an ID token': await tokenOf({ at_hash: 'abc' }),
    'an ID token of Keycloak': await tokenOf({ typ: 'ID' }, { header: { typ: 'JWT' } }),
    'a logout token': await tokenOf({}, { header: { typ: 'logout+jwt' } }),
    'a logout token without a type': await tokenOf({ events: {} }, { header: { typ: 'JWT' } }),
    'of a strange key': await tokenOf({}, { key: strange }),
    'of an unknown key': await tokenOf({}, { key: strange, header: { kid: 'two' } }),
    'unsigned': new UnsecuredJWT(claims).encode(),
    'signed with the public key as a secret': await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret),
    'with other claims': `${head}.${Buffer.from(JSON.stringify(
      { ...claims, email: 'root@example.com' })).toString('base64url')}.${signature}`,
    'not JSON': 'abc.def.ghi',
    'of a key that it does not name': await tokenOf({}, { header: { kid: undefined } }),
  };
  for (const [what, token] of Object.entries(bad)) {
    const { status, headers, body } = await ask(token);
    t.match({ status, code: body.code }, { status: 401, code: 'invalid_api_key' }, what);
    t.match(headers.get('www-authenticate'), /^Bearer resource_metadata=.*error="invalid_token"/);
    t.notMatch(JSON.stringify(body), token.slice(0, 20), 'it is not shown');
  }
  t.match((await ask(bad['for the client']!)).body.error,
    `it is for "gatehouse", not for this service. Ask for one for ${door.href}.`);
  t.match((await ask(bad['for nobody']!)).body.error, /it is for nobody \(aud\)/);
  t.match((await ask(bad['not yet good']!)).body.error, /does not count yet \(nbf\)\. .* clocks/);
  t.equal((await ask(await tokenOf({ nbf: now_s() + 20 }))).status, 200, 'clocks differ');
  t.match((await ask('opaque-to-all')).body, { code: 'invalid_api_key', error: /is a JWT/ });
  t.match((await ask(`gth_${'A'.repeat(49)}`)).body, { error: /^The api key is not valid/ });
  t.equal((await ask(await tokenOf({ iss: issuer, aud: ['x', door.href] }))).status, 200);
  t.equal((await ask(await tokenOf({ groups: Array.from({ length: 500 }, (_, n) => `g${n}`) })))
    .status, 200, 'a long one');
  t.equal((await ask(`${good}${'A'.repeat(13_000)}`)).status, 401);
  t.match(await client.as(good).expect(401, 'listSessions'), { code: 'invalid_api_key' });
  await revoke(id);
});

t.test('an audience of the operator', async (t) => {
  const named = await testServer(t, { config: { ...settings, mcp_audience: 'api://gatehouse' } });
  await keyFor(['sub:u-1'], named);
  t.equal((await ask(await tokenOf({ aud: 'api://gatehouse' }), doorOf(named))).status, 200);
  t.equal((await ask(await tokenOf({ aud: doorOf(named).href }), doorOf(named))).status, 401);
});

t.test('where the audience is the client, an ID token has it too', async (t) => {
  const named = await testServer(t, { config: { ...settings, mcp_audience: 'gatehouse' } });
  await keyFor(['sub:u-1'], named);
  const statusOf = async (claims: JWTPayload, typ: string) => (await ask(
    await tokenOf({ aud: 'gatehouse', ...claims }, { header: { typ } }), doorOf(named))).status;
  t.equal(await statusOf({}, 'JWT'), 401);
  t.equal(await statusOf({ scp: 'mcp' }, 'JWT'), 200);
  t.equal(await statusOf({ nonce: 'x' }, 'at+jwt'), 200);
});

t.test('of very many keys the most exact one, and its use is seen', async (t) => {
  const many = await testServer(t, { config: settings });
  for (let n = 0; n < 25; n++) await keyFor(['@example.com'], many);
  const token = await tokenOf({ aud: doorOf(many).href });
  const several = await ask(token, doorOf(many));
  t.match(several, { status: 403, body: { error: /(key_\w+, ){10}…\. Name one/ } });
  const own = await keyFor(['ada@example.com'], many);
  t.equal((await ask(token, doorOf(many))).status, 200);
  t.equal((await ask(token, doorOf(many, `?api_key_id=${own}`))).status, 200);
  t.equal((await ask(token, doorOf(many, '?api_key_id=%22'))).status, 400);
  await many.service.stop();
  const [row] = await many.sql`select last_used_at from api_keys where id = ${own}`;
  t.ok(row!.last_used_at);
});

t.test('a key that is over, an archived workspace, and the key of the dashboard', async (t) => {
  const own = await testServer(t, { config: settings });
  const id = await keyFor(['sub:u-1'], own);
  const status = async () =>
    (await ask(await tokenOf({ aud: doorOf(own).href }), doorOf(own))).status;
  t.equal(await status(), 200);
  await own.sql`update api_keys set expires_at = now() where id = ${id}`;
  t.equal(await status(), 403);
  await own.sql`update api_keys set expires_at = null where id = ${id}`;
  t.equal(await status(), 200);
  const path = { workspace_id: own.workspace_id };
  await own.client.expect(200, 'updateWorkspace', { path, body: { status: 'archived' } });
  t.equal(await status(), 403);
  await own.client.expect(200, 'updateWorkspace', { path, body: { status: 'active' } });
  await own.sql`update api_keys set dashboard = true where id = ${id}`;
  t.equal(await status(), 403);
  t.match(await own.client.expect(400, 'updateApiKey',
    { path: { api_key_id: id }, body: { identities: ['sub:u-2'] } }), { param: '/identities' });
});

t.test('wrong ones from one address are counted as wrong keys are', async (t) => {
  const guarded = await testServer(t, { config: { ...settings, auth_failures_per_minute: 3 } });
  const url = doorOf(guarded);
  await keyFor(['sub:u-1'], guarded);
  const good = await tokenOf({ aud: url.href });
  t.equal((await ask(good, url)).status, 200);
  const wrong = await tokenOf({ aud: 'x' });
  const statuses: number[] = [];
  for (let n = 0; n < 5; n++) statuses.push((await ask(wrong, url)).status);
  t.strictSame(statuses, [401, 401, 401, 429, 429]);
  t.equal((await ask(good, url)).status, 200, 'who was good here is not kept out');
  const other = await testServer(t, { config: { ...settings, auth_failures_per_minute: 1 } });
  for (let n = 0; n < 3; n++) {
    t.equal((await ask(await tokenOf({ aud: doorOf(other).href, exp: now_s() - 60 }),
      doorOf(other))).status, 401, 'one that was good has guessed nothing');
  }
});

t.test('without the provider api keys go on', async (t) => {
  const away = new OAuth2Server();
  await away.issuer.keys.generate('RS256');
  await away.start(0, '127.0.0.1');
  const oidc_issuer = away.issuer.url!;
  const own = await testServer(t, { config: { ...settings, oidc_issuer } });
  await away.stop();
  const { status, headers, body } = await ask(await tokenOf(), doorOf(own));
  t.match({ status, body },
    { status: 503, body: { code: 'unavailable', error: /use an api key/ } });
  t.ok(headers.get('retry-after'));
  const page = await fetch(new URL('/.well-known/oauth-protected-resource', doorOf(own)));
  t.match(await page.json(), { authorization_servers: [oidc_issuer] });
  t.equal((await ask(own.client.api_key!, doorOf(own))).status, 200);
});

t.test('public keys that come over plain http are not believed', async (t) => {
  const claims = { issuer: 'https://login.example', jwks_uri: `${issuer}/jwks` };
  const tokens = new AccessTokens({
    sql: server.sql, log: createLog('silent'), oidc: { provider: async () => claims },
    config: { ...server.config, mcp_audience: null }, resource: () => door.href, noteUse() {},
  });
  await t.rejects(tokens.authenticate(await tokenOf({ iss: claims.issuer }), null, () => {}),
    { code: 'unavailable' });
});

t.test('a provider that does not answer is not asked by whoever sends tokens', async (t) => {
  let asked = 0;
  let broken: [status: number, text: string] | undefined;
  const upstream = createServer(async (_request, response) => {
    asked += 1;
    const keys = [{ ...await exportJWK(publicKey), kid: 'one' }];
    const [status, text] = broken ?? [200, JSON.stringify({ keys })];
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  const own = `http://127.0.0.1:${await listen(t, upstream)}`;
  const told: string[] = [];
  const log = createLog('warn', { destination: { write: (line) => void told.push(line) } });
  const make = () => new AccessTokens({
    sql: server.sql, log, config: { ...server.config, mcp_audience: null },
    oidc: { provider: async () => ({ issuer: own, jwks_uri: own }) },
    resource: () => door.href, noteUse() {},
  });
  const ask = (tokens: AccessTokens, token: string) =>
    tokens.authenticate(token, null, () => {}).then(() => 'let in', ({ code }) => code as string);
  const good = await tokenOf({ iss: own });
  const strange = await tokenOf({ iss: own }, { header: { kid: 'two' } });
  const seen = make();
  t.equal(await ask(seen, good), 'not_permitted', 'nobody here, but good');
  for (let n = 0; n < 5; n++) t.equal(await ask(seen, strange), 'invalid_api_key');
  t.equal(asked, 1);
  for (broken of [[500, '{}'], [200, '<html>'], [200, '{}']] as [number, string][]) {
    const blind = make();
    for (let n = 0; n < 5; n++) t.equal(await ask(blind, good), 'unavailable');
  }
  t.strictSame([asked, told.length], [4, 3], 'each asks once, and tells of it');
  t.equal(await ask(seen, good), 'not_permitted', 'with the keys that it has');
  // After these ten minutes jose would have them shown anew before it looks at a token.
  const { now } = Date;
  t.teardown(() => { Date.now = now; });
  Date.now = () => now() + 660_000;
  t.equal(await ask(seen, good), 'unavailable', 'it may have others by now');
});

t.test('the official client finds its way from the refusal to a call', async (t) => {
  const id = await keyFor(['ada@example.com']);
  const asked: URLSearchParams[] = [];
  provider.service.on('beforeTokenSigning',
    (token: { payload: JWTPayload }, request: { body: Record<string, string> }) => {
      asked.push(new URLSearchParams(request.body));
      Object.assign(token.payload, { aud: request.body.resource, ...ada });
    });
  let code = '';
  const saved: { tokens?: any; found?: any; verifier: string } = { verifier: '' };
  const auth: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:1/callback',
    clientMetadata: { client_name: 'an editor', redirect_uris: ['http://127.0.0.1:1/callback'] },
    clientInformation: () => ({ client_id: 'editor', issuer }),
    tokens: () => saved.tokens,
    saveTokens: (tokens) => void (saved.tokens = tokens),
    saveCodeVerifier: (verifier) => void (saved.verifier = verifier),
    codeVerifier: () => saved.verifier,
    saveDiscoveryState: (found) => void (saved.found = found),
    discoveryState: () => saved.found,
    async redirectToAuthorization(url) {
      t.equal(url.searchParams.get('resource'), door.href);
      const back = await fetch(url, { redirect: 'manual' });
      code = new URL(back.headers.get('location')!).searchParams.get('code')!;
    },
  };
  const transport = new StreamableHTTPClientTransport(door, { authProvider: auth });
  await t.rejects(new McpClient({ name: 'an editor', version: '1' }).connect(transport));
  await transport.finishAuth(new URLSearchParams({ code }));
  const mcp = new McpClient({ name: 'an editor', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(door, { authProvider: auth }));
  t.equal(asked[0]!.get('resource'), door.href);
  t.match(await callAction(mcp, 'gateway.connections.list'), { ok: true });
  await mcp.close();
  await revoke(id);
});
