/**
 * Operations that take the same as JSON or a form, and as multipart with files beside it (Discord's
 * messages): a body with a file is sent as multipart, any other as ever.
 */
import { isDeepStrictEqual } from 'node:util';
import { follow, isObject, objectOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import { isBytes, isFile } from './files.ts';
import { bodyKind } from './mediaTypes.ts';

/** The other way of a body, and which fields given as files choose it. */
export interface Upload {
  media_type: string;
  fields: string[];
}

const DEPTH_LIMIT = 6;

/** Null if `chosen` is all there is to say, or no field of a multipart body holds bytes. */
export function uploadOf(document: JsonObject, content: JsonObject, chosen: string | null):
{ upload: Upload, schema: unknown } | null {
  if (!['json', 'form'].includes(bodyKind(chosen ?? ''))) return null;
  const media_type = Object.keys(content).find((type) => /^multipart\/form-data/i.test(type));
  if (media_type === undefined) return null;
  const [plain, withFiles] = [chosen!, media_type]
    .map((type) => resolve(document, content[type]).schema ?? {});
  const fields = [...new Set(fileFields(document, withFiles, DEPTH_LIMIT))];
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

/** The fields that hold bytes, or a list of them, also where they are one of several choices. */
function fileFields(document: JsonObject, schema: unknown, depth: number): string[] {
  if (depth === 0) return [];
  const { properties, ...one } = resolve(document, schema);
  const own = Object.entries(objectOf(properties))
    .filter(([, property]) => holdsBytes(document, property, depth)).map(([name]) => name);
  return [...own, ...partsOf(one).flatMap((part) => fileFields(document, part, depth - 1))];
}

function holdsBytes(document: JsonObject, schema: unknown, depth: number): boolean {
  if (depth === 0) return false;
  const one = resolve(document, schema);
  return isBytes(one) || [...partsOf(one), ...isObject(one.items) ? [one.items] : []]
    .some((part) => holdsBytes(document, part, depth - 1));
}

function partsOf({ allOf, anyOf, oneOf }: JsonObject): unknown[] {
  return [allOf, anyOf, oneOf].flatMap(listOf);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
