import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { follow, isObject, objectOf, toSegment, type JsonObject } from '../../json.ts';
import { faultOf } from '../../schemaFault.ts';
import type { ActionDescription } from '../action/action.ts';
import type { CheckedInput } from '../action/missing.ts';
import type { Violation } from '../action/outcome.ts';

const VIOLATIONS_LIMIT = 20;
const KNOWN_FIELDS_LIMIT = 50;
const SLICE_LIMIT_CHARS = 1_000;
/** Of a larger input only the first violation is told: 500,000 would be a hundred megabytes. */
const EXHAUSTIVE_LIMIT_CHARS = 65_536;

/**
 * Checks inputs by the schemas of their actions. Validators are compiled when they are first needed
 * and the least recently used are forgotten: GitHub alone has 1,223 schemas, few of which are ever
 * used. Each has an Ajv of its own, for one Ajv keeps all it ever compiled.
 */
export class InputValidators {
  readonly #compiled: LRUCache<JsonObject, Partial<Record<Mode, ValidateFunction>>>;

  constructor(capacity = 256) {
    this.#compiled = new LRUCache({ max: capacity });
  }

  /** Throws an Error if the action's schema cannot be compiled. */
  check({ input_schema, name }: ActionDescription, input: unknown): CheckedInput {
    const exhaustive = JSON.stringify(input).length <= EXHAUSTIVE_LIMIT_CHARS;
    const validate = this.#validator(input_schema, name, exhaustive ? 'all' : 'first');
    if (validate(input)) return { violations: [], schema: {} };
    return report(input_schema, validate.errors ?? []);
  }

  /** How many schemas have a compiled validator now. */
  get size(): number {
    return this.#compiled.size;
  }

  #validator(schema: JsonObject, name: string, mode: Mode): ValidateFunction {
    const known = this.#compiled.get(schema) ?? {};
    const validate = known[mode] ??= compile(schema, name, mode);
    this.#compiled.set(schema, known);
    return validate;
  }
}

type Mode = 'all' | 'first';

function compile(schema: JsonObject, name: string, mode: Mode): ValidateFunction {
  // Real documents break the letter of JSON Schema, so whatever Ajv can compile is taken. Formats
  // are not checked: the upstream service says itself whether a date is one.
  const ajv = new Ajv2020({
    strict: false, meta: false, validateSchema: false, validateFormats: false, logger: false,
    allErrors: mode === 'all', verbose: true,
  });
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new Error(`The input schema of ${name} cannot be compiled`, { cause: error });
  }
}

function report(root: JsonObject, errors: ErrorObject[]): CheckedInput {
  const violations = new Map<string, Violation>();
  const schema: Record<string, unknown> = {};
  for (const error of errors) {
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
