/**
 * Prepares a Swagger 2.0 document for @scalar/openapi-upgrader 0.1.11, which by itself loses or
 * breaks the lists, enums, defaults and bounds of form fields; body and form parameters behind a
 * `$ref`; the media types of an operation where the document has some too; and `https` where no
 * scheme is named. It also throws at nulls, and at parameters with no `in`. So bodies and servers
 * are made here and the upgrader finds none of them; it moves definitions, schemas of responses,
 * security schemes and the styles of other parameters.
 */
import { isObject, objectOf, textOf, textsOf, type JsonObject } from '../../json.ts';
import { lostReferences, resolve } from '../schema/references.ts';
import { readParameters, type DeclaredParameter } from './declaredParameters.ts';

/** Where an operation says which references of its parameters lead to nothing. */
export const NOT_FOLLOWED = 'x-not-followed';
/** Where files are that came with a document. */
export const FILES = 'x-documents';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'];
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';

/** How the lists of forms are written. Tabs have no style in OpenAPI 3: theirs is ours. */
const LIST_STYLES: ReadonlyMap<string, string> = new Map(
  [['ssv', 'spaceDelimited'], ['pipes', 'pipeDelimited'], ['tsv', 'tabDelimited']]);

/** `document_url` tells the scheme if the document does not. Nothing of `document` is changed. */
export function prepareSwagger(
  document: JsonObject, document_url: string | undefined): JsonObject {
  const { info, tags, definitions, security } = document;
  return {
    swagger: '2.0',
    info,
    tags,
    security,
    servers: serversOf(document, document_url),
    definitions: objectOf(definitions),
    securityDefinitions: objectsOf(document, document.securityDefinitions,
      (scheme) => ({ ...scheme, flow: textOf(scheme.flow) })),
    paths: objectsOf(document, document.paths, (item) => preparePath(document, item)),
    ...(isObject(document[FILES]) && { [FILES]: document[FILES] }),
  };
}

function serversOf(document: JsonObject, document_url: string | undefined): JsonObject[] {
  const host = textOf(document.host);
  const base = textOf(document.basePath) ?? '';
  const path = base === '' || base.startsWith('/') ? base : `/${base}`;
  if (host === undefined || host === '') return path === '' ? [] : [{ url: path }];
  const named = Array.isArray(document.schemes)
    ? document.schemes.filter((scheme) => scheme === 'https' || scheme === 'http') : [];
  const own = document_url?.startsWith('http:') ? 'http' : 'https';
  // The first server is the one that is used, and secrets are sent to it.
  const schemes = named.length === 0 ? [own] : named.toSorted((a, b) => b.length - a.length);
  return schemes.map((scheme) => ({ url: `${scheme}://${host}${path}` }));
}

function preparePath(document: JsonObject, item: JsonObject): JsonObject {
  const shared = readParameters(document, item.parameters);
  const operations = METHODS.flatMap((method) => {
    const operation = item[method];
    if (!isObject(operation)) return [];
    const lost = lostReferences(
      document, [item.parameters, operation.parameters].filter(Array.isArray).flat());
    return [[method, { ...prepareOperation(document, operation, shared),
      ...(lost.length > 0 && { [NOT_FOLLOWED]: lost }) }]];
  });
  const mark = item['x-internal'] === true ? { 'x-internal': true } : {};
  return { ...Object.fromEntries(operations), ...mark };
}

function prepareOperation(
  document: JsonObject, operation: JsonObject, shared: DeclaredParameter[]): JsonObject {
  const own = readParameters(document, operation.parameters);
  const overridden = new Set(own.map(({ in: place, name }) => `${place} ${name}`));
  const all = [...shared.filter(({ in: place, name }) => !overridden.has(`${place} ${name}`)),
    ...own];
  const mediaTypes = (list: 'consumes' | 'produces') =>
    [operation, document].map((owner) => textsOf(owner[list])).find(({ length }) => length > 0);
  const { operationId, summary, description, tags, deprecated, security } = operation;
  return {
    operationId, summary, description, tags, deprecated, security,
    'x-internal': operation['x-internal'],
    requestBody: bodyOf(all, mediaTypes('consumes') ?? []),
    produces: mediaTypes('produces'),
    parameters: all.filter(({ in: place }) => place !== 'body' && place !== 'formData')
      .map(withStyle),
    responses: objectsOf(document, operation.responses),
  };
}

/** Tabs have no style in OpenAPI 3: this one is ours, for the request's builder. */
function withStyle(parameter: DeclaredParameter): JsonObject {
  const collectionFormat = textOf(parameter.collectionFormat);
  return { ...parameter, collectionFormat, ...(collectionFormat === 'tsv'
    && parameter.in === 'query' && { style: 'tabDelimited', explode: false }) };
}

function bodyOf(parameters: DeclaredParameter[], consumes: string[]): JsonObject | undefined {
  const body = parameters.find(({ in: place }) => place === 'body');
  if (body !== undefined) {
    const types = consumes.length > 0 ? consumes : [JSON_TYPE];
    const media = { schema: objectOf(body.schema) };
    return {
      description: body.description,
      required: body.required === true,
      content: Object.fromEntries(types.map((type) => [type, media])),
    };
  }
  const fields = parameters.filter(({ in: place }) => place === 'formData');
  return fields.length === 0 ? undefined : formBody(fields, consumes);
}

function formBody(fields: DeclaredParameter[], consumes: string[]): JsonObject {
  const hasFile = fields.some(({ type }) => type === 'file');
  const mustBeMultipart = hasFile
    || (consumes.some((type) => type.startsWith(MULTIPART))
      && !consumes.some((type) => type.startsWith(FORM)));
  // The importer knows the keywords of a schema, and drops the others (`in`, `name`).
  const properties = Object.fromEntries(fields.map((field) => [field.name, field]));
  const required = fields.filter((field) => field.required === true).map(({ name }) => name);
  const encoding = Object.fromEntries(fields.filter(({ type }) => type === 'array')
    .map(({ name, collectionFormat }) =>
      [name, { style: LIST_STYLES.get(textOf(collectionFormat) ?? '') ?? 'form',
        explode: collectionFormat === 'multi' }]));
  const schema = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return {
    required: required.length > 0,
    content: { [mustBeMultipart ? MULTIPART : FORM]: { schema, encoding } },
  };
}

/** The entries that are objects, each without a reference, and changed if `change` is given. */
function objectsOf(
  document: JsonObject, value: unknown, change = (entry: JsonObject) => entry): JsonObject {
  const entries = Object.entries(objectOf(value)).filter(([, entry]) => isObject(entry));
  return Object.fromEntries(entries.map(([key, entry]) => {
    const isLost = lostReferences(document, [entry]).length > 0;
    return [key, isLost ? entry : change(resolve(document, entry))];
  }));
}
