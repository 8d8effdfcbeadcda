/**
 * Turns one schema of a real document into one that JSON Schema 2020-12 and Ajv accept. It knows
 * the habits of all versions of OpenAPI: `nullable`, `exclusiveMinimum: true`, lists as `items`,
 * types that do not exist, patterns that the flag `u` refuses. It keeps the keywords
 * that it knows and drops all others (`example`, `xml`, `x-…`): a schema that cannot be compiled
 * would make the action uncallable, while the upstream checks what a looser one lets through.
 *
 * Schemas are converted where they are reached and not by walking the document beforehand: only
 * there is it certain that something is a schema. @scalar/openapi-upgrader 0.1.11, which walks,
 * removes a property that is called `example`, and forgets the null of `nullable` beside `enum` and
 * `allOf`.
 */
import { isObject, objectOf, wordOf, type JsonObject } from '../../json.ts';
import { SCHEMA_TYPES, withReadNames, type UncheckedParts } from './conditions.ts';
import { withFittingValues } from './fittingValues.ts';
import { partsOf } from './references.ts';

export interface ConverterOptions {
  /**
   * `readOnly` properties are not required, and `oneOf` becomes `anyOf`: alternatives of real
   * documents overlap, and the service decides anyway about an input that fits two of them. Values
   * are of the declared type.
   */
  for_input: boolean;
  /** What a `$ref` becomes; undefined: it leads nowhere, and allows anything. */
  reference(reference: string): string | undefined;
  /** What a `$ref` leads to; undefined: nowhere. */
  target(reference: string): unknown;
  /** Knows where a pattern is no regular expression of JavaScript. */
  unreadable: UncheckedParts;
  /** Those of `names` which `schema` requires, as a part of `whole`, that are to be given. */
  required(names: readonly string[], schema: JsonObject, whole: JsonObject): readonly string[];
  /** The pattern for JavaScript's flag `u`; undefined: it is left out. */
  pattern(source: string): string | undefined;
}

/** Names of other languages' types that are found where a type should be. */
const FOREIGN_TYPES: ReadonlyMap<string, string> = new Map(Object.entries({
  file: 'string', date: 'string', datetime: 'string', 'date-time': 'string', text: 'string',
  uuid: 'string', int: 'integer', int32: 'integer', int64: 'integer', long: 'integer',
  float: 'number', double: 'number', decimal: 'number', bool: 'boolean', list: 'array',
}));
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const SCHEMAS = new Set(['additionalProperties', 'not', 'contains', 'propertyNames', 'if', 'then',
  'else', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema']);
const SCHEMA_LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const NUMBERS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);
const COUNTS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties',
  'maxProperties', 'minContains', 'maxContains']);
const TEXTS = new Set(['title', 'description', 'format', 'contentEncoding', 'contentMediaType']);
const FLAGS = new Set(['uniqueItems', 'readOnly', 'writeOnly', 'deprecated']);
const ANYTHING = new Set(['default', 'const']);
/** Of those that choose the same alternative. */
const VALUES_SHOWN = 5;

/** Schemas deeper than `depth` are left out. `whole`: of which this is one of `allOf`. */
export function convertSchema(
  given: unknown, depth: number, options: ConverterOptions, whole?: JsonObject): unknown {
  if (typeof given === 'boolean') return given;
  if (!isObject(given) || depth <= 0) return {};
  const nullable = given.nullable === true || given['x-nullable'] === true;
  const readable = withReadNames(options.unreadable.without(given), options.pattern);
  const types = [typesOf(readable.type) ?? [], nullable ? 'null' : []].flat() as string[];
  const schema = options.for_input && readable.type !== undefined
    ? withFittingValues(readable, types) : readable;
  const converted = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === 'required') return requiredOf(value, schema, whole ?? given, options);
    if (keyword === 'dependentRequired') {
      return dependentOf(value, schema, whole ?? given, options);
    }
    return convertKeyword(keyword, value, schema, options, (below) => convertSchema(
      below, depth - 1, options, keyword === 'allOf' ? whole ?? given : undefined));
  });
  const result: JsonObject = Object.fromEntries(converted.filter((entry) => entry !== undefined));
  return nullable ? withNull(result) : result;
}

type Entry = [keyword: string, value: unknown];

/** `convert` is for schemas one level deeper. Undefined: the keyword is left out. */
function convertKeyword(
  keyword: string, value: unknown, schema: JsonObject,
  { for_input, reference, target, pattern }: ConverterOptions,
  convert: (below: unknown) => unknown): Entry | undefined {
  const list = (name: string): Entry | undefined => Array.isArray(value) && value.length > 0
    ? [name, toldApart(name, value, schema).map(convert)] : undefined;
  if (keyword === '$ref') {
    const found = typeof value === 'string' ? reference(value) : undefined;
    return found === undefined ? undefined : ['$ref', found];
  }
  if (SCHEMA_MAPS.has(keyword)) {
    if (!isObject(value)) return undefined;
    return [keyword,
      Object.fromEntries(Object.entries(value).map(([name, below]) => [name, convert(below)]))];
  }
  if (keyword === 'items' && Array.isArray(value)) return list('prefixItems');
  const mere = keyword === 'additionalProperties' && for_input ? mereObject(value, target) : null;
  if (mere !== null) {
    const { $ref: _, type: __, nullable: ___, additionalProperties: ____, ...anything } = mere;
    return [keyword, convert(anything)];
  }
  if (keyword === 'items' || SCHEMAS.has(keyword)) {
    return isObject(value) || typeof value === 'boolean' ? [keyword, convert(value)] : undefined;
  }
  if (keyword === 'oneOf' && for_input && !('anyOf' in schema)) return list('anyOf');
  if (SCHEMA_LISTS.has(keyword)) return list(keyword);
  const simple = keyword === 'pattern' && typeof value === 'string' ? pattern(value)
    : simpleKeyword(keyword, value, schema);
  return simple === undefined ? undefined : [keyword, simple];
}

