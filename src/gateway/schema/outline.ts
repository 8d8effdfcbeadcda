/**
 * A schema in as many words as its reader has room for. It is always valid JSON and never cut
 * within: what is required comes first, what is optional is shown as far as there is room, else
 * named, and what is left out below says by which `branch` it can be asked for. References are
 * resolved in place.
 */
import { isObject, jsonChars, objectOf, textOf, type JsonObject } from '../../json.ts';
import { firstWithin } from '../../truncate.ts';
import { brief } from './brief.ts';
import { choicesOf, othersOf, SchemaOpener } from './opened.ts';

export interface OutlineLimits {
  /** Characters up to which more is shown than what is required. */
  enough_chars: number;
  /** Characters that it never has more of; 4,000 at least. */
  most_chars: number;
  /** Characters of a list of values that is shown first of all. */
  enum_chars?: number;
}

/** How much is told. Depths are those of what holds more: objects, lists, alternatives. */
interface Rung {
  required_depth: number;
  /** 0: what is optional is only named. */
  optional_depth: number;
  description_chars: number;
  enum_chars: number;
  /** Bounds of numbers, lengths of texts and the like. */
  with_bounds: boolean;
}

const rung = (
  required_depth: number, optional_depth: number, description_chars: number,
  enum_chars = 600, with_bounds = false): Rung =>
  ({ required_depth, optional_depth, description_chars, enum_chars, with_bounds });

/** The first of these that is short enough is shown. */
const UP_TO_ENOUGH: readonly Rung[] = [
  rung(12, 12, 400, 4_000, true), rung(12, 12, 200), rung(8, 3, 140), rung(8, 2, 120),
  rung(8, 1, 100), rung(8, 1, 50, 200), rung(8, 1, 0, 100)];
/** What is required may take more room. The last of them is short whatever the schema. */
const UP_TO_MOST: readonly Rung[] = [
  rung(8, 0, 140), rung(4, 0, 100), rung(2, 0, 60, 200), rung(2, 0, 0, 100), rung(1, 0, 0, 100),
  rung(0, 0, 0, 100), rung(-1, 0, 0, 100)];
/** Of the names of what is closed, by `required_depth`: the most where there are names alone. */
const namesChars = (required_depth: number): number =>
  required_depth <= 0 ? 1_000 : required_depth === 1 ? 100 : 300;
const KEPT = ['type', 'const', 'format', 'title'];
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf',
  'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'minProperties',
  'maxProperties'];

/** Characters of a `const`, a `default` and the like; longer ones are not shown. */
const VALUE_CHARS = 100;

class TooLong extends Error {}

/**
 * The outline of `schema`, a part of `root`, whose place within it is `at` ('': the root itself).
 */
export function outline(
  root: JsonObject, schema: unknown, at: string,
  { enough_chars, most_chars, enum_chars = 0 }: OutlineLimits,
): { schema: JsonObject, is_whole: boolean } {
  const [all, ...less] = UP_TO_ENOUGH;
  const first = { ...all!, enum_chars: Math.max(all!.enum_chars, enum_chars) };
  const rungs = [...[first, ...less].map((one) => [one, enough_chars] as const),
    ...UP_TO_MOST.map((one) => [one, most_chars] as const)];
  const opener = new SchemaOpener(root);
  for (const [one, limit_chars] of rungs) {
    const made = new Outliner(opener, one, limit_chars, at).outlined(schema);
    if (made !== null) return made;
  }
  return { schema: { branch: at }, is_whole: false };
}

/** Where a schema is, and how much of it is to be shown. */
interface Place {
  /** Its dotted path, as `branch` takes it. */
  at: string;
  /** How many levels are opened yet, this one included. */
  depth: number;
  is_required: boolean;
}

class Outliner {
  readonly #opener: SchemaOpener;
  readonly #rung: Rung;
  readonly #at: string;
  /** The schemas around what is shown, and where they are. */
  readonly #around = new Map<JsonObject, string>();
  #left_chars: number;
  #is_whole = true;

  constructor(opener: SchemaOpener, rung: Rung, limit_chars: number, at: string) {
    this.#opener = opener;
    this.#rung = rung;
    this.#left_chars = limit_chars;
    this.#at = at;
  }

