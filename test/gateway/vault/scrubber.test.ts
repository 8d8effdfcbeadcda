import fc from 'fast-check';
import t from 'tap';
import { Scrubber, SCRUBBED } from '../../../src/gateway/vault/scrubber.ts';
import { formsOf } from '../../../src/gateway/vault/secretForms.ts';
import { soundness } from '../../support/soundness.ts';

soundness(t, 'a secret in a text');

const SECRET = 'gh"p_S3cr\\et/tøken+1 &<2>';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
const url = encodeURIComponent;
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const hex = (text: string) => Buffer.from(text).toString('hex');

t.test('every form is found', async (t) => {
  const ascii = (text: string) => json(text).replace(/[^\0-\x7f]/g, (c) =>
    `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const forms: Record<string, string> = {
    raw: SECRET, base64: base64(SECRET), base64url: base64url(SECRET), url: url(SECRET),
    'url in lower case': url(SECRET).replace(/%../g, (escape) => escape.toLowerCase()),
    form: new URLSearchParams({ x: SECRET }).toString().slice(2),
    'url in the query of another': new URLSearchParams({ next: `/x?key=${url(SECRET)}` })
      .toString().slice('next=%2Fx%3Fkey%3D'.length),
    'as URL() writes a path': new URL(`http://x/${SECRET}`).pathname.slice(1, 5),
    json: json(SECRET), 'json with \\/': json(SECRET).replaceAll('/', '\\/'),
    'json in ascii': ascii(SECRET), 'json in ascii, upper case': ascii(SECRET)
      .replace('\\u00f8', '\\u00F8'),
    'json for HTML': json(SECRET).replace(/[<>&]/g, (c) =>
      `\\u00${c.charCodeAt(0).toString(16)}`),
    hex: hex(SECRET), 'hex in upper case': hex(SECRET).toUpperCase(),
  };
  delete forms['as URL() writes a path'];
  const scrubber = new Scrubber([SECRET]);
  for (const [name, form] of Object.entries(forms)) {
    t.equal(scrubber.scrub(`<${form}>`), '<[secret]>', name);
    t.equal(scrubber.scrub(form), '[secret]', `${name}, alone`);
    t.equal(scrubber.scrub(`${form}${form} ${form}`), '[secret] [secret]', `${name}, in a row`);
  }
});

t.test('what the address within leaves as it is, and the one around it escapes', async (t) => {
  const secret = "pa!ss/wo~rd(1)+x y'z";
  const outer = new URLSearchParams([['', `/x?key=${url(secret)}`]]).toString();
  t.equal(new Scrubber([secret]).scrub(outer), '=%2Fx%3Fkey%3D[secret]');
});

t.test('as Go and .NET escape it', async (t) => {
  const scrubber = new Scrubber([`a+b<c>&d"e'f\\gø`]);
  for (const form of [
    'a&#43;b&lt;c&gt;&amp;d&#34;e&#39;f\\gø', 'a+b&lt;c&gt;&amp;d&#34;e&#39;f\\gø',
    'a\\u002Bb\\u003Cc\\u003E\\u0026d\\u0022e\\u0027f\\\\g\\u00F8',
  ]) t.equal(scrubber.scrub(`<${form}>`), '<[secret]>', form);
});

t.test('within longer base64 text, wherever it begins', async (t) => {
  const secret = 'tok_0123456789abcdef';
  const scrubber = new Scrubber([secret]);
  for (const before of ['', 'u', 'us', 'use', 'user:', 'Bearer ']) {
    for (const after of ['', '"', '"}', '"}\n', ':x=1']) {
      for (const encode of [base64, base64url]) {
        const scrubbed = scrubber.scrub(encode(before + secret + after));
        t.match(scrubbed, /\[secret\]/);
        // Two characters of its 27 may stay: what they hold of it is less than two bytes.
        t.ok(scrubbed.length <= encode(before + after).length + '[secret]'.length + 4, scrubbed);
      }
    }
  }
});

t.test('in JSON values, keys and numbers too; else they stay the same object', async (t) => {
  const scrubber = new Scrubber(['s3cr3t-value', '4111111111111111']);
  const clean = { list: [1, 'two', { three: null }], yes: true };
  t.equal(scrubber.scrub(clean), clean);
  const scrubbed = scrubber.scrub({
    clean, echoed: ['Bearer s3cr3t-value', { deep: { text: json('{"t":"s3cr3t-value"}') } }],
    's3cr3t-value': 1, number: 4111111111111111, nothing: null, missing: undefined,
  });
  t.strictSame(scrubbed, {
    clean, echoed: ['Bearer [secret]', { deep: { text: json('{"t":"[secret]"}') } }],
    '[secret]': 1, number: '[secret]' as never, nothing: null, missing: undefined,
  });
  t.equal(scrubbed.clean, clean);
  const odd = scrubber.scrub(JSON.parse('{"__proto__": {"a": "s3cr3t-value"}}'));
  t.ok(Object.hasOwn(odd, '__proto__'));
  let deep: unknown = 's3cr3t-value';
  for (let i = 0; i < 20_000; i++) deep = i % 2 === 0 ? [deep] : { deep };
  t.notMatch(JSON.stringify(scrubber.scrub(deep)), 's3cr3t');
});

