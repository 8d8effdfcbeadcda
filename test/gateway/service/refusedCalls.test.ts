/** A call that alone is answered 401, while the account is good for others. */
import t, { type Test } from 'tap';
import { json, serve, type Handler } from '../egress/support.ts';
import {
  addNotes, connectAccount, gatewayServer, invoke, notesDocument, type Credentials,
} from './support.ts';

const TOKEN = 'a-token-of-the-tests';
const answer = { responses: { 200: { description: 'Done.' } } };
const WITH_IDENTITY = notesDocument({
  '/user': { get: { operationId: 'users/get-authenticated', ...answer } },
  '/app': { get: { operationId: 'apps/get', ...answer } },
});

/** A service whose upstream refuses `/app`, and the rest from those that `isGood` does not know. */
async function appService(t: Test, {
  document = WITH_IDENTITY, credentials = { type: 'bearer', token: TOKEN },
  isGood = (token: string | undefined) => token === `Bearer ${TOKEN}`, tokens = (() => false),
}: { document?: Record<string, unknown>, credentials?: Credentials | ((url: string) => Credentials),
  isGood?: (token: string | undefined) => boolean,
  tokens?: (...given: Parameters<Handler>) => boolean } = {}) {
  const upstream = await serve(t, (request, response) => {
    if (tokens(request, response)) return;
    if (request.target === '/app' || !isGood(request.headers.authorization)) {
      return json(response, { message: 'A JSON web token could not be decoded' }, 401);
    }
    json(response, { login: 'me' });
  });
  const server = await gatewayServer(t);
  await addNotes(server, upstream, { document });
  const { id: connection_id } = await connectAccount(server, 'acme',
    typeof credentials === 'function' ? credentials(upstream.url) : credentials);
  const { client } = server;
  return {
    call: (action: string) => invoke(client, `acme.${action}`),
    standing: () => client.expect(200, 'getConnection', { path: { connection_id } }),
    visits: (target: string) => upstream.received.filter((one) => one.target === target).length,
  };
}

t.test('an account that is accepted elsewhere stays connected', async (t) => {
  let isGood = true;
  const { call, standing, visits } = await appService(t, { isGood: () => isGood });
  t.match(await call('apps.get'), { status: 502, body: {
    code: 'upstream_forbidden', error: /acme does not accept .*\(401\).* this call alone/,
    details: { upstream: { status: 401, body: { message: /JSON web token/ } } } } });
  t.match(await standing(), { status: 'connected', status_reason: null });
  t.equal(visits('/user'), 1);
  t.match(await call('notes.list'), { status: 201 });

  isGood = false;
  t.match(await call('notes.list'), { status: 409, body: { code: 'needs_reconnect' } });
  t.match(await standing(), { status: 'needs_reconnect', status_reason: /acme\.notes\.list/ });
  t.equal(visits('/user'), 2);
});

t.test('what was refused itself is not asked again', async (t) => {
  const { call, standing, visits } = await appService(t, { isGood: () => false });
  t.match(await call('users.get_authenticated'), { status: 409 });
  t.match(await standing(), { status: 'needs_reconnect' });
  t.strictSame([visits('/user'), visits('/notes')], [1, 1]);
});

t.test('where nothing tells whose account it is, a list is asked with and without', async (t) => {
  const document = notesDocument({ '/app': { get: { operationId: 'apps/get', ...answer } } });
  const closed = await appService(t, { document });
  t.match(await closed.call('apps.get'), { status: 502, body: {
    code: 'upstream_forbidden', error: /It accepts them elsewhere/ } });
  t.match(await closed.standing(), { status: 'connected', status_reason: null });
  t.equal(closed.visits('/notes'), 2);

  const open = await appService(t, { document, isGood: () => true });
  t.match(await open.call('apps.get'), { status: 409, body: { code: 'needs_reconnect' } });
  t.match(await open.standing(), { status: 'needs_reconnect' }, 'it is open to everybody');
});

t.test('a call that asks for other credentials says nothing of these', async (t) => {
  const key = (place: string, name: string) => ({ type: 'apiKey', in: place, name });
  const document = notesDocument({
    '/app': { get: { operationId: 'apps/get', security: [{ admin: [] }], ...answer } },
    '/app/public': { get: { operationId: 'apps/public', security: [], ...answer } },
  });
  document.components = { securitySchemes: { token: key('query', 'token'),
    admin: key('header', 'X-Admin-Key'), both: { type: 'http', scheme: 'bearer' } } };
  const { call, standing, visits } = await appService(t, { document,
    credentials: { type: 'api_key', in: 'query', name: 'token', value: TOKEN },
    isGood: () => false });
  t.match(await call('apps.get'), { status: 502, body: { code: 'upstream_forbidden',
    error: 'acme does not accept the credentials (401). Its document asks for admin (header'
      + ' X-Admin-Key) there, and the connection gives query token.',
    details: { upstream: { status: 401 } } } });
  t.match(await call('apps.public'), { status: 502, body: { code: 'upstream_forbidden',
    error: /says that no credentials are needed there, so query token was not sent\.$/ } });
  t.match(await standing(), { status: 'connected', status_reason: null });
  t.strictSame([visits(`/app?token=${TOKEN}`), visits('/app/public'), visits('/notes')], [1, 1, 0]);
  t.match(await call('notes.list'), { status: 409, body: { code: 'needs_reconnect' } });
});

t.test('without credentials there are none to renew', async (t) => {
  const { call, standing, visits } = await appService(t,
    { credentials: { type: 'none' }, isGood: () => true });
  t.match(await call('apps.get'), { status: 502, body: {
    code: 'upstream_forbidden', error: /asks for credentials.* has none.*reconnect con_/,
    details: { upstream: { status: 401 } } } });
  t.match(await standing(), { status: 'connected' });
  t.match(await call('notes.list'), { status: 201 });
  t.equal(visits('/user'), 0);
});

t.test('nor is it with a token that was renewed for it', async (t) => {
  let [given, accepts] = [0, true];
  const { call, standing, visits } = await appService(t, {
    credentials: (url) => ({ type: 'oauth2', grant: 'client_credentials', client_id: 'c',
      client_secret: 'the-secret-of-the-client', token_url: `${url}/token` }) as Credentials,
    isGood: () => accepts,
    tokens({ target }, response) {
      if (target !== '/token') return false;
      json(response, { access_token: `access-token-${++given}`, token_type: 'bearer' });
      return true;
    },
  });
  t.match(await call('apps.get'), { status: 502, body: { code: 'upstream_forbidden' } });
  t.strictSame([visits('/app'), visits('/token'), visits('/user')], [2, 2, 1]);
  t.match(await standing(), { status: 'connected' });
  accepts = false;
  t.match(await call('notes.list'), { status: 409, body: { code: 'needs_reconnect' } });
  t.match(await standing(), { status: 'needs_reconnect' });
});
