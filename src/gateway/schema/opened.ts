/** Going down in a schema: references followed, `allOf` put together, parts found by their path. */
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import { lookUp } from './references.ts';

/** How many names of a path one property may have in it: `metadata.name`. */
const NAME_PARTS = 4;

/** Lists and alternatives within each other; deeper ones are not looked into. */
const LEVELS_LIMIT = 32;
/** Parts of one schema that are put together; the largest real ones have some twenty. */
const PARTS_LIMIT = 50;
/** Schemas that one value may be described by; those beyond say nothing of it. */
const WAYS_LIMIT = 50;
/** References one after the other that say nothing else. */
const REFERENCES_LIMIT = 50;
/** Names in a branch; no description shows a longer one. */
const NAMES_LIMIT = 32;
/** Schemas looked into for one branch: alternatives within alternatives have no end. */
const LOOKS_LIMIT = 2_000;

/** Opens the schemas of one root, each of them once, however many places refer to it. */
export class SchemaOpener {
  readonly #root: JsonObject;
  readonly #known = new Map<unknown, JsonObject>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** A schema as one object, whatever it refers to or is made of; {} if it allows anything. */
  open(schema: unknown): JsonObject {
    const target = this.#target(schema);
    const known = this.#known.get(target) ?? opened(this.#root, target);
    this.#known.set(target, known);
    return known;
  }

  /** The schemas, opened, and all that are alternatives in them. */
  each(given: readonly unknown[]): JsonObject[] {
    const found = new Set(given.filter(isObject).map((one) => this.open(one)));
    // A Set that is walked while it grows also visits what is added.
    for (const one of found) {
      for (const alternative of alternativesOf(one)) {
        if (found.size < WAYS_LIMIT) found.add(this.open(alternative));
      }
    }
    return [...found];
  }

  /** What a schema that only refers to another one leads to. */
  #target(schema: unknown): unknown {
    let found = schema;
    for (let nth = 0; nth < REFERENCES_LIMIT; nth++) {
      if (!isObject(found) || Object.keys(found).length > 1) break;
      if (typeof found.$ref !== 'string') break;
      found = lookUp(this.#root, found.$ref);
    }
    return found;
  }
}

/**
 * The lists of schemas that a number in a branch chooses from, one after the other, by what they
 * are in the schema that `SchemaOpener.open` has made.
 */
export function choicesOf(schema: JsonObject): (readonly [keyword: string, list: unknown[]])[] {
  return [...listsOf(schema, ['prefixItems']), ...alternativeLists(schema)];
}

/** The schemas of which a value may fit one or another. */
export function alternativesOf(schema: JsonObject): unknown[] {
  return alternativeLists(schema).flatMap(([, list]) => list);
}

/** What the values of further names are: by patterns of the names, and of any others. */
export function othersOf({ additionalProperties, patternProperties }: JsonObject) {
  return { patterns: Object.entries(objectOf(patternProperties)),
    any: isObject(additionalProperties) ? additionalProperties : undefined };
}

function alternativeLists(schema: JsonObject) {
  const more = Array.isArray(schema.allOf) ? schema.allOf : [];
  return [schema, ...more].flatMap((one) => listsOf(one, ['anyOf', 'oneOf']));
}

function listsOf(schema: JsonObject, keywords: readonly string[]) {
  return keywords.flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? [[keyword, list as unknown[]] as const] : [];
  });
}

function opened(root: JsonObject, schema: unknown): JsonObject {
  const parts: JsonObject[] = [];
  // Each part counts once, so that parts that refer to each other come to an end.
  const passed = new Set<unknown>();
  const add = (one: unknown) => {
    if (!isObject(one) || passed.has(one) || parts.length >= PARTS_LIMIT) return;
    passed.add(one);
    const { $ref, allOf, ...own } = one;
    if (Object.keys(own).length > 0) parts.push(own);
    if (typeof $ref === 'string') add(lookUp(root, $ref));
    if (Array.isArray(allOf)) allOf.forEach(add);
  };
  add(schema);
  return parts.length <= 1 ? parts[0] ?? {} : together(parts);
}