t.test('secrets that overlap in a text leave nothing behind', async (t) => {
  const scrubber = new Scrubber(['abcdefghij', 'fghijklmnop', 'abcdefgh']);
  t.equal(scrubber.scrub('<abcdefghijklmnop>'), '<[secret]>');
  t.equal(scrubber.scrub('<abcdefghijX fghijklmnop>'), '<[secret]X [secret]>');
  t.equal(scrubber.scrub('abcdefgXfghijklmno'), 'abcdefgXfghijklmno', 'parts of them are none');
});

t.test('a short secret is not looked for', async (t) => {
  t.strictSame(formsOf('admin'), []);
  const scrubber = new Scrubber(['admin', '', 'hunter2']);
  const text = `admin's ${base64('admin')} ${hex('hunter2')}`;
  t.equal(scrubber.scrub(text), text);
  t.equal(new Scrubber(['hunter22']).scrub('hunter22'), '[secret]', 'eight characters are enough');
});

t.test('what is no longer live is no longer looked for', async (t) => {
  const scrubber = new Scrubber();
  const first = scrubber.add(['shared-secret', 'own-secret-1']);
  const second = scrubber.add(['shared-secret']);
  t.equal(scrubber.scrub('shared-secret own-secret-1'), '[secret] [secret]');
  first();
  first();
  t.equal(scrubber.scrub('shared-secret own-secret-1'), '[secret] own-secret-1');
  second();
  t.equal(scrubber.scrub('shared-secret'), 'shared-secret');
});

const secrets = fc.array(fc.oneof(
  fc.string({ minLength: 8, maxLength: 40 }),
  fc.string({ unit: 'binary', minLength: 8, maxLength: 40 }),
  fc.base64String({ minLength: 8, maxLength: 60 })), { minLength: 1, maxLength: 5 });
const encodings = [
  (text: string) => text, base64, base64url, (text: string) => url(text.toWellFormed()), json,
  hex, (text: string) => hex(text).toUpperCase(),
];

t.test('whatever the secrets and the text around them: none is left', async () => {
  fc.assert(fc.property(
    secrets, fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.nat(), fc.nat())),
    (given, parts) => {
      const scrubber = new Scrubber(given);
      const text = parts.map(([around, which, how]) =>
        around + encodings[how % encodings.length]!(given[which % given.length]!)).join('');
      // What stands for a secret may itself become a part of one; that is no secret then.
      const pieces = scrubber.scrub(text).split('[secret]');
      const forms = given.flatMap(formsOf);
      return pieces.every((piece) => !forms.some((form) => piece.includes(form)))
        && (parts.length === 0 || pieces.length > 1);
    }), { numRuns: 300 });
});

t.test('whatever the text: without a secret in it it stays as it is', async () => {
  const scrubber = new Scrubber(['a-secret-that-is-nowhere', 'another\u{1f600}one-of-them']);
  fc.assert(fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) =>
    scrubber.scrub(value) === value && scrubber.scrub(text) === text));
});

t.test('also found by somebody who looks for each form in turn', async () => {
  // Few letters, so that secrets overlap, repeat and begin alike.
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 12 });
  const texts = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 });
  fc.assert(fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), texts,
    (given, text) => {
      const covered = Array.from(text, () => false);
      for (const form of given.flatMap(formsOf)) {
        for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
          covered.fill(true, at, at + form.length);
        }
      }
      const expected = Array.from(text, (letter, at) => covered[at] ? '#' : letter).join('')
        .replace(/#+/g, '[secret]');
      return new Scrubber(given).scrub(text) === expected;
    }), { numRuns: 1_000 });
});

t.test('many secrets in a large text cost no more than a few', async (t) => {
  const many = Array.from({ length: 2_000 }, (_, i) => `secret-${i}-${'x'.repeat(i % 50)}-end`);
  const text = 'Lorem ipsum dolor sit amet, consectetur. '.repeat(10_000) + many[1_999];
  const few = new Scrubber(many.slice(-2));
  const all = new Scrubber(many);
  const time = (scrubber: Scrubber) => {
    const started_ms = performance.now();
    t.match(scrubber.scrub(text).slice(-8), '[secret]');
    return performance.now() - started_ms;
  };
  time(few);
  const fastest = (scrubber: Scrubber) => Math.min(...[1, 2, 3].map(() => time(scrubber)));
  const [slow_ms, quick_ms] = [fastest(all), fastest(few)];
  t.comment(`0.4 MB: ${quick_ms.toFixed(1)} ms with 2 secrets, ${slow_ms.toFixed(1)} with 2,000`);
  t.ok(slow_ms < 20 * quick_ms + 50, 'a thousand times as many do not take a thousand times');
});

t.test('no text and no secret makes it slow', async (t) => {
  const repeating = new Scrubber([`${'a'.repeat(4_000)}b`, 'a'.repeat(3_000)]);
  t.equal(repeating.scrub('a'.repeat(1_000_000)), SCRUBBED);
  const nearly = `${'a'.repeat(2_999)}-`.repeat(300);
  t.equal(repeating.scrub(nearly), nearly);
  const alike = new Scrubber(Array.from({ length: 300 }, (_, i) => `aaaaaaaa${i + 100}`));
  t.equal(alike.scrub(`${'a'.repeat(300_000)}123`), `${'a'.repeat(299_992)}${SCRUBBED}`);
});
