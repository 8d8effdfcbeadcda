import t from 'tap';
import { linearPattern, type LinearPattern } from '../../../src/gateway/schema/linearPattern.ts';
import { unicodePattern } from '../../../src/gateway/schema/unicodePattern.ts';
import { Random } from '../../torture/random.ts';

const TEXTS = ['', 'a', 'b', '-', '_', '@', 'a-b', 'a_b', 'a@b', '{', '}', '{}', '{a}', '{,5}', ']',
  '[', '\\', 'z', 'w', 'é', '\u00a0', '/', ':', '#', ' ', '01234567-0123', '../../etc', '"', '\'',
  'u', 'x', 'k', 'B', '\b', '5', 'aa', 'a{', '%', '<', '>', '=', '!', '&', '~', ',', ';', '`'];

t.test('what the flag u takes stays as it is', async (t) => {
  for (const source of ['^a$', '^[\\w-]$', '^\\p{L}+$', '\\-'.replace('\\', '[\\') + ']', '']) {
    t.equal(unicodePattern(source), source);
  }
});

t.test('what it refuses means what it means without the flag', async (t) => {
  for (const source of ['^[a-f0-9]{8}\\-[0-9]{4}$', '^\\_$', '^\\@$', '^[\\_\\@]$', '^[\\w-.]$',
    '^[\\w-a]+$', '^[a-\\d]+$', '^[^\\w-.]$', '^{$', '^}$', '^]$', '^a{$', '^{a}$', '^a{,5}$',
    '^\\"$', "^\\'$", '^\\é$', '^[\\B]$',
    '^\\:\\#\\ $', '^[\\w-\\d]$', '^[--\\@]$', '^\\%\\<\\>\\=\\!\\&\\~\\,\\;\\`$', '^[-\\@]$',
    '^[\\@-]$', '^[\\@-\\_]$', '^[[\\@]$', '^([\\w\\-\\.]+)\\@([\\w\\-]+)$',
    '^\\\\\\-$', '^\\[:id:]\\-', '^[:_:]\\@$', '^[a-z]+&&[0-9]+\\-$', '^[\\\\:a:]\\-$',
    '^q=a&\\\\&[x]\\-']) {
    t.throws(() => new RegExp(source, 'u'), source);
    const written = unicodePattern(source)!;
    const pattern = linearPattern(written) as LinearPattern;
    for (const native of [new RegExp(written, 'u'), pattern]) {
      t.strictSame(TEXTS.filter((text) => native.test(text)),
        TEXTS.filter((text) => new RegExp(source).test(text)), `${source} as ${written}`);
    }
  }
});

t.test('so do 500 that are put together by chance', async (t) => {
  const random = new Random(11);
  const parts = ['a', 'b', '-', '\\-', '\\_', '\\@', '{', '}', ']', '\\w', '[\\w-.]', '[a-\\d@]',
    '[^\\_\\-]', '.', '\\.', 'a{2}', '(?:\\@|b)', '[\\@-\\_]', '\\\\', '{,2}',
    'é'];
  let refused = 0;
  for (let i = 0; i < 500; i++) {
    const source = `^${Array.from({ length: random.between(1, 4) },
      () => random.pick(parts)).join('')}`;
    const native = new RegExp(source);
    const pattern = linearPattern(unicodePattern(source)!) as LinearPattern;
    refused += Number(unicodePattern(source) !== source);
    const texts = [...TEXTS, ...Array.from({ length: 60 }, () => Array.from(
      { length: random.between(1, 5) }, () => random.pick(TEXTS)).join(''))];
    t.strictSame(texts.filter((text) => pattern.test(text)),
      texts.filter((text) => native.test(text)), source);
  }
  t.ok(refused > 300, `${refused} of them the flag refuses`);
});

t.test('the anchors of other languages are anchors', async (t) => {
  for (const [source, written] of [['\\A[a-z]+\\z', '^[a-z]+$'], ['^(?:a|b)\\Z', '^(?:a|b)$'],
    ['\\A[\\w-.]+\\@b\\Z', '^[\\w\\-.]+@b$'], ['\\\\A\\-', '\\\\A-']] as const) {
    t.equal(unicodePattern(source), written);
  }
});

t.test('a long one takes no time', async (t) => {
  const source = `\\-${'a'.repeat(200_000)}`;
  t.equal(unicodePattern(source)!.length, source.length - 1);
});

t.test('what nobody can have meant so, or is none at all, is not read', async (t) => {
  for (const source of ['(?i)a', '[', 'a)', '^\\p{L}\\-$', '^\\u{61}\\-$', '\\1\\-', '\\07\\-',
    '[b-a]', '(?<n>a)\\k<n\\-', '\\c\\-', '(?=a)*', '[\\A\\@]', '\\Z*', '\\h+', '\\Qa.b\\E',
    '\\pL+', '^[\\p\\{L\\}]$', '\\x{60}', '\\u12\\-', '^[[:alpha:]_]+$', '^[^[:^space:]]$',
    '[a-z&&[^b]]+', '^[a-d[m-p]]+\\-$', '\\k', '\\a\\-']) {
    t.equal(unicodePattern(source), undefined, source);
  }
});
