/**
 * The input of an action made from an OpenAPI operation: `{path, query, header, body}`, each there
 * only if the operation has it. Nested, because a flat one is ambiguous: in 8 % of real operations
 * the body has a field named like a parameter.
 */
import { isObject, objectOf, textOf, type JsonObject } from '../json.ts';
import { bundleSchema } from './bundle.ts';
import { resolve } from './references.ts';

export type ParameterPlace = 'path' | 'query' | 'header';

/** How one parameter is written into the request. */
export interface Parameter {
  place: ParameterPlace;
  name: string;
  required: boolean;
  style: string;
  explode: boolean;
  /** Its value is sent as JSON text (a parameter with `content`). */
  as_json: boolean;
}

/** What is needed to turn an input into a request. */
export interface OperationInput {
  parameters: Parameter[];
  /** The media type of the body, preferably JSON; null: no body. */
  body_media_type: string | null;
  schema: JsonObject;
}

// OpenAPI says that the first three are no parameters; the others belong to whoever sends the
// request, never to the caller.
const NEVER_A_PARAMETER = ['accept', 'content-type', 'authorization', 'host', 'cookie',
  'content-length', 'connection', 'transfer-encoding'];

/** `hidden_headers`: header parameters (lower case) that callers do not get to set. */
export function readInput(
  document: JsonObject, pathItem: JsonObject, operation: JsonObject,
  hidden_headers: ReadonlySet<string>): OperationInput {
  const parameters: Parameter[] = [];
  const properties: JsonObject = {};
  const required: string[] = [];
  const declared = declaredParameters(document, pathItem, operation);
  for (const place of ['path', 'query', 'header'] as const) {
    const here = declared.filter((parameter) => parameter.in === place
      && !(place === 'header' && isHidden(parameter, hidden_headers)));
    if (here.length === 0) continue;
    const read = here.map((parameter) => readParameter(place, parameter));
    parameters.push(...read);
    properties[place] = placeSchema(read, here);
    if (read.some((parameter) => parameter.required)) required.push(place);
  }
  const body = resolve(document, operation.requestBody);
  const mediaType = preferredMediaType(objectOf(body.content));
  if (mediaType !== null) {
    properties.body = bodySchema(body, mediaType);
    if (body.required === true) required.push('body');
  }
  const schema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}),
    additionalProperties: false };
  return {
    parameters,
    body_media_type: mediaType,
    schema: bundleSchema(document, schema, { for_input: true }),
  };
}

/** JSON if it is offered (also `application/merge-patch+json`), else the first; null if none. */
export function preferredMediaType(content: JsonObject): string | null {
  const types = Object.keys(content);
  return types.find((type) => /^application\/json\s*(;|$)/i.test(type))
    ?? types.find(isJsonMediaType) ?? types[0] ?? null;
}

export function isJsonMediaType(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
}

/** Parameters of the path item and of the operation; of equal ones the operation's. */
function declaredParameters(
  document: JsonObject, pathItem: JsonObject, operation: JsonObject): JsonObject[] {
  const byKey = new Map<string, JsonObject>();
  for (const list of [pathItem.parameters, operation.parameters]) {
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      const parameter = resolve(document, item);
      if (typeof parameter.name !== 'string') continue;
      byKey.set(`${String(parameter.in)} ${parameter.name}`, parameter);
    }
  }
  return [...byKey.values()];
}

function isHidden(parameter: JsonObject, hidden: ReadonlySet<string>): boolean {
  const name = String(parameter.name).toLowerCase();
  return NEVER_A_PARAMETER.includes(name) || hidden.has(name);
}

function readParameter(place: ParameterPlace, parameter: JsonObject): Parameter {
  const style = textOf(parameter.style) ?? (place === 'query' ? 'form' : 'simple');
  return {
    place,
    name: String(parameter.name),
    required: place === 'path' || parameter.required === true,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    as_json: isObject(parameter.content),
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

function bodySchema(body: JsonObject, mediaType: string): unknown {
  const { schema } = objectOf(objectOf(body.content)[mediaType]);
  return described(schema ?? {}, body.description);
}

function described(schema: unknown, description: unknown): unknown {
  return typeof description === 'string' && isObject(schema) ? { ...schema, description } : schema;
}
