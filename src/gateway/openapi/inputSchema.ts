/**
 * The input of an action made from an OpenAPI operation: `{path, query, header, cookie, body}`,
 * each there only if the operation has it. Nested, because a flat one is ambiguous: in 8 % of real
 * operations the body has a field named like a parameter.
 */
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import { fileSchema } from './files.ts';
import { bodyKind, isJsonMediaType } from './mediaTypes.ts';

export const PLACES = ['path', 'query', 'header', 'cookie'] as const;
export type ParameterPlace = (typeof PLACES)[number];

/** How one parameter is written into the request. */
export interface Parameter {
  place: ParameterPlace;
  name: string;
  required: boolean;
  /** OpenAPI's, and `tabDelimited` for Swagger 2.0's `collectionFormat: tsv`. */
  style: string;
  explode: boolean;
  /** Reserved characters of its value are sent as they are. */
  allow_reserved: boolean;
  /** A path parameter whose value may hold slashes; they are sent encoded. */
  multi_segment: boolean;
  /** Its value is sent as JSON text (a parameter with `content`). */
  as_json: boolean;
}

/** How one field of a form or a part of a multipart body is written, where it says so. */
export interface FieldEncoding {
  content_type?: string;
  style?: string;
  explode?: boolean;
}

/** What is needed to turn an input into a request. */
export interface OperationInput {
  parameters: Parameter[];
  /** The media type of the body, preferably JSON; null: no body. */
  body_media_type: string | null;
  /** By field of a form or multipart body. */
  body_encoding: Record<string, FieldEncoding>;
}

// OpenAPI says that the first three are no parameters. The others belong to the sender of the
// request, never to the caller.
const NEVER_A_PARAMETER = ['accept', 'content-type', 'authorization', 'host', 'cookie',
  'content-length', 'connection', 'transfer-encoding', 'accept-encoding', 'proxy-authorization',
  'proxy-connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'];

export interface InputOptions {
  /** `<place>.<name>`, in lower case: parameters that callers do not get to set. */
  hidden: ReadonlySet<string>;
  warn(message: string): void;
}

/** `schema` still has references into the document. */
export function readInput(
  document: JsonObject, path: string, pathItem: JsonObject, operation: JsonObject,
  options: InputOptions): { input: OperationInput, schema: JsonObject } {
  const parameters: Parameter[] = [];
  const properties: JsonObject = {};
  const required: string[] = [];
  const declared = declaredParameters(document, path, pathItem, operation, options);
  for (const place of PLACES) {
    const here = declared.filter((parameter) => parameter.in === place
      && !isHidden(place, String(parameter.name), options.hidden));
    if (here.length === 0) continue;
    const read = here.map((parameter) => readParameter(place, parameter));
    parameters.push(...read);
    properties[place] = placeSchema(read, here);
    if (read.some((parameter) => parameter.required)) required.push(place);
  }
  const body = resolve(document, operation.requestBody);
  const chosen = chooseMediaType(objectOf(body.content));
  const media = chosen === null ? {} : resolve(document, objectOf(body.content)[chosen]);
  if (chosen !== null) {
    properties.body = described(bodySchema(chosen, media.schema ?? {}), body.description);
    if (body.required === true) required.push('body');
  }
  return {
    input: {
      parameters,
      body_media_type: chosen === null ? null : sentMediaType(chosen),
      body_encoding: encodingOf(media),
    },
    schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}),
      additionalProperties: false },
  };
}

/** The schema of one parameter, or one field of the body; {} if it says nothing. */
export function propertySchema(
  input_schema: JsonObject, place: ParameterPlace | 'body', name: string): JsonObject {
  const { properties } = resolve(input_schema, objectOf(input_schema.properties)[place]);
  return resolve(input_schema, objectOf(properties)[name]);
}

/** A body that is neither JSON nor a form is given as text or file, whatever its schema says. */
function bodySchema(media_type: string, schema: unknown): unknown {
  const kind = bodyKind(media_type);
  if (kind === 'binary') return fileSchema();
  return kind === 'text' ? { type: 'string' } : schema;
}

/**
 * The media type to use of several: JSON (also `application/merge-patch+json`), else a form, else
 * the first; null if there is none.
 */
export function chooseMediaType(content: JsonObject): string | null {
  const types = Object.keys(content);
  return types.find((type) => /^application\/json\s*(;|$)/i.test(type))
    ?? types.find(isJsonMediaType)
    ?? types.find((type) => /^\*\/\*|^application\/\*/.test(type))
    ?? types.find((type) => /^application\/x-www-form-urlencoded/i.test(type))
    ?? types.find((type) => /^multipart\/form-data/i.test(type))
    ?? types[0] ?? null;
}

/** A range such as `text/*` is no media type: a server that accepts any gets JSON. */
function sentMediaType(declared: string): string {
  if (/^(\*|application)\/\*/.test(declared)) return 'application/json';
  return /^text\/\*/.test(declared) ? 'text/plain' : declared;
}

/** The parameters of path item and operation; the operation's replace equal ones. */
function declaredParameters(
  document: JsonObject, path: string, pathItem: JsonObject, operation: JsonObject,
  { warn }: InputOptions): JsonObject[] {
  const byKey = new Map<string, JsonObject>();
  for (const list of [pathItem.parameters, operation.parameters]) {
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      const parameter = resolve(document, item);
      if (typeof parameter.name !== 'string') continue;
      byKey.set(`${String(parameter.in)} ${parameter.name}`, parameter);
    }
  }
  const inPath = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!));
  for (const [key, { in: place, name }] of byKey) {
    if (place !== 'path' || inPath.has(String(name))) continue;
    warn(`The path parameter ${String(name)} is not in the path and left out`);
    byKey.delete(key);
  }
  for (const name of inPath) {
    if (byKey.has(`path ${name}`)) continue;
    warn(`The path parameter ${name} is not described and taken for a text`);
    byKey.set(`path ${name}`, { in: 'path', name, schema: { type: 'string' } });
  }
  return [...byKey.values()];
}

function isHidden(place: ParameterPlace, name: string, hidden: ReadonlySet<string>): boolean {
  const key = name.toLowerCase();
  return (place === 'header' && NEVER_A_PARAMETER.includes(key)) || hidden.has(`${place}.${key}`);
}

function readParameter(place: ParameterPlace, parameter: JsonObject): Parameter {
  const style = textOf(parameter.style)
    ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple');
  return {
    place,
    name: String(parameter.name),
    required: place === 'path' || parameter.required === true,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    allow_reserved: parameter.allowReserved === true,
    // GitHub marks file paths and branch names so.
    multi_segment: place === 'path' && parameter['x-multi-segment'] === true,
    as_json: Object.keys(objectOf(parameter.content)).slice(0, 1).some(isJsonMediaType),
  };
}

function placeSchema(read: Parameter[], declared: JsonObject[]): JsonObject {
  const properties = Object.fromEntries(declared.map((parameter) =>
    [String(parameter.name), described(parameterSchema(parameter), parameter.description)]));
  const required = read.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}),
    additionalProperties: false };
}

function parameterSchema(parameter: JsonObject): unknown {
  const [content] = Object.values(objectOf(parameter.content));
  return parameter.schema ?? objectOf(content).schema ?? {};
}

function described(schema: unknown, description: unknown): unknown {
  return typeof description === 'string' && isObject(schema) ? { ...schema, description } : schema;
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
