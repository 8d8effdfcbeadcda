/** /admin/integrations: adding, changing, refreshing and removing what can be connected. */
import { lookup } from 'node:dns/promises';
import t from 'tap';
import { stringify } from 'yaml';
import type { Client, Schemas } from '../support/client.ts';
import { readPage, readPages } from '../support/pages.ts';
import {
  connectPets, petDocument, petIntegration, send, startPetStore, withPaths,
} from '../support/petStore.ts';
import { testServer } from '../support/server.ts';
import { nextMillisecond } from '../support/until.ts';

const server = await testServer(t, { config: { document_limit_bytes: 65_536 } });
const { client, sql, workspace_id } = server;
const store = await startPetStore(t);
const document_url = `${store.url}/openapi.json`;
type Request = Partial<Schemas['CreateIntegrationRequest']>;

const create = (changes: Request) =>
  client.call('createIntegration', { body: petIntegration(store, changes) });
const created = (changes: Request) =>
  client.expect(201, 'createIntegration', { body: petIntegration(store, changes) });
const update = (slug: string, body: object) =>
  client.call('updateIntegration', { path: { slug }, body });
const refresh = (slug: string, body = {}) =>
  client.call('refreshIntegration', { path: { slug }, body });

/** The names that a workspace is offered of an integration, sorted. */
async function offered(integration: string, inside: Client = client): Promise<string[]> {
  const { data } = await inside.expect(200, 'listActions', { query: { integration } });
  return data.map(({ name }) => name);
}

t.test('a document becomes an integration', async (t) => {
  const answer = await create({ slug: 'first' });
  if (answer.status !== 201) return t.fail(JSON.stringify(answer.body));
  t.match(answer.body, {
    slug: 'first', object: 'integration', kind: 'openapi', title: 'Pet store',
    base_url: store.url, document_url: null, document_sha256: /^[0-9a-f]{64}$/, mcp: null,
    auth_methods: ['bearer'], egress_allow: store.egress_allow, overrides: {},
    workspace_ids: null, revision: 1,
    actions: { read: 2, write: 1, destructive: 1, quarantined: 0 },
    report: { operations: 4, imported: 4, skipped: [], warnings: [] },
  });
  t.equal(answer.headers.get('location'), '/v1/admin/integrations/first');
  t.strictSame(await client.expect(200, 'getIntegration', { path: { slug: 'first' } }),
    answer.body);
  t.strictSame(await offered('first'), [], 'nobody is connected yet');
});

t.test('a document comes as text, as YAML, as an object or from an address', async (t) => {
  const sha256 = new Set<unknown>();
  for (const [index, given] of [
    { document: JSON.stringify(petDocument(), null, 2) }, { document: stringify(petDocument()) },
    { document: petDocument() }, { document_url }].entries()) {
    const made = await created({ slug: `source_${index}`, ...given });
    t.match(made, { title: 'Pet store', report: { imported: 4 },
      document_url: 'document_url' in given ? document_url : null });
    sha256.add(made.document_sha256);
  }
  t.equal(sha256.size, 3, 'the object and what the address sent are the same text');
  t.equal(store.visits.at(-1)!.headers.authorization, undefined);
});

t.test('a slug is given once', async (t) => {
  for (const slug of ['first', 'gateway', 'gatehouse']) {
    t.match(await create({ slug }), { status: 409,
      body: { code: 'already_exists', param: '/slug' } }, slug);
  }
  const both = await Promise.all([create({ slug: 'twins' }), create({ slug: 'twins' })]);
  t.strictSame(both.map(({ status }) => status).sort(), [201, 409]);
});

