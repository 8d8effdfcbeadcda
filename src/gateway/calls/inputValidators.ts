import { hash } from 'node:crypto';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import {
  follow, fromSegment, isObject, jsonChars, objectOf, toSegment, type JsonObject,
} from '../../json.ts';
import { faultOf } from '../../schemaFault.ts';
import type { ActionDefinition, ActionDescription } from '../action/action.ts';
import type { CheckedInput } from '../action/missing.ts';
import type { Violation } from '../action/outcome.ts';
import { CutOff, cutOffAfter, unlessCutOff } from '../schema/cutOff.ts';
import { isExactInteger } from '../schema/exactNumbers.ts';
import { SchemaUnusable, Validators, type Mode } from '../schema/validators.ts';

const VIOLATIONS_LIMIT = 20;
/** Only so many errors of Ajv become violations: nested `anyOf` repeated one error 16,000 times. */
const ERRORS_LIMIT = 200;
const KNOWN_FIELDS_LIMIT = 50;
/** Alternatives that are told in one sentence. */
const CHOICE_LIMIT = 5;
const SLICE_LIMIT_CHARS = 1_000;
/** Of a larger input only the first violation is told: 500,000 would be a hundred megabytes. */
const EXHAUSTIVE_LIMIT_CHARS = 65_536;
/** A megabyte of ordinary input takes 5 to 20 ms. */
const CHECK_LIMIT_MS = 100;
/** The schemas by which an input is arranged come from anybody. */
const ARRANGE_LIMIT_MS = 100;
/** Nobody means an action by so many fields, and to look for the place of each takes 80 ms. */
const ARRANGED_FIELDS = 1_000;
/** Nor by so much: to count the fields of a megabyte takes 20 ms. */
const ARRANGED_CHARS = 65_536;
/** Schemas that no validator could be made of, each with the reason. */
const UNUSABLE_LIMIT = 10_000;
/** Without references, a check takes at most a few ns for each character of schema and input. */
const SHORT_WORK = 10_000_000;

/**
 * Checks inputs by the schemas of their actions, in bounded time: schemas come from anybody, and
 * inputs, too. Validators are compiled when they are first needed and the least recently used are
 * forgotten: GitHub alone has 1,223 schemas, few of which are ever used. Each has an Ajv of its
 * own, for one Ajv keeps all it ever compiled. They are known by the text of their schema, for the
 * definitions of actions are read anew again and again; and a schema that no validator can be made
 * of is remembered apart, where others do not drive it out: it is tried once.
 */
export class InputValidators {
  readonly #compiled: LRUCache<string, Validators>;
  readonly #unusable = new LRUCache<string, SchemaUnusable>({ max: UNUSABLE_LIMIT });
  /** What a schema is known by, so that its text is made once for each time that it is read. */
  readonly #keys = new WeakMap<JsonObject, string>();

  constructor(capacity = 256) {
    this.#compiled = new LRUCache({ max: capacity });
  }

  /** Throws SchemaUnusable if no input can be checked by the action's schema. */
  check({ input_schema }: ActionDescription, input: unknown): CheckedInput {
    const input_chars = jsonChars(input, EXHAUSTIVE_LIMIT_CHARS);
    const mode = input_chars <= EXHAUSTIVE_LIMIT_CHARS ? 'all' : 'first';
    const { known, validate } = this.#validator(input_schema, mode);
    try {
      // A small input and a small schema cannot take long: then the timer, 0.1 ms, is left out.
      const isShort = mode === 'all' && input_chars * known.schema_chars <= SHORT_WORK;
      const errorsOf = (value: unknown) => (known.is_plain && isShort
        ? validate(value) : cutOffAfter(CHECK_LIMIT_MS, () => validate(value)))
        ? [] : validate.errors ?? [];
      const errors = errorsOf(input);
      // All errors have to be known, for one that is none must not hide another.
      const numbers = mode === 'all' ? withNumbers(input, errors) : undefined;
      return report(input_schema, numbers === undefined ? errors : errorsOf(numbers));
    } catch (error) {
      // A schema may refer to itself without an end: then the stack overflows, which is a
      // RangeError. The validator can be used again after a check that was cut off: it keeps
      // nothing of a check but its errors, and a pattern that was cut off begins anew.
      if (!(error instanceof CutOff || error instanceof RangeError)) throw error;
      return { schema: {}, violations: [{ path: '/input', message: 'takes too long to be checked by'
        + ' the schema of the action. Give less at once' }] };
    }
  }

