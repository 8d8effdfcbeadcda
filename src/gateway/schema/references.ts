import { isObject, objectOf, type JsonObject } from '../../json.ts';

/** What a reference within the document (`#/components/schemas/Run`) points at, or undefined. */
export function lookUp(document: JsonObject, reference: string): unknown {
  if (reference === '#') return document;
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const name = unescapePointer(part);
    if (typeof value !== 'object' || value === null) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

/** The object itself, or the one its `$ref` leads to (also over several steps; a circle is {}). */
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

/** A segment of a reference, as the key that it means. */
export function unescapePointer(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A lone % is what real documents write for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
