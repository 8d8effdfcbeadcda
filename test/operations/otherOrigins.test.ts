/** Operations with servers of their own: called only where the operator sends the credentials. */
import t from 'tap';
import {
  connectPets, petDocument, petIntegration, startPetStore,
} from '../support/petStore.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, workspace_id } = server;
const store = await startPetStore(t);
const uploads = await startPetStore(t);
const egress_allow = [...store.egress_allow, ...uploads.egress_allow];
const path = { slug: 'pets' };
const origin = uploads.url;

const ok = { responses: { 200: { description: 'ok' } } };
/** As GitHub has its uploads, and others a part of theirs at another path of the same server. */
function documentOf() {
  const document = petDocument();
  Object.assign(document.paths, {
    '/uploads': {
      servers: [{ url: `${origin.replace('127.0.0.1', '{host}')}/files`,
        variables: { host: { default: '127.0.0.1' } } }],
      get: { operationId: 'uploads/list', ...ok },
      post: { operationId: 'uploads/create', ...ok },
    },
    '/older': { servers: [{ url: '/v0' }], get: { operationId: 'older/list', ...ok } },
    '/root': { servers: [{ url: '/' }], get: { operationId: 'root/list', ...ok } },
  });
  return document;
}
const body = petIntegration(store,
  { document: documentOf(), egress_allow, base_url: `${store.url}/v1` });
const call = (action: string) => ({ body: { action: `pets.${action}` } });

t.test('the import says what cannot be called, and how that is allowed', async (t) => {
  const { report, other_origins } = await client.expect(201, 'createIntegration', { body });
  t.strictSame(other_origins, []);
  t.strictSame(report.warnings, [`Not called: 2 at ${origin}, where the integration does not send`
    + ` its credentials. Allow it with gatehouse integrations update pets --origin ${origin}:`
    + ' GET /uploads, POST /uploads']);
  await connectPets(client, workspace_id);
  t.match(await client.expect(400, 'createActionInvocation', call('uploads.list')), {
    code: 'egress_refused', error: `\`gatehouse integrations update pets --origin ${origin}\`` });
  t.strictSame(uploads.visits, []);
});

t.test('relative servers are seen from where the integration is called', async (t) => {
  await client.expect(201, 'createActionInvocation', call('older.list'));
  await client.expect(201, 'createActionInvocation', call('root.list'));
  await client.expect(201, 'createActionInvocation', call('pets.list'));
  t.strictSame(store.visits.map(({ target }) => target), ['/v0/older', '/root', '/v1/pets']);
});

t.test('where the operator allows it, the credentials go there too', async (t) => {
  const made = await client.expect(200, 'updateIntegration',
    { path, body: { other_origins: [`${origin}/`, origin] } });
  t.strictSame(made.other_origins, [origin], 'each once, as an origin is written');
  t.strictSame(made.report.warnings, []);
  await client.expect(201, 'createActionInvocation', call('uploads.list'));
  t.match(uploads.visits, [{ target: '/files/uploads',
    headers: { authorization: 'Bearer a-token-of-the-pet-store' } }]);
  const again = await client.expect(200, 'refreshIntegration', { path, body: {} });
  t.strictSame(again.other_origins, [origin], 'a refresh keeps it');
  // It may call both, but who leads from one to the other does not get the credentials.
  store.answer = (_visit, response) =>
    void response.writeHead(302, { location: `${origin}/led` }).end();
  await client.expect(201, 'createActionInvocation', call('pets.list'));
  t.match(uploads.visits.at(-1), { target: '/led', headers: { authorization: undefined } });
  store.answer = null;
  const back = await client.expect(200, 'updateIntegration', { path, body: { other_origins: [] } });
  t.match(back.report.warnings, [/^Not called: 2 at /]);
  const before = uploads.visits.length;
  await client.expect(400, 'createActionInvocation', call('uploads.list'));
  t.equal(uploads.visits.length, before);
});

t.test('what is no origin, or out of reach, is refused', async (t) => {
  for (const [given, code] of [['https://a.example/v1', 'invalid_request'],
    ['https://a.example/?a=b', 'invalid_request'], ['https://me:pw@a.example', 'egress_refused'],
    ['ftp://a.example', 'egress_refused'], ['http://10.0.0.1', 'egress_refused'],
    ['http://169.254.169.254', 'egress_refused']] as const) {
    t.match(await client.expect(400, 'updateIntegration',
      { path, body: { other_origins: [origin, given] } }),
    { code, param: '/other_origins/1' }, given);
  }
  t.match(await client.expect(400, 'createIntegration', { body: { slug: 'tools', kind: 'mcp',
    mcp: { url: `${origin}/mcp` }, other_origins: [origin] } }), { param: '/other_origins' });
});

t.test('a document whose servers are all of its operations', async (t) => {
  const { base_url: _, ...rest } = body;
  const document = documentOf();
  document.paths = { '/uploads': document.paths['/uploads']!, '/other': {
    servers: [{ url: 'https://other.example' }] as never, get: { operationId: 'x/list', ...ok } } };
  const made = await client.expect(201, 'createIntegration',
    { body: { ...rest, slug: 'own', document } });
  t.match(made, { base_url: `${origin}/files`, report: {
    warnings: [/^Not called: 1 at https:\/\/other\.example, /] } });
  await connectPets(client, workspace_id, { integration: 'own' });
  await client.expect(201, 'createActionInvocation', { body: { action: 'own.uploads.list' } });
  t.equal(uploads.visits.at(-1)!.target, '/files/uploads');
  await client.expect(400, 'createActionInvocation', { body: { action: 'own.x.list' } });
});
