/**
 * Arguments that go into headers as well, for what is between here and the server, where a tool's
 * schema says so (`x-mcp-header`). The protocol without sessions has it, over HTTP.
 */
import { follow, isContainer, isObject, objectOf, type JsonObject } from '../../json.ts';
import { isExactNumber } from '../schema/exactNumbers.ts';

export interface MirroredArgument {
  /** Where it is in the input: names of properties. */
  path: readonly string[];
  /** The end of the header's name. */
  header: string;
}

const KEYWORD = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/**
 * The arguments that an input schema names so; null if it does where the protocol does not allow
 * it: then the tool must not be used. No recursion, however deep the schema is.
 */
export function mirroredArguments(schema: unknown): MirroredArgument[] | null {
  const found = new Map<string, MirroredArgument>();
  // `path`: null where more than properties leads to.
  const waiting: { value: unknown, path: readonly string[] | null }[] =
    [{ value: schema, path: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (!isContainer(value)) continue;
    const { [KEYWORD]: header, type } = objectOf(value);
    // What is an object is a property of that name.
    if (header !== undefined && !isObject(header)) {
      if (path === null || path.length === 0 || typeof header !== 'string' || !TOKEN.test(header)
        || !TYPES.includes(type) || found.has(header.toLowerCase())) return null;
      found.set(header.toLowerCase(), { path, header });
    }
    for (const [name, item] of Object.entries(value)) {
      if (name !== 'properties' || path === null) {
        waiting.push({ value: item, path: null });
        continue;
      }
      for (const [property, child] of Object.entries(objectOf(item))) {
        waiting.push({ value: child, path: [...path, property] });
      }
    }
  }
  return [...found.values()];
}

/** The headers for a call with this input; none for what it does not have. */
export function mirroredHeaders(
  mirrored: readonly MirroredArgument[], input: JsonObject): Record<string, string> {
  return Object.fromEntries(mirrored.flatMap(({ path, header }) => {
    const value = follow(input, path);
    const isNumber = Number.isSafeInteger(value) || isExactNumber(value);
    if (typeof value !== 'string' && typeof value !== 'boolean' && !isNumber) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [[`Mcp-Param-${header}`, PLAIN.test(text) && !ENCODED.test(text) ? text
      : `=?base64?${Buffer.from(text).toString('base64')}?=`]];
  }));
}
