import fc from 'fast-check';
import t from 'tap';
import { sanitizeJson, sanitizeText } from '../src/sanitize.ts';

t.test('U+0000 and lone surrogates become U+FFFD', async (t) => {
  t.equal(sanitizeText('a\0b\ud800c\udc00d😀'), 'a\ufffdb\ufffdc\ufffdd😀');
  t.same(sanitizeJson({ 'k\0': ['\ud83d', { n: 1, b: null }] }),
    { 'k\ufffd': ['\ufffd', { n: 1, b: null }] });
});

t.test('a number that JSON does not have becomes null, as JSON writes it', async (t) => {
  t.strictSame(sanitizeJson(JSON.parse('{"a":1e999,"b":[-1e999,1.5]}')),
    { a: null, b: [null, 1.5] });
});

t.test('what is clean stays the same object', async (t) => {
  const value = { a: [1, 'x', { b: null }] };
  t.equal(sanitizeJson(value), value);
  const half = sanitizeJson({ dirty: '\0', clean: value });
  t.equal(half.clean, value);
});

t.test('a property named __proto__ stays a property', async (t) => {
  const cleaned = sanitizeJson(JSON.parse('{"__proto__": {"x": 1}, "y": "\\u0000"}'));
  t.ok(Object.hasOwn(cleaned, '__proto__'));
  t.equal(cleaned.x, undefined);
});

t.test('nesting is bounded, so that the result can be written', async (t) => {
  let deep: unknown = 'end';
  for (let i = 0; i < 20_000; i++) deep = i % 2 === 0 ? [deep] : { deep };
  const text = JSON.stringify(sanitizeJson(deep));
  t.match(text, 'nested deeper than 512 levels');
});

t.test('any JSON value comes out storable, and else as it was', async () => {
  const strings = fc.string({ unit: 'binary' });
  fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), strings, (value, text) => {
    const json = JSON.stringify(sanitizeJson([value, text]));
    return json.isWellFormed() && !/\\u0000|\\ud[89a-f]/.test(json.replaceAll('\\\\', ''))
      && (sanitizeText(text) !== text || sanitizeJson({ text }).text === text);
  }));
});