t.test('a document that cannot be used', async (t) => {
  const bad: [document: string | Record<string, unknown>, says: RegExp][] = [
    ['{"openapi": ', /JSON/], ['<html></html>', /HTML/], ['  ', /empty/], ['- 1', /object/],
    [{ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} }, /no operation/],
    [{ hello: 'world' }, /./],
  ];
  for (const [document, says] of bad) {
    t.match(await create({ slug: 'bad', document }), { status: 400,
      body: { code: 'invalid_document', param: '/document', error: says } }, String(says));
  }
  store.document = 'not a document';
  t.match(await create({ slug: 'bad', document_url }), { status: 400,
    body: { code: 'invalid_document', param: '/document_url' } });
  store.document = petDocument();
  t.match(await update('first', { document: '{}' }), { status: 400,
    body: { code: 'invalid_document' } });
  await client.expect(404, 'getIntegration', { path: { slug: 'bad' } });
  t.match(await client.expect(200, 'getIntegration', { path: { slug: 'first' } }),
    { revision: 1 }, 'what there was stays');
});

t.test('addresses that nothing may be sent to', async (t) => {
  const refused: [changes: Request, param: string][] = [
    [{ base_url: store.url, egress_allow: [] }, '/base_url'],
    [{ base_url: 'http://169.254.169.254/', egress_allow: [] }, '/base_url'],
    [{ base_url: 'https://user:password@pets.example' }, '/base_url'],
    [{ document_url: 'file:///etc/passwd' }, '/document_url'],
    [{ document_url: 'https://user:password@pets.example/openapi.json' }, '/document_url'],
    [{ document_url: 'http://10.0.0.1/openapi.json' }, '/document_url'],
    [{ document_url, egress_allow: [], base_url: 'https://pets.example' }, '/document_url'],
  ];
  for (const [changes, param] of refused) {
    t.match(await create({ slug: 'refused', ...changes }),
      { status: 400, body: { code: 'egress_refused', param } }, JSON.stringify(changes));
  }
  const mcp = { slug: 'refused', kind: 'mcp', mcp: { url: 'http://127.0.0.1:1/mcp' } };
  t.match(await client.expect(400, 'createIntegration', { body: mcp }),
    { code: 'egress_refused', param: '/mcp/url' });
  t.match(await update('first', { egress_allow: [] }),
    { status: 400, body: { code: 'egress_refused', param: '/base_url' } });
});

t.test('what is no address at all', async (t) => {
  for (const wrong of ['http://pets.example:99999/', 'http://[zz]/openapi.json', 'http://%/',
    'https://256.256.256.256/', 'not an address', '']) {
    for (const param of ['document_url', 'base_url'] as const) {
      const answer = await create({ slug: 'wrong', [param]: wrong });
      t.match(answer, { status: 400, body: { code: 'invalid_request', param: `/${param}`,
        details: [{ path: `/${param}` }] } }, `${param} ${wrong}`);
    }
    t.match(await update('first', { document_url: wrong }), { status: 400,
      body: { code: 'invalid_request', param: '/document_url' } });
  }
  const document_url = 'https://no-machine.invalid/openapi.json';
  // Without any name server the name may exist: that is no fault of the request.
  const code = await lookup('no-machine.invalid').then(() => null,
    (error: NodeJS.ErrnoException) => error.code);
  t.match(await create({ slug: 'wrong', document_url }),
    { status: code === 'ENOTFOUND' ? 400 : 502, body: { param: '/document_url' } });
});

t.test('credentials are not sent over plain http to everybody', async (t) => {
  const base_url = 'http://93.184.216.34/v1';
  const plain = await created({ slug: 'plain', base_url });
  t.match(plain, { insecure_http: false });
  const refused = { code: 'egress_refused', param: '/credentials',
    error: /by plain http.*integrations update <slug> --insecure/ };
  const credentials = { type: 'bearer', token: 'a-token-of-the-tests' } as const;
  t.match(await client.expect(400, 'createConnection', { body: {
    workspace_id, integration: 'plain', name: 'plain', credentials } }), refused);
  await update('plain', { insecure_http: true });
  const { id: connection_id } = await connectPets(client, workspace_id, { integration: 'plain' });
  await update('plain', { insecure_http: false });
  t.match(await client.expect(400, 'updateConnection',
    { path: { connection_id }, body: { credentials } }), refused, 'a reconnect, too');
  const call = () => client.call('createActionInvocation', { body: { action: 'plain.pets.list' } });
  t.match(await call(), { status: 400, body: { code: 'egress_refused',
    error: /by plain http.*integrations update <slug> --insecure/ } });
  t.match(await update('plain', { insecure_http: true }),
    { status: 200, body: { insecure_http: true } });
});