  /** Null if there is no room for it. */
  outlined(schema: unknown): { schema: JsonObject, is_whole: boolean } | null {
    const limit_chars = this.#left_chars;
    try {
      const made = this.#show(schema,
        { at: this.#at, depth: this.#rung.required_depth + 1, is_required: true });
      return JSON.stringify(made).length <= limit_chars
        ? { schema: made, is_whole: this.#is_whole } : null;
    } catch (error) {
      if (error instanceof TooLong) return null;
      throw error;
    }
  }

  #show(given: unknown, place: Place): JsonObject {
    if (given === false) return { not: {} };
    const schema = this.#opener.open(given);
    const told = this.#told(schema, place);
    if (!this.#holdsMore(schema)) return { ...told, ...this.#requiredAlone(schema) };
    const around = this.#around.get(schema);
    // Within itself it is only said where it is shown: that would have no end.
    if (around !== undefined) {
      const again = { branch: around || place.at };
      this.#spend(again);
      return { ...told, ...again };
    }
    if (place.depth <= 0) return { ...told, ...this.#closed(schema, place) };
    return { ...told, ...this.#inside(schema, place) };
  }

  /** What a schema says of its value itself. */
  #told(schema: JsonObject, { at }: Place): JsonObject {
    const { description_chars, enum_chars, with_bounds } = this.#rung;
    const told: JsonObject = {};
    for (const keyword of with_bounds ? [...KEPT, ...BOUNDS] : KEPT) {
      const value = schema[keyword];
      if (value !== undefined && isShort(value)) told[keyword] = value;
    }
    if (schema.default !== undefined && isShort(schema.default)) {
      told.default = schema.default;
    }
    if (Array.isArray(schema.enum)) {
      const shown = firstWithin(schema.enum, enum_chars);
      if (shown.length === schema.enum.length) told.enum = shown;
      else {
        // Half of an enum would be a lie.
        this.#is_whole = false;
        Object.assign(told, { examples: shown, values: schema.enum.length,
          ...(at === this.#at ? {} : { branch: at }) }); // Its own branch would show the same.
      }
    }
    const description = brief(textOf(schema.description) ?? '', description_chars);
    if (description !== '') told.description = description;
    if (told.title === told.description) delete told.title;
    this.#spend(told);
    return told;
  }

  #holdsMore(schema: JsonObject): boolean {
    if (hasMembers(schema.properties)) return true;
    return ['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'patternProperties']
      .some((keyword) => schema[keyword] !== undefined && typeof schema[keyword] !== 'boolean')
      || isObject(schema.additionalProperties);
  }

  /** Whether it may be shown where nothing more is opened: texts, or a list of them. */
  #isFlat(schema: JsonObject, levels = 2): boolean {
    if (!this.#holdsMore(schema)) return true;
    if (levels === 0 || ['properties', 'prefixItems', 'patternProperties', 'additionalProperties']
      .some((keyword) => isObject(schema[keyword]) || Array.isArray(schema[keyword]))) return false;
    const below = [schema.items ?? [], ...choicesOf(schema).map(([, list]) => list)].flat();
    return below.length <= 5
      && below.every((one) => this.#isFlat(this.#opener.open(one), levels - 1));
  }

  /** Of a required object the names, of the rest only where there is more. */
  #closed(schema: JsonObject, place: Place): JsonObject {
    if (this.#isFlat(schema)) return this.#inside(schema, { ...place, depth: 1 });
    this.#is_whole = false;
    const closed: JsonObject = place.at === '' ? {} : { branch: place.at };
    if (place.is_required) Object.assign(closed, this.#names(schema));
    this.#spend(closed);
    return closed;
  }

  /** Of what names what is required and no more, such as an alternative of an object. */
  #requiredAlone(schema: JsonObject): JsonObject {
    const { required } = namesOf(schema);
    if (required.length === 0) return {};
    const told = listed('required', required, this.#rung.enum_chars);
    if ('required_more' in told) this.#is_whole = false;
    this.#spend(told);
    return told;
  }

  #names(schema: JsonObject): JsonObject {
    const limit_chars = namesChars(this.#rung.required_depth);
    const { required, optional } = namesOf(schema);
    return { ...listed('required', required, limit_chars),
      ...listed('optional', optional, limit_chars) };
  }

  #inside(schema: JsonObject, place: Place): JsonObject {
    const below = { ...place, depth: place.depth - 1 };
    const inside: JsonObject = {};
    this.#around.set(schema, place.at);
    const { items } = schema;
    const { required } = namesOf(schema);
    if (required.length > 0) {
      inside.required = required;
      this.#spend(inside);
    }
    if (hasMembers(schema.properties)) {
      Object.assign(inside, this.#properties(schema, below));
    }
    if (items !== undefined) inside.items = this.#show(items, below);
    let number = 0;
    for (const [keyword, list] of choicesOf(schema)) {
      const shown = list.map((one) =>
        this.#show(one, { ...below, at: joined(place.at, String(number++)) }));
      if (!(keyword in inside)) inside[keyword] = shown;
      else inside.allOf = [...(inside.allOf as JsonObject[] | undefined ?? []),
        { [keyword]: shown }];
    }
    Object.assign(inside, this.#others(schema, below), this.#dependent(schema));
    this.#around.delete(schema);
    return inside;
  }

  /** What further names there may be, and what their values are. */
  #others(schema: JsonObject, place: Place): JsonObject {
    const { patterns, any } = othersOf(schema);
    const at = joined(place.at, '*');
    const count = patterns.length + (any === undefined ? 0 : 1);
    const show = (one: unknown, nth: number) =>
      this.#show(one, { ...place, at: count === 1 ? at : joined(at, String(nth)) });
    const named = patterns.map(([pattern, one], nth) => {
      this.#spend(pattern);
      return [pattern, show(one, nth)];
    });
    return { ...(named.length > 0 && { patternProperties: Object.fromEntries(named) }),
      ...(any !== undefined && { additionalProperties: show(any, patterns.length) }) };
  }

  /** What has to be there beside something else. */
  #dependent({ dependentRequired }: JsonObject): JsonObject {
    if (!hasMembers(dependentRequired)) return {};
    if (JSON.stringify(dependentRequired).length > this.#rung.enum_chars) {
      this.#is_whole = false;
      return {};
    }
    this.#spend(dependentRequired);
    return { dependentRequired };
  }

  #properties(schema: JsonObject, place: Place): JsonObject {
    const properties = objectOf(schema.properties);
    const { required, optional } = namesOf(schema);
    const shown: [string, JsonObject][] = [];
    const show = (name: string, below: Place) => {
      this.#spend(name);
      const at = joined(place.at, name);
      shown.push([name, this.#show(properties[name], { ...below, at })]);
    };
    for (const name of required) if (Object.hasOwn(properties, name)) show(name, place);
    // The first level says where in a request something goes: it is always opened.
    const is_first = place.at === '';
    const depth = is_first || !place.is_required
      ? place.depth : Math.min(place.depth, this.#rung.optional_depth - 1);
    const named = !is_first && this.#rung.optional_depth === 0;
    for (const name of named ? [] : optional) {
      show(name, { ...place, depth, is_required: is_first && place.is_required });
    }
    if (named && optional.length > 0) this.#is_whole = false;
    const list = named ? listed('optional', optional, Infinity) : {};
    this.#spend(list);
    return { ...(shown.length > 0 ? { properties: Object.fromEntries(shown) } : {}), ...list };
  }

  /** Gives up as soon as there is too much: what refers to itself would have no end. */
  #spend(value: unknown): void {
    this.#left_chars -= JSON.stringify(value).length;
    if (this.#left_chars < 0) throw new TooLong();
  }
}

function hasMembers(value: unknown): boolean {
  for (const _ in objectOf(value)) return true;
  return false;
}

function namesOf(schema: JsonObject): { required: string[], optional: string[] } {
  const required = new Set<string>(Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string') : []);
  const optional = Object.keys(objectOf(schema.properties)).filter((name) => !required.has(name));
  return { required: [...required], optional };
}

/** What is far too long is not even written: it may stand in thousands of places. */
function isShort(value: unknown): boolean {
  return jsonChars(value, 2 * VALUE_CHARS) <= 2 * VALUE_CHARS
    && JSON.stringify(value).length <= VALUE_CHARS;
}

function joined(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

/** The names as far as there is room, and how many more there are. */
function listed(keyword: string, names: readonly string[], limit_chars: number): JsonObject {
  if (names.length === 0) return {};
  const shown = firstWithin(names, limit_chars);
  const more = names.length - shown.length;
  return { [keyword]: shown, ...(more > 0 ? { [`${keyword}_more`]: more } : {}) };
}
