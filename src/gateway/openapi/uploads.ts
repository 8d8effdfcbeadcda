/**
 * Operations that take the same as JSON or a form, and as multipart with files beside it (Discord's
 * messages): a body with a file is sent as multipart, any other as ever.
 */
import { isDeepStrictEqual } from 'node:util';
import { follow, isObject, listOf, objectOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import { isBytes, isFile } from './files.ts';
import { bodyKind } from './mediaTypes.ts';

/** The other way of a body, and which fields given as files choose it. */
export interface Upload {
  media_type: string;
  fields: string[];
}

/** Null if `chosen` is all there is to say, or no field of a multipart body holds bytes. */
export function uploadOf(document: JsonObject, content: JsonObject, chosen: string | null):
{ upload: Upload, schema: unknown } | null {
  if (!['json', 'form'].includes(bodyKind(chosen ?? ''))) return null;
  const media_type = Object.keys(content).find((type) => /^multipart\/form-data/i.test(type));
  if (media_type === undefined) return null;
  const [plain, withFiles] = [chosen!, media_type]
    .map((type) => resolve(document, content[type]).schema ?? {});
  const fields = fieldsWith(document, withFiles, isBytes);
  if (fields.length === 0) return null;
  // What multipart takes often is what JSON takes, and files.
  const holdsPlain = [withFiles, ...listOf(resolve(document, withFiles).allOf)]
    .some((one) => isDeepStrictEqual(one, plain));
  return { upload: { media_type, fields },
    schema: holdsPlain ? withFiles : { anyOf: [plain, withFiles] } };
}

/** The media type of a body that holds a file where the operation takes one; else undefined. */
export function uploadTypeOf(upload: Upload | undefined, body: unknown): string | undefined {
  const isUpload = isObject(body) && upload?.fields.some((name) =>
    [follow(body, [name])].flat().some(isFile));
  return isUpload ? upload!.media_type : undefined;
}

/**
 * The fields of a multipart body that are objects or lists of them, and hold no bytes: what is
 * given for one is no file, even if it looks like one (`{"text": "hello"}`).
 */
export function objectFields(document: JsonObject, schema: unknown): string[] {
  const files = fieldsWith(document, schema, isBytes);
  return fieldsWith(document, schema, describesObject).filter((name) => !files.includes(name));
}

/** One without fields of its own may be what a careless document says of a file. */
function describesObject({ type = 'object', properties, format }: JsonObject): boolean {
  return format === undefined && [type].flat().includes('object') && isObject(properties);
}

/** The fields of which one is of that kind, or a list of it, also as one of several choices. */
function fieldsWith(
  document: JsonObject, schema: unknown, kind: (schema: JsonObject) => boolean): string[] {
  const names = new Set<string>();
  const known = new Map<JsonObject, boolean>();
  const holds = (property: JsonObject) => {
    const found = known.get(property) ?? reached(document, property, partsAndItems).some(kind);
    known.set(property, found);
    return found;
  };
  for (const { properties } of reached(document, schema, partsOf)) {
    for (const [name, property] of Object.entries(objectOf(properties))) {
      if (holds(resolve(document, property))) names.add(name);
    }
  }
  return [...names];
}

/**
 * The schema and those that its parts lead to, each once: 48 kB of choices that lead to the same
 * choices took 46 seconds to be walked six levels deep.
 */
function* reached(
  document: JsonObject, schema: unknown, leadOn: (schema: JsonObject) => unknown[],
): Generator<JsonObject> {
  const seen = new Set<JsonObject>();
  const waiting = [schema];
  while (waiting.length > 0) {
    const one = resolve(document, waiting.pop());
    if (seen.has(one)) continue;
    seen.add(one);
    yield one;
    for (const next of leadOn(one).toReversed()) waiting.push(next);
  }
}

function partsAndItems(schema: JsonObject): unknown[] {
  return [...partsOf(schema), ...isObject(schema.items) ? [schema.items] : []];
}

function partsOf({ allOf, anyOf, oneOf }: JsonObject): unknown[] {
  return [allOf, anyOf, oneOf].flatMap(listOf);
}
