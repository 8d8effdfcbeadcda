/** The body of an operation: what calls take for it, and how it is sent. */
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import { fileTypesOf, typedFileSchema } from './fileBodies.ts';
import { isBytes } from './files.ts';
import {
  bodyKind, chooseMediaType, isJsonLines, isJsonPatch, patchTypeOf, patchTypes, sentMediaType,
} from './mediaTypes.ts';
import { objectFields, uploadOf, type Upload } from './uploads.ts';

/** How one field of a form or a part of a multipart body is written, where it says so. */
export interface FieldEncoding {
  content_type?: string;
  style?: string;
  explode?: boolean;
}

/** What is needed to write the body of a request. */
export interface BodyInput {
  /** The media type of the body, preferably JSON; null: no body. */
  body_media_type: string | null;
  /** Media types of which the caller chooses one, or else the body tells. */
  body_media_types?: string[];
  /** The types and ranges that a body may be as a file, if `body_media_type` is not all of it. */
  file_media_types?: string[];
  /** The multipart body is one file that the document gives no name. */
  body_is_file?: true;
  /** How the body is sent if it holds a file. */
  upload?: Upload;
  /** The fields of a multipart body that are objects and never files. */
  object_fields?: string[];
  /** By field of a form or multipart body. */
  body_encoding: Record<string, FieldEncoding>;
}

/**
 * What calls take for the body of an operation, and how it is sent. `media_type`: as what, if the
 * operator says so.
 */
export function readBody(
  document: JsonObject, operation: JsonObject, media_type?: string,
): { properties: JsonObject; is_required: boolean; input: BodyInput } {
  const body = resolve(document, operation.requestBody);
  const content = contentAs(media_type, objectOf(body.content));
  const choices = patchTypes(Object.keys(content));
  const chosen = choices === null ? chooseMediaType(content) : patchTypeOf(choices, {});
  if (chosen === null) {
    return { properties: {}, is_required: false,
      input: { body_media_type: null, body_encoding: {} } };
  }
  const media = resolve(document, content[chosen]);
  const fileTypes = choices === null ? fileTypesOf(document, content, chosen) : null;
  const upload = choices === null && fileTypes === null
    ? uploadOf(document, content, chosen) : null;
  const schema = upload?.schema ?? (choices !== null ? patchSchema(document, choices, content)
    : fileTypes !== null ? typedFileSchema(fileTypes) : bodySchema(document, chosen, media));
  const files = upload === null ? {} : resolve(document, content[upload.upload.media_type]);
  const mayBeParts = upload !== null || bodyKind(chosen) === 'multipart';
  const object_fields = mayBeParts ? objectFields(document, schema) : [];
  const description = textOf(body.description);
  return {
    properties: { body: description === undefined || !isObject(schema) ? schema
      : { ...schema, description },
    ...(choices !== null && { content_type: choiceSchema(choices) }) },
    is_required: body.required === true,
    input: {
      body_media_type: sentMediaType(chosen),
      ...(choices !== null && { body_media_types: choices }),
      ...(fileTypes !== null && (fileTypes.length > 1 || bodyKind(chosen) !== 'binary')
        && { file_media_types: fileTypes }),
      ...(bodyKind(chosen) === 'multipart' && isBytes(resolve(document, media.schema))
        && { body_is_file: true as const }),
      ...(upload !== null && { upload: upload.upload }),
      ...(object_fields.length > 0 && { object_fields }),
      body_encoding: { ...encodingOf(files), ...encodingOf(media) },
    },
  };
}

/** What an operation without a body is sent as is nothing. */
function contentAs(media_type: string | undefined, content: JsonObject): JsonObject {
  const chosen = chooseMediaType(content);
  return media_type === undefined || chosen === null ? content
    : { [media_type]: content[media_type] ?? content[chosen] };
}

/**
 * A body that is neither JSON nor a form nor a file is given as text, whatever its schema says; of
 * lines of JSON also as a list, where the document says what is in them.
 */
function bodySchema(document: JsonObject, media_type: string, media: JsonObject): unknown {
  const { schema = {}, itemSchema } = media;
  if (bodyKind(media_type) !== 'text') return schema;
  const list = itemSchema === undefined ? schema : { type: 'array', items: itemSchema };
  return isJsonLines(media_type) && resolve(document, list).type === 'array'
    ? { anyOf: [list, { type: 'string', description: 'The lines themselves.' }] }
    : { type: 'string' };
}

/** A patch is an object, a list of changes or a text, whatever a document says of all at once. */
function patchSchema(
  document: JsonObject, types: readonly string[], content: JsonObject): JsonObject {
  const schemas = types.map((type) => {
    const said = resolve(document, content[type]).schema ?? {};
    if (bodyKind(type) === 'text') return { type: 'string', description: `For ${type}.` };
    const isList = [resolve(document, said).type].flat().includes('array');
    return isJsonPatch(type) && !isList ? JSON_PATCH_SCHEMA : said;
  });
  return { anyOf: [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()] };
}

const JSON_PATCH_SCHEMA = {
  type: 'array', description: 'A JSON Patch.',
  items: { type: 'object', required: ['op', 'path'], properties: {
    op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
    path: { type: 'string' }, from: { type: 'string' }, value: {},
  } },
};

function choiceSchema(types: readonly string[]): JsonObject {
  return { type: 'string', enum: [...types], description: 'The media type of the body. If it is'
    + ` left out, an object is sent as ${patchTypeOf(types, {})}, a list as`
    + ` ${patchTypeOf(types, [])}, a text as ${patchTypeOf(types, '')}.` };
}

function encodingOf(media: JsonObject): Record<string, FieldEncoding> {
  const fields = Object.entries(objectOf(media.encoding)).map(([field, value]) => {
    const { contentType, style, explode } = objectOf(value);
    return [field, {
      ...(typeof contentType === 'string' ? { content_type: contentType } : {}),
      ...(typeof style === 'string' ? { style } : {}),
      ...(typeof explode === 'boolean' ? { explode } : {}),
    }] as const;
  });
  return Object.fromEntries(fields);
}