/**
 * An alias of an alias is followed to its end. The bound is against a hostile document that has a
 * long chain of references for each of its maps.
 */
const REFERENCES_FOLLOWED = 10;

/**
 * The schema, or the one that it leads to, if it says nothing of a value but that it is an object;
 * else null. As values of a map such are anything: Java's and C#'s `Map<String, Object>` is written
 * so (springdoc; Swashbuckle with `additionalProperties: false` besides, which nobody means). What
 * stands beside a reference holds besides, so only words may; they are added.
 */
function mereObject(schema: unknown, target: ConverterOptions['target']): JsonObject | null {
  const passed = partsOf(objectOf(schema), target, REFERENCES_FOLLOWED);
  const said = passed.pop()!;
  const isMere = isMereType(said.type) && Object.keys(said).every((keyword) =>
    /^(type|title|description|nullable|examples?|default|deprecated|x-.*)$/.test(keyword)
    || (keyword === 'additionalProperties' && typeof said[keyword] === 'boolean'));
  return isMere && passed.every((one) => Object.keys(one).every((keyword) =>
    /^(\$ref|title|description|nullable)$/.test(keyword)))
    ? Object.assign({}, said, ...passed.toReversed()) : null;
}

/** An object, perhaps or null, as OpenAPI 3.1 writes `nullable`. */
function isMereType(type: unknown): boolean {
  const types = [type].flat();
  return types.includes('object') && types.every((one) => one === 'object' || one === 'null');
}

/**
 * Alternatives that are titled by what chooses each, where the document maps it. Themselves they
 * often say nothing else of it than the list of all values, which they share. A title and no `enum`
 * of the one value: some mappings have other names than the services take.
 */
function toldApart(
  keyword: string, alternatives: readonly unknown[], { discriminator }: JsonObject) {
  const { propertyName, mapping } = objectOf(discriminator);
  if (keyword === 'allOf' || typeof propertyName !== 'string' || !isObject(mapping)) {
    return alternatives;
  }
  return alternatives.map((one) => {
    if (!isObject(one) || typeof one.$ref !== 'string') return one;
    const { $ref } = one;
    const values = Object.keys(mapping).filter((value) => {
      const chosen = wordOf(mapping[value]);
      return chosen === $ref || $ref.endsWith(`/${chosen}`);
    });
    if (values.length === 0) return one;
    const more = values.length > VALUES_SHOWN ? ', …' : '';
    return { title: `${propertyName}: ${values.slice(0, VALUES_SHOWN).join(', ')}${more}`, ...one };
  });
}

/** A keyword that holds no schema; undefined: it says nothing that can be used. */
function simpleKeyword(keyword: string, value: unknown, schema: JsonObject): unknown {
  if (keyword === 'type') return typesOf(value);
  if (keyword === 'enum') return Array.isArray(value) && value.length > 0 ? value : undefined;
  if (keyword === 'exclusiveMinimum' && value === true) return numberOf(schema.minimum);
  if (keyword === 'exclusiveMaximum' && value === true) return numberOf(schema.maximum);
  if (NUMBERS.has(keyword)) return numberOf(value);
  if (keyword === 'multipleOf') return Number(numberOf(value)) > 0 ? value : undefined;
  if (COUNTS.has(keyword)) return Number.isInteger(value) && Number(value) >= 0 ? value : undefined;
  if (TEXTS.has(keyword)) return typeof value === 'string' ? value : undefined;
  if (FLAGS.has(keyword)) return typeof value === 'boolean' ? value : undefined;
  return ANYTHING.has(keyword) ? value : undefined;
}

function typesOf(value: unknown): unknown {
  const known = (Array.isArray(value) ? value : [value]).flatMap((type) => {
    if (typeof type !== 'string') return [];
    const name = type.toLowerCase();
    return SCHEMA_TYPES.has(name) ? name : FOREIGN_TYPES.get(name) ?? [];
  });
  const types = [...new Set(known)];
  if (types.length === 0 || (Array.isArray(value) && known.length < value.length)) return undefined;
  return Array.isArray(value) ? types : types[0];
}

/** null is allowed besides what `schema` allows. */
function withNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const'].some((key) => key in schema)) {
    const { description, title, default: preset, ...rest } = schema;
    const told = Object.entries({ title, description, default: preset })
      .filter(([, value]) => value !== undefined);
    return { ...Object.fromEntries(told), anyOf: [rest, { type: 'null' }] };
  }
  const nullable = { ...schema };
  if (type !== undefined) nullable.type = [...new Set([type, 'null'].flat())];
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) {
    nullable.enum = [...schema.enum, null];
  }
  return nullable;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function requiredOf(
  value: unknown, schema: JsonObject, whole: JsonObject, options: ConverterOptions,
): Entry | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = new Set(value.filter((name): name is string => typeof name === 'string'));
  const required = options.required([...names], schema, whole);
  return required.length === 0 ? undefined : ['required', required];
}

function dependentOf(
  value: unknown, schema: JsonObject, whole: JsonObject, options: ConverterOptions,
): Entry | undefined {
  const lists = Object.entries(objectOf(value)).map(([name, list]) =>
    [name, requiredOf(list, schema, whole, options)?.[1]] as const)
    .filter(([, list]) => list !== undefined);
  return lists.length === 0 ? undefined : ['dependentRequired', Object.fromEntries(lists)];
}
