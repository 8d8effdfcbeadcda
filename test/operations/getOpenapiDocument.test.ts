/** GET /openapi.json */
import t from 'tap';
import { operations } from '../../generated/operations.ts';
import { readDocument } from '../../scripts/document.ts';
import { testServer } from '../support/server.ts';

const { client } = await testServer(t);
type Paths = Record<string, Record<string, { operationId?: string }>>;
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
  const source = readDocument().paths as Paths;
  for (const [path, item] of Object.entries(paths as Paths)) {
    for (const [method, node] of Object.entries(item)) {
      t.strictSame(node, source[path]![method], `${method} ${path}`);
    }
  }
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
