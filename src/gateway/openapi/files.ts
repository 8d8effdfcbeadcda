/**
 * Files in an input. JSON has no bytes, so the caller gives a file as an object: its content as
 * base64 or as text, and its name.
 */
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { mapSchemas } from '../schema/mapSchemas.ts';
import { bodyKind, isMediaType } from './mediaTypes.ts';

const FILE_SCHEMA = {
  type: 'object',
  properties: {
    base64: { type: 'string', description: 'The content of the file, in base64.' },
    text: { type: 'string', description: 'The content, if it is text; instead of base64.' },
    filename: { type: 'string', maxLength: 255 },
    media_type: { type: 'string', maxLength: 255, description: 'Such as image/png.' },
  },
  // oneOf would forbid both together, but it becomes anyOf in inputs.
  anyOf: [{ required: ['base64'], not: { required: ['text'] } },
    { required: ['text'], not: { required: ['base64'] } }],
  additionalProperties: false,
};
const FILE_FIELDS = new Set(Object.keys(FILE_SCHEMA.properties));

/** The schema of a file, described as the document describes it. */
export function fileSchema(description?: unknown): JsonObject {
  return typeof description === 'string' ? { ...FILE_SCHEMA, description } : { ...FILE_SCHEMA };
}

/**
 * The input's schema, where every string of bytes is a file if the body is multipart. Then it is a
 * copy, because the given one shares its definitions with other schemas.
 */
export function inputWithFiles(schema: JsonObject, body_media_type: string | null): JsonObject {
  return bodyKind(body_media_type ?? '') !== 'multipart' ? schema
    : mapSchemas(schema, (one) =>
      (isBytes(one) ? fileSchema(one.description) : withNamedFile(one))) as JsonObject;
}

/** Stripe's document calls the field `file` a text. It may be given as one, or as a file. */
function withNamedFile(schema: JsonObject): JsonObject {
  const { file } = objectOf(schema.properties);
  if (!isObject(file) || file.type !== 'string' || file.format !== undefined || isBytes(file)) {
    return schema;
  }
  const { description, ...text } = file;
  return { ...schema, properties: { ...objectOf(schema.properties),
    file: { anyOf: [text, fileSchema()], ...(description !== undefined && { description }) } } };
}

/** Whether the strings of a schema are bytes. */
export function isBytes({ type, format, contentMediaType, contentEncoding }: JsonObject): boolean {
  const string = type === 'string' || (Array.isArray(type) && type.includes('string'));
  // `binary` is how the bytes would stand in mail: as they are (Discord's files).
  if (string && (format === 'binary' || contentEncoding === 'binary')) return true;
  // An image, for example; JSON or text within a string stays a string.
  return (string || type === undefined) && typeof contentMediaType === 'string'
    && contentEncoding === undefined && !/json|^text\//.test(contentMediaType);
}

/** Whether a value given for a part of a body is a file. */
export function isFile(value: unknown): value is JsonObject {
  return isObject(value) && Object.keys(value).every((name) => FILE_FIELDS.has(name))
    && (typeof value.base64 === 'string') !== (typeof value.text === 'string');
}

/** Null if the base64 is not valid. The media type is the caller's, if it can be one. */
export function readFile(file: JsonObject) {
  const said = textOf(file.media_type) ?? '';
  const rest = {
    filename: textOf(file.filename), media_type: isMediaType(said) ? said : undefined,
  };
  if (typeof file.text === 'string') return { content: Buffer.from(file.text), ...rest };
  const base64 = String(file.base64).replace(/\s+/g, '');
  // Buffer.from leaves out characters that are not base64.
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) return null;
  return { content: Buffer.from(base64, 'base64'), ...rest };
}
