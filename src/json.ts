/** Reading JSON that came from outside: nothing in it is trusted to have its shape. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

/** An object or a list. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** `value` if it is a JSON object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** `value` if it is a list, else an empty one. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A text, or what stands for one: in YAML `2024` and `true` are no texts, whatever they name. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : textOf(value);
}

/** The texts in a list, but for empty ones; none if it is no list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];
}

/** The value of a JSON text; undefined if the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What of the text of a value was rounded: by what became of it, the digits. */
const ROUNDED = new WeakMap<object, ReadonlyMap<number, string>>();
const LONG_DIGITS = /\d{16,}/g;
/** Of 5 MB without them this takes 9 ms, and `\d{16}` takes 40. */
const SIXTEEN_DIGITS = new RegExp('\\d'.repeat(16));
/** What stands before digits that are no integer of their own, and behind them. */
const WITHIN_NUMBER = /[\d.eE+-]/;

/**
 * As JSON.parse. What it had to round is found by `roundedIn`. (A reviver would be told of each
 * value's text: a megabyte of `0,` took 1,500 ms with one, and 20 without.)
 */
export function parseNoticing(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!isContainer(value)) return value;
  const rounded = roundedIntegers(text);
  if (rounded.size > 0) ROUNDED.set(value, rounded);
  return value;
}

function roundedIntegers(text: string): Map<number, string> {
  return new Map([...unsafeIntegers(text)].map(({ written }) => [Number(written), written]));
}

/**
 * As parseJson, but an integer beyond 2^53 is a text of its digits, for as a number it would be
 * that of another thing: who reads of 1076543210012345678 would act on 1076543210012345700.
 */
export function parseExactly(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) return value;
  const exact = exactText(text);
  return exact === text ? value : JSON.parse(exact);
}

/** A valid JSON text in which such integers are texts of their digits. */
export function exactText(text: string): string {
  // It is gone through only if it has digits enough.
  if (!SIXTEEN_DIGITS.test(text)) return text;
  let exact = '';
  let end = 0;
  for (const { at, written } of unsafeIntegers(text)) {
    exact += `${text.slice(end, at)}"${written}"`;
    end = at + written.length;
  }
  return exact + text.slice(end);
}

/** The integers of a valid JSON text that are beyond 2^53, as they are written, and where. */
function* unsafeIntegers(text: string): Generator<{ at: number, written: string }> {
  let quote = text.indexOf('"');
  let end = 0;
  for (const { 0: digits, index } of text.matchAll(LONG_DIGITS)) {
    while (quote >= 0 && quote < index) {
      end = endOfText(text, quote);
      quote = text.indexOf('"', end);
    }
    if (index < end) continue;
    const sign = text[index - 1] === '-' ? '-' : '';
    if (WITHIN_NUMBER.test(text[index - 1 - sign.length] ?? '')) continue;
    if (WITHIN_NUMBER.test(text[index + digits.length] ?? '')) continue;
    const written = sign + digits;
    if (!Number.isSafeInteger(Number(written))) yield { at: index - sign.length, written };
  }
}

/** Behind the quote that ends the text which this one begins; the end of what is cut off. */
export function endOfText(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

export interface Rounded {
  /** A JSON pointer from the value at `names` on. */
  path: string;
  message: string;
}

/**
 * An integer beyond 2^53, where a number stands for its neighbours as well, in what `parseNoticing`
 * made, below these names of it; null: there is none. What is a number with a point or an exponent
 * passes: who writes it so means no exact one.
 */
export function roundedIn(root: unknown, names: readonly string[] = []): Rounded | null {
  const rounded = isContainer(root) ? ROUNDED.get(root) : undefined;
  return rounded === undefined ? null : roundedBelow(follow(root, names), rounded);
}

function roundedBelow(value: unknown, rounded: ReadonlyMap<number, string>): Rounded | null {
  if (typeof value === 'number') {
    const digits = rounded.get(value);
    if (digits === undefined) return null;
    const shown = digits.length > 40 ? `${digits.slice(0, 40)}…` : digits;
    return { path: '', message: `is the number ${shown}, which is too large to be passed on`
      + ' exactly: send it as a text' };
  }
  if (!isContainer(value)) return null;
  const within = (key: string | number, inner: unknown) => {
    const found = roundedBelow(inner, rounded);
    return found && { ...found, path: `/${toSegment(String(key))}${found.path}` };
  };
  if (Array.isArray(value)) {
    // No names are made of the places: a list of a megabyte takes 10 ms instead of 130.
    for (let at = 0; at < value.length; at++) {
      const found = within(at, value[at]);
      if (found) return found;
    }
    return null;
  }
  for (const [key, inner] of Object.entries(value)) {
    const found = within(key, inner);
    if (found) return found;
  }
  return null;
}

/** What is nested deeper counts as large: 10,000 levels are more than the stack has room for. */
const DEPTH_COUNTED = 1_000;

/**
 * What was counted of those that are large. To begin with the first of 60,000 members takes 8 ms,
 * for V8 sorts their names first; and an input is asked for its size three times.
 */
const COUNTED = new WeakMap<object, number>();

/**
 * About how many characters the JSON text of a value has; counted as far as to say that there are
 * more than `most`. (To write it takes 30 ms for a megabyte of small members.) Of what was found to
 * have more, that is said again without a look, so what is large may not become small.
 */
export function jsonChars(value: unknown, most: number): number {
  const counted = isContainer(value) ? COUNTED.get(value) : undefined;
  if (counted !== undefined && counted > most) return counted;
  const chars = charsBelow(value, most, 0);
  if (chars > most && isContainer(value)) COUNTED.set(value, chars);
  return chars;
}

function charsBelow(value: unknown, most: number, depth: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (!isContainer(value)) return String(value).length;
  if (depth === DEPTH_COUNTED) return most + 1;
  let chars = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && chars <= most; at++) {
      chars += 1 + charsBelow(value[at], most - chars, depth + 1);
    }
    return chars;
  }
  for (const name in value) {
    if (chars > most) break;
    chars += name.length + 4 + charsBelow((value as JsonObject)[name], most - chars, depth + 1);
  }
  return chars;
}

/** Whether there are more than `most` values in a value, itself included; it looks at no more. */
export function hasMoreValues(value: unknown, most: number): boolean {
  let left = most;
  const look = (one: unknown): void => {
    left -= 1;
    if (!isContainer(one)) return;
    for (const name in one) {
      if (left < 0) return;
      look((one as JsonObject)[name]);
    }
  };
  look(value);
  return left < 0;
}

/** A name as one segment of a JSON pointer (RFC 6901). */
export function toSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The name that a segment of a JSON pointer stands for. */
export function fromSegment(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** What is found by going down through properties or items of these names; undefined: nothing. */
export function follow(value: unknown, names: Iterable<string>): unknown {
  let found = value;
  for (const name of names) {
    if (!isContainer(found) || !Object.hasOwn(found, name)) return undefined;
    found = (found as JsonObject)[name];
  }
  return found;
}
