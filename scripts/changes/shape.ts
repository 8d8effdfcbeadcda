/**
 * One schema in a form in which equal things look equal: references followed, `allOf` and a lone
 * alternative merged into what they stand in, null as a mark of its own, a constant as a list of
 * one. So moving a schema into a component, or saying null in another way, is no change.
 */
import { canonicalJson } from '../../src/canonicalJson.ts';
import { resolveReference, type OpenapiDocument, type SchemaNode } from '../document.ts';

export interface Shape {
  /** The component that it is; null for a schema that is written out. */
  name: string | null;
  /** Whether it is that component and no more: nothing but words stands beside the reference. */
  plain: boolean;
  /** Types besides null; null for any. */
  types: string[] | null;
  nullable: boolean;
  /** Values of `enum` or `const` besides null, or known ones, as JSON; null for any. */
  values: string[] | null;
  /** Whether there are no others: `x-extensible-enum` without `enum` names those known. */
  closed: boolean;
  /** Whether more values, or more alternatives, may come: `x-extensible-enum`. */
  grows: boolean;
  properties: Map<string, SchemaNode>;
  required: Set<string>;
  /** What other members may be; true for anything, false for none. */
  additional: SchemaNode | boolean;
  items: SchemaNode | undefined;
  /** Alternatives besides null, if there are several. */
  union: SchemaNode[] | null;
  /** What else holds for each of them; null if nothing does. */
  outer: SchemaNode | null;
  discriminator: { propertyName: string; mapping?: Record<string, string> } | undefined;
  /** Every other keyword that says something of the value. */
  keywords: Record<string, unknown>;
  /** What is said to people: description, examples, extensions. */
  words: Record<string, unknown>;
}

const NAMED = '#/components/schemas/';
const WORDS = new Set(['description', 'example', 'examples', '$comment', 'externalDocs']);
/** Keywords whose `false` is what holds without them. */
const MARKS = new Set(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly']);

/** Shapes by their node: a component is asked for by every operation. */
const known = new WeakMap<object, Shape>();

/** The shape of a schema of this document, which is not changed any more. Not of those below. */
export function shapeOf(document: OpenapiDocument, node: SchemaNode | boolean): Shape {
  const found = typeof node === 'object' ? known.get(node) : undefined;
  if (found) return found;
  const shape = readShape(document, node);
  if (typeof node === 'object') known.set(node, shape);
  return shape;
}

function readShape(document: OpenapiDocument, node: SchemaNode | boolean): Shape {
  const flat = flatten(document, typeof node === 'object' ? node : anything(node));
  const { name, plain, schema } = flat;
  const { type, enum: list, const: constant, properties, required, additionalProperties, items,
    oneOf, anyOf, discriminator, 'x-extensible-enum': grows, ...rest } = schema;
  const allowed = values(list, constant, grows);
  const types = typesOf(type, allowed);
  const union = (oneOf ?? anyOf ?? null) as SchemaNode[] | null;
  const { [oneOf ? 'oneOf' : 'anyOf']: _, discriminator: _tag, title: _title, ...outer } = schema;
  const keywords = Object.entries(oneOf ? { ...rest, anyOf } : rest)
    .filter(([key, value]) => !isWords(key) && value !== undefined
      && !(value === false && MARKS.has(key)));
  return {
    name, plain, union,
    outer: union && !areWords(outer) ? withoutWords(outer) : null,
    types: types?.filter((each) => each !== 'null') ?? null,
    nullable: flat.nullable || (allowed?.includes('null') ?? true)
      && (types === null ? union === null : types.includes('null')),
    values: allowed?.filter((each) => each !== 'null') ?? null,
    closed: list !== undefined || constant !== undefined,
    grows: grows !== undefined && grows !== false,
    properties: new Map(Object.entries((properties ?? {}) as Record<string, SchemaNode>)),
    required: new Set(required as string[] | undefined),
    additional: openOrNot(additionalProperties as SchemaNode | boolean | undefined),
    items: items as SchemaNode | undefined,
    discriminator: discriminator as Shape['discriminator'],
    keywords: Object.fromEntries(keywords),
    words: Object.fromEntries(Object.entries(rest).filter(([key]) => isWords(key))),
  };
}

function isWords(key: string): boolean {
  return WORDS.has(key) || key.startsWith('x-');
}

function areWords(keywords: object): boolean {
  return Object.keys(keywords).every((key) => isWords(key) && key !== 'x-extensible-enum');
}

function withoutWords(schema: SchemaNode): SchemaNode {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !isWords(key)));
}

