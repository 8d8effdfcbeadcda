import t from 'tap';
import { Random } from '../../torture/random.ts';
import { linearPattern, type LinearPattern } from '../../../src/gateway/schema/linearPattern.ts';

const TEXTS = ['', 'a', 'ab', 'a-b', '-a', 'A1', '10', 'a b', 'a\u00a0b', '\u2028', '\n', 'é', '😀',
  'a.b.c', 'a@b.c', '{}', '[a]', 'a\\b', 'x\ty', '2024-01-31', 'arn:aws:s3:::x', 'ﬀ', '\ufeff'];

/**
 * JavaScript's own. What leads to the match makes it no shorter, and keeps Node.js 26.5 and later
 * from beginning amid the last character, by which `[^a]$` is not found in an emoji.
 */
function nativePattern(source: string): RegExp {
  return new RegExp(`^[^]*?(?:${source})`, 'u');
}

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
    const native = nativePattern(source);
    t.strictSame(TEXTS.filter((text) => pattern.test(text)),
      TEXTS.filter((text) => native.test(text)), source);
  }
});

const SPACES = ['\u00a0', '\ufeff', '\u2028', '\u2029', '\u1680', '\u180e', '\u200b', '\u3000', 
  '\t', '\v', '\x1c', '\x85', ' '];

t.test('classes of classes are those of JavaScript', async (t) => {
  const texts = [...SPACES, ...TEXTS, '_', 'ſ', '\u212a', '\u{10ffff}', '\ud800'];
  for (const written of ['\\s', '\\S', '\\w', '\\W', '\\d', '\\D']) {
    for (const source of [`^[${written}]$`, `^[^${written}]$`, `^[${written}a]$`,
      `^[^${written}a]$`, `^[^${written}\\u00a0]$`, `^${written}$`]) {
      const pattern = linearPattern(source) as LinearPattern;
      const native = nativePattern(source);
      t.strictSame(texts.filter((text) => pattern.test(text)),
        texts.filter((text) => native.test(text)), source);
    }
  }
  const posix = linearPattern('^[[:alpha:\\]]+$') as LinearPattern;
  t.ok(posix.test('[a:]'));
  t.notOk(posix.test('b'), 'these are no names of classes');
});

t.test('600 patterns that are put together by chance match as JavaScript does', async (t) => {
  const random = new Random(7);
  const pick = <T>(list: readonly T[]) => random.pick(list);
  const classed = () => `[${pick(['', '', '^'])}${Array.from({ length: random.between(1, 3) },
    () => pick(['a', 'b-d', '\\s', '\\S', '\\W', '\\w', '\\D', '\\-', '[', ':', '.', '$', '\\]',
      '\\b', '\\u2028', '\\xa0', '\\u{1F600}', '&&', '\\^'])).join('')}]`;
  const atom = () => pick([classed, classed, () => pick(['a', 'b', '.', '\\s', '\\S', '\\w', '\\W',
    '\\d', '\\D', '\\.', '\\/', '\\t', '\\v', '\\cJ', '\\0', 'é', '😀', '\\b', '\\B', '^',
    '$'])])();
  const piece = () => {
    const one = atom();
    const repeat = /^(\\[bB]|[$^])$/.test(one) ? ''
      : pick(['', '', '', '*', '+?', '?', '{2}', '{0,2}']);
    return pick([`${one}${repeat}`, `(?:${one}${repeat}|${atom()})`, `(${one}${repeat})`]);
  };
  const letters = [...SPACES, 'a', 'b', 'c', 'A', '1', '_', '-', '.', '[', ']', ':', '$', '^',
    '&', '\n', '\b', '\0', '/', 'é', '😀'];
  for (let i = 0; i < 600; i++) {
    const source = `${pick(['^', ''])}${piece()}${piece()}${pick(['$', ''])}`;
    const native = nativePattern(source);
    const pattern = linearPattern(source);
    if ('problem' in pattern) {
      t.fail(`${source} ${pattern.problem}`);
      continue;
    }
    const texts = Array.from({ length: 40 }, () =>
      Array.from({ length: random.between(0, 3) }, () => pick(letters)).join(''));
    t.strictSame(texts.filter((text) => pattern.test(text)),
      texts.filter((text) => native.test(text)), source);
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
