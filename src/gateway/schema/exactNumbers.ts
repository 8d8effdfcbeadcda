/**
 * Integers beyond 2^53. An input has them as texts of their digits, because a number would be that
 * of another thing; who is called gets them as what its schema says.
 */
import type { ErrorObject } from 'ajv/dist/2020.js';
import { follow, fromSegment, objectOf, type JsonObject } from '../../json.ts';
import { othersOf, SchemaOpener } from './opened.ts';

const EXACT_INTEGER = /^-?[1-9]\d{15,39}$/;
const MAY_HOLD_ONE = /"-?[1-9]\d{15,39}"/;
/** In what is written of it by JSON.stringify, the text stands as it is. */
const { rawJSON, isRawJSON } = JSON as typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/**
 * The input with numbers, near as they are, for such integers where `errors`, of its check, miss a
 * number: results have them as texts, and inputs are asked for them so. Undefined: there are none.
 */
export function withNearNumbers(input: unknown, errors: readonly ErrorObject[]): unknown {
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

function isExactInteger(value: unknown): value is string {
  return typeof value === 'string' && EXACT_INTEGER.test(value)
    && !Number.isSafeInteger(Number(value));
}

/**
 * The value that `schema`, a part of `root`, describes, to be sent: where it wants a number and no
 * text, such an integer is written as a number, with all its digits.
 */
export function withExactNumbers(root: JsonObject, schema: unknown, value: unknown): unknown {
  return MAY_HOLD_ONE.test(JSON.stringify(value))
    ? written(new SchemaOpener(root), [schema], value) : value;
}

/** Whether a value has become such a number; its JSON is its digits. */
export function isExactNumber(value: unknown): boolean {
  return isRawJSON(value);
}

function written(opener: SchemaOpener, given: readonly unknown[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return isExactInteger(value) && wantsNumber(opener.each(given)) ? rawJSON(value) : value;
  }
  const schemas = opener.each(given);
  if (Array.isArray(value)) {
    const items = schemas.flatMap((one) => one.items ?? []);
    return value.map((item, at) => written(opener, [...items, ...schemas.flatMap((one) =>
      (Array.isArray(one.prefixItems) ? one.prefixItems[at] ?? [] : []))], item));
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name,
    written(opener, schemas.flatMap((one) => memberOf(one, name)), item)]));
}

function memberOf(schema: JsonObject, name: string): unknown[] {
  const properties = objectOf(schema.properties);
  return Object.hasOwn(properties, name) ? [properties[name]] : [othersOf(schema).any ?? []].flat();
}

function wantsNumber(schemas: readonly JsonObject[]): boolean {
  const types = schemas.flatMap(({ type }) => type ?? []);
  return !types.includes('string') && (types.includes('integer') || types.includes('number'));
}
