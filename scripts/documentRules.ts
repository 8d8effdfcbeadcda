/**
 * Rules of the document that a linter does not know: each of them is there because generators of
 * clients or readers of documents fail, or make something worse, where it is broken.
 */
import { isObject, objectOf, type JsonObject } from '../src/json.ts';
import {
  listOperations, reachableReferences, resolveReference,
  type ListedOperation, type OpenapiDocument, type SchemaNode,
} from './document.ts';

interface Placed { place: string; schema: JsonObject }

/** What breaks a rule: one line each, with its place in the document. Empty if nothing does. */
export function ruleFaults(document: OpenapiDocument): string[] {
  const answered = reachableReferences(document, document.components.responses);
  const inAnswers = ({ place }: Placed) => answered.has(place.split('/').slice(0, 4).join('/'));
  const schemas = schemasOf(document);
  return [
    ...namedResponses(document),
    ...faultsAt(schemas, nullable),
    ...faultsAt(schemas, fixedText),
    ...faultsAt(schemas, (schema) => optionalArrays(document, schema)),
    ...faultsAt(schemas.filter(inAnswers), growing),
    ...listOperations(document).flatMap((listed) =>
      [...parameterFaults(document, listed), ...bodyIds(document, listed),
        ...pairedExamples(document, listed)]
        .map((fault) => `${listed.operation_id}: ${fault}`)),
  ];
}

function faultsAt(schemas: Placed[], rule: (schema: JsonObject) => string[]): string[] {
  return schemas.flatMap(({ place, schema }) => rule(schema).map((fault) => `${place}: ${fault}`));
}

const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'schemas', '$defs']);
const NO_SCHEMAS = new Set(['example', 'examples', 'default', 'enum', 'const', 'discriminator']);

/** Every schema of the document, nested ones too. */
function schemasOf(document: OpenapiDocument): Placed[] {
  const found: Placed[] = [];
  const look = (value: unknown, place: string, isSchema: boolean, isMap = false): void => {
    if (Array.isArray(value)) value.forEach((item, at) => look(item, `${place}/${at}`, isSchema));
    if (!isObject(value)) return;
    if (isSchema) found.push({ place, schema: value });
    for (const [key, child] of Object.entries(value)) {
      // A property may have the name of a keyword; what is in an example is no schema.
      if (!isMap && NO_SCHEMAS.has(key)) continue;
      const map = !isMap && SCHEMA_MAPS.has(key);
      look(child, `${place}/${key}`, map ? false : isMap || isSchema || key === 'schema', map);
    }
  };
  look(document, '#', false);
  return found;
}

/** ogen and others read one way to allow null; a type beside 'null' in a list they do not. */
function nullable({ type, oneOf, anyOf, nullable }: JsonObject): string[] {
  const listed = [oneOf, anyOf].filter(Array.isArray).flat();
  const nulls = listed.filter((branch) => isObject(branch) && branch.type === 'null');
  const wellFormed = nulls.length === 0 || (Array.isArray(oneOf) && anyOf === undefined
    && oneOf.length === 2 && oneOf[1] === nulls[0] && type === undefined);
  return Array.isArray(type) || nullable !== undefined || !wellFormed
    ? ["write what may be null as oneOf: [X, { type: 'null' }]"] : [];
}

/** openapi-generator makes texts of them: a client in Python refuses `true`, as it is no "true". */
function fixedText({ const: only, enum: values }: JsonObject): string[] {
  const fixed = [...(only === undefined ? [] : [only]), ...(Array.isArray(values) ? values : [])];
  return fixed.every((value) => typeof value === 'string') ? []
    : ['only texts may be fixed by const or enum; leave the type alone'];
}

/** Generated Java clients send an empty list where nothing was set. */
function optionalArrays(document: OpenapiDocument, schema: JsonObject): string[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(objectOf(schema.properties))
    .filter(([name, property]) => !required.includes(name)
      && resolveReference(document, property as SchemaNode).minItems !== undefined)
    .map(([name]) => `${name} may be left out, so an empty list has to be taken: no minItems`);
}

/** What of an answer is a matter of its own life or of what a request has said, and so complete. */
const COMPLETE = [
  ['active', 'archived'], ['queued', 'running', 'completed', 'failed', 'cancelled'],
  ['queued', 'running'], ['running', 'completed', 'failed', 'cancelled'], ['completed', 'failed'],
  ['active', 'expired', 'revoked'], ['pending', 'connected', 'needs_reconnect', 'disabled'],
  ['pending', 'approved', 'denied', 'used', 'expired'], ['allow', 'require_approval', 'deny'],
  ['api_key', 'workspace'], ['header', 'query', 'cookie'], ['encoded', 'encoded_twice', 'reserved'],
  ['wait', 'offer'],
].map((values) => values.join());

