/** Documents that do not say where their API is, but are known to be somewhere themselves. */
import t from 'tap';
import { json, serve } from '../egress/support.ts';
import { addIntegration, connectAccount, gatewayServer, invoke, notesDocument } from './support.ts';

const documents = new Map<string, object>();
const upstream = await serve(t, ({ target }, response) =>
  json(response, documents.get(target) ?? { target }));
const elsewhere = await serve(t, (_request, response) => json(response, {}));
const server = await gatewayServer(t);
const { client } = server;
const egress_allow = [...upstream.egress_allow, ...elsewhere.egress_allow];
const TELLS = /^The document names no server: .*is called where the document is, at http:\/\/127/;
const ASKS = /^The document names no server, .*: gatehouse integrations update .* --api-url http/;

function add(slug: string, document: object, rest: object = {}) {
  documents.set(`/docs/${slug}.json`, document);
  return addIntegration(server, { slug, kind: 'openapi', egress_allow,
    document_url: `${upstream.url}/docs/${slug}.json`, ...rest });
}

t.test('it is called where the document is, and the report says so', async (t) => {
  const made = await add('bare', notesDocument());
  t.equal(made.base_url, upstream.url);
  t.match(made.report.warnings, [TELLS]);
  t.ok(upstream.received.every(({ headers }) => headers.authorization === undefined),
    'whoever reads that has connected nothing yet');
  await connectAccount(server, 'bare');
  t.match(await invoke(client, 'bare.notes.list'), { body: { result: { target: '/notes' } } });
  const again = await client.expect(200, 'refreshIntegration',
    { path: { slug: 'bare' }, body: {} });
  t.equal(again.base_url, upstream.url);
  t.notMatch(again.report.warnings, [TELLS], 'the operator knows');
  const { swagger, ...old } = { ...notesDocument(), swagger: '2.0', openapi: undefined };
  t.equal((await add('old', { ...old, swagger })).base_url, upstream.url);
  t.match(await add('based', { ...old, swagger, basePath: '/v1' }),
    { base_url: `${upstream.url}/v1` });
  t.equal((await add('empty', { ...notesDocument(), servers: [] })).base_url, upstream.url);
});

t.test('not where anything else says where it is', async (t) => {
  const servers = [{ url: elsewhere.url }];
  const { paths } = notesDocument() as { paths: Record<string, object> };
  const own = Object.fromEntries(Object.entries(paths)
    .map(([path, item]) => [path, { ...item, servers }]));
  for (const [slug, document, rest] of [['own', { ...notesDocument(), paths: own }, {}],
    ['said', notesDocument(), { base_url: elsewhere.url }],
    ['named', { ...notesDocument(), servers }, {}]] as const) {
    const made = await add(slug, document, rest);
    t.equal(made.base_url, elsewhere.url, slug);
    t.notMatch(made.report.warnings, [/names no server/]);
  }
  const text = await addIntegration(server, { slug: 'text', kind: 'openapi',
    document: notesDocument() });
  t.equal(text.base_url, null, 'a document that is given as a text is nowhere');
  t.notMatch(text.report.warnings, [/names no server/]);
});

t.test('a document may be in UTF-16', async (t) => {
  const wide = await serve(t, (_request, response) => void response.end(
    Buffer.from(`\uFEFF${JSON.stringify(notesDocument())}`, 'utf16le')));
  const { report } = await addIntegration(server, { slug: 'wide', kind: 'openapi',
    egress_allow: wide.egress_allow, document_url: `${wide.url}/openapi.json` });
  t.ok(report.imported > 0);
});

t.test('accounts that are connected already are not led there unasked', async (t) => {
  const path = { slug: 'later' };
  await addIntegration(server, { ...path, kind: 'openapi', egress_allow,
    document: notesDocument() });
  await connectAccount(server, 'later');
  documents.set('/docs/later.json', notesDocument());
  const document_url = `${upstream.url}/docs/later.json`;
  const moved = await client.expect(200, 'updateIntegration', { path, body: { document_url } });
  t.match([moved.base_url, moved.report.warnings], [null, [ASKS]]);
  const again = await client.expect(200, 'refreshIntegration', { path, body: {} });
  t.match([again.base_url, again.report.warnings], [null, [ASKS]]);
  const asked = await client.expect(200, 'updateIntegration', { path, body: { base_url: null } });
  t.match([asked.base_url, asked.report.warnings], [upstream.url, [TELLS]]);
});

t.test('where nothing can be called, the report and each call say so', async (t) => {
  for (const [slug, servers, base_url, warning, error] of [
    ['shut', [{ url: 'http://127.0.0.1:1/v2' }], 'http://127.0.0.1:1/v2',
      /^Not called: http:\/\/127\.0\.0\.1:1\/v2\. The host .*not public.*by `egress_allow`\.$/,
      /^shut may not be called so: The host leads to an address that is not public/],
    ['relative', [{ url: '/api' }], null,
      /^Not called: the document does not say where the API is\. .*update relative --api-url/,
      /does not say where it is\. Its operator can give the integration a base_url\.$/],
  ] as const) {
    const made = await addIntegration(server, { slug, kind: 'openapi',
      document: { ...notesDocument(), servers } });
    t.equal(made.base_url, base_url);
    t.match(made.report.warnings, [warning]);
    await connectAccount(server, slug);
    t.match(await invoke(client, `${slug}.notes.list`),
      { status: 400, body: { code: 'egress_refused', error } });
    const said = await client.expect(200, 'updateIntegration', { path: { slug },
      body: { base_url: upstream.url, egress_allow } });
    t.notMatch(said.report.warnings, [/Not called/]);
    t.match(await invoke(client, `${slug}.notes.list`), { status: 201 });
  }
});

t.test('an address without the path of the document\'s servers is told', async (t) => {
  for (const [slug, servers, base_url, warnings] of [
    ['host-alone', [{ url: '/api/v2' }], upstream.url,
      [`Called at ${upstream.url}, without the path /api/v2 of the server that the document names.`
        + ' If the API is below it, say so: gatehouse integrations update host-alone --api-url'
        + ` ${upstream.url}/api/v2`]],
    ['elsewhere', [{ url: 'https://example.com/v3/' }], `${upstream.url}/`,
      [/without the path \/v3 of the server .*--api-url \S+\/v3$/]],
    ['its-path', [{ url: '/api/v2' }], `${upstream.url}/api/v2`, []],
    ['another-path', [{ url: '/api/v2' }], `${upstream.url}/internal`, []],
    ['no-path', [{ url: 'https://example.com' }, { url: '/v2' }], upstream.url, []],
    ['no-server', [], upstream.url, []],
  ] as const) {
    const { report } = await addIntegration(server, { slug, kind: 'openapi', base_url, egress_allow,
      document: { ...notesDocument(), servers } });
    t.match(report.warnings, warnings, slug);
    t.equal(report.warnings.length, warnings.length, slug);
  }
});
