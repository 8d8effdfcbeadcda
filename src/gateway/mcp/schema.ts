/** The schemas that a server gives of a tool, made harmless whatever they hold. */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { follow, isContainer, isObject, objectOf, type JsonObject } from '../../json.ts';
import { SchemaBundler } from '../schema/bundle.ts';
import { UncheckedParts } from '../schema/conditions.ts';
import { mapSchemas } from '../schema/mapSchemas.ts';
import { lookUp } from '../schema/references.ts';

const DEPTH_LIMIT = 64;
/** As it is given, and again as it is kept: each distinct reference may copy most of it. */
const SIZE_LIMIT_CHARS = 262_144;
/** For all tools of a list together: a megabyte of copies takes a quarter of a second. */
const COPIES_LIMIT_CHARS = 4 * 1_048_576;

/** What may be copied yet for the references of one list's schemas. */
export class Copies {
  #left_chars = COPIES_LIMIT_CHARS;

  /** Whether there is room for the targets of a schema's references; if so, it is taken. */
  take(schema: JsonObject, references: ReadonlySet<string>): boolean {
    let left_chars = this.#left_chars;
    for (const reference of references) {
      left_chars -= JSON.stringify(lookUp(schema, reference) ?? null).length;
      if (left_chars < 0) return false;
    }
    this.#left_chars = left_chars;
    return true;
  }
}

/** The schema of a tool's arguments; `problem` says why it cannot be one. */
export function toInputSchema(
  raw: unknown, copies: Copies): { schema: JsonObject } | { problem: string } {
  const given = raw ?? { type: 'object' };
  if (!isObject(given)) return { problem: 'its input schema is not an object' };
  const { excess, references } = measured(given);
  if (excess !== undefined) return { problem: `its input schema ${excess}` };
  // The protocol wants `object` alone; generators of optional arguments give `["object", "null"]`.
  if (![given.type ?? 'object'].flat().includes('object')) {
    return { problem: 'its input schema does not describe an object' };
  }
  if (!copies.take(given, references)) {
    return { problem: 'the schemas of this server\'s tools refer to too much of themselves' };
  }
  return { schema: { ...withoutDefaulted(harmless(given)), type: 'object' } };
}

/** The schema of a tool's result, for information only; null if there is no usable one. */
export function toOutputSchema(raw: unknown, copies: Copies): JsonObject | null {
  if (!isObject(raw)) return null;
  const { excess, references } = measured(raw);
  return excess === undefined && copies.take(raw, references) ? harmless(raw) : null;
}

/** A fingerprint that does not depend on the order of properties; null: the value is too large. */
export function fingerprint(value: unknown): string | null {
  if (measured(value).excess !== undefined) return null;
  return canonicalSha256(value).toString('hex');
}

/**
 * The distinct references of a value, and what is too large about it. No recursion: a server may
 * nest a value as deep as it likes.
 */
function measured(value: unknown): { references: Set<string>, excess?: string } {
  const references = new Set<string>();
  const waiting: { value: unknown, depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.depth > DEPTH_LIMIT) {
      return { references, excess: `is nested deeper than ${DEPTH_LIMIT} levels` };
    }
    if (!isContainer(next.value)) continue;
    for (const [name, item] of Object.entries(next.value)) {
      if (name === '$ref' && typeof item === 'string') references.add(item);
      waiting.push({ value: item, depth: next.depth + 1 });
    }
  }
  return JSON.stringify(value).length <= SIZE_LIMIT_CHARS ? { references }
    : { references, excess: `is longer than ${SIZE_LIMIT_CHARS} characters` };
}

function harmless(schema: JsonObject): JsonObject {
  const bundled = new SchemaBundler(schema)
    .bundle(schema, { for_input: false, limit_chars: SIZE_LIMIT_CHARS });
  return withoutPatterns(bundled.schema);
}

/**
 * What has a default is not required. Servers that make their schemas of zod's by what these give,
 * and not by what they take, list it so all the same, and fill it in where it is left out.
 */
function withoutDefaulted(schema: JsonObject): JsonObject {
  return mapSchemas(schema, ({ required, ...rest }) => {
    if (!Array.isArray(required)) return required === undefined ? rest : { required, ...rest };
    const left = required.filter((name) =>
      objectOf(follow(rest.properties, [String(name)])).default === undefined);
    return left.length === 0 ? rest : { ...rest, required: left };
  }) as JsonObject;
}

/**
 * Regular expressions become words in the description: a server could send one that takes long to
 * prepare and to match, and change it at any time. The server checks its arguments itself. Patterns
 * of OpenAPI documents stay, because an operator chose the document. A `not` or `if` around one is
 * left out: without the pattern it would refuse or ask for what it did not.
 */
function withoutPatterns(schema: JsonObject): JsonObject {
  const unchecked = new UncheckedParts((reference) => lookUp(schema, reference), () => false);
  return mapSchemas(schema, (one) => {
    const { pattern, patternProperties, ...rest } = unchecked.without(one);
    if (patternProperties !== undefined) {
      // Without the patterns, the names that they allowed must not be refused as unknown.
      delete rest.additionalProperties;
      delete rest.unevaluatedProperties;
    }
    if (typeof pattern === 'string') {
      const said = typeof rest.description === 'string' ? `${rest.description} ` : '';
      rest.description = `${said}(Pattern: ${pattern})`;
    }
    return rest;
  }) as JsonObject;
}
