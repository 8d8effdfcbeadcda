import t from 'tap';
import {
  withFetchedFiles, withGivenFiles,
} from '../../../src/gateway/integrations/givenDocument.ts';
import { never, serve, testUpstream } from '../egress/support.ts';

const refersTo = (...references: string[]) => JSON.stringify({ openapi: '3.1.0',
  paths: Object.fromEntries(references.map((one, i) => [`/${i}`, { $ref: one }])) });

t.test('files are fetched from the document\'s own origin, and from nowhere else', async (t) => {
  const other = await serve(t, (_request, response) => response.end('{"get": {}}'));
  const server = await serve(t, ({ target }, response) => {
    if (target === '/v1/pets.yaml') response.end('get: {operationId: listPets}');
    else if (target === '/v1/large.yaml') response.end(`get: {summary: ${'x'.repeat(2_000)}}`);
    else if (target === '/half.yaml') {
      response.writeHead(200, { 'content-length': 1_000 }).write('get: {');
      setImmediate(() => response.destroy());
    } else if (target === '/moved.yaml') response.writeHead(302, { location: other.url }).end();
    else response.writeHead(target === '/busy.yaml' ? 503 : 404).end();
  });
  const fetch = testUpstream(t).fetchFor({
    egress_allow: [...server.egress_allow, ...other.egress_allow] });
  const document = refersTo('pets.yaml', '../moved.yaml', `${other.url}/x.yaml`, 'gone.yaml',
    'file:///etc/passwd');
  const text = await withFetchedFiles(document, `${server.url}/v1/openapi.json`, fetch, never);
  t.same(server.received.map(({ target }) => target).sort(),
    ['/moved.yaml', '/v1/gone.yaml', '/v1/pets.yaml']);
  t.equal(other.received.length, 0);
  const { paths, 'x-documents': files } = JSON.parse(text) as Record<string, object>;
  t.match(paths, { '/0': { $ref: /^#\/x-documents\// }, '/1': { $ref: '../moved.yaml' },
    '/2': { $ref: `${other.url}/x.yaml` }, '/3': { $ref: 'gone.yaml' } });
  t.same(files, { [`${server.url}/v1/pets.yaml`]: { get: { operationId: 'listPets' } } });
  await t.rejects(withFetchedFiles(refersTo('/busy.yaml'), `${server.url}/v1/a`, fetch, never),
    { code: 'upstream_error', message: /busy\.yaml, which was answered with 503/ });
  await t.rejects(withFetchedFiles(refersTo('/half.yaml'), `${server.url}/v1/a`, fetch, never),
    { code: 'upstream_error',
      message: /half\.yaml, which could not be had: the connection broke before its answer was/ });
  const bounded = testUpstream(t, { response_limit_bytes: 1_000 }).fetchFor(server);
  const large = refersTo('large.yaml');
  t.equal(await withFetchedFiles(large, `${server.url}/v1/a`, bounded, never), large,
    'one that is larger than what is read is left to the report');
  const refused = testUpstream(t).fetchFor({ egress_allow: [] });
  t.equal(await withFetchedFiles(document, `${server.url}/v1/openapi.json`, refused, never),
    document, 'through the guard');
  t.equal(server.received.length, 6);
});

t.test('files are given by their paths, and a wrong one is named', async (t) => {
  const document = refersTo('../common/a b.yaml');
  const text = await withGivenFiles(document, { '../common/a%20b.yaml': 'get: {}' }, never);
  t.match(Object.values((JSON.parse(text) as Record<string, object>)['x-documents']!),
    [{ get: {} }]);
  await t.rejects(withGivenFiles(document, { '../common/a%20b.yaml': '<a>' }, never),
    { code: 'invalid_document', message: /a b\.yaml: This is HTML/, param: '/document_files' });
});