/** `true` admits anything and `false` nothing, which is the negation of it. */
function anything(admits: boolean): SchemaNode {
  return admits ? {} : { not: {} };
}

function openOrNot(additional: SchemaNode | boolean | undefined): SchemaNode | boolean {
  if (typeof additional !== 'object') return additional ?? true;
  return Object.keys(additional).length === 0 ? true : additional;
}

function values(list: unknown, constant: unknown, grows: unknown): string[] | null {
  if (constant !== undefined) return [JSON.stringify(constant)];
  const all = Array.isArray(list) ? list : Array.isArray(grows) ? grows : null;
  return all?.map((value) => JSON.stringify(value)) ?? null;
}

function typesOf(type: unknown, allowed: string[] | null): string[] | null {
  if (Array.isArray(type)) return type;
  if (typeof type === 'string') return [type];
  if (!allowed) return null;
  const typeOf = (value: unknown) => value === null ? 'null'
    : Array.isArray(value) ? 'array' : typeof value;
  return [...new Set(allowed.map((text) => typeOf(JSON.parse(text))))];
}

interface Flat { name: string | null; plain: boolean; schema: SchemaNode; nullable: boolean }

function flatten(document: OpenapiDocument, node: SchemaNode): Flat {
  let flat: Flat = { name: null, plain: true, schema: node, nullable: false };
  if (node.$ref !== undefined) {
    const { $ref, ...siblings } = node;
    const target = flatten(document, resolveReference(document, { $ref } as SchemaNode));
    const name = $ref.startsWith(NAMED) ? $ref.slice(NAMED.length) : target.name;
    const named = name !== target.name || target.plain;
    flat = { ...target, name, plain: named && areWords(siblings),
      schema: merge(siblings, target.schema) };
  }
  const { allOf, ...own } = flat.schema;
  if (Array.isArray(allOf)) {
    const parts = (allOf as SchemaNode[]).map((part) => flatten(document, part));
    const alone = parts.length === 1 && areWords(own);
    flat = {
      name: flat.name ?? (alone ? parts[0]!.name : null),
      plain: flat.name === null && alone ? parts[0]!.plain : flat.plain,
      schema: parts.reduce((merged, part) => merge(merged, part.schema), own as SchemaNode),
      nullable: flat.nullable || parts.some(({ nullable }) => nullable),
    };
  }
  return withoutNull(document, flat);
}

/** Takes the alternative null out of a union, and merges what is left if it is alone. */
function withoutNull(document: OpenapiDocument, flat: Flat): Flat {
  const keyword = flat.schema.oneOf ? 'oneOf' : 'anyOf';
  const { [keyword]: union, ...own } = flat.schema;
  if (!Array.isArray(union) || (flat.schema.oneOf && flat.schema.anyOf)) return flat;
  const others = (union as SchemaNode[]).filter(({ type }) => type !== 'null');
  const nullable = flat.nullable || others.length < union.length;
  if (others.length !== 1) {
    return { ...flat, schema: { ...own, [keyword]: others }, nullable };
  }
  const alone = flatten(document, others[0]!);
  return {
    name: flat.name ?? alone.name, schema: merge(own, alone.schema),
    plain: flat.name === null ? alone.plain && areWords(own) : flat.plain,
    nullable: nullable || alone.nullable,
  };
}

/** Both at once. What is said twice and differently is kept as it stands, for a comparison. */
function merge(first: SchemaNode, second: SchemaNode): SchemaNode {
  const merged: SchemaNode = { ...second, ...first };
  for (const key of Object.keys(first)) {
    const [one, other] = [first[key], second[key]];
    if (other === undefined || isWords(key) || same(one, other)) continue;
    if (key === 'required') {
      merged.required = [...new Set([...one as string[], ...other as string[]])];
    } else if (key === 'properties') {
      merged.properties = mergeProperties(one as Properties, other as Properties);
    } else if (key === 'type') {
      const types = new Set([other].flat());
      merged.type = ([one].flat() as string[]).filter((type) => types.has(type));
    } else {
      merged[`both ${key}`] = [one, other];
    }
  }
  return merged;
}

type Properties = Record<string, SchemaNode>;

function mergeProperties(first: Properties, second: Properties): Properties {
  const merged = { ...second, ...first };
  for (const name of Object.keys(first)) {
    const [one, other] = [first[name]!, second[name]];
    if (other && !same(one, other)) merged[name] = { allOf: [one, other] };
  }
  return merged;
}

/** Whether two JSON values are equal; the order of keys does not count. */
export function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
