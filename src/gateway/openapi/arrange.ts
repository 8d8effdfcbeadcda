/**
 * Inputs as models write them, put as the operation takes them: fields that are given beside
 * `path`, `query`, `header` and `body` instead of in them, and numbers that are written as texts.
 */
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import type { Arranged } from '../action/action.ts';
import { retypedText } from '../schema/fittingValues.ts';
import { alternativesOf, SchemaOpener } from '../schema/opened.ts';
import { PLACES } from './inputSchema.ts';

const ALL_PLACES = [...PLACES, 'body'] as const;
const FIELDS_LIMIT = 200;

/**
 * The input with what can be meant in one way only put right, and for each other field that is
 * given outside of all places what is to be done about it. Nothing is moved over something else,
 * nor into one place if another one takes any name.
 */
export function arrange(input_schema: JsonObject, input: JsonObject): Arranged {
  const opener = new SchemaOpener(input_schema);
  const places = objectOf(opener.open(input_schema).properties);
  const made: JsonObject = { ...input };
  const hints: Record<string, string> = {};
  const fieldsOf = ALL_PLACES.filter((place) => Object.hasOwn(places, place))
    .map((place) => ({ place, ...takenBy(opener, places[place]) }));
  const outside = Object.keys(input).filter((name) => !Object.hasOwn(places, name));
  for (const name of outside.slice(0, FIELDS_LIMIT)) {
    if (!fieldsOf.some(({ named }) => named.has(name))) continue;
    const takers = fieldsOf.filter(({ named, takes_any }) => takes_any || named.has(name))
      .map(({ place }) => place);
    const [place] = takers;
    if (place === undefined) continue;
    hints[name] = takers.length === 1 ? `belongs into ${place}: ${shape(place, name)}`
      : `belongs into ${takers.join(' or ')}; say which: ${shape(place, name)}`;
    const target = Object.hasOwn(made, place) ? made[place] : {};
    if (takers.length > 1 || !isObject(target) || Object.hasOwn(target, name)) continue;
    made[place] = { ...target, [name]: input[name] };
    delete made[name];
  }
  for (const place of PLACES) {
    if (isObject(made[place])) made[place] = retyped(opener, places[place], made[place]);
  }
  return { input: made, hints };
}

/** The input without parameters that are null, and places without any: nothing is sent of them. */
export function essence(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).flatMap(([place, given]) => {
    if (!(PLACES as readonly string[]).includes(place) || !isObject(given)) return [[place, given]];
    const said = Object.entries(given).filter(([, value]) => value !== null);
    return said.length === 0 ? [] : [[place, Object.fromEntries(said)]];
  }));
}

function shape(place: string, name: string): string {
  return `{${JSON.stringify(place)}: {${JSON.stringify(name)}: …}}`;
}

/** What may be in a place: the fields that its schema names, or one of its alternatives does. */
function takenBy(opener: SchemaOpener, given: unknown): { named: Set<string>, takes_any: boolean } {
  const schema = opener.open(given);
  const all = [schema, ...alternativesOf(schema).map((one) => opener.open(one))];
  const named = new Set(all.flatMap(({ properties }) => Object.keys(objectOf(properties))));
  const isFreeForm = named.size === 0 && schema.additionalProperties !== false
    && (schema.type === undefined || [schema.type].flat().includes('object'));
  return { named, takes_any: isFreeForm || all.some(takesOthers) };
}

/** Most schemas say nothing of further fields: those are not meant for them. */
function takesOthers({ additionalProperties, patternProperties }: JsonObject): boolean {
  return additionalProperties === true || isObject(additionalProperties)
    || isObject(patternProperties);
}

/** Parameters are sent as texts, so that `"7"` and `7` are the same request. */
function retyped(opener: SchemaOpener, schema: unknown, given: JsonObject): JsonObject {
  const properties = objectOf(opener.open(schema).properties);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? opener.open(properties[name]) : {};
    return [name, retypedValue(schema, value)];
  }));
}

function retypedValue({ type }: JsonObject, value: unknown): unknown {
  const types = [type].flat();
  if (typeof value === 'string' && !types.includes('string')) return retypedText(types, value);
  // Of a number with more digits, or with a fraction, not all that was written is known any more.
  return Number.isSafeInteger(value) && types.length === 1 && types[0] === 'string'
    ? String(value) : value;
}