  /**
   * The input as the action takes it, or what is wrong with it as it was given. What fits as it is
   * stays as it is, so that an input that was put right once is not changed again. Throws
   * SchemaUnusable as `check` does.
   */
  fit(definition: ActionDefinition, input: JsonObject): CheckedInput & { input: JsonObject } {
    const checked = nameWithheld(definition, input, this.check(definition, input));
    if (checked.violations.length === 0 || !definition.arrange
      || jsonChars(input, ARRANGED_CHARS) > ARRANGED_CHARS
      || Object.keys(input).length > ARRANGED_FIELDS) return { input, ...checked };
    const put = unlessCutOff(ARRANGE_LIMIT_MS, () => definition.arrange!(input));
    if (put === undefined) return { input, ...checked };
    const { input: arranged, hints } = put;
    const again = this.check(definition, arranged);
    if (again.violations.length === 0) return { input: arranged, ...again };
    const hinted = new Map(Object.entries(hints)
      .map(([name, message]) => [`/input/${toSegment(name)}`, message]));
    return { ...checked, input, violations: checked.violations.map(({ path, message }) =>
      ({ path, message: hinted.get(path) ?? message })) };
  }

  #validator(schema: JsonObject, mode: Mode): { known: Validators; validate: ValidateFunction } {
    const known_key = this.#keys.get(schema);
    const text = known_key === undefined ? JSON.stringify(schema) : undefined;
    const key = known_key ?? hash('sha256', text!, 'base64');
    this.#keys.set(schema, key);
    const fault = this.#unusable.get(key);
    if (fault !== undefined) throw fault;
    const known = this.#compiled.get(key)
      ?? new Validators(schema, text ?? JSON.stringify(schema));
    try {
      const validate = known.of(mode);
      this.#compiled.set(key, known);
      return { known, validate };
    } catch (error) {
      if (error instanceof SchemaUnusable) {
        this.#unusable.set(key, error);
        this.#compiled.delete(key);
      }
      throw error;
    }
  }

  /** How many schemas have a compiled validator now. */
  get size(): number {
    return this.#compiled.size;
  }
}

/** What is wrong with an input, where it has parameters that callers do not get to set. */
function nameWithheld(
  { withheld = [] }: ActionDefinition, input: JsonObject, checked: CheckedInput): CheckedInput {
  if (checked.violations.length === 0) return checked;
  const named = withheld.flatMap(({ place, name }) => {
    const given = Object.keys(objectOf(input[place]))
      .find((one) => one.toLowerCase() === name.toLowerCase());
    return given === undefined ? []
      : [{ place: `/input/${place}`, path: `/input/${place}/${toSegment(given)}` }];
  });
  const known = new Set(named.flatMap(({ place, path }) => [place, path]));
  return { ...checked, violations: [
    ...named.map(({ path }) => ({ path, message: 'is not for callers to set; leave it out' })),
    ...checked.violations.filter(({ path }) => !known.has(path))] };
}

/**
 * The input with numbers, near as they are, for integers that it has as texts of their digits where
 * a number was found to be missing: results have them so, and inputs are asked for them so.
 * Undefined: there are none.
 */
function withNumbers(input: unknown, errors: readonly ErrorObject[]): unknown {
  const places = new Set(errors.filter(({ keyword, params }) => keyword === 'type'
    && [params.type].flat().some((type) => type === 'integer' || type === 'number'))
    .map(({ instancePath }) => instancePath));
  const found = [...places].map((place) => place.slice(1).split('/').map(fromSegment))
    .filter((names) => isExactInteger(follow(input, names)));
  if (found.length === 0) return undefined;
  const copy = structuredClone(input);
  for (const names of found) {
    const holder = follow(copy, names.slice(0, -1)) as JsonObject;
    holder[names.at(-1)!] = Number(holder[names.at(-1)!]);
  }
  return copy;
}

function report(root: JsonObject, errors: ErrorObject[]): CheckedInput {
  const violations = new Map<string, Violation>();
  const schema: Record<string, unknown> = {};
  // That a condition's `then` does not hold says nothing: what it asks for is told by itself.
  const told = withoutChoices(errors.filter(({ keyword }) => keyword !== 'if'))
    .slice(0, ERRORS_LIMIT);
  const alternatives = alternativesOf(told);
  for (const error of told) {
    if (violations.size === VIOLATIONS_LIMIT) break;
    const { path, message: own, slice } = explain(error);
    const message = [...alternatives.get(path) ?? [own]].join(', or ');
    violations.set(`${path} ${message}`, { path, message });
    if (slice !== undefined) schema[path] = brief(root, slice);
  }
  return { violations: [...violations.values()], schema };
}