t.test('a document that cannot be fetched', async (t) => {
  const failures: [answer: typeof store.answer, says: RegExp][] = [
    [(_visit, response) => send(response, { secret: 'inside' }, 500), /answered 500\.$/],
    [(_visit, response) => send(response, { secret: 'inside' }, 401),
      /answered 401, and a document is fetched without .* give the file\.$/],
    [(_visit, response) => send(response, 'x'.repeat(70_000)), /32 times GATEHOUSE_BODY_LIMIT/],
    [(_visit, response) => void response.destroy(), /fetched/],
  ];
  for (const [answer, says] of failures) {
    store.answer = answer;
    const { status, body } = await create({ slug: 'unfetched', document_url });
    t.match([status, body], [502, { code: 'upstream_error', param: '/document_url', error: says }]);
    t.notMatch(JSON.stringify(body), 'inside');
  }
  store.answer = null;
});

t.test('what does not go together is refused', async (t) => {
  const bad: [body: object, param: string][] = [
    [{ slug: 'x', kind: 'openapi' }, '/document'],
    [{ slug: 'x', kind: 'openapi', document: '{}', document_url }, '/document_url'],
    [{ slug: 'x', kind: 'openapi', document: '{}', mcp: { command: 'x' } }, '/mcp'],
    [{ slug: 'x', kind: 'mcp' }, '/mcp'], [{ slug: 'x', kind: 'mcp', mcp: {} }, '/mcp'],
    [{ slug: 'x', kind: 'mcp', mcp: { url: 'https://x.example', command: 'x' } }, '/mcp'],
    [{ slug: 'x', kind: 'mcp', mcp: { command: 'x' }, document: '{}' }, '/document'],
    [{ slug: 'x', kind: 'openapi', document: '{}', egress_allow: ['10.0.0.0/8'] },
      '/egress_allow/0'],
    [{ slug: 'X', kind: 'openapi', document: '{}' }, '/slug'],
    [{ slug: 'x', kind: 'soap' }, '/kind'], [{ slug: 'x', kind: 'openapi', doc: '{}' }, '/doc'],
  ];
  for (const [body, param] of bad) {
    t.match(await client.expect(400, 'createIntegration', { body }),
      { code: 'invalid_request', param }, JSON.stringify(body));
  }
  for (const [body, param] of [[{}, null], [{ mcp: { command: 'x' } }, '/mcp'],
    [{ slug: 'y' }, '/slug']] as const) {
    t.match(await update('first', body),
      { status: 400, body: { code: 'invalid_request', param } });
  }
});

t.test('text that cannot be stored is mended', async (t) => {
  const document = withPaths((paths) => { paths['/\0'] = { get: {} }; }, petDocument('a\0\ud800'));
  t.match(await created({ slug: 'nul', document }),
    { title: 'a\uFFFD\uFFFD', report: { imported: 5 } });
  await connectPets(client, workspace_id, { integration: 'nul' });
  t.equal((await offered('nul')).length, 5, 'and all of it is offered');
  t.match(await update('nul', { title: 'b\0', overrides: { 'GET /\0': { hidden: true } } }),
    { status: 200, body: { title: 'b\uFFFD', report: { imported: 4 } } });
});

