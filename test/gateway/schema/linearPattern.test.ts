import t from 'tap';
import { linearPattern } from '../../../src/gateway/schema/linearPattern.ts';

const TEXTS = ['', 'a', 'ab', 'a-b', '-a', 'A1', '10', 'a b', 'a\u00a0b', '\u2028', '\n', 'é', '😀',
  'a.b.c', 'a@b.c', '{}', '[a]', 'a\\b', 'x\ty', '2024-01-31', 'arn:aws:s3:::x', 'ﬀ', '\ufeff'];

t.test('matches as JavaScript does', async (t) => {
  for (const source of ['^[a-zA-Z0-9]+([-a-zA-Z0-9]?[a-zA-Z0-9])*$', '', '.', '^.$', '^\\S+$',
    '^[\\s\\w]*$', '^\\s$', '[^\\s]', '\\d{4}-\\d\\d-\\d\\d', '^(?:a|b)??', '^\\p{L}+$',
    '\\u{1F600}', '\\u00e9|\\xe9', '^[a-z\\-.]{1,3}$', '(?<year>\\d{2})', '^\\{\\}$', '\\[a\\]',
    '\\\\', '\\cI',
    'arn:[^:]*:s3:.{0,3}', '\\bb\\b', '^[^a]', '[.]', '[\\S]\\.']) {
    const pattern = linearPattern(source);
    if ('problem' in pattern) {
      t.fail(`${source} ${pattern.problem}`);
      continue;
    }
    const native = new RegExp(source, 'u');
    t.strictSame(TEXTS.filter((text) => pattern.test(text)),
      TEXTS.filter((text) => native.test(text)), source);
  }
});

t.test('what cannot be matched in linear time has a reason', async (t) => {
  for (const [source, reason] of [
    ['^(?!aws:).+', /looks ahead or behind/], ['(?<=a)b', /looks ahead or behind/],
    ['(?<!a)b', /looks ahead or behind/], ['(a)\\1', /refers back/],
    ['(?<n>a)\\k<n>', /refers back/], ['\\ud83d\\ude00', /half a character/], ['[]',
    /empty class/], ['a[^]', /empty class/],
    ['((a{9}){99}){99}', /more than 5000 steps/], ['^.{1,8192}$', /more than 5000 steps/],
    ['^.{1,1024}$', /invalid repeat count/], ['\\p{ASCII}', /cannot be matched in linear time/],
  ] as const) {
    new RegExp(source, 'u');
    t.match(linearPattern(source), { problem: reason }, source);
  }
  t.notMatch(linearPattern('[(?=]\\(?=[\\]]'), { problem: String }, 'these only look so');
});

t.test('a hundred thousand characters take no time', async (t) => {
  for (const source of ['^[a-zA-Z0-9]+([-a-zA-Z0-9]?[a-zA-Z0-9])*$', '^(a+)+$', '(a|aa)*b']) {
    const pattern = linearPattern(source);
    t.notOk('problem' in pattern || pattern.test(`${'a'.repeat(100_000)}!`));
  }
});
