/**
 * Parts of a schema that refuse more when something below them allows more: beside what is not
 * checked, and so allows everything, a `not` would refuse everything. That is a pattern, a format,
 * a type that JSON Schema does not know, and a reference that leads nowhere.
 */
import { isContainer, isObject, type JsonObject } from '../../json.ts';
import { subschemasOf } from './mapSchemas.ts';

const CONDITIONS = ['not', 'if', 'oneOf', 'contains'] as const;
export const SCHEMA_TYPES: ReadonlySet<unknown> = new Set(
  ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What a report says where `UncheckedParts` left something out. */
export const CONDITIONS_LEFT_OUT = 'A `not` or `if` around a pattern or a format that is not'
  + ' checked is not checked, either. The service that is called checks it';

/** Knows of schemas whether what they hold or refer to has something that is not checked. */
export class UncheckedParts {
  readonly #target: (reference: string) => unknown;
  readonly #isChecked: (pattern: string) => boolean;
  readonly #known = new Map<unknown, boolean>();
  readonly #patterns = new Map<string, boolean>();
  /** Whether any condition was left out. */
  left_out = false;

  /** `target`: what a reference refers to. */
  constructor(target: (reference: string) => unknown, isChecked: (pattern: string) => boolean) {
    this.#target = target;
    this.#isChecked = isChecked;
  }

  /** `schema` without such conditions: `oneOf` becomes `anyOf`, `contains` has no most. */
  without(schema: JsonObject): JsonObject {
    const doubtful = CONDITIONS.filter((keyword) =>
      isContainer(schema[keyword]) && this.#has(schema[keyword]));
    if (doubtful.length === 0) return schema;
    this.left_out ||= doubtful.includes('not') || doubtful.includes('if');
    const left = { ...schema };
    if (doubtful.includes('not')) delete left.not;
    if (doubtful.includes('contains')) delete left.maxContains;
    if (doubtful.includes('if')) {
      // What `then` and `else` name must not be refused as unknown.
      for (const keyword of ['if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems']) {
        delete left[keyword];
      }
    }
    if (doubtful.includes('oneOf')) {
      delete left.oneOf;
      // Not dropped beside an `anyOf`: what it names must not become unknown.
      left.allOf = [...[schema.allOf ?? []].flat(), { anyOf: schema.oneOf }];
    }
    return left;
  }

  #has(schema: unknown): boolean {
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const seen = new Set<unknown>([schema].flat());
    // A Set that is walked while it grows also visits what is added.
    for (const one of seen) {
      if (!isObject(one)) continue;
      if (this.#known.get(one) === true || !this.#checksAllOf(one)) {
        this.#known.set(schema, true);
        return true;
      }
      if (typeof one.$ref === 'string') seen.add(this.#target(one.$ref));
      for (const below of subschemasOf(one)) seen.add(below);
    }
    for (const one of [schema, ...seen]) this.#known.set(one, false);
    return false;
  }

  #checksAllOf(schema: JsonObject): boolean {
    const { format, type, $ref } = schema;
    return typeof format !== 'string'
      && schemaPatterns(schema).every((source) => this.#reads(source))
      && (type === undefined || [type].flat().every((one) => SCHEMA_TYPES.has(one)))
      && (typeof $ref !== 'string' || isContainer(this.#target($ref)));
  }

  #reads(source: string): boolean {
    const known = this.#patterns.get(source) ?? this.#isChecked(source);
    this.#patterns.set(source, known);
    return known;
  }
}

/**
 * The schema with the names by patterns that `read` makes something of; those that the others
 * allow must not be refused as unknown. The same object if all stay as they are.
 */
export function withReadNames(
  schema: JsonObject, read: (pattern: string) => string | undefined): JsonObject {
  const { patternProperties, additionalProperties, unevaluatedProperties, ...rest } = schema;
  if (!isObject(patternProperties)) return schema;
  const names = Object.keys(patternProperties).map((name) => [name, read(name)] as const);
  if (names.every(([name, made]) => made === name)) return schema;
  const kept = Object.fromEntries(names.flatMap(([name, made]) =>
    (made === undefined ? [] : [[made, patternProperties[name]]])));
  return { ...names.every(([, made]) => made !== undefined) ? schema : rest,
    patternProperties: kept };
}

/** The patterns of a schema itself, of values and of names. */
export function schemaPatterns({ pattern, patternProperties }: JsonObject): string[] {
  return [...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(patternProperties) ? Object.keys(patternProperties) : [])];
}
