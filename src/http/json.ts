/**
 * Request bodies from bytes to values. JSON.parse does the work; around it are limits, and messages
 * that always name a position. V8's own name none for some faults, and quote the body instead.
 */
import { isUtf8 } from 'node:buffer';
import type { Config } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import { endOfText, parseNoticing } from '../json.ts';
import { emptyBody } from './body.ts';

export type JsonLimits = Pick<Config, 'json_depth_limit' | 'json_containers_limit'>;

/**
 * Parses a body. Throws `invalid_json`, with the position of the first fault, for what is not UTF-8
 * or not JSON, and `invalid_request` for what is nested deeper, or has more objects and lists, than
 * is allowed: a megabyte of empty objects takes as long as four of anything else.
 */
export function parseBody(bytes: Buffer, limits: JsonLimits): unknown {
  if (!isUtf8(bytes)) {
    throw new GatehouseError('invalid_json', 'The body is not valid UTF-8. Encode it as UTF-8.');
  }
  const text = bytes.toString('utf8');
  // Each level takes an opening and a closing character, so a short text cannot be too deep.
  if (text.length > 2 * limits.json_depth_limit) checkShape(text, limits);
  try {
    return parseNoticing(text);
  } catch (cause) {
    if (BLANK.test(text)) throw emptyBody();
    throw new GatehouseError('invalid_json', describeFault(text, cause as SyntaxError), { cause });
  }
}

/** The white space of JSON. Others, such as a byte order mark, are told as what they are. */
const BLANK = /^[ \t\n\r]*$/;
const UNSEEN = /[\p{C}\p{Z}]/u;
const QUOTE = 34;

/** Counts the brackets outside strings; looks at the text, no recursion. */
function checkShape(text: string, { json_depth_limit, json_containers_limit }: JsonLimits): void {
  let depth = 0;
  let containers = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === QUOTE) {
      i = endOfText(text, i) - 1;
    } else if (character === 91 || character === 123) { // [ {
      if (++depth > json_depth_limit) {
        throw new GatehouseError('invalid_request',
          `The body is nested deeper than ${json_depth_limit} levels. Send a flatter one.`);
      }
      if (++containers > json_containers_limit) {
        throw new GatehouseError('invalid_request', `The body has more than`
          + ` ${json_containers_limit} objects and lists. Send fewer at once.`);
      }
    } else if (character === 93 || character === 125) { // ] }
      depth--;
    }
  }
}

function describeFault(text: string, fault: SyntaxError): string {
  const position = positionOf(fault) ?? missingValue(text);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  const where = `position ${position} (line ${line}, column ${column})`;
  if (position >= text.length) return `The body is not valid JSON: it ends too early, at ${where}.`;
  const found = characterAt(text, position);
  return `The body is not valid JSON: unexpected ${found} at ${where}.`;
}

/** The character in quotes, or by its number where nobody would see it. */
function characterAt(text: string, position: number): string {
  const code = text.codePointAt(position)!;
  const character = String.fromCodePoint(code);
  if (code === 0xfeff) return 'U+FEFF (a byte order mark: leave it out)';
  return UNSEEN.test(character) && character !== ' '
    ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : JSON.stringify(character);
}

/** Where V8 says that the fault is; undefined if it quotes the text instead. */
function positionOf({ message }: SyntaxError): number | undefined {
  const [, given] = / at position (\d+) \(line \d+ column \d+\)$/.exec(message) ?? [];
  if (given === undefined) return undefined;
  // V8 points behind the backslash; the escape begins at it.
  return Number(given) - (message.startsWith('Bad escaped character') ? 1 : 0);
}

const TOKEN = /([ \t\n\r]*)(-?\d[-+.\deE]*|true|false|null|["[\]{},:])?/y;

/**
 * The first place where a value is due and none begins, or where no token of JSON is; the length if
 * there is no such place, as the text then ends too early. Only V8's faults without a position
 * lead here, so that everything before the place is known to be JSON.
 */
function missingValue(text: string): number {
  let previous = ','; // a value is due after it
  for (let position = 0; ;) {
    TOKEN.lastIndex = position;
    const [, space, token] = TOKEN.exec(text)!;
    position += space!.length;
    if (token === undefined) return position;
    const due = ',:['.includes(previous) && previous + token !== '[]';
    if (due && ',:]}'.includes(token)) return position;
    position = token === '"' ? endOfText(text, position) : position + token.length;
    previous = token;
  }
}
