import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { callerOf, actionOf, json, serve } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const PATCHES = ['application/json-patch+json', 'application/merge-patch+json',
  'application/strategic-merge-patch+json', 'application/apply-patch+yaml'];
const patching = (types: readonly string[]) => actionOf(documentOf('/things', 'patch', {
  requestBody: { content: Object.fromEntries(types.map((type) =>
    [type, { schema: { type: 'object' } }])) } }));

t.test('the caller chooses among patches, and else the body tells', async (t) => {
  const server = await serve(t, (_request, response) => json(response, {}));
  const call = callerOf(t, server);
  const action = patching(PATCHES);
  const list = [{ op: 'remove', path: '/a' }];
  for (const [content_type, body, type, text] of [
    [undefined, { a: 1 }, PATCHES[1], '{"a":1}'],
    [undefined, list, PATCHES[0], JSON.stringify(list)],
    [undefined, 'a: 1\n', PATCHES[3], 'a: 1\n'],
    [PATCHES[2], { a: 1 }, PATCHES[2], '{"a":1}'],
    [PATCHES[3], { a: 1 }, PATCHES[3], '{"a":1}'],
  ] as const) {
    const input = { ...(content_type !== undefined && { content_type }), body };
    t.same(new InputValidators().check(action, input).violations, [], String(type));
    await call(action, { input });
    const { headers, body: sent } = server.received.at(-1)!;
    t.same([headers['content-type'], sent.toString()], [type, text]);
  }
  const refused = (input: object) => new InputValidators().check(action, input).violations;
  t.match(refused({ content_type: 'text/plain', body: {} }), [{ path: '/input/content_type' }]);
  t.not(refused({ body: [{ op: 'erase', path: '/a' }] }).length, 0, 'no list of anything');
});

t.test('what is but another name of JSON is no choice', async (t) => {
  for (const types of [['application/json', ...PATCHES], ['application/*+json', PATCHES[0]!],
    ['application/json; charset=utf-8', PATCHES[1]!], [PATCHES[1]!], ['text/xml', 'text/csv']]) {
    t.notHas(patching(types).input_schema, { properties: { content_type: {} } }, types.join());
  }
  t.equal(patching([PATCHES[2]!, PATCHES[0]!]).request.body_media_type, PATCHES[2]);
});
