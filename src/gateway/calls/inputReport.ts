/** What Ajv finds wrong with an input, in words for whoever gave it. */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { follow, isObject, objectOf, toSegment, type JsonObject } from '../../json.ts';
import { faultOf } from '../../schemaFault.ts';
import type { CheckedInput } from '../action/missing.ts';
import type { Violation } from '../action/outcome.ts';
import { lookUp } from '../schema/references.ts';

const VIOLATIONS_LIMIT = 20;
/** Only so many errors of Ajv become violations: nested `anyOf` repeated one error 16,000 times. */
const ERRORS_LIMIT = 200;
const KNOWN_FIELDS_LIMIT = 50;
/** Alternatives that are told in one sentence. */
const CHOICE_LIMIT = 5;
const SLICE_LIMIT_CHARS = 1_000;

/** The violations, with the parts that the failing fields are held to, of `root`, the schema. */
export function inputReport(root: JsonObject, errors: ErrorObject[]): CheckedInput {
  const violations = new Map<string, Violation>();
  const schema: Record<string, unknown> = {};
  // That a condition's `then` does not hold says nothing: what it asks for is told by itself.
  const told = withoutChoices(errors.filter(({ keyword }) => keyword !== 'if'))
    .slice(0, ERRORS_LIMIT).map(explain);
  const alternatives = alternativesOf(told);
  for (const { path, message: own, slice } of told) {
    if (violations.size === VIOLATIONS_LIMIT) break;
    const message = [...alternatives.get(path) ?? [own]].join(', or ');
    violations.set(`${path} ${message}`, { path, message });
    if (slice !== undefined) schema[path] = brief(root, slice);
  }
  return { violations: [...violations.values()], schema };
}

interface FoundViolation extends Violation {
  keyword: string;
  /** The part of the schema that says so. */
  slice?: unknown;
}

function explain(error: ErrorObject): FoundViolation {
  const { keyword } = error;
  const at = `/input${error.instancePath}`;
  const parent = objectOf(error.parentSchema);
  const properties = objectOf(parent.properties);
  const { property, message } = faultOf(error);
  if (property !== undefined) {
    const path = `${at}/${toSegment(property)}`;
    const slice = follow(properties, [property]);
    if (error.params.missingProperty !== undefined) return { keyword, path, message, slice };
    const known = Object.keys(properties).slice(0, KNOWN_FIELDS_LIMIT).join(', ');
    return { keyword, path, message: known === '' ? message : `${message}; known are ${known}` };
  }
  const choice = choiceOf(error);
  if (choice !== null) {
    return { keyword, path: at, message: `must be like ${choice}`, slice: parent };
  }
  const { allowedValues } = error.params;
  if (!Array.isArray(allowedValues)) return { keyword, path: at, message, slice: parent };
  const list = allowedValues.slice(0, KNOWN_FIELDS_LIMIT).map((value) => JSON.stringify(value));
  return { keyword, path: at, message: `must be one of ${list.join(', ')}`, slice: parent };
}

/**
 * By place, what each of its alternatives asks of what is there: they are told in one sentence, for
 * by itself each would deny the others.
 */
function alternativesOf(told: readonly FoundViolation[]): Map<string, Set<string>> {
  const alternatives = new Map(told.filter(({ keyword }) => keyword === 'anyOf')
    .map(({ path }) => [path, new Set<string>()]));
  for (const { keyword, path, message } of told) {
    const asked = alternatives.get(path);
    if (keyword !== 'anyOf' && asked && asked.size < VIOLATIONS_LIMIT) asked.add(message);
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
  const { $ref, ...siblings } = slice;
  const target = lookUp(root, $ref);
  return target === undefined ? slice : { ...objectOf(target), ...siblings };
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
