import { follow, fromSegment, isObject, objectOf, type JsonObject } from '../json.ts';

export interface Filled {
  /** What the text provides; with `missing`, placeholders stand for the rest. */
  input: JsonObject;
  /** Required values that the text does not provide, as dotted paths: `body.title`. */
  missing: string[];
}

const TEXT_CHARACTERS = 4_000; // as much of a prompt as is searched for values
const DEPTH = 4;
const HOPS = 8;
/** A schema that contains itself 200 times has a billion properties four levels deep. */
const PROPERTIES = 2_000;
/** A named value: `limit=5`, `title: "Plans"`. */
export const PAIR =
  /([a-z][\w.-]{0,63})\s{0,4}[=:]\s{0,4}("[^"]*"|'[^']*'|`[^`]*`|[^\s,;]+)/gi;
const OWNER_AND_REPO = /(?<![\w/.:-])([\w-]{1,64})\/([\w.-]{0,63}\w)(?![\w/])/;

interface Clues {
  named: Map<string, string>;
  quoted: string[];
  ids: string[];
  numbers: number[];
  owner_and_repo: string[] | null;
  words: Set<string>;
  all: string;
  /** How many more properties are looked at. */
  left: number;
}

/**
 * Fills an action's input from a text: what is named (`limit=5`, `title: "x"`), ids by their
 * prefix, `owner/name`, quoted texts and numbers in order. Optional properties are filled only when
 * named, and a title when something is quoted. Understands the nested input of imported actions
 * ({path, query, header, body}) and the flat one of built-in actions alike.
 */
export function fillInput(schema: unknown, text: string): Filled {
  return fillObject(schema, schema, cluesOf(text), '', 0);
}