function explain(error: ErrorObject): Violation & { slice?: unknown } {
  const at = `/input${error.instancePath}`;
  const parent = objectOf(error.parentSchema);
  const properties = objectOf(parent.properties);
  const { property, message } = faultOf(error);
  if (property !== undefined) {
    const path = `${at}/${toSegment(property)}`;
    const slice = follow(properties, [property]);
    if (error.params.missingProperty !== undefined) return { path, message, slice };
    const known = Object.keys(properties).slice(0, KNOWN_FIELDS_LIMIT).join(', ');
    return { path, message: known === '' ? message : `${message}; known are ${known}` };
  }
  const choice = choiceOf(error);
  if (choice !== null) return { path: at, message: `must be like ${choice}`, slice: parent };
  const { allowedValues } = error.params;
  if (!Array.isArray(allowedValues)) return { path: at, message, slice: parent };
  const list = allowedValues.slice(0, KNOWN_FIELDS_LIMIT).map((value) => JSON.stringify(value));
  return { path: at, message: `must be one of ${list.join(', ')}`, slice: parent };
}

/**
 * By place, what each of its alternatives asks of what is there: they are told in one sentence, for
 * by itself each would deny the others.
 */
function alternativesOf(errors: ErrorObject[]): Map<string, Set<string>> {
  const alternatives = new Map(errors.filter(({ keyword }) => keyword === 'anyOf')
    .map((error) => [explain(error).path, new Set<string>()]));
  for (const error of errors) {
    const { path, message } = explain(error);
    const asked = alternatives.get(path);
    if (error.keyword !== 'anyOf' && asked && asked.size < VIOLATIONS_LIMIT) asked.add(message);
  }
  return new Map([...alternatives].filter(([, messages]) => messages.size > 0));
}

/** The errors without those of alternatives that are told as one choice. */
function withoutChoices(errors: ErrorObject[]): ErrorObject[] {
  const choices = new Set(errors.filter((error) => choiceOf(error) !== null)
    .map(({ instancePath, schemaPath }) => `${instancePath} ${schemaPath}`));
  return choices.size === 0 ? errors : errors.filter(({ instancePath, schemaPath }) => {
    const [, above] = /^(.*)\/\d+\/(?:required|not)$/s.exec(schemaPath) ?? [];
    return above === undefined || !choices.has(`${instancePath} ${above}`);
  });
}

/**
 * What an object is to have where alternatives say no more than that, such as a file, which is its
 * `base64` or its `text`; null: the error is of something else.
 */
function choiceOf({ keyword, params, parentSchema }: ErrorObject): string | null {
  const { anyOf } = objectOf(parentSchema);
  if (!Array.isArray(anyOf) || anyOf.length > CHOICE_LIMIT) return null;
  if (keyword !== 'anyOf' && !(keyword === 'type' && params.type === 'object')) return null;
  const shapes = anyOf.map((one) => {
    const { required, not: _, ...rest } = objectOf(one);
    return !Array.isArray(required) || Object.keys(rest).length > 0 ? null
      : `{${required.map((name) => `${JSON.stringify(name)}: …`).join(', ')}}`;
  });
  return shapes.includes(null) ? null : shapes.join(' or ');
}

/** What a slice refers to, one step on: a bare reference says nothing without the whole schema. */
function followed(root: JsonObject, slice: unknown): unknown {
  if (!isObject(slice) || typeof slice.$ref !== 'string') return slice;
  const name = slice.$ref.replace(/^#\/\$defs\//, '');
  const definitions = objectOf(root.$defs);
  if (!Object.hasOwn(definitions, name)) return slice;
  const { $ref: _, ...siblings } = slice;
  return { ...objectOf(definitions[name]), ...siblings };
}

/** The schema if it is small, else its outline, with that of a list's items. */
function brief(root: JsonObject, slice: unknown): unknown {
  const schema = followed(root, slice);
  const { items } = objectOf(schema);
  const told = outline(schema);
  return items === undefined || told === schema ? told
    : { ...objectOf(told), items: outline(followed(root, items)) };
}

function outline(schema: unknown): unknown {
  if (JSON.stringify(schema).length <= SLICE_LIMIT_CHARS || !isObject(schema)) return schema;
  const { type, required, properties } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(required) ? { required: required.slice(0, KNOWN_FIELDS_LIMIT) } : {}),
    ...(isObject(properties)
      ? { known_fields: Object.keys(properties).slice(0, KNOWN_FIELDS_LIMIT) } : {}),
  };
}