t.test('an import anew keeps names, and what is gone is not offered', async (t) => {
  await created({ slug: 'kept', title: 'Mine' });
  await connectPets(client, workspace_id, { integration: 'kept' });
  const before = ['kept.pets.create', 'kept.pets.delete', 'kept.pets.get', 'kept.pets.list'];
  t.strictSame(await offered('kept'), before);
  const renamed = withPaths((paths) => {
    Object.assign(paths['/pets']!.get!, { operationId: 'searchAnimals', tags: ['Animals'] });
    delete paths['/pets/{pet_id}']!.delete;
    paths['/pets/{pet_id}/remove'] = { delete: { operationId: 'removePet', tags: ['pets'] } };
  });
  t.match(await update('kept', { document: renamed }), { status: 200, body: {
    title: 'Mine', revision: 2, actions: { destructive: 1 }, report: { imported: 4 } } });
  const after = await offered('kept');
  t.strictSame(after.filter((name) => before.includes(name)),
    ['kept.pets.create', 'kept.pets.get', 'kept.pets.list']);
  t.equal(after.length, 4, 'what is new has a name of its own');
  t.match(await client.expect(404, 'createActionInvocation',
    { body: { action: 'kept.pets.delete' } }), { code: 'unknown_action' });
  t.match(await client.expect(201, 'createActionInvocation',
    { body: { action: 'kept.pets.list' } }), { result: { pets: [{ name: 'Rex' }] } });
  await update('kept', { document: petDocument() });
  t.strictSame(await offered('kept'), before, 'what comes back has its name again');
});

t.test('overrides say better what an action does', async (t) => {
  await created({ slug: 'overridden' });
  await connectPets(client, workspace_id, { integration: 'overridden' });
  const overrides = { 'POST /pets': { effect: 'read', path_slashes: { '*': 'encoded' } },
    'GET /pets': { hidden: true } };
  t.match(await update('overridden', { overrides }), { status: 200, body: {
    overrides, actions: { read: 2, write: 0, destructive: 1 }, report: { warnings: [] } } });
  t.strictSame(await offered('overridden'),
    ['overridden.pets.create', 'overridden.pets.delete', 'overridden.pets.get']);
  t.match(await client.expect(201, 'createActionInvocation',
    { body: { action: 'overridden.pets.create', input: { body: { name: 'Rex' } } } }),
  { status: 'completed' }, 'what reads may be called directly');
  t.match(await update('overridden', { overrides: {
    '*': { hidden_parameters: ['x'] }, 'POST /pet': { effect: 'read' } } }),
  { body: { report: { warnings: [/^The override of "POST \/pet" changes nothing/] } } });
  t.match(await update('overridden', { overrides: {} }),
    { body: { actions: { read: 2, write: 1, destructive: 1 } } });
});

t.test('a document in several files is one, or says what is missing', async (t) => {
  const { '/pets': pets, ...paths } = petDocument().paths as Record<string, object>;
  const document = { ...petDocument(), paths: { ...paths, '/pets': { $ref: './pets.json' } } };
  const made = await created({ slug: 'split', document,
    document_files: { 'pets.json': JSON.stringify(pets) } });
  t.match(made.report, { imported: 4, errors: undefined });
  t.match(await update('split', { document }), { body: { report: { imported: 2,
    errors: [/^1 operation is left out: the reference \.\/pets\.json leads to what is neither/],
    skipped: [{ source_key: '* /pets', reason: 'external_reference' }] } } });
  t.match(await update('split', { document_files: {} }),
    { status: 400, body: { code: 'invalid_request', param: '/document_files' } });
});

t.test('files of a document may be larger than other bodies', async (t) => {
  const limit_bytes = 2 * 1_048_576;
  const small = await testServer(t, { config: { document_limit_bytes: limit_bytes } });
  const of = (bytes: number) => small.client.call('createIntegration', { body: {
    slug: 'large', kind: 'openapi', document: petDocument(),
    document_files: { 'notes.yaml': `text: ${'x'.repeat(bytes)}` } } });
  t.match(await of(limit_bytes), { status: 413, body: { code: 'payload_too_large' } });
  t.match(await of(1.5 * 1_048_576), { status: 201 }, 'where others end at 1 MiB');
});