/** A client that a generator made refuses an answer with a field or value that it does not know. */
function growing({ additionalProperties, enum: values }: JsonObject): string[] {
  return [
    ...(additionalProperties === false ? ['answers gain fields: leave the object open'] : []),
    ...(Array.isArray(values) && !COMPLETE.includes(values.join())
      ? ['say x-extensible-enum, or add it to COMPLETE if no value will ever be added'] : []),
  ];
}

/**
 * A named response gives its type a name too; one in place gets a long one made of its path. A
 * parameter makes a type as well.
 */
function namedResponses(document: OpenapiDocument): string[] {
  const named = (['responses', 'parameters'] as const).flatMap((kind) =>
    Object.keys(document.components[kind] ?? {})
      .filter((name) => document.components.schemas[name] !== undefined)
      .map((name) => `#/components/${kind}/${name}: a schema has this name, so that generators`
        + ' make two types of one name'));
  const inPlace = listOperations(document).flatMap(({ operation_id, node }) =>
    Object.entries(node.responses ?? {})
      .filter(([, response]) => response.$ref === undefined)
      .map(([status]) => `${operation_id}: name ${status} under components/responses`));
  return [...named, ...inPlace];
}

function parameterFaults(document: OpenapiDocument, { parameters }: ListedOperation): string[] {
  return parameters.flatMap((parameter) => {
    const { name, in: where, example, examples } = parameter;
    const open = where !== 'header' && isOpenText(document, parameter.schema ?? {});
    return [
      ...(example !== undefined || examples !== undefined
        ? [`${name}: viewers fill in the example, which nobody has; describe it in words`] : []),
      ...(open ? [`${name}: the service refuses U+0000 in it; say so by a pattern`] : []),
    ];
  });
}

/** Any text may be sent, as far as the document says. */
function isOpenText(document: OpenapiDocument, schema: SchemaNode): boolean {
  const { type, pattern, enum: values, format } = resolveReference(document, schema);
  return type === 'string' && !pattern && !values && !format;
}

/** An id of OAuth's, which is kept as it was sent. */
const FOREIGN_IDS = new Set(['client_id']);

/**
 * In the texts of a body U+0000 becomes U+FFFD, for nobody is helped by a prompt that is refused.
 * Another id would be another thing, so there it is refused, as in parameters.
 */
function bodyIds(document: OpenapiDocument, { node }: ListedOperation): string[] {
  const body = resolveReference(document, node.requestBody)?.content ?? {};
  const reached = reachableReferences(document, body);
  const inBody = schemasOf({ ...document, paths: { '': { body } } } as OpenapiDocument)
    .filter(({ place }) => place.startsWith('#/paths/')
      || reached.has(place.split('/').slice(0, 4).join('/')));
  return inBody.flatMap(({ schema }) => Object.entries(objectOf(schema.properties))
    .filter(([name, property]) => /(^|_)ids?$/.test(name) && !FOREIGN_IDS.has(name)
      && textsOf(document, property as SchemaNode).some((text) => isOpenText(document, text)))
    .map(([name]) => `${name}: the service refuses U+0000 in it; say so by a pattern`));
}

/** The schema itself, or those of its items and of what it may be instead. */
function textsOf(document: OpenapiDocument, node: SchemaNode): SchemaNode[] {
  const schema = resolveReference(document, node);
  const inner = [schema.items, ...[schema.oneOf, schema.anyOf, schema.allOf].flat()]
    .filter(isObject) as SchemaNode[];
  return [schema, ...inner.flatMap((one) => textsOf(document, one))];
}

/** A mock, and whoever reads, finds the answer to an example by its name. */
function pairedExamples(document: OpenapiDocument, { node }: ListedOperation): string[] {
  const asked = namesOf(resolveReference(document, node.requestBody)?.content);
  if (asked.size === 0) return [];
  const answered = new Set(Object.entries(node.responses ?? {})
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, response]) => [...namesOf(resolveReference(document, response).content)]));
  return [
    ...[...asked].filter((name) => !answered.has(name))
      .map((name) => `no success has an example "${name}", as the request has`),
    ...[...answered].filter((name) => !asked.has(name))
      .map((name) => `the request has no example "${name}", as a success has`),
  ];
}

function namesOf(content: Record<string, { examples?: object }> | undefined): Set<string> {
  return new Set(Object.values(content ?? {})
    .flatMap(({ examples }) => Object.keys(examples ?? {})));
}
