/** Tokens of a connection that is removed are given back to the server that has given them. */
import t from 'tap';
import { json, serve, type Received } from '../egress/support.ts';
import {
  addNotes, connectAccount, gatewayServer, type Credentials,
} from './support.ts';

const authority = await serve(t, (request, response) => answer(request, response));
let answer: Parameters<typeof serve>[1];
const server = await gatewayServer(t);
const { client } = server;
await addNotes(server, authority);
const token_url = `${authority.url}/token`;
const revocation_endpoint = `${authority.url}/revoke`;
const metadata = { token_endpoint: token_url, revocation_endpoint };

async function connect(rest: Partial<Extract<Credentials, { type: 'oauth2' }>> = {}) {
  return (await connectAccount(server, 'acme', {
    type: 'oauth2', grant: 'authorization_code', token_url, authorize_url: `${authority.url}/me`,
    client_id: 'client', client_secret: 'secret', access_token: 'access-1',
    refresh_token: 'refresh-1', ...rest,
  })).id;
}

/** Removes a connection; what the server was asked for, and what the audit log says. */
async function removed(connection_id: string) {
  authority.received.length = 0;
  await client.expect(204, 'deleteConnection', { path: { connection_id } });
  await client.expect(404, 'getConnection', { path: { connection_id } });
  const { data } = await client.expect(200, 'listAuditEntries',
    { query: { target: connection_id } });
  const [told] = data.filter(({ event }) => event === 'connection.revoked');
  return { asked: [...authority.received], told };
}

const formOf = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body.toString()));

t.test('the refresh token first, where the operator says', async (t) => {
  answer = (_request, response) => response.end();
  const { asked, told } = await removed(await connect({ revoke_url: `${authority.url}/back` }));
  t.same(asked.map(({ method, target }) => `${method} ${target}`), ['POST /back', 'POST /back']);
  t.same(asked.map(formOf), [{ token: 'refresh-1', token_type_hint: 'refresh_token' },
    { token: 'access-1', token_type_hint: 'access_token' }]);
  t.equal(asked[0]!.headers.authorization,
    `Basic ${Buffer.from('client:secret').toString('base64')}`);
  t.match(told, { outcome: 'ok', workspace_id: server.workspace_id, actor: { type: 'admin' },
    details: { integration: 'acme', revoked: ['refresh_token', 'access_token'] } });
  t.notMatch(JSON.stringify(told), /access-1|refresh-1|"secret"/);
});

t.test('where the server says of itself', async (t) => {
  for (const place of ['oauth-authorization-server', 'openid-configuration']) {
    answer = ({ target }, response) => (target === `/.well-known/${place}`
      ? json(response, metadata) : json(response, {}, target === '/revoke' ? 200 : 404));
    const { asked, told } = await removed(await connect({ access_token: undefined }));
    t.match(asked.at(-1), { method: 'POST', target: '/revoke' });
    t.match(told, { outcome: 'ok', details: { revoked: ['refresh_token'] } });
  }
});

t.test('metadata of another server is not believed', async (t) => {
  answer = (_request, response) =>
    json(response, { ...metadata, token_endpoint: 'https://elsewhere.example/token' });
  const { asked, told } = await removed(await connect());
  t.ok(asked.every(({ method }) => method === 'GET'), 'no token was sent');
  t.match(told, { outcome: 'failed', details: { revoked: [], reason: /nobody has/ } });
});

t.test('whatever the server does, the connection is gone', async (t) => {
  answer = (request, response) => (formOf(request).token === 'refresh-1'
    ? response.end() : json(response, { error: 'unsupported_token_type', of: 'access-1' }, 400));
  const revoke_url = revocation_endpoint;
  t.match((await removed(await connect({ revoke_url }))).told, { outcome: 'failed',
    details: { revoked: ['refresh_token'], reason: 'Its server did not revoke the token.' } });
  answer = (_request, response) => response.destroy();
  t.match((await removed(await connect({ revoke_url }))).told,
    { outcome: 'failed', details: { revoked: [] } });
  answer = (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end();
  const { asked, told } = await removed(await connect({ revoke_url }));
  t.match([asked.length, told?.outcome], [1, 'failed'], 'tokens are not sent on');
});

t.test('what has no tokens is not asked for', async (t) => {
  answer = () => t.fail('nobody is to be asked');
  const { told } = await removed((await connectAccount(server, 'acme')).id);
  t.equal(told, undefined);
  t.match(await client.call('createConnection', { body: {
    workspace_id: server.workspace_id, integration: 'acme', name: 'x', credentials: {
      type: 'oauth2', grant: 'client_credentials', token_url, client_id: 'c',
      revoke_url: 'http://10.0.0.1/revoke' } } }),
  { status: 400, body: { code: 'egress_refused', param: '/credentials/revoke_url' } });
});