t.test('it is offered to the workspaces that it names', async (t) => {
  const other = await client.expect(201, 'createWorkspace', { body: { name: 'other' } });
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: other.id, name: 'key' } });
  const inside = client.as(api_key);
  await created({ slug: 'scoped', workspace_ids: [other.id] });
  for (const id of [workspace_id, other.id]) {
    await connectPets(client, id, { integration: 'scoped' });
  }
  t.equal((await offered('scoped', inside)).length, 4);
  t.strictSame(await offered('scoped'), []);
  const call = { body: { action: 'scoped.pets.list' } };
  t.match(await client.expect(404, 'createActionInvocation', call), { code: 'unknown_action' });
  await inside.expect(201, 'createActionInvocation', call);
  await update('scoped', { workspace_ids: null });
  t.equal((await offered('scoped')).length, 4);
});

t.test('workspaces that there are not are refused', async (t) => {
  const workspace_ids = [workspace_id, 'wsp_nope'];
  const refusal = { status: 400, body: { code: 'invalid_request', param: '/workspace_ids',
    error: /No workspace has the id wsp_nope\./ } };
  t.match(await create({ slug: 'misprint', workspace_ids }), refusal);
  t.match(await update('scoped', { workspace_ids }), refusal);
  t.equal((await offered('scoped')).length, 4, 'nothing is changed');
});

t.test('refreshing fetches the document again', async (t) => {
  await created({ slug: 'fresh', document_url, new_actions: 'offer' });
  store.document = withPaths((paths) => { paths['/owners'] = { get: {} }; });
  t.match(await refresh('fresh'), { status: 200,
    body: { revision: 2, document_url, actions: { read: 3 } } });
  store.answer = (_visit, response) => send(response, {}, 404);
  t.match(await refresh('fresh'), { status: 502, body: { code: 'upstream_error' } });
  store.answer = null;
  store.document = petDocument();
  t.match(await client.expect(200, 'getIntegration', { path: { slug: 'fresh' } }),
    { revision: 2, actions: { read: 3 } }, 'what there was stays');
  t.match(await refresh('first'), { status: 200, body: { actions: { read: 2 } } },
    'one that was sent is imported as it is');
  t.match(await update('fresh', { document: petDocument() }),
    { body: { document_url: null, actions: { read: 2 } } }, 'from now on it is this one');
});

t.test('one that is in use cannot be removed', async (t) => {
  await created({ slug: 'used' });
  const { id } = await connectPets(client, workspace_id, { integration: 'used' });
  const path = { slug: 'used' };
  t.match(await client.expect(409, 'deleteIntegration', { path }),
    { code: 'integration_in_use', param: 'slug' });
  await client.expect(204, 'deleteConnection', { path: { connection_id: id } });
  await client.expect(204, 'deleteIntegration', { path });
  await client.expect(404, 'getIntegration', { path });
  t.match(await client.expect(404, 'createActionInvocation',
    { body: { action: 'used.pets.list' } }), { code: 'unknown_action' });
  t.match(await created({ slug: 'used' }), { revision: 1 }, 'its slug is free again');
});

t.test('one that there is not', async (t) => {
  const path = { slug: 'nobody' };
  for (const answer of [
    await client.call('getIntegration', { path }), await update('nobody', { title: 'x' }),
    await refresh('nobody'), await client.call('deleteIntegration', { path }),
  ]) {
    t.match(answer, { status: 404, body: { code: 'not_found', error: /integration.*"nobody"/ } });
  }
});

t.test('pages hold everything once, in either order', async (t) => {
  await sql`delete from connections where integration not in ('gateway', 'gatehouse')`;
  await sql`delete from integrations`;
  const slugs = ['c', 'a', 'b'];
  for (const slug of slugs) {
    await nextMillisecond();
    await created({ slug });
  }
  const list = (query: object) => readPages(client, 'listIntegrations', { limit: 2, ...query });
  t.strictSame(await list({}), [['b', 'a'], ['c']]);
  t.strictSame(await list({ order: 'asc' }), [['c', 'a'], ['b']]);
  const { next_cursor } = await readPage(client, 'listWorkspaces', { limit: 1 });
  for (const cursor of ['garbage', next_cursor ?? 'none']) {
    t.match(await client.expect(400, 'listIntegrations', { query: { cursor } }),
      { code: 'invalid_cursor' });
  }
});
