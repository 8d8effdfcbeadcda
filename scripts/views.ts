/**
 * The views of the public document: the same operations, the streams described in another form.
 *
 * - 3.2: `itemSchema` describes each message of a stream, for which 3.1 has no word.
 * - codegen: for generators of clients. Of those tried (docs/clients.md) none types a stream that
 *   shares its response with JSON, nor one by `itemSchema`; those that type streams take the schema
 *   of the only content for that of an event. So each response has one form here: streamRunEvents
 *   answers the stream, which also replays what its JSON page lists, without its 204, and createRun
 *   answers JSON, for its stream is the same one.
 * - 3.0: the same in OpenAPI 3.0, for generators that know no other, or read no `oneOf`.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  listOperations, publicDocument, resolveReference, type MediaNode, type OpenapiDocument,
  type OperationNode, type ResponseNode, type SchemaNode,
} from './document.ts';

const STREAM = 'text/event-stream';
const JSON_TYPE = 'application/json';

/** A message of a stream, as OpenAPI 3.2 models them: its fields, of which data is a text. */
const RUN_EVENT_MESSAGE: SchemaNode = {
  type: 'object',
  description: 'A server-sent event. Comments, which keep the connection open, are none.',
  required: ['id', 'event', 'data'],
  properties: {
    id: { type: 'string', description: 'The `sequence_number` of the event.', pattern: '^[0-9]+$' },
    event: { type: 'string', description: 'The `type` of the event.' },
    data: {
      type: 'string', description: 'The event, as JSON on one line.',
      contentMediaType: JSON_TYPE, contentSchema: { $ref: '#/components/schemas/RunEvent' },
    },
    retry: {
      type: 'integer', minimum: 0,
      description: 'Milliseconds to wait before connecting again; the first message has it.',
    },
  },
};

/** The public document in OpenAPI 3.2. The one given is not changed. */
export function document32(document: OpenapiDocument): OpenapiDocument {
  const view = publicDocument(document);
  view.openapi = '3.2.0';
  view.components.schemas.RunEventMessage = RUN_EVENT_MESSAGE;
  for (const { content } of streamingResponses(view).values()) {
    const { schema: _, ...media } = content[STREAM]!;
    content[STREAM] = { itemSchema: { $ref: '#/components/schemas/RunEventMessage' }, ...media };
    for (const example of Object.values(media.examples ?? {})) serialize(view, example);
  }
  return publicDocument(view);
}

/** The public document for generators of clients. The one given is not changed. */
export function codegenDocument(document: OpenapiDocument): OpenapiDocument {
  return publicDocument(dashboardDocument(document));
}

/** The same view of the whole document, the operator's part included: for the dashboard. */
export function dashboardDocument(document: OpenapiDocument): OpenapiDocument {
  const view = structuredClone(document);
  for (const [node, { content }] of streamingResponses(view)) {
    if (node.operationId === 'streamRunEvents') onlyStream(node, content);
    else onlyJson(view, node, content);
  }
  return view;
}

/**
 * The codegen view in OpenAPI 3.0. The one given is not changed. What is one of several objects is
 * a single one here, with the fields of all: many generators take the last for all of them, or
 * require what belongs to another.
 */
export function document30(document: OpenapiDocument): OpenapiDocument {
  const view = codegenDocument(document);
  view.openapi = '3.0.3';
  delete view.info.summary;
  const { name, identifier } = view.info.license as { name: string; identifier: string };
  view.info.license = { name, url: `https://spdx.org/licenses/${identifier}.html` };
  const { schemas } = view.components;
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.discriminator !== undefined) schemas[name] = merged(view, schema);
    if (schemas[name]!.properties) {
      schemas[`${name}OrNull`] = { ...schemas[name], nullable: true };
    }
  }
  return publicDocument(in30(view, view) as OpenapiDocument);
}

/** One object for those of a `oneOf`. */
function merged(view: OpenapiDocument, { description, oneOf }: SchemaNode): SchemaNode {
  const kinds = (oneOf as SchemaNode[]).map((kind) => resolveReference(view, kind)) as
    { properties: Record<string, SchemaNode>; required: string[] }[];
  const fields = [...new Set(kinds.flatMap((kind) => Object.keys(kind.properties)))];
  const properties = Object.fromEntries(fields.map((field) =>
    [field, agreed(view, kinds.map((kind) => kind.properties[field]).filter((one) => !!one))]));
  properties.type = {
    type: 'string', 'x-extensible-enum': kinds.map((kind) => kind.properties.type!.const),
  };
  const required = fields.filter((field) => kinds.every((kind) => kind.required.includes(field)));
  return { type: 'object', description, required, properties };
}

