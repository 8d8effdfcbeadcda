/**
 * What api-smart-diff calls breaking in operations of which the rules here have found nothing but
 * words: a net below them. It is below and not above because of what was measured on the planted
 * changes of test/scripts/: alone, and on this plain form, it sees 57 of the 79 that break the
 * wire, and raises an alarm at 7 of the 63 others. It is blind for a removed kind of event, a
 * removed value of a response, a closed object and a changed credential.
 */
import { apiCompare } from 'api-smart-diff';
import {
  listOperations, resolveReference, type OpenapiDocument, type ResponseNode, type SchemaNode,
} from '../document.ts';
import { addressOf } from './compareDocuments.ts';
import type { Finding } from './findings.ts';
import { same, shapeOf } from './shape.ts';

type Json = Record<string, unknown>;

/** Findings of the class `wire`; `found` is what the rules have found already. */
export function secondOpinion(
  before: OpenapiDocument, after: OpenapiDocument, found: Finding[]): Finding[] {
  const ids = new Map(listOperations(before).map((each) => [addressOf(each), each.operation_id]));
  const opinions = new Map<string, Finding>();
  for (const { type, path, action } of differences(...changedPart(before, after))) {
    const [section, address, method] = path.map(String);
    const id = ids.get(`${method?.toUpperCase()} ${address}`);
    if (type !== 'breaking' || section !== 'paths' || id === undefined) continue;
    if (found.some(({ kind, operations }) => kind !== 'words' && operations.has(id))) continue;
    const text = `${id} ${path.slice(3).join('/')}: ${action}, says api-smart-diff`;
    opinions.set(text, { kind: 'wire', text, operations: new Set([id]) });
  }
  return [...opinions.values()];
}

/** What is not the same in both: the tool takes seconds for the whole. */
function changedPart(before: OpenapiDocument, after: OpenapiDocument): [Json, Json] {
  const [old, now] = [plainPaths(before), plainPaths(after)];
  const changed = (paths: Json, other: Json) => Object.fromEntries(Object.entries(paths)
    .filter(([path, item]) => !same(item, other[path])));
  const document = (paths: Json) =>
    ({ openapi: before.openapi, info: { title: '', version: '' }, paths });
  return [document(changed(old, now)), document(changed(now, old))];
}

/** Its differences. It complains aloud about places that it cannot classify, which is no news. */
function differences(before: Json, after: Json): ReturnType<typeof apiCompare>['diffs'] {
  const { error } = console;
  console.error = () => {};
  try {
    return apiCompare(before, after).diffs;
  } finally {
    console.error = error;
  }
}

/** The operations written out, each schema in its plain form: the tool sees through neither. */
function plainPaths(document: OpenapiDocument): Json {
  const paths: Record<string, Json> = {};
  for (const operation of listOperations(document)) {
    const { node, parameters, method } = operation;
    const body = resolveReference(document, node.requestBody);
    const [, address] = addressOf(operation).split(' ');
    (paths[address!] ??= {})[method] = {
      parameters: parameters.filter(({ in: where }) => where !== 'path')
        .map(({ name, in: where, required, schema }) => ({
          name: where === 'header' ? name.toLowerCase() : name, in: where,
          ...(required && { required }), schema: plainSchema(document, schema ?? {}),
        })),
      ...(body && { requestBody: {
        ...(body.required && { required: true }), content: plainContent(document, body.content),
      } }),
      responses: Object.fromEntries(Object.entries(node.responses ?? {}).map(([status, response]) =>
        [status, plainResponse(document, resolveReference(document, response))])),
    };
  }
  return paths;
}

function plainResponse(document: OpenapiDocument, response: ResponseNode): Json {
  return { description: '', content: plainContent(document, response.content) };
}

function plainContent(document: OpenapiDocument, content: ResponseNode['content'] = {}): Json {
  return Object.fromEntries(Object.entries(content).map(([type, { schema }]) =>
    [type, { schema: plainSchema(document, schema ?? {}) }]));
}

/** `above` are the components that this one is in: one that holds itself ends there. */
function plainSchema(
  document: OpenapiDocument, node: SchemaNode, above: string[] = []): Json {
  const shape = shapeOf(document, node);
  const { name, types, values, union, items, additional, properties, keywords } = shape;
  if (name !== null && above.includes(name)) return {};
  const names = name === null ? above : [...above, name];
  const plain = (each: SchemaNode) => plainSchema(document, each, names);
  const { title: _, deprecated: _too, ...bounds } = keywords;
  return {
    ...bounds,
    ...(types && { type: shape.nullable ? [...types, 'null'] : types }),
    ...(values && { enum: values.toSorted().map((text) => JSON.parse(text) as unknown) }),
    ...(properties.size > 0 && {
      properties: Object.fromEntries([...properties].map(([key, value]) => [key, plain(value)])),
    }),
    ...(shape.required.size > 0 && { required: [...shape.required].sort() }),
    ...(additional !== true && {
      additionalProperties: additional === false ? false : plain(additional),
    }),
    ...(items && { items: plain(items) }),
    ...(union && { oneOf: union.map(plain) }),
  };
}
