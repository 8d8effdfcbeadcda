/**
 * Patterns of documents as JavaScript's flag `u` takes them, which is what validators of JSON
 * Schema compile with. 176 of 3,525 real ones it refuses for an escape that means nothing (`\-`,
 * `\_`, `\@`), a brace, or a class beside a hyphen (`[\w-.]`). Without the flag JavaScript reads
 * them, so they are written anew with the same meaning instead of being left out.
 */

/** What is escaped for a reason with the flag, outside of a class or within one. */
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;
const KNOWN_ESCAPES = /^\\(?:[dDsSwWfnrtv]|c[A-Za-z]|0(?!\d)|x[\da-fA-F]{2}|u[\da-fA-F]{4})/;
/** One part: an escape, or a character. */
const PART = /\\(?:c[A-Za-z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|[^])|[^]/gu;
/** A quantifier, a class, or a part. */
const NEXT = new RegExp(
  `(\\{\\d+(?:,\\d*)?\\})|(\\[(?:\\\\[^]|[^\\]\\\\])*\\])|${PART.source}`, 'gu');
/** Anchors of Python, Ruby, Java and Rust; without the flag they would be the letters. */
const ANCHORS: ReadonlyMap<string, string> = new Map([['\\A', '^'], ['\\z', '$'], ['\\Z', '$']]);
/** Without the flag these escapes are letters and numbers of characters. */
const OTHER_ESCAPES = new RegExp([
  '\\\\(?:[1-9]|0\\d|c(?![A-Za-z])|x(?![\\da-fA-F]{2})|u(?![\\da-fA-F]{4})',
  '(?![bBcdDfnrsStuvwWx])[A-Za-z])',
].join('|'));
const CLASS_ESCAPE = /^\\[dDsSwW]$/;

/**
 * `source` as it is if the flag `u` takes it, or else with the meaning that it has without the
 * flag, and with the anchors of other languages; undefined: it is no regular expression of
 * JavaScript, or one that is meant otherwise. A character beyond U+FFFF is one character in all.
 */
export function unicodePattern(source: string): string | undefined {
  if (compiles(source, 'u')) return source;
  const anchored = source.replace(NEXT, (part) => ANCHORS.get(part) ?? part);
  if (!compiles(anchored, '') || isMeantOtherwise(anchored)) return undefined;
  const written = rewritten(anchored);
  return compiles(written, 'u') ? written : undefined;
}

/**
 * Whether it has what nobody can have meant as JavaScript reads it: of 176 real patterns 29 do,
 * most by Java's or Ruby's rules.
 */
function isMeantOtherwise(source: string): boolean {
  const text = source.replace(/\\\\/g, '__');
  return OTHER_ESCAPES.test(text)
    || text.matchAll(NEXT).some(({ 0: part, 2: classed, index }) => classed !== undefined
      && endsEarly(classed.replace(/\\[^]/g, '_'), text[index + part.length]));
}

/** So do `[[:alpha:]_]`, `[a-z&&[^b]]` and `[a-d[m-p]]`, of which JavaScript has no classes. */
function endsEarly(classed: string, next: string | undefined): boolean {
  return /.\[:\^?\w+:\]$|&&\[/.test(classed) || (next === ']' && classed.lastIndexOf('[') > 0);
}

function rewritten(source: string): string {
  return source.replace(NEXT, (part, quantifier?: string, classed?: string) =>
    quantifier ?? (classed === undefined ? plain(part) : rewrittenClass(classed)));
}

/** A part outside of a class: braces and brackets that stand alone are characters. */
function plain(part: string): string {
  return /^[{}\]]$/.test(part) ? `\\${part}` : escaped(part, /^\\[bB]$/);
}

/** A hyphen beside a class such as `\w` is a character, for such a class begins no range. */
function rewrittenClass(source: string): string {
  const [, not, inner] = /^\[(\^?)([^]*)\]$/.exec(source)!;
  const parts = inner!.match(PART) ?? [];
  const isEscape = (part: string | undefined) => CLASS_ESCAPE.test(part ?? '');
  let written = '';
  for (let i = 0; i < parts.length;) {
    const [from, hyphen, to] = parts.slice(i, i + 3);
    const isRange = hyphen === '-' && to !== undefined;
    const taken = isRange ? 3 : 1;
    const ends = [from!, to].map((part) => inClass(part ?? ''));
    written += !isRange ? ends[0]
      : isEscape(from) || isEscape(to) ? `${ends[0]}\\-${ends[1]}` : `${ends[0]}-${ends[1]}`;
    i += taken;
  }
  return `[${not}${written}]`;
}

function inClass(part: string): string {
  return part === '-' ? '\\-' : escaped(part, /^\\[b-]$/);
}

/** An escape that means nothing is the character itself. */
function escaped(part: string, kept: RegExp): string {
  if (part.length === 1 || KNOWN_ESCAPES.test(part) || kept.test(part)) return part;
  const [, character] = /^\\([^])/u.exec(part) ?? [];
  return character === undefined || SYNTAX.test(character) ? part : character;
}

function compiles(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}
