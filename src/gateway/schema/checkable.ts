/** What makes a schema one whose check takes time in proportion to the input, mostly. */
import { _, str, type CodeOptions, type KeywordDefinition } from 'ajv';
import { canonicalJson } from '../../canonicalJson.ts';
import { isContainer, type JsonObject } from '../../json.ts';
import { SchemaBundler } from './bundle.ts';
import { withoutCircles } from './circles.ts';
import { withOpenParts } from './closedParts.ts';
import { UncheckedParts, withReadNames } from './conditions.ts';
import { linearPattern, type LinearPattern } from './linearPattern.ts';
import { mapSchemas } from './mapSchemas.ts';
import { lookUp } from './references.ts';
import { withTagsFirst } from './tagged.ts';

/** Those of documents are cut already; those of MCP servers may be larger. */
const SCHEMA_LIMIT_CHARS = 131_072;
/** Has something that may have to be loosened for the sake of what is not checked. */
const LOOSENED = /"(patternProperties|not|if|oneOf|contains)":/;
const CHOOSES = /"(oneOf|anyOf)":/;
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'];
const MATCHES_ALL: LinearPattern = { test: () => true };

/**
 * The schema that inputs are checked by: `schema`, with parts that exclude each other open, with
 * alternatives that a member tells apart as conditions, and without what cannot be checked in
 * bounded time, which is left to the upstream service. That is whatever goes beyond the limit of
 * characters, names by a pattern that cannot be matched in linear time, and the conditions around
 * such a pattern, because a `not` around one would refuse everything. `text` is the JSON of
 * `schema`. Loads the engine of linearPattern.ts: call `engine` first if this may be cut off.
 */
export function checkable(schema: JsonObject, text: string): JsonObject {
  const bounded = withinBounds(schema, text);
  return CHOOSES.test(text) ? withTagsFirst(bounded) : bounded;
}

function withinBounds(schema: JsonObject, text: string): JsonObject {
  const limited = text.length <= SCHEMA_LIMIT_CHARS ? schema : new SchemaBundler(schema)
    .bundle(schema, { for_input: true, limit_chars: SCHEMA_LIMIT_CHARS }).schema;
  const whole = text.includes('"allOf":') && text.includes('"additionalProperties":false')
    ? withOpenParts(limited) : limited;
  const ending = text.includes('"$ref":') ? withoutCircles(whole) : whole;
  const loosened = LOOSENED.test(text) ? withoutDoubts(ending) : ending;
  // A schema around one that names less now would refuse as unknown what that one allowed.
  return loosened === whole || !text.includes('"unevaluated') ? loosened
    : mapSchemas(loosened, (one) => Object.fromEntries(Object.entries(one)
      .filter(([keyword]) => !UNEVALUATED.includes(keyword)))) as JsonObject;
}

/** Without conditions and names by patterns that cannot be checked; the same if there are none. */
function withoutDoubts(whole: JsonObject): JsonObject {
  const unchecked = new UncheckedParts((reference) => lookUp(whole, reference), isLinear);
  let is_loosened = false;
  const loosened = mapSchemas(whole, (one) => {
    const left = withReadNames(
      unchecked.without(one), (name) => (isLinear(name) ? name : undefined));
    is_loosened ||= left !== one;
    return left;
  }) as JsonObject;
  return is_loosened ? loosened : whole;
}

function isLinear(pattern: string): boolean {
  return !('problem' in linearPattern(pattern));
}

/** How Ajv writes code: unoptimised, the largest real schemas take 30 ms instead of 130. */
export const CODE: CodeOptions = {
  optimize: false,
  regExp: Object.assign((source: string) => new Lazy(source), { code: 'new RegExp' }),
};

/** Compiled when it is first used: most of a schema's patterns are for fields that are left out. */
class Lazy {
  readonly #source: string;
  #pattern: LinearPattern | undefined;
  #is_at_work = false;

  constructor(source: string) {
    this.#source = source;
  }

  /** By this Ajv tells patterns from each other. */
  toString(): string {
    return this.#source;
  }

  test(text: string): boolean {
    // If an earlier test was cut off, what the engine remembers may be half written.
    if (this.#pattern === undefined || this.#is_at_work) {
      const made = linearPattern(this.#source);
      this.#pattern = 'problem' in made ? MATCHES_ALL : made;
    }
    this.#is_at_work = true;
    const found = this.#pattern.test(text);
    this.#is_at_work = false;
    return found;
  }
}

/**
 * `uniqueItems` by the text of each item. Ajv compares each with each other: 20,000 objects take it
 * seconds, a megabyte of them half an hour.
 */
export const UNIQUE_ITEMS: KeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must NOT have duplicate items' },
  validate: (unique: boolean, items: unknown[]) =>
    !unique || new Set(items.map(canonicalJson)).size === items.length,
};

/**
 * `enum` by the text of each value. Ajv compares objects by their `valueOf` if they have one of
 * their own, and an input may have a field of that name that is no function.
 */
export const ENUM: KeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  error: { message: 'must be equal to one of the allowed values',
    params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
  compile: (values: unknown[]) => isOneOf(values),
};

/** `const`, likewise. */
export const CONST: KeywordDefinition = {
  keyword: 'const',
  error: { message: 'must be equal to constant',
    params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
  compile: (value: unknown) => isOneOf([value]),
};

function isOneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const plain = new Set(values.filter((value) => !isContainer(value)));
  const known = new Set(values.filter(isContainer).map(canonicalJson));
  return (value) => (isContainer(value)
    ? known.size > 0 && known.has(canonicalJson(value)) : plain.has(value));
}

/**
 * `multipleOf` of the numbers as they are written. Ajv divides doubles, by which 19.99 is none of
 * 0.01, nor 0.3 of 0.1.
 */
export const MULTIPLE_OF: KeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
  validate: (step: number, value: number) => value % step === 0
    || (!(Number.isInteger(step) && Number.isInteger(value))
      && asWritten(Math.round(value / step) * step) === asWritten(value)),
};

/** So many digits of a decimal number outlast a double. */
function asWritten(value: number): string {
  return value.toPrecision(15);
}
