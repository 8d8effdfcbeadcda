/** Arguments that go into headers as well: which they are, and how they are written. */
import t from 'tap';
import { mirroredArguments, mirroredHeaders } from '../../../src/gateway/mcp/mirrored.ts';
import { withExactNumbers } from '../../../src/gateway/schema/exactNumbers.ts';
import { fakeServer, json, result, withoutSessions } from './httpServer.ts';
import { connect, integrationOf, lab } from './support.ts';

const string = (header: unknown) => ({ type: 'string', 'x-mcp-header': header });
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

t.test('which arguments they are', async (t) => {
  t.same(mirroredArguments(object({ region: string('Region'), other: { type: 'string' },
    place: object({ floor: { type: 'integer', 'x-mcp-header': 'Floor' } }) })),
  [{ path: ['place', 'floor'], header: 'Floor' }, { path: ['region'], header: 'Region' }]);
  t.same(mirroredArguments(object({ 'x-mcp-header': { type: 'string' } })), [], 'a mere name');
  for (const nothing of [undefined, true, {}, object({})]) t.same(mirroredArguments(nothing), []);
  const wrong: Record<string, object> = {
    'the whole': { ...object({}), 'x-mcp-header': 'All' },
    'no name': object({ a: string('') }), 'no text': object({ a: string(7) }),
    'no token': object({ a: string('My Region') }), 'two lines': object({ a: string('A\r\nB: c') }),
    'a number': object({ a: { ...string('A'), type: 'number' } }),
    'no type': object({ a: { 'x-mcp-header': 'A' } }),
    'two of one name': object({ a: string('Same'), b: string('same') }),
    'an item': object({ a: { type: 'array', items: string('A') } }),
    'an item\'s property': object({ a: { type: 'array', items: object({ b: string('B') }) } }),
    'an alternative': object({}, { anyOf: [object({ a: string('A') })] }),
    'what is referred to': object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: string('A') } }),
  };
  for (const [what, schema] of Object.entries(wrong)) {
    t.equal(mirroredArguments(schema), null, what);
  }
  let deep: object = string('A');
  for (let depth = 0; depth < 50_000; depth++) deep = { items: deep };
  t.equal(mirroredArguments(deep), null, 'however deep it is');
});

t.test('how they are written', async (t) => {
  const written = (value: unknown) =>
    mirroredHeaders([{ path: ['in', 'it'], header: 'X' }], { in: { it: value } })['Mcp-Param-X'];
  const base64 = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const plain = { eu: 'eu', 'us west\t1': 'us west\t1', '~': '~' };
  for (const [given, header] of Object.entries(plain)) t.equal(written(given), header);
  for (const given of ['', ' ', ' eu', 'eu\t', 'a\nb', 'a\r\nX: b', 'zürich', 'a\0', '\u{1F600}',
    '=?base64?ZXU=?=']) t.equal(written(given), base64(given), JSON.stringify(given));
  t.same([true, false, 42, -0, 2 ** 53 - 1].map(written),
    ['true', 'false', '42', '0', '9007199254740991']);
  const schema = { type: 'integer' };
  t.equal(written(withExactNumbers(schema, schema, '9007199254740993')), '9007199254740993');
  for (const given of [null, undefined, 0.5, 2 ** 53, NaN, ['eu'], {}]) {
    t.equal(written(given), undefined, 'is in no header');
  }
  t.same(mirroredHeaders([{ path: ['__proto__'], header: 'X' }], {}), {});
});

t.test('a server without sessions gets them, and no tool that wants them wrongly', async (t) => {
  const tools = [{ name: 'act', inputSchema: object({ region: string('Region') }) },
    { name: 'wrong', inputSchema: object({ region: string('no token') }) }];
  const fake = await fakeServer(t, { ...withoutSessions(),
    'tools/list': (message, response) => json(response, result(message, {
      resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools })) });
  const sent = () => fake.received.findLast(({ message }) => message.method === 'tools/call')!
    .headers['mcp-param-region'];
  const made = lab();
  const { call, report } = await connect(t, integrationOf({ url: fake.url }), made);
  t.match(report.skipped, [{ source_key: 'wrong', reason: /where the protocol does not allow/ }]);
  await call('act', { region: 'Zürich' });
  t.equal(sent(), '=?base64?WsO8cmljaA==?=');
  await call('act');
  t.equal(sent(), undefined);

  const old = await fakeServer(t, { 'tools/list': fake.answers['tools/list']! });
  const others = await connect(t, integrationOf({ url: old.url }), made);
  t.same(others.report.skipped, [], 'versions before know nothing of it');
  await others.call('act', { region: 'eu' });
  t.notOk(old.received.some(({ headers }) => 'mcp-param-region' in headers));
});
