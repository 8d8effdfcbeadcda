/** Cutting JSON and lists to a size, so that what is left is valid and says how much is missing. */

/** What a limit counts of a JSON text: UTF-8 bytes, or UTF-16 units as `length` does. */
export type Unit = 'bytes' | 'characters';

/** Room for the numbers and the hint around what is left. */
const ENVELOPE_BYTES = 512;

/**
 * `result` as it is if its JSON fits into `limit_bytes`; else the beginning of its JSON text with a
 * report of what is left out, which fits.
 */
export function truncateResult(
  result: unknown, limit_bytes: number): { result: unknown, truncated: boolean } {
  const cut = truncatedText(JSON.stringify(result), limit_bytes);
  return cut === null ? { result, truncated: false }
    : { result: JSON.parse(cut), truncated: true };
}

/** The same of its JSON text; null: it fits. */
export function truncatedText(text: string, limit_bytes: number): string | null {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limit_bytes) return null;
  const head = text.slice(0, prefixWithin(text, limit_bytes - ENVELOPE_BYTES, 'bytes'));
  const report = {
    bytes,
    returned: Buffer.byteLength(head),
    hint: 'The result is larger than what is kept of one. `head` is the beginning of its JSON text.'
      + ' Ask for less with `fields`, a filter or a smaller page.',
  };
  return JSON.stringify({ truncated: report, head });
}

/** `a, b and 3 more`: so many of the names at most, and how many others there are. */
export function firstNamed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The first of the values, as far as their JSON in a list has at most so many characters. */
export function firstWithin<T>(values: readonly T[], limit_chars: number): T[] {
  let chars = 0;
  const end = values.findIndex((value) =>
    (chars += (JSON.stringify(value) ?? 'null').length + 1) > limit_chars);
  return values.slice(0, end < 0 ? values.length : end);
}

/**
 * How many UTF-16 units of `text`, from its beginning, take at most `budget` once the text is
 * written as a JSON string. Never splits a surrogate pair.
 */
export function prefixWithin(text: string, budget: number, unit: Unit): number {
  let spent = 0;
  let end = 0;
  while (end < text.length) {
    const code = text.codePointAt(end)!;
    spent += jsonSize(code, unit);
    if (spent > budget) break;
    end += code > 0xffff ? 2 : 1;
  }
  return end;
}

/** The same from the end of `text`: where its last part begins that takes at most `budget`. */
export function suffixWithin(text: string, budget: number, unit: Unit): number {
  let spent = 0;
  let start = text.length;
  while (start > 0) {
    const pair = start > 1 && text.codePointAt(start - 2)! > 0xffff;
    const width = pair ? 2 : 1;
    spent += jsonSize(text.codePointAt(start - width)!, unit);
    if (spent > budget) break;
    start -= width;
  }
  return start;
}

/** What one code point takes in a JSON string. */
function jsonSize(code: number, unit: Unit): number {
  if (code === 0x22 || code === 0x5c) return 2; // " and \
  if (code < 0x20) return [8, 9, 10, 12, 13].includes(code) ? 2 : 6; // \n, or \u001f
  if (code >= 0xd800 && code <= 0xdfff) return 6; // a lone surrogate is written as an escape
  if (unit === 'characters') return code > 0xffff ? 2 : 1;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code > 0xffff ? 4 : 3;
}