/** What all say of a field. Where they differ, it is any object if each has one, else anything. */
function agreed(view: OpenapiDocument, schemas: SchemaNode[]): SchemaNode {
  const [first, ...others] = schemas.map(({ description: _, ...rest }) => rest);
  if (others.every((other) => isDeepStrictEqual(other, first))) return schemas[0]!;
  const objects = schemas.every((schema) => resolveReference(view, schema).type === 'object');
  return {
    ...objects && { type: 'object', additionalProperties: true },
    description: 'What it holds, its `type` says.',
  };
}

/** What 3.0 has no word for, said as it can be: null, constants, a `$ref` beside other words. */
function in30(view: OpenapiDocument, node: unknown, parent = ''): unknown {
  if (Array.isArray(node)) return node.map((item) => in30(view, item));
  if (typeof node !== 'object' || node === null) return node;
  if (/^(examples?|default)$/.test(parent)) return node;
  const { propertyNames: _, const: only, oneOf, $ref, ...rest } = node as SchemaNode;
  const words = Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, in30(view, inner, name)]));
  if (only !== undefined) words.enum = [only];
  if (Array.isArray(oneOf)) {
    const [schema] = oneOf as [SchemaNode];
    const named = resolveReference(view, schema);
    // A type with fields keeps a name. A reference to the one that is never null would refuse null,
    // whatever stood beside it.
    if (named !== schema && named.properties) return refer(`${schema.$ref as string}OrNull`, words);
    return { ...in30(view, named) as SchemaNode, ...words, nullable: true };
  }
  return $ref === undefined ? words : refer($ref as string, words);
}

function refer($ref: string, words: SchemaNode): SchemaNode {
  return Object.keys(words).length === 0 ? { $ref } : { ...words, allOf: [{ $ref }] };
}

interface Media extends MediaNode { itemSchema?: SchemaNode; examples?: Record<string, Example> }
interface Example { $ref?: string; value?: unknown; serializedValue?: string }
type Content = Record<string, Media>;

/** Each operation that may answer with a stream, with the response in which it does. */
function streamingResponses(
  view: OpenapiDocument): Map<OperationNode, ResponseNode & { content: Content }> {
  return new Map(listOperations(view).flatMap(({ node }) =>
    Object.values(node.responses ?? {}).map((response) => resolveReference(view, response))
      .filter((response) => response.content?.[STREAM] !== undefined)
      .map((response) => [node, response as ResponseNode & { content: Content }] as const)));
}

/** 3.2 tells a text as it is sent from the value that it stands for. */
function serialize(view: OpenapiDocument, example: Example): void {
  const target = resolveReference(view, example);
  target.serializedValue ??= target.value as string;
  delete target.value;
}

function onlyStream(node: OperationNode, content: Content): void {
  content[STREAM] = { schema: { $ref: '#/components/schemas/RunEvent' } };
  delete content[JSON_TYPE];
  // No content to a reader that has the last event already: each event would be typed as it or
  // nothing. Such a reader ends the loop of a generated client as a stream without events does.
  delete node.responses!['204'];
  // The stream has no limit; it is the JSON page's.
  node.parameters = node.parameters?.filter((parameter) =>
    !('name' in parameter) || parameter.name !== 'limit');
  note(node, 'This view of the document describes the stream alone, by the schema of its events,'
    + ` and not the 204. Send \`Accept: ${STREAM}\`.`);
}

function onlyJson(view: OpenapiDocument, node: OperationNode, content: Content): void {
  delete content[STREAM];
  const body = resolveReference(view, node.requestBody)!.content![JSON_TYPE] as Media;
  const { properties } = resolveReference(view, body.schema!) as { properties: object };
  delete (properties as { stream?: unknown }).stream;
  for (const [name, example] of Object.entries(body.examples ?? {})) {
    const { value } = resolveReference(view, example);
    if ((value as { stream?: unknown }).stream !== undefined) delete body.examples![name];
  }
  note(node, 'This view of the document leaves the field `stream` out: streamRunEvents has the same'
    + ' stream.');
}

function note(node: OperationNode & { description?: string }, text: string): void {
  node.description = `${(node.description ?? '').trimEnd()}\n\n${text}\n`;
}
