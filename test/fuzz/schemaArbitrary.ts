/**
 * Values that fit a schema of the document, and ones that nearly do. fast-check makes and shrinks
 * them; only what our document uses of JSON Schema is known here.
 */
import fc from 'fast-check';
import { isObject, objectOf, type JsonObject } from '../../src/json.ts';
import { lookUp } from '../../src/gateway/schema/references.ts';

const DEPTH_LIMIT = 6;
/** So many characters or items more than have to be there. */
const SLACK = 12;

/** Stands for something that exists: the nth of its kind, chosen when the request is sent. */
export class Known {
  readonly name: string;
  readonly nth: number;
  constructor(name: string, nth: number) {
    this.name = name;
    this.nth = nth;
  }
}

/** Texts that have broken parsers, databases and terminals before. */
export const HOSTILE_TEXTS = [
  '', '\0', 'a\0b', '\ud800', '\udc00\ud800', '__proto__', 'constructor', '../..', '..%2f', '%00',
  '%', "'; drop table runs; --", '$1', '{{7*7}}', '\u202e', '\u2028', '\ufeff', 'null', 'true',
  '-1', '1e999',
  '９', '٣', 'İ', 'a'.repeat(5_000), '\r\n', '\x1b[2J', '🏳️‍🌈'.repeat(20), '1970-01-01T00:00:00Z',
  '275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-11-22T24:00:00Z',
];

/** Addresses that lead nowhere, or should: nothing of a test leaves this machine. */
const ADDRESSES = [
  'http://127.0.0.1:1/', 'http://[::1]:1/openapi.json', 'http://169.254.169.254/latest/meta-data',
  'http://0/', 'file:///etc/passwd', 'javascript:alert(1)', 'http://user:secret@127.0.0.1:1/',
  'http://127.0.0.1:99999/', 'http://', 'https:///x', 'no address', '//127.0.0.1', 'http://%zz/',
];

export interface SchemaContext {
  document: JsonObject;
  /** Names of fields and parameters whose values exist: `session_id`, `integration`. */
  known: readonly string[];
  /** Bodies that succeed, where the schema alone would hardly ever make one. */
  good_bodies: Partial<Record<string, readonly unknown[]>>;
}

/** `name`: of the field or parameter, which tells more than its schema does. */
export function arbitraryOf(
  schema: unknown, context: SchemaContext, name = '', depth = 0): fc.Arbitrary<unknown> {
  const given = followed(schema, context.document);
  if (context.known.includes(name) && accepts(given, 'string')) {
    return fc.oneof(
      { weight: 5, arbitrary: fc.nat(40).map((nth) => new Known(name, nth)) },
      { weight: 1, arbitrary: byKeyword(given, context, depth, name) });
  }
  if (/url$/.test(name)) return fc.constantFrom(...ADDRESSES);
  // A program that somebody names would be started.
  if (name === 'command') return fc.constant('no-such-program');
  return byKeyword(given, context, depth, name);
}

function followed(schema: unknown, document: JsonObject): JsonObject {
  let at = objectOf(schema);
  while (typeof at.$ref === 'string') at = objectOf(lookUp(document, at.$ref));
  return at;
}

function accepts({ type }: JsonObject, wanted: string): boolean {
  return [type].flat().includes(wanted);
}

function byKeyword(
  schema: JsonObject, context: SchemaContext, depth: number, name: string,
): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices)) {
    return fc.oneof(...choices.map((one) => arbitraryOf(one, context, name, depth)));
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => byType(String(type), schema, context, depth)));
}

function byType(
  type: string, schema: JsonObject, context: SchemaContext, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null': return fc.constant(null);
    case 'boolean': return fc.boolean();
    case 'integer': return fc.oneof(fc.integer(limitsOf(schema, 2 ** 31 - 1)), edgesOf(schema));
    case 'number': return fc.double({ ...limitsOf(schema, 1e9), noNaN: true });
    case 'string': return textOf(schema);
    case 'array': return arrayOf(schema, context, depth);
    default: return depth > DEPTH_LIMIT ? fc.constant({}) : objectArbitrary(schema, context, depth);
  }
}

function limitsOf({ minimum, maximum }: JsonObject, otherwise: number) {
  const min = Number(minimum ?? -otherwise);
  return { min, max: Number(maximum ?? Math.max(min, otherwise)) };
}

function edgesOf(schema: JsonObject): fc.Arbitrary<number> {
  const { min, max } = limitsOf(schema, 2 ** 31 - 1);
  return fc.constantFrom(min, max);
}

function textOf({ format, pattern, minLength = 0, maxLength }: JsonObject): fc.Arbitrary<string> {
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
  }
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern, 'u'));
  const least = Number(minLength);
  const most = Math.min(Number(maxLength ?? Infinity), least + SLACK);
  const bounds = { minLength: least, maxLength: most };
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: 'grapheme' }),
    fc.string({ ...bounds, unit: 'binary' }));
}

function arrayOf(
  { items, minItems = 0, maxItems }: JsonObject, context: SchemaContext, depth: number,
): fc.Arbitrary<unknown[]> {
  const least = Number(minItems);
  return fc.array(arbitraryOf(items ?? {}, context, '', depth + 1), {
    minLength: least, maxLength: Math.min(Number(maxItems ?? Infinity), least + 2) });
}

function objectArbitrary(
  schema: JsonObject, context: SchemaContext, depth: number): fc.Arbitrary<JsonObject> {
  const { properties, additionalProperties, required = [], propertyNames } = schema;
  const own = recordOf(Object.fromEntries(Object.entries(objectOf(properties))
    .map(([name, one]) => [name, arbitraryOf(one, context, name, depth + 1)])),
  [required].flat());
  if (!isObject(additionalProperties)) return own;
  const names = isObject(propertyNames)
    ? byKeyword({ type: 'string', ...propertyNames }, context, depth, '') : fc.string();
  const others = fc.dictionary(names as fc.Arbitrary<string>,
    arbitraryOf(additionalProperties, context, '', depth + 1), { maxKeys: 3 });
  return fc.tuple(own, others).map(([one, more]) => ({ ...more, ...one }));
}

/** What is not required is mostly left out: each addition is one more way to be refused. */
export function recordOf(
  members: Record<string, fc.Arbitrary<unknown>>, required: readonly unknown[],
): fc.Arbitrary<JsonObject> {
  const optional = Object.entries(members).map(([name, values]) => [name,
    required.includes(name) ? values : fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values }),
  ] as const);
  return fc.record(Object.fromEntries(optional)).map((made) =>
    Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)));
}