/**
 * What all of them say; of what they contradict each other in, the first one counts. An `allOf` of
 * it holds what has to be said more than once: further lists of alternatives.
 */
function together(parts: readonly JsonObject[]): JsonObject {
  const said = new Map<string, unknown>();
  const properties = new Map<string, unknown[]>();
  const required = new Set<unknown>();
  const more: JsonObject[] = [];
  for (const part of parts) {
    for (const [keyword, value] of Object.entries(part)) {
      const known = said.get(keyword);
      if (known === undefined) said.set(keyword, value);
      else if (ALTERNATIVES.has(keyword) && Array.isArray(value)) more.push({ [keyword]: value });
      else if (OF_OTHERS.has(keyword) && isObject(known) && isObject(value)) {
        said.set(keyword, { allOf: [known, value] });
      }
    }
    for (const [name, one] of Object.entries(objectOf(part.properties))) {
      properties.set(name, [...properties.get(name) ?? [], one]);
    }
    if (Array.isArray(part.required)) for (const name of part.required) required.add(name);
  }
  if (said.has('required')) said.set('required', [...required]);
  if (said.has('properties')) {
    said.set('properties', Object.fromEntries([...properties].map(([name, all]) =>
      [name, all.length === 1 ? all[0] : { allOf: all }])));
  }
  if (more.length > 0) said.set('allOf', more);
  return Object.fromEntries(said);
}

const ALTERNATIVES = new Set(['anyOf', 'oneOf']);
/** What they say of the same values holds for these together. */
const OF_OTHERS = new Set(['items', 'additionalProperties']);

/**
 * The part of a schema that a dotted path leads to; undefined: it leads nowhere, or nobody can
 * say where in a bounded number of steps. Lists are passed through to their items. A number stands
 * for one of several alternatives, `*` for what any further name leads to.
 */
export function branchOf(root: JsonObject, branch: string): unknown {
  let found: unknown = root;
  const names = branch.split('.');
  if (names.length > NAMES_LIMIT) return undefined;
  const way = new Way(root);
  for (let nth = 0; nth < names.length;) {
    let parts = 1;
    let next: unknown;
    for (; parts <= NAME_PARTS && nth + parts <= names.length; parts++) {
      next = way.below(found, names.slice(nth, nth + parts).join('.'));
      if (next !== undefined) break;
    }
    if (next === undefined || way.is_lost) return undefined;
    found = next;
    nth += parts;
  }
  return found;
}

/** Looks into schemas, a limited number of times. */
class Way {
  readonly #opener: SchemaOpener;
  #looks_left = LOOKS_LIMIT;

  constructor(root: JsonObject) {
    this.#opener = new SchemaOpener(root);
  }

  /** There was more to look into: what was found may be half of it. */
  get is_lost(): boolean {
    return this.#looks_left < 0;
  }

  /** What the schemas that `given` may stand for have by this name. */
  below(given: unknown, name: string, passed = new Set<unknown>(), level = 0): unknown {
    if (!isObject(given) || level > LEVELS_LIMIT || this.#looks_left-- <= 0) return undefined;
    const schema = this.#opener.open(given);
    if (passed.has(schema)) return undefined;
    passed.add(schema);
    const properties = objectOf(schema.properties);
    if (Object.hasOwn(properties, name)) return properties[name];
    const choices = choicesOf(schema);
    const numbered = choices.flatMap(([, list]) => list);
    if (/^\d{1,4}$/.test(name) && Number(name) < numbered.length) return numbered[Number(name)];
    if (name === '*') {
      const { patterns, any } = othersOf(schema);
      const others = [...patterns.map(([, one]) => one), ...any === undefined ? [] : [any]];
      if (others.length > 0) return others.length > 1 ? { anyOf: others } : others[0];
    }
    const found = new Set([schema.items, ...alternativesOf(schema)]
      .map((one) => this.below(one, name, passed, level + 1)).filter((one) => one !== undefined));
    return found.size > 1 ? { anyOf: [...found] } : [...found][0];
  }
}
