/** What an operation asks for of the credentials that a connection has. */
import t from 'tap';
import type { ApiKey, Credentials } from '../../../src/gateway/action/credentials.ts';
import { askedOf } from '../../../src/gateway/openapi/askedCredentials.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { actionOf, callerOf, failure, json, serve } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const key = (place: ApiKey['in'], name: string) =>
  ({ type: 'api_key' as const, in: place, name, value: `of-${name}` });
const schemeOf = (place: ApiKey['in'], name: string) => ({ type: 'apiKey', in: place, name });
const bearer = { type: 'bearer' as const, token: 'a-token' };
const SECURITY_SCHEMES = { user: { type: 'http', scheme: 'bearer' },
  person: { type: 'oauth2', flows: {} }, admin: schemeOf('header', 'X-Admin'),
  dev: schemeOf('query', 'dev'), device: schemeOf('cookie', 'device'),
  own: { type: 'http', scheme: 'token' } };

/** What operations of a document ask for of these credentials, by their `security`. */
function asked(credentials: Credentials, ...operations: (object[] | undefined)[]) {
  const { actions, report } = importOpenapi({
    openapi: '3.1.0', info: { title: 'x', version: '1' },
    components: { securitySchemes: SECURITY_SCHEMES },
    paths: Object.fromEntries(operations.map((security, i) => [`/${i}`, {
      get: { ...(security && { security }), responses: { 200: { description: 'x' } } } }])),
  }, { slug: 'x' });
  return actions.map(({ asks_for }) => askedOf(asks_for, report, credentials));
}

t.test('what goes to the same place suffices', async (t) => {
  for (const [credentials, security] of [
    [bearer, [{ user: [] }]], [bearer, [{ person: ['read'] }]], [bearer, undefined],
    [{ type: 'basic', username: 'a', password: 'b' }, [{ user: [] }]],
    [key('header', 'authorization'), [{ user: [] }]], [key('header', 'x-admin'), [{ admin: [] }]],
    [bearer, [{ admin: [] }, { user: [] }]], [bearer, [{}, { admin: [] }]],
    [bearer, [{ own: [] }]], [bearer, [{ unheard_of: [] }]],
    [{ ...bearer, also: [key('query', 'dev')] }, [{ user: [], dev: [] }]],
  ] as const satisfies [Credentials, object[] | undefined][]) {
    t.strictSame(asked(credentials, security as object[], [{ user: [] }])[0],
      { sent: credentials, otherwise: null }, JSON.stringify([credentials, security]));
  }
});

t.test('what does not is sent all the same, and said', async (t) => {
  const said = (credentials: Credentials, security: object[]) => {
    const [one] = asked(credentials, security, [{ user: [] }], [{ dev: [] }]);
    t.strictSame(one!.sent, credentials);
    return one!.otherwise;
  };
  t.equal(said(bearer, [{ admin: [] }]), 'Its document asks for admin (header X-Admin) there, and'
    + ' the connection gives header Authorization.');
  t.equal(said({ ...bearer, also: [key('header', 'A')] }, [{ user: [], admin: [] }, { dev: [] }]),
    'Its document asks for user (bearer) and admin (header X-Admin), or dev (query dev) there, and'
    + ' the connection gives header Authorization and header A.');
  t.match(said(key('query', 'dev'), [{ person: ['read'] }, { person: ['all'] }]),
    /asks for person \(oauth2\) there, and the connection gives query dev\.$/);
});

t.test('where nothing is needed, no key goes to an address or a cookie', async (t) => {
  const sent = (credentials: Credentials) =>
    asked(credentials, [], [{ user: [] }], [{ dev: [] }], [{ device: [] }])[0]!;
  const words = 'Its document says that no credentials are needed there';
  t.strictSame(sent(bearer), { sent: { ...bearer, also: [] }, otherwise: `${words}.` });
  t.strictSame(sent(key('query', 'dev')),
    { sent: { type: 'none' }, otherwise: `${words}, so query dev was not sent.` });
  const several = { ...key('cookie', 'device'), also: [key('query', 'dev'), key('header', 'A')] };
  t.strictSame(sent(several), { sent: { ...key('header', 'A'), also: [] },
    otherwise: `${words}, so cookie device and query dev were not sent.` });
  const undeclared = { ...bearer, also: [key('query', 'of_ours')] };
  t.strictSame(sent(undeclared).sent, undeclared, 'of which the document does not speak');
});

t.test('a document that asks for nothing of a connection says nothing of it', async (t) => {
  for (const [credentials, ...operations] of [
    [key('query', 'dev'), []], [key('query', 'dev'), [], [{ user: [] }]],
    [key('query', 'dev'), [{ admin: [] }], [{ user: [] }]], [{ type: 'none' }, [{ user: [] }]],
  ] as const satisfies [Credentials, ...object[][]][]) {
    t.strictSame(asked(credentials, ...operations as object[][])[0],
      { sent: credentials, otherwise: null });
  }
});

t.test('a refusal says so, of a large answer too', async (t) => {
  const server = await serve(t, ({ target }, response) => json(response,
    { words: 'x'.repeat(target === '/large' ? 2_000_000 : 1) }, target === '/a' ? 403 : 401));
  const call = callerOf(t, server);
  const target = { declared: { security_schemes: [
    { name: 'user', type: 'bearer' as const, description: null }],
  security_alternatives: [{ schemes: ['user'], actions: 1 }] } };
  for (const path of ['/a', '/b', '/large']) {
    const action = { ...actionOf(documentOf(path, 'get', {})), asks_for: [] };
    const error = await failure(call(action, { credentials: bearer, target }));
    t.match(error, path === '/a'
      ? { code: 'upstream_forbidden', message: /do this\. Its document says that no .* needed/ }
      : { name: 'Unauthorized', otherwise: /^Its document says that no credentials are needed/ });
  }
});
