/**
 * Request bodies from bytes to values. JSON.parse does the work; around it are the limits and the
 * messages that it lacks: V8 names a position for some faults only, and quotes the input instead.
 */
import { isUtf8 } from 'node:buffer';
import { GatehouseError } from '../errors.ts';

/**
 * Parses a body. Throws `invalid_json`, with the position of the first fault, for what is not UTF-8
 * or not JSON, and `invalid_request` for nesting deeper than `depth_limit`.
 */
export function parseJson(bytes: Buffer, depth_limit: number): unknown {
  if (!isUtf8(bytes)) {
    throw new GatehouseError('invalid_json', 'The body is not valid UTF-8. Encode it as UTF-8.');
  }
  const text = bytes.toString('utf8');
  // Each level takes an opening and a closing character, so a short text cannot be too deep.
  if (text.length > 2 * depth_limit && isDeeper(text, depth_limit)) {
    throw new GatehouseError('invalid_request',
      `The body is nested deeper than ${depth_limit} levels. Send a flatter one.`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GatehouseError('invalid_json', describeFault(text), { cause });
  }
}

const QUOTE = 34;
const BACKSLASH = 92;

/** True if brackets outside strings nest deeper than `limit`; looks at the text, no recursion. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) {
      i = endOfString(text, i);
    } else if (character === 91 || character === 123) { // [ {
      if (++depth > limit) return true;
    } else if (character === 93 || character === 125) { // ] }
      depth--;
    }
  }
  return false;
}

/** The index of the quote that ends the string begun at `start`, or the text's end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function describeFault(text: string): string {
  if (text.trim() === '') return 'The body is empty; it must be JSON.';
  const position = faultPosition(text);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const where = `position ${position} (line ${line}, column ${column})`;
  if (position >= text.length) return `The body is not valid JSON: it ends too early, at ${where}.`;
  const character = JSON.stringify(String.fromCodePoint(text.codePointAt(position)!));
  return `The body is not valid JSON: unexpected ${character} at ${where}.`;
}

// One token of JSON at lastIndex: white space, a string, a number, a word or a punctuation mark.
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expect = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/** Where the first fault of a text that JSON.parse refused is; the length if it ends too early. */
function faultPosition(text: string): number {
  const open: string[] = [];
  let expect: Expect = 'value';
  let position = 0;
  for (;;) {
    position = matchEnd(SPACE, text, position) ?? position;
    const character = text[position];
    if (character === undefined) return position;
    if (expect === ':') {
      if (character !== ':') return position;
      expect = 'value';
      position++;
    } else if (expect === ', or end') {
      const inside = open.at(-1);
      if (inside === undefined) return position;
      if (character === ',') expect = inside === '{' ? 'key' : 'value';
      else if (character === (inside === '{' ? '}' : ']')) open.pop();
      else return position;
      position++;
    } else if ((expect === 'key or }' && character === '}')
      || (expect === 'value or ]' && character === ']')) {
      open.pop();
      expect = ', or end';
      position++;
    } else if (expect === 'key' || expect === 'key or }') {
      const end = matchEnd(STRING, text, position);
      if (end === undefined) return character === '"' ? faultInString(text, position) : position;
      position = end;
      expect = ':';
    } else if (character === '{' || character === '[') {
      open.push(character);
      expect = character === '{' ? 'key or }' : 'value or ]';
      position++;
    } else {
      const end = matchEnd(character === '"' ? STRING : SCALAR, text, position);
      if (end === undefined) return character === '"' ? faultInString(text, position) : position;
      position = end;
      expect = ', or end';
    }
  }
}

function matchEnd(pattern: RegExp, text: string, position: number): number | undefined {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

const STRING_START = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

function faultInString(text: string, start: number): number {
  return matchEnd(STRING_START, text, start) ?? start;
}
