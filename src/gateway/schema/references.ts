import { follow, fromSegment, isObject, listOf, objectOf, type JsonObject } from '../../json.ts';

/** What a reference within the document (`#/components/schemas/Run`) points at, or undefined. */
export function lookUp(document: JsonObject, reference: string): unknown {
  if (reference === '#') return document;
  if (!reference.startsWith('#/')) return undefined;
  return follow(document, reference.slice(2).split('/').map(decodeSegment));
}

/** The object itself, or the one that its `$ref`s lead to; {} if they lead in a circle. */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  return objectOf(followed(document, value).found);
}

/** Where the references of these values lead to nothing, or in a circle, each once. */
export function lostReferences(document: JsonObject, values: readonly unknown[]): string[] {
  const found = new Set<string>();
  for (const value of values) {
    const { found: target, last } = followed(document, value);
    if (last !== undefined && !isObject(target)) found.add(last);
  }
  return [...found];
}

/** What a value's `$ref`s lead to, and the last of them; nothing is found in a circle. */
function followed(
  document: JsonObject, value: unknown): { found: unknown, last: string | undefined } {
  const passed = new Set<string>();
  let found = value;
  let last: string | undefined;
  while (isObject(found) && typeof found.$ref === 'string') {
    if (passed.has(found.$ref)) return { found: undefined, last };
    last = found.$ref;
    passed.add(last);
    found = lookUp(document, last);
  }
  return { found, last };
}

/**
 * The schema with what it refers to (`target` of a reference) and all that it is made of; of more
 * than `limit` the first.
 */
export function partsOf(
  schema: JsonObject, target: (reference: string) => unknown, limit = Infinity): JsonObject[] {
  const parts = new Set([schema]);
  // A Set that is walked while it grows also visits what is added.
  for (const { $ref, allOf } of parts) {
    const next = [...typeof $ref === 'string' ? [target($ref)] : [],
      ...listOf(allOf).slice(0, limit)];
    for (const one of next) if (isObject(one) && parts.size < limit) parts.add(one);
  }
  return [...parts];
}

/** The name that a segment of a reference stands for: a JSON pointer, percent-encoded. */
export function decodeSegment(segment: string): string {
  try {
    return fromSegment(decodeURIComponent(segment));
  } catch {
    return fromSegment(segment); // Real documents also hold a % that encodes nothing.
  }
}
