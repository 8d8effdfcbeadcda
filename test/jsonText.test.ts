import fc from 'fast-check';
import t from 'tap';
import { jsonChars } from '../src/json.ts';
import { jsonOrText, JsonText, writeJson } from '../src/jsonText.ts';

const LONG = { list: Array.from({ length: 10_000 }, (_, id) => id), text: '"\\ü\u2028' };

t.test('only a long text stays one', async (t) => {
  t.strictSame(jsonOrText('{"a":[1]}'), { a: [1] });
  const text = JSON.stringify(LONG);
  const long = jsonOrText(text);
  t.ok(long instanceof JsonText);
  t.equal(writeJson(long), text);
  t.equal(JSON.stringify({ long }), JSON.stringify({ long: LONG }), 'for who does not know it');
  t.ok(jsonChars(long, 65_536) > 10_000, 'its size is that of the text');
});

t.test('what is written is what JSON.stringify writes of the values', async (t) => {
  const values = fc.jsonValue();
  fc.assert(fc.property(values, (value) => {
    t.equal(writeJson(value), JSON.stringify(value));
  }), { numRuns: 100 });
  const members = fc.dictionary(fc.string(), fc.tuple(values, fc.boolean()));
  fc.assert(fc.property(members, (given) => {
    const entries = Object.entries(given);
    const written = writeJson(Object.fromEntries(entries.map(([name, [value, is_text]]) =>
      [name, is_text ? new JsonText(JSON.stringify(value)) : value])));
    t.strictSame(JSON.parse(written), JSON.parse(JSON.stringify(
      Object.fromEntries(entries.map(([name, [value]]) => [name, value])))));
  }), { numRuns: 200 });
  t.equal(writeJson({ gone: undefined, long: new JsonText('[1]') }), '{"long":[1]}');
});

t.test('what is nested beyond all bounds counts as long, and does not end the stack', async (t) => {
  let nested: unknown = [];
  for (let depth = 0; depth < 20_000; depth++) nested = [nested];
  t.ok(jsonChars(nested, 65_536) > 65_536);
});

t.test('what is large is looked at once', async (t) => {
  let looks = 0;
  const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, id) => [`m${id}`, id]));
  const large = new Proxy(members, {
    ownKeys: (target) => (looks++, Reflect.ownKeys(target)),
  });
  t.ok(jsonChars(large, 65_536) > 65_536);
  t.ok(jsonChars(large, 65_536) > 65_536);
  t.ok(jsonChars(large, 100) > 100);
  t.equal(looks, 1);
  t.ok(jsonChars(large, 1_000_000) > 100_000, 'all of it, where that was not counted yet');
  t.equal(looks, 2);
});
