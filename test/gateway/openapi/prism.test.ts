/** What somebody else's server makes of our requests: Prism reads them and checks them. */
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import t from 'tap';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import type { JsonObject } from '../../../src/json.ts';
import { callerOf, failure, type TestUpstream } from '../egress/support.ts';

const numbers = { type: 'array', items: { type: 'integer' }, minItems: 2 };
const point = { type: 'object', required: ['x', 'y'], additionalProperties: false,
  properties: { x: { type: 'integer' }, y: { type: 'integer' } } };
const parameter = (place: string, style: string, explode: boolean, schema: object) =>
  ({ in: place, name: 'v', required: true, style, explode, schema });
// Not all of them: Prism 5.16 looks for `%20` in a value that it has decoded before, and crashes on
// lists in a path.
const CASES: [string, object, unknown][] = [
  ['query', parameter('query', 'form', true, numbers), [1, 2]],
  ['query', parameter('query', 'form', false, numbers), [1, 2]],
  ['query', parameter('query', 'pipeDelimited', false, numbers), [1, 2]],
  ['query', parameter('query', 'form', false, point), { x: 1, y: 2 }],
  ['query', parameter('query', 'deepObject', true, point), { x: 1, y: 2 }],
  ['query', parameter('query', 'form', true, { type: 'string', const: 'a b&c=d,é' }), 'a b&c=d,é'],
  ['path', parameter('path', 'simple', false, { type: 'string', const: 'a b;c' }), 'a b;c'],
  ['header', parameter('header', 'simple', false, numbers), [1, 2]],
  ['header', parameter('header', 'simple', true, point), { x: 1, y: 2 }],
];
const BODIES: [string, object, unknown][] = [
  ['application/json', point, { x: 1, y: 2 }],
  ['application/x-www-form-urlencoded', { type: 'object', required: ['a', 'b'],
    additionalProperties: false,
    properties: { a: { type: 'string', const: 'x y&z' }, b: { type: 'integer' } } },
  { a: 'x y&z', b: 2 }],
];

const security = [{ bearer: [] }];
const paths = Object.fromEntries([
  ...CASES.map(([place, one], i) => [`/case/${i}${place === 'path' ? '/{v}' : ''}`,
    { get: { parameters: [one] } }] as const),
  ...BODIES.map(([type, schema], i) => [`/body/${i}`,
    { post: { requestBody: { required: true, content: { [type]: { schema } } } } }] as const),
].map(([path, item]) => [path, Object.fromEntries(Object.entries(item).map(([method, operation]) =>
  [method, { ...operation, security, responses: { 200: { description: 'Right.',
    content: { 'application/json': { example: { right: true } } } } } }]))]));
const document: JsonObject = { openapi: '3.1.0', info: { title: 'Styles', version: '1' }, paths,
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } };

t.test('Prism takes what is sent', async (t) => {
  const prism = createServer(await getHttpOperationsFromSpec(document), {
    components: { logger: createLogger('prism', { level: 'silent' }) }, cors: false,
    config: { isProxy: false, validateRequest: true, validateResponse: true, checkSecurity: true,
      errors: true, upstreamProxy: undefined, mock: { dynamic: false } },
  });
  const url = await prism.listen(0, '127.0.0.1');
  t.teardown(() => prism.close());
  const { port } = new URL(url);
  const server: TestUpstream = { url: `http://127.0.0.1:${port}`, port: Number(port),
    egress_allow: [`127.0.0.1:${port}`], received: [] };
  const call = callerOf(t, server);
  const { actions } = importOpenapi(document, { slug: 'styles' });
  const credentials = { type: 'bearer', token: 'any' } as const;
  const values: JsonObject[] = [...CASES.map(([place, , value]) => ({ [place]: { v: value } })),
    ...BODIES.map(([, , body]) => ({ body }) as JsonObject)];
  for (const [i, action] of actions.entries()) {
    const performed = call(action, { input: values[i]!, credentials })
      .catch((error: Error & JsonObject) => error.details);
    t.match(await performed, { result: { right: true } },
      `${action.source_key} ${JSON.stringify(CASES[i]?.[1] ?? values[i])}`);
  }
  const [first] = actions;
  t.match(await failure(call(first!, { credentials, input: { query: { v: ['x'] } } })),
    { details: { status: 422 } }, 'it does look');
  t.match(await failure(call(first!, { input: values[0]! })), { name: 'Unauthorized' });
});
