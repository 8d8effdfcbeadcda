/** GET /openapi.json */
import t from 'tap';
import { operations } from '../../generated/operations.ts';
import { readDocument, resolveReference, type ResponseNode } from '../../scripts/document.ts';
import { testServer } from '../support/server.ts';

const { client } = await testServer(t);
interface Node { operationId?: string; responses?: Record<string, ResponseNode> }
type Paths = Record<string, Record<string, Node>>;
const operationIds = (paths: unknown) => Object.values(paths as Paths)
  .flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
const headers = { 'if-none-match': '' };

t.test('the public operations, and nothing of the operator', async (t) => {
  const answer = await client.call('getOpenapiDocument');
  t.equal(answer.status, 200);
  if (answer.status !== 200) return;
  t.match(answer.headers.get('etag'), /^"[0-9a-f]+"$/);
  const { body } = answer;
  t.match(body, { openapi: '3.1.0', info: { title: 'Gatehouse', version: '0.1.0' } });
  const everything = Object.entries(operations);
  t.strictSame(operationIds(body.paths).sort(),
    everything.filter(([, { internal }]) => !internal).map(([id]) => id).sort());
  t.notMatch(JSON.stringify(body), /x-internal|\/admin|adminToken|ApiKey/);
});

t.test('it is what openapi.yaml says of each of them', async (t) => {
  const { paths } = await client.expect(200, 'getOpenapiDocument');
  const document = readDocument();
  const source = document.paths as Paths;
  // What only those meet who are signed in to the dashboard is not theirs to read.
  const forClients = (node: Node) => (node.responses === undefined ? node : {
    ...node, responses: Object.fromEntries(Object.entries(node.responses).filter(([, response]) =>
      !('x-internal' in resolveReference(document, response)))),
  });
  for (const [path, item] of Object.entries(paths as Paths)) {
    for (const [method, node] of Object.entries(item)) {
      t.strictSame(node, forClients(source[path]![method]!), `${method} ${path}`);
    }
  }
});

t.test('its server is where clients reach the service', async (t) => {
  const { servers } = await client.expect(200, 'getOpenapiDocument') as { servers?: unknown };
  t.strictSame(servers, [{ url: '../v1' }], 'the place that it came from');
  const etags = new Set<string | null>();
  for (const public_url of ['https://gatehouse.example', 'https://x.example/gatehouse/']) {
    const elsewhere = await testServer(t, { config: { public_url } });
    const answer = await elsewhere.client.call('getOpenapiDocument');
    t.strictSame((answer.body as { servers?: unknown }).servers,
      [{ url: `${public_url.replace(/\/$/, '')}/v1` }]);
    etags.add(answer.headers.get('etag'));
  }
  t.equal(etags.size, 2, 'each has a tag of its own');
});

t.test('304 for whoever has it', async (t) => {
  const etag = (await client.call('getOpenapiDocument')).headers.get('etag')!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await client.call('getOpenapiDocument', { headers: { 'if-none-match': known } });
    t.equal(answer.status, 304, known);
    t.equal(answer.body, undefined);
    t.equal(answer.headers.get('etag'), etag);
  }
  for (const known of ['"other"', etag.slice(1, -1), '']) {
    headers['if-none-match'] = known;
    t.equal((await client.call('getOpenapiDocument', { headers })).status, 200, known);
  }
});

t.test('it needs a key, as every operation does', async (t) => {
  t.match(await client.expect(401, 'getOpenapiDocument', { token: null }),
    { code: 'missing_api_key' });
});
