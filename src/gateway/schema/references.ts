import { follow, fromSegment, isObject, objectOf, type JsonObject } from '../../json.ts';

/** What a reference within the document (`#/components/schemas/Run`) points at, or undefined. */
export function lookUp(document: JsonObject, reference: string): unknown {
  if (reference === '#') return document;
  if (!reference.startsWith('#/')) return undefined;
  return follow(document, reference.slice(2).split('/').map(decodeSegment));
}

/** The object itself, or the one that its `$ref`s lead to; {} if they lead in a circle. */
export function resolve(document: JsonObject, value: unknown): JsonObject {
  const passed = new Set<string>();
  let found = value;
  while (isObject(found) && typeof found.$ref === 'string') {
    if (passed.has(found.$ref)) return {};
    passed.add(found.$ref);
    found = lookUp(document, found.$ref);
  }
  return objectOf(found);
}

/** Where the references of these values lead to nothing, or in a circle, each once. */
export function lostReferences(document: JsonObject, values: readonly unknown[]): string[] {
  const found = new Set<string>();
  for (const value of values) {
    const passed = new Set<string>();
    let last: string | undefined;
    let next = value;
    while (isObject(next) && typeof next.$ref === 'string' && !passed.has(next.$ref)) {
      last = next.$ref;
      passed.add(last);
      next = lookUp(document, last);
    }
    if (last !== undefined && (!isObject(next) || typeof next.$ref === 'string')) found.add(last);
  }
  return [...found];
}

/** The name that a segment of a reference stands for: a JSON pointer, percent-encoded. */
export function decodeSegment(segment: string): string {
  try {
    return fromSegment(decodeURIComponent(segment));
  } catch {
    return fromSegment(segment); // Real documents also hold a % that encodes nothing.
  }
}
