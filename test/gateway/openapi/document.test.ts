import t from 'tap';
import { loadDocument } from '../../../src/gateway/openapi/document.ts';
import { DocumentError } from '../../../src/gateway/openapi/documentError.ts';
import { importDocument } from '../../../src/gateway/openapi/importDocument.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';

t.test('JSON and YAML', async (t) => {
  const expected = { openapi: '3.1.0', paths: { '/a': {} } };
  const json = JSON.stringify(expected);
  t.same(loadDocument(json), expected);
  t.same(loadDocument(`\uFEFF${json}`), expected, 'with a byte order mark');
  t.same(loadDocument('openapi: 3.1.0\npaths:\n  /a: {}\n'), expected);
  t.same(loadDocument('{openapi: 3.1.0, paths: {/a: {}}}'), expected, 'YAML with braces');
  t.same(loadDocument('a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n200: x\n'),
    { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 }, 200: 'x' }, 'aliases, merges, numbers as keys');
  t.same(loadDocument(`x: &x {a: 1}\nl:\n${'  - *x\n'.repeat(500)}`).l, Array(500).fill({ a: 1 }),
    'as many aliases as real documents have');
  t.same(Object.keys(loadDocument('__proto__: {polluted: 1}\na: 1\n')), ['__proto__', 'a']);
  t.notOk('polluted' in {});
});

const letters = [...'abcdefghijkl'];
const laughs = letters.map((letter, i) => i === 0 ? `${letter}: &${letter} [1,1,1,1,1,1,1,1,1]`
  : `${letter}: &${letter} [${Array(9).fill(`*${letters[i - 1]}`).join(', ')}]`).join('\n');
const refused: [string, string, RegExp][] = [
  ['nothing', ' \n', /is empty/],
  ['a page', '<!doctype html><html>', /HTML.*Give the address of the document itself/],
  ['a list', '[]', /at its top must be an object/],
  ['a text', 'hello', /at its top must be an object/],
  ['broken JSON', '{"openapi": "3.1.0",}}', /no valid JSON: .*position \d+/],
  ['broken YAML', 'a: b: c', /no valid YAML: Nested mappings .* at line 1, column 4\.$/],
  ['two documents', 'a: 1\n---\nb: 2', /no valid YAML/],
  ['an alias of nothing', 'a: *b', /no valid YAML: .*Unresolved alias/],
  ['a billion laughs', laughs, /more than 10000000 parts/],
  ['an alias of its own parent', 'a: &x\n  b: *x\n', /leads back to itself\. Use `\$ref`/],
  ['deep JSON', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, /more than 256 levels/],
  ['deep YAML', `a: ${'['.repeat(20_000)}`, /no valid YAML/],
  ['too many aliases', `x: &x 1\nl:\n${'  - *x\n'.repeat(10_001)}`, /10001 aliases; at most 10000/],
  ['large YAML', `a: "${'x'.repeat(17_000_000)}"`, /at most 16 MB .*give it as JSON/],
  ['large JSON', ' '.repeat(67_108_865), /64\.0 MB; at most 64 MB/],
];
for (const [name, text, message] of refused) {
  t.test(`refused: ${name}`, async (t) => {
    t.throws(() => loadDocument(text), { name: 'DocumentError', message });
  });
}

t.test('versions', async (t) => {
  const from = (document: object) => upgradeDocument(document as Record<string, unknown>).from;
  t.equal(from({ swagger: '2.0' }), '2.0');
  t.equal(from({ swagger: 2 }), '2.0', 'a number, as YAML reads it without quotation marks');
  t.equal(from({ openapi: '3.0.4' }), '3.0');
  t.equal(from({ openapi: 3.1 }), '3.1');
  t.equal(from({ openapi: '3.2.0' }), '3.2');
  const refusals: [object, RegExp][] = [
    [{}, /some other object, not an OpenAPI document/],
    [{ openapi: '4.0' }, /OpenAPI 4\.0 is not known here.* 3\.2\.$/],
    [{ swaggerVersion: '1.2' }, /Swagger 1/], [{ info: { _postman_id: '1' } }, /a Postman/],
    [{ asyncapi: '3.0.0' }, /an AsyncAPI/],
    [{ swagger: {} }, /neither `openapi` nor `swagger` .* 3\.2\.$/],
  ];
  for (const [document, message] of refusals) t.throws(() => from(document), { message });
  const given = { openapi: '3.0.0', paths: {} };
  t.same(upgradeDocument(given).document, { openapi: '3.1.0', paths: {} });
  t.equal(given.openapi, '3.0.0', 'what is given stays as it is');
});

t.test('a whole import runs in a thread', async (t) => {
  const source = JSON.stringify({ swagger: '2.0', paths: { '/a': { get: {} } } });
  const options = { slug: 'x', known: [
    { source_key: 'GET /a', name: 'x.kept.name', operation_id: null, removed: false }] };
  const imported = await importDocument({ source, options });
  t.match(imported, { actions: [{ name: 'x.kept.name' }], report: { imported: 1 } });
  await t.rejects(importDocument({ source: '<html>', options }),
    { constructor: DocumentError, message: /This is HTML/ });
  const reason = new Error('changed my mind');
  const controller = new AbortController();
  const aborted = importDocument({ source, options }, controller.signal);
  controller.abort(reason);
  await t.rejects(aborted, reason);
  await t.rejects(importDocument({ source, options }, AbortSignal.abort(reason)), reason);
});
