/**
 * Reading openapi.yaml for the scripts: the document as a tree, its operations in order, and the
 * public part of it, which is what clients and the mock see.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface SchemaNode { $ref?: string; type?: string | string[]; [keyword: string]: unknown }
export interface ParameterNode {
  name: string; in: 'path' | 'query' | 'header' | 'cookie'; required?: boolean; schema?: SchemaNode;
  example?: unknown; examples?: object;
}
export interface MediaNode { schema?: SchemaNode; examples?: object }
export interface ResponseNode {
  $ref?: string;
  'x-internal'?: boolean;
  headers?: Record<string, { $ref?: string; required?: boolean }>;
  content?: Record<string, MediaNode>;
}
export type Requirement = Record<string, string[]>;
export interface OperationNode {
  operationId?: string;
  tags?: string[];
  security?: Requirement[];
  parameters?: (ParameterNode | { $ref: string })[];
  requestBody?: { $ref?: string; required?: boolean; content?: Record<string, MediaNode> };
  responses?: Record<string, ResponseNode>;
  'x-internal'?: boolean;
  'x-large-body'?: boolean;
}
export interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; [key: string]: unknown };
  security?: Requirement[];
  tags?: { name: string; [key: string]: unknown }[];
  paths: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>> & { schemas: Record<string, SchemaNode> };
  [key: string]: unknown;
}
/** One operation, with what its path item adds to it already merged in. */
export interface ListedOperation {
  operation_id: string;
  method: string;
  path: string;
  node: OperationNode;
  parameters: ParameterNode[];
}

export const ROOT = new URL('../', import.meta.url);
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Reads the document; without a path, the project's openapi.yaml. Throws on broken YAML. */
export function readDocument(path: string | URL = new URL('openapi.yaml', ROOT)): OpenapiDocument {
  return parse(readFileSync(path, 'utf8')) as OpenapiDocument;
}

/** The node itself, or what its `$ref` points at. Throws an Error that names a dangling one. */
export function resolveReference<T>(document: OpenapiDocument, node: T): T {
  const reference = (node as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return node;
  let found: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found = (found as Record<string, unknown> | undefined)?.[key];
  }
  if (found === undefined) throw new Error(`openapi.yaml: nothing is at ${reference}`);
  return resolveReference(document, found as T);
}

/** Every operation in the document's order. Throws if one has no operationId, or two have one. */
export function listOperations(document: OpenapiDocument): ListedOperation[] {
  const operations: ListedOperation[] = [];
  const seen = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, value] of Object.entries(item)) {
      if (!METHODS.includes(method)) continue;
      const node = value as OperationNode;
      const operation_id = node.operationId;
      if (!operation_id || seen.has(operation_id)) {
        throw new Error(`openapi.yaml: ${method} ${path} needs an operationId of its own`);
      }
      seen.add(operation_id);
      const shared = (item.parameters ?? []) as (ParameterNode | { $ref: string })[];
      const parameters = [...shared, ...(node.parameters ?? [])]
        .map((parameter) => resolveReference(document, parameter as ParameterNode));
      operations.push({ operation_id, method, path, node, parameters });
    }
  }
  return operations;
}

/**
 * The document as this version keeps it: what may grow in time is an `enum` of what there is today.
 * Clients are only told of it (`x-extensible-enum`), so that a generated one does not die of a new
 * value; the service itself says no other, and its types and tests hold that.
 */
export function closedDocument<T>(node: T): T {
  if (Array.isArray(node)) return node.map(closedDocument) as T;
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) =>
    [key === 'x-extensible-enum' ? 'enum' : key, closedDocument(value)])) as T;
}

/**
 * The document without what is marked `x-internal`: operations, ways to be let in, and responses to
 * those; and without the components, tags and security schemes that only these use. The one given
 * is not changed.
 */
export function publicDocument(given: OpenapiDocument): OpenapiDocument {
  const document = {
    ...given, ...(given.security && { security: publicWays(given, given.security) }),
  };
  const paths = publicPaths(document);
  const operations = listOperations({ ...document, paths }).map((listed) => listed.node);
  const tags = new Set(operations.flatMap((node) => node.tags ?? []));
  const requirements = operations.map((node) => node.security ?? [])
    .concat(document.security ?? []);
  const reachable = reachableReferences(document, paths);
  for (const name of requirements.flat().flatMap((requirement) => Object.keys(requirement))) {
    reachable.add(`#/components/securitySchemes/${name}`);
  }
  const components: Record<string, Record<string, unknown>> = {};
  for (const [kind, named] of Object.entries(document.components)) {
    const kept = Object.entries(named)
      .filter(([name]) => reachable.has(`#/components/${kind}/${name}`));
    if (kept.length > 0) components[kind] = Object.fromEntries(kept);
  }
  return structuredClone({
    ...document,
    ...(document.tags && { tags: document.tags.filter((tag) => tags.has(tag.name)) }),
    paths,
    components: components as OpenapiDocument['components'],
  });
}

function publicPaths(document: OpenapiDocument): OpenapiDocument['paths'] {
  const paths: OpenapiDocument['paths'] = {};
  for (const [path, item] of Object.entries(document.paths)) {
    if (item['x-internal']) continue;
    const kept = Object.entries(item).filter(([key, value]) =>
      !METHODS.includes(key) || !(value as OperationNode)['x-internal'])
      .map(([key, value]) => [key, METHODS.includes(key)
        ? publicOperation(document, value as OperationNode) : value] as const);
    if (kept.some(([key]) => METHODS.includes(key))) paths[path] = Object.fromEntries(kept);
  }
  return paths;
}

function publicOperation(document: OpenapiDocument, node: OperationNode): OperationNode {
  const { security, responses = {} } = node;
  return {
    ...node,
    ...(security && { security: publicWays(document, security) }),
    responses: Object.fromEntries(Object.entries(responses).filter(([, response]) =>
      !resolveReference(document, response)['x-internal'])),
  };
}

/** The requirements without those that need an internal scheme. */
function publicWays(document: OpenapiDocument, ways: Requirement[]): Requirement[] {
  const schemes = document.components.securitySchemes as
    Record<string, { 'x-internal'?: boolean }> | undefined;
  return ways.filter((way) => !Object.keys(way).some((name) => schemes?.[name]?.['x-internal']));
}

/** Everything under #/components that `start` leads to; a discriminator's mapping leads too. */
export function reachableReferences(document: OpenapiDocument, start: unknown): Set<string> {
  const reached = new Set<string>();
  const waiting: unknown[] = [start];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node === 'string' && node.startsWith('#/components/')) {
      const reference = node.split('/').slice(0, 4).join('/');
      if (reached.has(reference)) continue;
      reached.add(reference);
      waiting.push(resolveReference(document, { $ref: reference }));
    } else if (typeof node === 'object' && node !== null) {
      waiting.push(...Object.values(node));
    }
  }
  return reached;
}
