import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { follow, isObject, objectOf, toSegment, type JsonObject } from '../../json.ts';
import { faultOf } from '../../schemaFault.ts';
import type { ActionDescription } from '../action/action.ts';
import type { CheckedInput } from '../action/missing.ts';
import type { Violation } from '../action/outcome.ts';
import { checkable, CODE, UNIQUE_ITEMS } from '../schema/checkable.ts';
import { CutOff, cutOffAfter } from '../schema/cutOff.ts';

const VIOLATIONS_LIMIT = 20;
/** Errors looked at for them: parts of a schema that repeat each other can say one 16,000 times. */
const ERRORS_LIMIT = 200;
const KNOWN_FIELDS_LIMIT = 50;
const SLICE_LIMIT_CHARS = 1_000;
/** Of a larger input only the first violation is told: 500,000 would be a hundred megabytes. */
const EXHAUSTIVE_LIMIT_CHARS = 65_536;
/** A megabyte of ordinary input takes 5 to 20 ms. */
const CHECK_LIMIT_MS = 100;
/** The largest of 100,000 real schemas take 20 to 40 ms, and the longest that are taken 300. */
const COMPILE_LIMIT_MS = 500;
/** Without references, a check takes at most a few ns for each character of schema and input. */
const SHORT_WORK = 10_000_000;

/**
 * Checks inputs by the schemas of their actions, in bounded time: schemas come from anybody, and
 * inputs, too. Validators are compiled when they are first needed and the least recently used are
 * forgotten: GitHub alone has 1,223 schemas, few of which are ever used. Each has an Ajv of its
 * own, for one Ajv keeps all it ever compiled.
 */
export class InputValidators {
  readonly #compiled: LRUCache<JsonObject, Validators>;

  constructor(capacity = 256) {
    this.#compiled = new LRUCache({ max: capacity });
  }

  /** Throws an Error if the action's schema cannot be compiled. */
  check({ input_schema, name }: ActionDescription, input: unknown): CheckedInput {
    const input_chars = JSON.stringify(input).length;
    const mode = input_chars <= EXHAUSTIVE_LIMIT_CHARS ? 'all' : 'first';
    const known = this.#compiled.get(input_schema) ?? new Validators(input_schema, name);
    this.#compiled.set(input_schema, known);
    const validate = known.of(mode);
    try {
      // Where little can be at stake, the 0.1 ms of the time limit are saved.
      const isValid = known.is_plain && input_chars * known.schema_chars <= SHORT_WORK
        ? validate(input) : cutOffAfter(CHECK_LIMIT_MS, () => validate(input));
      return isValid ? { violations: [], schema: {} } : report(input_schema, validate.errors ?? []);
    } catch (error) {
      // Schemas may refer to themselves without an end.
      if (!(error instanceof CutOff || error instanceof RangeError)) throw error;
      this.#compiled.delete(input_schema);
      return { schema: {}, violations: [{ path: '/input', message: 'takes too long to be checked by'
        + ' the schema of the action. Give less at once' }] };
    }
  }

  /** How many schemas have a compiled validator now. */
  get size(): number {
    return this.#compiled.size;
  }
}

type Mode = 'all' | 'first';

/** The validators of one schema. */
class Validators {
  readonly schema_chars: number;
  /** Whether it has no part that could be applied to the same value again and again. */
  readonly is_plain: boolean;
  readonly #schema: JsonObject;
  readonly #name: string;
  readonly #made: Partial<Record<Mode, ValidateFunction>> = {};
  #fault: Error | undefined;

  constructor(schema: JsonObject, name: string) {
    const text = JSON.stringify(schema);
    this.schema_chars = text.length;
    this.is_plain = !/"(\$ref|pattern|patternProperties)":/.test(text);
    this.#schema = checkable(schema, text);
    this.#name = name;
  }

  of(mode: Mode): ValidateFunction {
    return this.#made[mode] ??= this.#compile(mode);
  }

  /** Throws again at once if it has failed before. */
  #compile(mode: Mode): ValidateFunction {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      return cutOffAfter(COMPILE_LIMIT_MS, () => newAjv(mode).compile(this.#schema));
    } catch (cause) {
      this.#fault = new Error(`The input schema of ${this.#name} cannot be compiled`, { cause });
      throw this.#fault;
    }
  }
}

function newAjv(mode: Mode): Ajv2020 {
  // Real documents break the letter of JSON Schema, so whatever Ajv can compile is taken. Formats
  // are not checked: the upstream service says itself whether a date is one.
  return new Ajv2020({
    strict: false, meta: false, validateSchema: false, validateFormats: false, logger: false,
    allErrors: mode === 'all', verbose: true, inlineRefs: false, code: CODE,
  }).removeKeyword('uniqueItems').addKeyword(UNIQUE_ITEMS);
}

function report(root: JsonObject, errors: ErrorObject[]): CheckedInput {
  const violations = new Map<string, Violation>();
  const schema: Record<string, unknown> = {};
  for (const error of errors.slice(0, ERRORS_LIMIT)) {
    if (violations.size === VIOLATIONS_LIMIT) break;
    const { path, message, slice } = explain(error);
    violations.set(`${path} ${message}`, { path, message });
    if (slice !== undefined) schema[path] = brief(followed(root, slice));
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
    if (error.keyword === 'required') return { path, message, slice };
    const known = Object.keys(properties).slice(0, KNOWN_FIELDS_LIMIT).join(', ');
    return { path, message: known === '' ? message : `${message}; known are ${known}` };
  }
  const { allowedValues } = error.params;
  if (!Array.isArray(allowedValues)) return { path: at, message, slice: parent };
  const list = allowedValues.slice(0, KNOWN_FIELDS_LIMIT).map((value) => JSON.stringify(value));
  return { path: at, message: `must be one of ${list.join(', ')}`, slice: parent };
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

/** The schema if it is small, else its outline. */
function brief(schema: unknown): unknown {
  if (JSON.stringify(schema).length <= SLICE_LIMIT_CHARS || !isObject(schema)) return schema;
  const { type, required, properties } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(required) ? { required: required.slice(0, KNOWN_FIELDS_LIMIT) } : {}),
    known_fields: Object.keys(objectOf(properties)).slice(0, KNOWN_FIELDS_LIMIT),
  };
}
