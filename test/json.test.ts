/** Integers that JSON spells and a number of JavaScript rounds. */
import t from 'tap';
import { parseExactly, parseNoticing, roundedIn } from '../src/json.ts';

const found = (text: string) => roundedIn(parseNoticing(text))?.path ?? null;

t.test('an integer that is not exact is found, wherever it is', async (t) => {
  for (const [text, path] of [
    ['{"a":9007199254740993}', '/a'], ['{"a":-9007199254740993}', '/a'],
    ['{"a":9007199254740992}', '/a'], [`{"a":${'9'.repeat(400)}}`, '/a'],
    ['{"a":[1,{"b/c":[0,12345678901234567890]}]}', '/a/1/b~1c/1'],
    ['{"a":1,"b":{"__proto__":9007199254740993}}', '/b/__proto__'],
  ] as const) t.equal(found(text), path, text.slice(0, 60));
  t.match(roundedIn(parseNoticing('{"input":{"id":9007199254740993}}'), ['input']), { path: '/id',
    message: /^is the number 9007199254740993, .*: send it as a text$/ });
  t.ok(roundedIn(parseNoticing(`[${'9'.repeat(400)}]`))!.message.length < 200);
});

t.test('what is exact, is a text or is written as no integer passes', async (t) => {
  for (const text of [
    '{"a":9007199254740991,"b":-9007199254740991}', '{"a":"9007199254740993"}', '9007199254740993',
    '{"a":1e30,"b":1E+30,"c":0.1,"d":9007199254740993.0,"e":0.1000000000000000055511151231257827}',
    '{"9007199254740993":1}', '[1e9007199254740993]',
    '{"\\\\":"9007199254740993\\"9007199254740993"}', '{"a":9007199254740993,"a":1}', 'null',
    '{"q":"9007199254740993 9007199254740993","n":9007199254740993.0}',
  ]) t.equal(found(text), null, text);
  const text = '{"a":{"b":[9007199254740993,"9007199254740993",0.5]}}';
  t.strictSame(parseNoticing(text), JSON.parse(text), 'it is the value of JSON.parse');
  t.throws(() => parseNoticing('{"a":9007199254740993'), SyntaxError);
});

t.test('an integer that is not exact is read as a text of its digits', async (t) => {
  for (const [text, value] of [
    ['{"id":1076543210012345678}', { id: '1076543210012345678' }],
    ['[9007199254740993,-9007199254740993, 9007199254740991]',
      ['9007199254740993', '-9007199254740993', 9007199254740991]],
    ['{"a":{"__proto__":12345678901234567890\n}}',
      JSON.parse('{"a":{"__proto__":"12345678901234567890"}}')],
    ['1076543210012345678', '1076543210012345678'], ['"1076543210012345678', undefined],
    [`[${'9'.repeat(400)}]`, ['9'.repeat(400)]],
    ['{"q\\"":"9007199254740993 \\\\","9007199254740993":9007199254740993}',
      { 'q"': '9007199254740993 \\', '9007199254740993': '9007199254740993' }],
    ['{1076543210012345678:1}', undefined], ['[-01076543210012345678]', undefined],
  ] as const) t.strictSame(parseExactly(text), value, text.slice(0, 60));
  for (const text of ['{"a":1e30,"b":9007199254740993.0,"c":0.1000000000000000055511151231257827}',
    '[1.7976931348623157e308,-1E-9007199254740993]', '{"a":"9007199254740993"}', 'null', '[]']) {
    t.strictSame(parseExactly(text), JSON.parse(text), text);
  }
});