function cluesOf(full: string): Clues {
  const text = full.slice(0, TEXT_CHARACTERS);
  const named = new Map<string, string>();
  for (const [, key, value] of text.matchAll(PAIR)) {
    named.set(key!.toLowerCase(), value!.replace(/^(["'`])(.*)\1$/s, '$2'));
  }
  const values = new Set(named.values());
  return {
    named,
    quoted: (text.match(/"[^"\n]+"|'[^'\n]+'|`[^`\n]+`/g) ?? [])
      .map((quoted) => quoted.slice(1, -1)).filter((quoted) => !values.has(quoted)),
    ids: text.match(/\b[a-z]{3,4}_[0-9a-z]{20,32}\b/g) ?? [],
    numbers: (text.match(/(?<![\w.-])\d{1,15}(?![\w.-])/g) ?? []).map(Number),
    owner_and_repo: text.match(OWNER_AND_REPO)?.slice(1) ?? null,
    words: new Set(text.toLowerCase().match(/[\w-]+/g)),
    all: text.trim(),
    left: PROPERTIES,
  };
}

function fillObject(
  root: unknown, schema: unknown, clues: Clues, path: string, depth: number): Filled {
  const filled: Filled = { input: {}, missing: [] };
  const object = resolve(root, schema);
  const properties = objectOf(object.properties);
  const required = new Set(Array.isArray(object.required) ? object.required.map(String) : []);
  for (const [name, declared] of Object.entries(properties).slice(0, 200)) {
    if (clues.left-- <= 0) break;
    const property = resolve(root, declared);
    const here = path === '' ? name : `${path}.${name}`;
    const needed = required.has(name);
    if (isObject(property.properties) && depth < DEPTH) {
      const { input, missing } = fillObject(root, property, clues, here, depth + 1);
      if (needed) filled.missing.push(...missing);
      const isWhole = missing.length === 0 && Object.keys(input).length > 0;
      if (needed || isWhole) filled.input[name] = input;
      continue;
    }
    const value = valueFor(name, property, needed, clues);
    if (value !== undefined) filled.input[name] = value;
    else if (needed && property.default === undefined) {
      filled.missing.push(here);
      filled.input[name] = placeholder(name, property);
    }
  }
  return filled;
}

/**
 * What a schema comes to: follows `$ref` within the document, and where the type is said one level
 * further in, as for what may be null, goes there. A few steps at most: documents may be cyclic.
 */
function resolve(root: unknown, schema: unknown): JsonObject {
  let current = objectOf(schema);
  for (let hops = 0; hops < HOPS; hops++) {
    const further = furtherIn(root, current);
    if (further === undefined) break;
    // A default may stand beside.
    const { $ref: _ref, anyOf: _any, oneOf: _one, allOf: _all, ...beside } = current;
    current = { ...beside, ...objectOf(further) };
  }
  return current;
}

/** The schema to go on with: the one referred to, or where there is no type, an alternative. */
function furtherIn(
  root: unknown, { $ref, type, properties, anyOf, oneOf, allOf }: JsonObject): unknown {
  if (typeof $ref === 'string') {
    return $ref.startsWith('#/')
      ? follow(root, $ref.slice(2).split('/').map(fromSegment)) : undefined;
  }
  if (type !== undefined || properties !== undefined) return undefined;
  for (const some of [anyOf, oneOf]) {
    const chosen = Array.isArray(some) ? some.find((one) => !isNull(one)) : undefined;
    if (chosen !== undefined) return chosen;
  }
  return Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : undefined;
}

function isNull(schema: unknown): boolean {
  const { type, const: fixed, enum: values } = objectOf(schema);
  return type === 'null' || fixed === null
    || (Array.isArray(values) && values.every((value) => value === null));
}

function valueFor(
  name: string, property: JsonObject, needed: boolean, clues: Clues): unknown {
  const named = clues.named.get(name.toLowerCase());
  if (property.const !== undefined) return needed ? property.const : undefined;
  if (Array.isArray(property.enum)) {
    const wanted = named?.toLowerCase();
    return property.enum.find((value) => {
      const text = typeof value === 'string' ? value.toLowerCase() : JSON.stringify(value);
      return wanted === undefined ? needed && clues.words.has(text) : text === wanted;
    });
  }
  const types = [property.type].flat();
  if (types.includes('integer') || types.includes('number')) {
    if (named !== undefined && named !== '' && Number.isFinite(Number(named))) return Number(named);
    return needed ? clues.numbers.shift() : undefined;
  }
  if (types.includes('boolean')) {
    return named === 'true' || named === 'false' ? named === 'true' : undefined;
  }
  if (!types.includes('string')) return undefined;
  if (named !== undefined || needed) return named ?? textFor(name, clues);
  return /^(title|name|subject)$/.test(name) ? clues.quoted.shift() : undefined;
}

function textFor(name: string, clues: Clues): string | undefined {
  if (name.endsWith('_id') || name === 'id') {
    const id = clues.ids.find((candidate) => name === 'id'
      || name.startsWith(candidate.slice(0, candidate.indexOf('_')).slice(0, 3)));
    if (id !== undefined) return id;
  }
  if (clues.owner_and_repo !== null && name === 'owner') return clues.owner_and_repo[0];
  if (clues.owner_and_repo !== null && /^repo(sitory)?$/.test(name)) return clues.owner_and_repo[1];
  const quoted = clues.quoted.shift();
  if (quoted !== undefined) return quoted;
  return /^(query|q|search|text)$/.test(name) && clues.all !== '' ? clues.all : undefined;
}

/** Something of the right type that nobody takes for a real value. */
function placeholder(name: string, property: JsonObject): unknown {
  if (property.const !== undefined) return property.const;
  if (Array.isArray(property.enum) && property.enum.length > 0) return property.enum[0];
  const [type] = [property.type].flat();
  return PLACEHOLDERS.get(type) ?? `<${name}>`;
}

const PLACEHOLDERS = new Map<unknown, unknown>(
  [['integer', 0], ['number', 0], ['boolean', false], ['array', []], ['object', {}]]);
