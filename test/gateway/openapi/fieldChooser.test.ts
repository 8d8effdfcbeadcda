import t from 'tap';
import { namesOf, wantedTree } from '../../../src/gateway/action/wanted.ts';
import { projectFields, unknownFields } from '../../../src/gateway/action/fields.ts';
import { FieldChooser, type ChooserOptions } from '../../../src/gateway/openapi/fieldChooser.ts';
import { findNext, itemsOf, readCounts } from '../../../src/gateway/openapi/pageSigns.ts';
import { isContainer, isObject } from '../../../src/json.ts';

const LIMITS = { read_limit_bytes: 1_000_000, keep_limit_bytes: 100_000, paged: false };

/** What is chosen of a text that arrives in parts of so many bytes. */
function choose(
  text: string | Buffer, fields: string[], options: Partial<ChooserOptions> = {}, part = 7) {
  const chooser = new FieldChooser(wantedTree(fields.map(namesOf)), { ...LIMITS, ...options });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += part) {
    if (!chooser.write(bytes.subarray(at, at + part))) break;
  }
  return chooser.chosen();
}

/** A source of whole numbers below a limit, the same ones for the same seed. */
function numbersOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 | 0;
    return (state >>> 8) % limit;
  };
}

const NAMES = ['id', 'a', 'é', 'next', 'meta', 'data', 'has_more', '__proto__', 'q"\\', 'total',
  'href', 'after', 'paging', 'last_id'];

function valueOf(below: (limit: number) => number, depth: number): unknown {
  const kind = below(depth > 4 ? 5 : 9);
  const length = below(4);
  if (kind < 5) return ['x"\\,]}é\u2028', -1.5e3, true, null, ''][kind];
  if (kind < 7) return Array.from({ length }, () => valueOf(below, depth + 1));
  return Object.fromEntries(Array.from({ length },
    () => [NAMES[below(NAMES.length)], valueOf(below, depth + 1)]));
}

t.test('what is chosen is what would be chosen of the whole', async (t) => {
  const below = numbersOf(4);
  const different: string[] = [];
  let several = 0;
  for (let round = 0; round < 3_000; round++) {
    const whole = valueOf(below, 0);
    if (!isContainer(whole)) continue;
    const indent = below(2) * 2;
    const text = JSON.stringify(whole, null, indent)
      .replaceAll('é', () => (below(2) === 0 ? 'é' : '\\u00e9'));
    const fields = Array.from({ length: 1 + below(3) }, () => Array.from(
      { length: 1 + below(3) }, () => NAMES[below(NAMES.length)]).join('.'));
    const paged = below(2) === 0;
    const chosen = choose(text, fields, { paged }, 1 + below(40));
    const { value } = chosen as { value: unknown };
    const looked = (of: unknown) => [projectFields(of, fields), unknownFields(of, fields),
      ...(paged ? [findNext(of), readCounts(of), signsOf(itemsOf(of))] : [])];
    const [is, wanted] = [looked(value), looked(whole)].map((one) => JSON.stringify(one));
    if (is !== wanted) different.push(`${text} by ${fields.join(' and ')}: ${is}, not ${wanted}`);
    if (projectFields(whole, fields) !== null && wanted!.length > 100) several += 1;
  }
  t.strictSame(different.slice(0, 3), []);
  t.ok(several > 100, `${several} were no trifles`);
});

function signsOf(items: unknown[] | null) {
  const last = items?.at(-1);
  return [items?.length, isObject(last) ? last.id : null];
}

t.test('what is not wanted takes no room', async (t) => {
  const long = 'x'.repeat(300_000);
  const text = JSON.stringify({ html: long, [long]: 1, rows: [{ html: long, id: 7 }], id: 3 });
  for (const paged of [false, true]) {
    const { value } = choose(text, ['id', 'rows.id'], { paged }, 65_536) as { value: object };
    t.same(projectFields(value, ['id', 'rows.id']), { id: 3, rows: [{ id: 7 }] });
    t.ok(JSON.stringify(value).length < 100);
  }
});

t.test('of pages no more is kept than tells of them', async (t) => {
  const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) =>
    [`k${i}`, { id: i, name: 'x'.repeat(30), inner: { note: 'y'.repeat(30) } }]));
  t.strictSame(choose(JSON.stringify({ data, has_more: false }), ['has_more'],
    { paged: true, keep_limit_bytes: 100 }), { value: { data: {}, has_more: false } });
});

t.test('integers that a number would round are chosen with all their digits', async (t) => {
  const text = '{"list":[{"id":1076543210012345678,"x":9007199254740993,"n":1}],"next":null}';
  t.strictSame(choose(text, ['list.id', 'list.n']),
    { value: { list: [{ id: '1076543210012345678', n: 1 }] } });
});

t.test('its bounds', async (t) => {
  const list = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, other: 'y' })));
  t.same(choose(list, ['id']), { fault: 'too_much' });
  t.same(choose(list, ['id'], { read_limit_bytes: 50_000 }), { fault: 'too_long' });
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"b":1}`;
  t.same(choose(nested(50_000), ['a'], {}, 65_536), { fault: 'no_json' }, 'kept whole');
  t.same(choose(nested(50_000), ['a.b'], {}, 65_536), { fault: 'no_json' }, 'gone through');
  t.same(choose(nested(50_000), ['b'], {}, 65_536), { value: { b: 1 } }, 'left out');
});

t.test('what is no JSON', async (t) => {
  for (const text of ['', ' ', '{"a":1', '{"a":1}{"a":2}', '{"a":1}\n{"a":2}', '<html>', '{a:1}',
    '[1,]', '{"a":1,}', '{"a" 1}', '{"a":}', '{"a":1 2}', '{"a":01}', '{"a":"\n"}', '{"a":tru}',
    '[{"a":1]', '{"a":[1}', '"a', '{"a":"\\x"}', ',', ']', '{,}']) {
    t.same(choose(text, ['a']), { fault: 'no_json' }, text);
  }
  t.same(choose(Buffer.from('{"a":"\xff"}', 'latin1'), ['a']), { fault: 'no_json' }, 'no UTF-8');
  t.same(choose('\uFEFF {"a":1} ', ['a']), { value: { a: 1 } }, 'a mark of the byte order');
  t.same(choose('{"a":1,"a":2}', ['a']), { value: { a: 2 } }, 'the last one counts, as always');
});
