/** Accounts that are connected by what the document of their integration declares. */
import t from 'tap';
import { Browser } from '../support/browser.ts';
import type { Schemas } from '../support/client.ts';
import { startOAuthServer } from '../support/oauthServer.ts';
import { petDocument, petIntegration, send, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
const authority = await startOAuthServer(t);
const authority_url = authority.issuer.url!.replace('localhost', '127.0.0.1');
const egress_allow = [...store.egress_allow, new URL(authority_url).host];
/** What the token endpoint was asked, and with which header. */
const asked: { body: Record<string, string>; authorization: string | undefined }[] = [];
authority.service.on('beforeResponse', (_answer,
  request: { body: Record<string, string>; headers: { authorization?: string } }) =>
  void asked.push({ body: request.body, authorization: request.headers.authorization }));

const oauth = { type: 'oauth2', client_id: 'c', client_secret: 'the-secret' };
const discovery = `${authority_url}/.well-known/openid-configuration`;
const code = {
  authorizationUrl: `${authority_url}/authorize`, tokenUrl: `${authority_url}/token`,
  scopes: { 'pets:read': 'See pets', 'pets:write': 'Change pets' },
};
let slugs = 0;

/** Adds an integration whose document has these schemes; reading needs `pets:read` of `account`. */
async function declaring(
  schemes: object, options: { read?: string[]; base_url?: string } = {},
): Promise<Schemas['Integration']> {
  const document = petDocument();
  const { get, post } = document.paths['/pets']!;
  Object.assign(get!, { security: [{ account: options.read ?? ['pets:read'] }] });
  Object.assign(post!, { security: [{ account: ['pets:write', 'pets:read'] }] });
  return await client.expect(201, 'createIntegration', { body: petIntegration(store, {
    slug: `declares_${++slugs}`, egress_allow, base_url: options.base_url ?? store.url,
    document: { ...document, components: { securitySchemes: schemes } } }) });
}

const bodyOf = ({ slug }: { slug: string }, credentials: object) => ({ body: {
  workspace_id, integration: slug, name: slug,
  credentials: credentials as Schemas['Credentials'] } });
const connect = (integration: { slug: string }, credentials: object = oauth) =>
  client.expect(201, 'createConnection', bodyOf(integration, credentials));

async function refused(
  integration: { slug: string }, credentials: object, status: 400 | 502 = 400) {
  return await client.expect(status, 'createConnection', bodyOf(integration, credentials));
}

t.test('an integration shows what its document declares', async (t) => {
  const made = await declaring({
    account: { type: 'oauth2', description: 'A shop', flows: { authorizationCode: code } },
    key: { type: 'apiKey', in: 'query', name: 'key' }, strange: { type: 'mutualTLS' },
  });
  t.strictSame(made.report.security_schemes, [
    { name: 'account', type: 'oauth2', description: 'A shop', flows: { authorization_code: {
      authorization_url: code.authorizationUrl, token_url: code.tokenUrl, refresh_url: null,
      scopes: code.scopes } },
    required_scopes: { read: ['pets:read'], other: ['pets:write'] } },
    { name: 'key', type: 'api_key', description: null, placement: { in: 'query', name: 'key' } },
    { name: 'strange', type: 'unsupported', description: null },
  ]);
  t.strictSame(await client.expect(200, 'getIntegration', { path: { slug: made.slug } }), made);
});

t.test('a person consents, and nobody has typed an endpoint', async (t) => {
  const integration = await declaring({ account: { type: 'oauth2', flows: {
    authorizationCode: { ...code, authorizationUrl: '/authorize', tokenUrl: '/token' },
    clientCredentials: code } } }, { base_url: authority_url });
  const made = await connect(integration);
  const settings = { grant: 'authorization_code', client_auth: 'basic',
    token_url: code.tokenUrl, authorize_url: code.authorizationUrl, scopes: ['pets:read'],
    redirect_uri: new RegExp(`/oauth/callback/${integration.slug}$`) };
  t.match(made, { status: 'pending', settings, authorization_url: String });
  t.strictSame(Object.keys(made.settings!).sort(), Object.keys(settings).sort());
  const left_ms = Date.parse(made.authorization_expires_at!) - Date.parse(made.created_at);
  t.ok(left_ms > 590_000 && left_ms < 660_000, String(left_ms));
  const { page, sent } = await new Browser().consent(made.authorization_url!);
  t.equal(new URL(sent[0]!).searchParams.get('scope'), 'pets:read');
  t.match(page, /The account is connected/);
  t.match(asked.at(-1), { body: { grant_type: 'authorization_code' }, authorization: /^Basic / });
  t.match(await client.expect(200, 'getConnection', { path: { connection_id: made.id } }),
    { status: 'connected', settings: null, authorization_expires_at: null });
});

t.test('an address that says itself what a request says is refused', async (t) => {
  const planted = `${code.authorizationUrl}?tenant=1&redirect_uri=https%3A%2F%2Felse.example`;
  const flows = { authorizationCode: code };
  const integration = await declaring({ account: { type: 'oauth2', flows } });
  const words = { code: 'invalid_request', param: '/credentials/authorize_url',
    error: /^http.* is authorized at an address whose query has redirect_uri: / };
  t.match(await refused(integration, { ...oauth, authorize_url: planted }), words);
  for (const name of ['state', 'client_id', 'code_challenge', 'code_challenge_method', 'scope',
    'response_type', 'response_mode', 'nonce', 'resource', 'request', 'request_uri', 'STATE']) {
    const authorize_url = `${code.authorizationUrl}?${name}=x`;
    t.match(await refused(integration, { ...oauth, authorize_url }),
      { ...words, error: new RegExp(`has ${name}:`) });
  }
  const declared = await declaring({ account: { type: 'oauth2', flows: {
    authorizationCode: { ...code, authorizationUrl: planted } } } });
  t.match(await refused(declared, oauth), words, 'the document');
  t.match(await connect(declared, { ...oauth, authorize_url: `${code.authorizationUrl}?tenant=1` }),
    { status: 'pending' });
});

t.test('what the operator gives wins', async (t) => {
  const integration = await declaring({ account: { type: 'oauth2', flows: {
    authorizationCode: { ...code, refreshUrl: `${authority_url}/refresh` },
    clientCredentials: { ...code, tokenUrl: `${authority_url}/other` } } } });
  const settings = async (given: object) =>
    (await connect(integration, { ...oauth, ...given })).settings;
  t.match(await settings({ scopes: ['a'] }),
    { scopes: ['a'], refresh_url: `${authority_url}/refresh` });
  t.strictSame((await settings({ scopes: [] }))!.scopes, []);
  t.match(await settings({ grant: 'client_credentials' }),
    { grant: 'client_credentials', token_url: `${authority_url}/other`, scopes: ['pets:read'] });
  const own = await settings({ token_url: `${authority_url}/mine`, client_auth: 'post' });
  t.match(own, { client_auth: 'post', token_url: `${authority_url}/mine`,
    authorize_url: code.authorizationUrl, scopes: [] });
  t.notOk('refresh_url' in own!, "another server's tokens are not renewed at the document's");
  t.match(await settings({ authorize_url: `${authority_url}/me`, refresh_url: code.tokenUrl }),
    { authorize_url: `${authority_url}/me`, refresh_url: code.tokenUrl });
  const { client_secret: _, ...open } = oauth;
  t.match((await connect(integration, open)).settings, { client_auth: 'none' });
  t.match((await refused(integration, { ...oauth, token_url: 'http://10.0.0.1/' })),
    { code: 'egress_refused', param: '/credentials/token_url' });
});

t.test('a secret in the body, and tokens that are renewed elsewhere', async (t) => {
  const integration = await declaring({ account: { type: 'oauth2', flows: {
    clientCredentials: code } } });
  const { id } = await connect(integration, { ...oauth, client_auth: 'post' });
  const call = { body: { action: `${integration.slug}.pets.list`, connection_id: id } };
  await client.expect(201, 'createActionInvocation', call);
  t.match(asked.at(-1), { body: { grant_type: 'client_credentials', client_secret: 'the-secret',
    scope: 'pets:read' }, authorization: undefined });
  const visits: string[] = [];
  store.answer = ({ target, headers }, response) => {
    visits.push(target);
    if (target === '/renew') return send(response, { access_token: 'new', token_type: 'bearer' });
    send(response, {}, headers.authorization === 'Bearer new' ? 200 : 401);
  };
  const renewed = await connect(integration, { ...oauth, grant: 'authorization_code',
    token_url: `${store.url}/token`, authorize_url: code.authorizationUrl,
    refresh_url: `${store.url}/renew`, access_token: 'old', refresh_token: 'r' });
  await client.expect(201, 'createActionInvocation',
    { body: { ...call.body, connection_id: renewed.id } });
  t.strictSame(visits, ['/pets', '/renew', '/pets']);
  store.answer = null;
});

t.test('of several schemes the first with a code counts, or the one that is named', async (t) => {
  const integration = await declaring({
    implicit: { type: 'oauth2', flows: { implicit: code } },
    service: { type: 'oauth2', flows: { clientCredentials: code } },
    account: { type: 'oauth2', flows: { authorizationCode: code } },
    further: { type: 'oauth2', flows: { authorizationCode: {
      ...code, tokenUrl: `${authority_url}/further` } } },
  });
  t.match((await connect(integration)).settings,
    { grant: 'authorization_code', token_url: code.tokenUrl, scopes: ['pets:read'] });
  t.match((await connect(integration, { ...oauth, grant: 'client_credentials' })).settings,
    { grant: 'client_credentials', scopes: [] });
  t.match((await connect(integration, { ...oauth, scheme: 'further' })).settings,
    { token_url: `${authority_url}/further`, scopes: [] });
  t.match((await connect(integration, { ...oauth, scheme: 'service' })).settings,
    { grant: 'client_credentials' });
  t.match(await refused(integration, { ...oauth, scheme: 'none' }), { code: 'invalid_request',
    param: '/credentials/scheme', error: /declares: implicit, service, account, further\.$/ });
  t.match(await refused(integration, { ...oauth, scheme: 'implicit' }),
    { param: '/credentials/grant' });
});

t.test('what neither says is named', async (t) => {
  const bearer = await declaring({ token: { type: 'http', scheme: 'bearer' } });
  const broken = await declaring({ account: { type: 'oauth2', flows: {
    authorizationCode: { authorizationUrl: code.authorizationUrl, scopes: {} },
    clientCredentials: {} } } });
  const cases: [{ slug: string }, credentials: object, field: string][] = [
    [bearer, oauth, 'grant'],
    [bearer, { ...oauth, grant: 'client_credentials' }, 'token_url'],
    [bearer, { ...oauth, grant: 'authorization_code', token_url: code.tokenUrl }, 'authorize_url'],
    [broken, oauth, 'token_url'],
    [broken, { ...oauth, grant: 'client_credentials' }, 'token_url'],
    [bearer, { type: 'api_key', value: 'k' }, 'name'],
    [bearer, { type: 'api_key', value: 'k', name: 'X-Key' }, 'in'],
  ];
  for (const [integration, credentials, field] of cases) {
    t.match(await refused(integration, credentials), { code: 'invalid_request',
      param: `/credentials/${field}`,
      error: `Give ${field}: the document of ${integration.slug} does not declare it.` });
  }
  await sql`update integrations set report = (report::jsonb - 'security_schemes')::json
    where slug = ${bearer.slug}`;
  t.match(await refused(bearer, oauth), { error: `gatehouse integrations refresh ${bearer.slug}` },
    'it was imported before that was kept');
  const { report } = await client.expect(200, 'refreshIntegration',
    { path: { slug: bearer.slug }, body: {} });
  t.match(report.security_schemes, [{ name: 'token', type: 'bearer' }]);
});

t.test('many scopes are for the operator to choose from', async (t) => {
  const read = Array.from({ length: 11 }, (_, index) => `s${index + 10}`);
  const account = { type: 'oauth2', flows: { authorizationCode: code } };
  const integration = await declaring({ account }, { read });
  t.match(await refused(integration, oauth), { code: 'invalid_request',
    param: '/credentials/scopes', error: /^Give scopes: .* need 11, .*: s10, s11, .*s20\.$/ });
  t.match((await connect(integration, { ...oauth, scopes: ['s10'] })).settings,
    { scopes: ['s10'] });
  const few = await declaring({ account }, { read: read.slice(1) });
  t.strictSame((await connect(few)).settings!.scopes, read.slice(1));
});

t.test('an api key goes where the document puts it', async (t) => {
  const key = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
  const given = { type: 'api_key', value: 'k' };
  const one = await declaring({ a: key('query', 'key'), b: key('query', 'key') });
  t.strictSame((await connect(one, given)).settings, { in: 'query', name: 'key' });
  t.strictSame((await connect(one, { ...given, in: 'header', name: 'x' })).settings,
    { in: 'header', name: 'x' });
  const two = await declaring({ a: key('query', 'key'), b: key('header', 'X-Key') });
  t.match(await refused(two, given), { code: 'invalid_request', param: '/credentials/scheme',
    error: /^Give scheme: .* several api keys: a \(query key\), b \(header X-Key\)\.$/ });
  t.strictSame((await connect(two, { ...given, scheme: 'b' })).settings,
    { in: 'header', name: 'X-Key' });
  t.strictSame((await connect(two, { ...given, in: 'header' })).settings,
    { in: 'header', name: 'X-Key' });
  t.strictSame((await connect(two, { ...given, name: 'key' })).settings,
    { in: 'query', name: 'key' });
  t.match(await refused(two, { ...given, in: 'cookie' }), { param: '/credentials/name' });
});

t.test('the endpoints of OpenID Connect are read when they are needed', async (t) => {
  const integration = await declaring(
    { account: { type: 'openIdConnect', openIdConnectUrl: discovery } });
  const made = await connect(integration);
  t.match(made.settings, { grant: 'authorization_code', scopes: ['pets:read'] });
  t.equal(new URL(made.settings!.token_url!).pathname, '/token');
  t.equal(new URL(made.settings!.authorize_url!).pathname, '/authorize');
  t.match((await connect(integration, { ...oauth, grant: 'client_credentials' })).settings,
    { grant: 'client_credentials' });

  const away = await declaring({ account: { type: 'openIdConnect',
    openIdConnectUrl: `${store.url}/.well-known/openid-configuration` } });
  const failures: [body: object | string, status: number, says: RegExp][] = [
    [{}, 404, /it answered 404\. Give token_url and authorize_url\.$/],
    ['<html>', 200, /something else than a JSON object/],
    ['[]', 200, /something else than a JSON object/],
  ];
  for (const [body, status, error] of failures) {
    store.answer = (_visit, response) => send(response, body, status);
    t.match(await refused(away, oauth, 502),
      { code: 'upstream_error', param: '/credentials/token_url', error });
  }
  store.answer = (_visit, response) => void response.destroy();
  t.match(await refused(away, oauth, 502), { error: /it could not be reached/ });
  store.answer = (_visit, response) => send(response, {});
  t.match(await refused(away, oauth), { param: '/credentials/token_url' }, 'it names none');
  const endpoints = { token_endpoint: code.tokenUrl, authorization_endpoint: 'http://10.0.0.1/' };
  store.answer = (_visit, response) => send(response, endpoints);
  t.match(await refused(away, oauth),
    { code: 'egress_refused', param: '/credentials/authorize_url' });
  store.answer = (_visit, response) => send(response, { ...endpoints,
    authorization_endpoint: code.authorizationUrl,
    token_endpoint_auth_methods_supported: ['client_secret_post'] });
  t.match((await connect(away)).settings, { client_auth: 'post', token_url: code.tokenUrl });
  const visits = store.visits.length;
  await connect(away, { ...oauth, grant: 'client_credentials', token_url: code.tokenUrl });
  t.equal(store.visits.length, visits, 'nothing is fetched that is not needed');
  store.answer = null;

  const inside = await declaring({ account: { type: 'openIdConnect',
    openIdConnectUrl: 'http://10.0.0.1/x' } });
  t.match(await refused(inside, oauth),
    { code: 'egress_refused', param: '/credentials/token_url' });
});

t.test('new credentials are completed as well', async (t) => {
  const integration = await declaring({ account: { type: 'oauth2', flows: {
    clientCredentials: code } } });
  const { id } = await connect(integration, { type: 'none' });
  const path = { connection_id: id };
  t.match(await client.expect(200, 'updateConnection', { path, body: {
    credentials: oauth as Schemas['Credentials'] } }),
  { auth_type: 'oauth2', status: 'connected', settings: { token_url: code.tokenUrl } });
  t.equal((await client.expect(200, 'updateConnection', { path, body: { name: 'x' } })).settings,
    null);
});

t.test('what is disabled while new credentials are completed stays so', async (t) => {
  const integration = await declaring({ account: { type: 'openIdConnect',
    openIdConnectUrl: `${store.url}/.well-known/openid-configuration` } });
  const { id } = await connect(integration, { type: 'none' });
  const path = { connection_id: id };
  store.answer = async (_visit, response) => {
    await client.expect(200, 'updateConnection', { path, body: { status: 'disabled' } });
    send(response, { token_endpoint: code.tokenUrl });
  };
  t.match(await client.expect(200, 'updateConnection', { path, body: {
    credentials: { ...oauth, grant: 'client_credentials' } as Schemas['Credentials'] } }),
  { auth_type: 'oauth2', status: 'disabled' });
  store.answer = null;
});
