import fc from 'fast-check';
import t from 'tap';
import { JsonTextSanitizer, TextSanitizer } from '../../src/models/deltaSanitizer.ts';
import { sanitizeJson, sanitizeText } from '../../src/sanitize.ts';
import { cut } from './support.ts';

// Units that matter: NUL, both halves of pairs, a backslash, a quote, letters.
const unit = fc.constantFrom('\0', '\ud83d', '\ude00', '\udfff', '\\', '"', 'u', '0', 'a', '😀');
const text = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));
const places = fc.array(fc.nat(200), { maxLength: 30 });

function clean(sanitizer: TextSanitizer | JsonTextSanitizer, pieces: string[]): string[] {
  return [...pieces.map((piece) => sanitizer.push(piece)), sanitizer.end()];
}

t.test('a text in pieces is cleaned as the whole text is', async (t) => {
  fc.assert(fc.property(text, places, (whole, cuts) => {
    const cleaned = clean(new TextSanitizer(), cut(whole, cuts));
    t.equal(cleaned.join(''), sanitizeText(whole));
    t.ok(cleaned.every((piece) => piece.isWellFormed() && !piece.includes('\0')));
  }), { numRuns: 500 });
});

t.test('a pair split over two deltas stays a pair', async (t) => {
  t.same(clean(new TextSanitizer(), ['a\ud83d', '\ude00b']), ['a', '😀b', '']);
  t.same(clean(new TextSanitizer(), ['a\ud83d']), ['a', '\ufffd'], 'alone it is replaced');
});

/** The JSON text of a string, with every unit as an escape where `escaped` says so. */
function jsonText(value: string, escaped: boolean[]): string {
  const units = value.split('').map((character, index) => escaped[index % escaped.length]
    ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    : JSON.stringify(character).slice(1, -1));
  return `{"action":"${units.join('')}"}`;
}

t.test('the text of a JSON value parses to what the cleaned value is', async (t) => {
  const escaped = fc.array(fc.boolean(), { minLength: 1, maxLength: 30 });
  fc.assert(fc.property(text, escaped, places, (value, escapes, cuts) => {
    // A raw half is replaced before escapes are read, so both halves are to be of one kind.
    const whole = sanitizeText(jsonText(value, value.includes('\ud83d') ? [true] : escapes));
    const cleaned = clean(new JsonTextSanitizer(), cut(whole, cuts)).join('');
    t.same(JSON.parse(cleaned), sanitizeJson(JSON.parse(whole)));
    t.equal(cleaned.length, whole.length, 'nothing is lost or added');
  }), { numRuns: 500 });
});

t.test('an escaped backslash before u0000 is no escape of NUL', async (t) => {
  t.equal(clean(new JsonTextSanitizer(), ['"\\\\u0000"']).join(''), '"\\\\u0000"');
  t.equal(clean(new JsonTextSanitizer(), ['"\\u00', '00"']).join(''), '"\\ufffd"');
});

t.test('what is no JSON passes and ends', async (t) => {
  for (const broken of ['\\', '\\u', '\\u00', '\\ud83d', '\\ud83d\\u', 'x\\uzzzz', '\\ud83d\\n']) {
    for (const place of [0, 1, 2, 3, 5, 7]) {
      const cleaned = clean(new JsonTextSanitizer(), cut(broken, [place])).join('');
      t.equal(cleaned, broken.replace('\\ud83d', '\\ufffd'), JSON.stringify([broken, place]));
    }
  }
});
