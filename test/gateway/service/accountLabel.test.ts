/** The label of an account that is connected, as the other service has it. */
import t from 'tap';
import { Browser } from '../../support/browser.ts';
import { soundness } from '../../support/soundness.ts';
import { json, serve } from '../egress/support.ts';
import {
  addIntegration, connectAccount, gatewayServer, notesDocument, type Credentials,
} from './support.ts';

const claimsToken = (claims: object) => ['{}', JSON.stringify({ aud: 'client', ...claims }), '']
  .map((part) => Buffer.from(part).toString('base64url')).join('.');
let tokens: { id_token?: string } = {};
let user: unknown;
const upstream = await serve(t, ({ target }, response) => {
  const { pathname, searchParams } = new URL(target, 'http://x');
  if (pathname === '/.well-known/openid-configuration') {
    json(response, { issuer: upstream.url, authorization_endpoint: `${upstream.url}/authorize`,
      token_endpoint: `${upstream.url}/token`, userinfo_endpoint: `${upstream.url}/userinfo` });
  } else if (pathname === '/authorize') {
    const [uri, state] = [searchParams.get('redirect_uri'), searchParams.get('state')];
    response.writeHead(302, { location: `${uri}?code=c&state=${state}` }).end();
  } else if (pathname === '/token') {
    json(response, { access_token: 'access-1', token_type: 'bearer', ...tokens });
  } else json(response, user ?? { error: 'nobody' }, user === undefined ? 403 : 200);
});
const server = await gatewayServer(t);
const { client } = server;
const connect_url = `${upstream.url}/.well-known/openid-configuration`;
const ME = { '/user': { get: { operationId: 'users/me', responses: {} } } };
const document = { ...notesDocument(ME),
  components: { securitySchemes: { login: { type: 'openIdConnect',
    openIdConnectUrl: connect_url } } }, security: [{ login: [] }] };
const common = { kind: 'openapi', base_url: upstream.url,
  egress_allow: upstream.egress_allow } as const;
await addIntegration(server, { slug: 'acme', ...common, document });
const OAUTH: Credentials = { type: 'oauth2', grant: 'authorization_code', client_id: 'client',
  client_secret: 'secret', scopes: ['openid'] };

const labelOf = async (connection_id: string) => (await client.expect(200, 'getConnection',
  { path: { connection_id } })).account_label;

/** Connects an account by consent; answers its id. */
async function consented(rest: { account_label?: string } = {}): Promise<string> {
  const { id, authorization_url } = await connectAccount(server, 'acme', OAUTH, rest);
  await new Browser().consent(authorization_url!);
  return id;
}

t.test('of the identity token, and else of the UserInfo endpoint', async (t) => {
  user = { name: 'Grace' };
  tokens = { id_token: claimsToken({ iss: upstream.url, sub: '7', email: 'ada@x.example' }) };
  t.equal(await labelOf(await consented()), 'ada@x.example');
  for (const id_token of [claimsToken({ iss: upstream.url, aud: 'another', email: 'eve@x' }),
    claimsToken({ iss: 'https://another', email: 'eve@x' }), 'a.b', '..', undefined]) {
    tokens = id_token === undefined ? {} : { id_token };
    t.equal(await labelOf(await consented()), 'Grace', `${id_token}`);
  }
  user = undefined;
  t.equal(await labelOf(await consented()), null, 'and the account is connected without');
});

t.test('it is one short line, and holds no secret', async (t) => {
  soundness(t, 'a secret in a text');
  user = { name: `a\n b\u202e ${'x'.repeat(500)}` };
  t.equal(await labelOf(await consented()), `a b ${'x'.repeat(116)}`);
  user = { name: 'this is access-1' };
  t.notMatch(await labelOf(await consented()), /access-1/);
});

t.test('what a person has written stays; what was found is found anew', async (t) => {
  user = { email: 'ada@x.example' };
  t.equal(await labelOf(await consented({ account_label: 'the shop' })), 'the shop');
  const connection_id = await consented();
  const again = async () => {
    const { authorization_url } = await client.expect(200, 'updateConnection',
      { path: { connection_id }, body: { credentials: OAUTH } });
    await new Browser().consent(authorization_url!);
    return await labelOf(connection_id);
  };
  user = { email: 'grace@x.example' };
  t.equal(await again(), 'grace@x.example');
  user = undefined;
  t.equal(await again(), null, 'nobody knows whose account it is now');
  await client.expect(200, 'updateConnection',
    { path: { connection_id }, body: { account_label: 'mine' } });
  user = { email: 'ada@x.example' };
  t.equal(await again(), 'mine');
});

t.test('of a reading action that the operator names', async (t) => {
  user = { login: 'octocat', id: 7 };
  const bearer = { type: 'bearer', token: 'a-token' } as const;
  const add = async (slug: string, overrides: Record<string, object>) => {
    await addIntegration(server, { slug, ...common, document: notesDocument(ME), overrides });
    return (await connectAccount(server, slug, bearer)).account_label;
  };
  t.equal(await add('one', { 'GET /user': { account_label: '/login' } }), 'octocat');
  t.equal(await add('two', { 'two.users.*': { account_label: '/id' } }), '7');
  t.equal(await add('three', { 'GET /user': { account_label: '/none' } }), null);
  t.equal(await add('four', { 'POST /notes': { account_label: '/login' } }), null, 'it writes');
  t.notOk(upstream.received.some(({ method, target }) =>
    method === 'POST' && target.startsWith('/notes')));
  user = { login: 'large', bio: 'x'.repeat(20_000) };
  t.equal(await add('six', { 'GET /user': { account_label: '/login' } }), 'large');
  user = undefined;
  t.equal(await add('five', { 'GET /user': { account_label: '/login' } }), null);
  t.match(await client.expect(200, 'getIntegration', { path: { slug: 'five' } }),
    { overrides: { 'GET /user': { account_label: '/login' } } });
});
