/**
 * Actions from an OpenAPI 3.1 document: no code per integration. Older documents are brought to 3.1
 * before they come here; nothing in this room knows another version.
 */
import type { ActionDescription } from '../action.ts';
import { isObject, objectOf, textOf, type JsonObject } from '../json.ts';
import { bundleSchema } from './bundle.ts';
import { effectOf, type Effect } from './effect.ts';
import {
  isJsonMediaType, preferredMediaType, readInput, type OperationInput,
} from './inputSchema.ts';
import { nameOperations } from './naming.ts';
import { resolve } from './references.ts';

export interface ImportOptions {
  /** First segment of every name, and the integration of every action. */
  slug: string;
  /** What the operator knows better than the rule, by source key (`POST /actions/search`). */
  overrides?: Readonly<Record<string, { effect: Effect }>>;
  /** Header parameters, in lower case, that callers do not get to set. */
  hidden_headers?: readonly string[];
}

/** An action and how its input becomes a request. */
export interface ImportedAction extends ActionDescription {
  method: string;
  path: string;
  request: Omit<OperationInput, 'schema'>;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

/** The actions of `document`, in its order. Operations marked `x-internal` are left out. */
export function importOpenapi(document: JsonObject, options: ImportOptions): ImportedAction[] {
  const operations = readOperations(document);
  const names = nameOperations(options.slug, operations.map(({ method, path, operation }) => ({
    method,
    path,
    operation_id: textOf(operation.operationId),
    tags: tagsOf(operation),
  })));
  return operations.map((operation, i) => importOperation(document, operation, names[i]!, options));
}

interface Operation {
  method: string;
  path: string;
  pathItem: JsonObject;
  operation: JsonObject;
}

function readOperations(document: JsonObject): Operation[] {
  return Object.entries(objectOf(document.paths)).flatMap(([path, item]) => {
    const pathItem = resolve(document, item);
    if (pathItem['x-internal'] === true) return [];
    return METHODS.flatMap((method) => {
      const operation = pathItem[method];
      if (!isObject(operation) || operation['x-internal'] === true) return [];
      return [{ method, path, pathItem, operation }];
    });
  });
}

function importOperation(
  document: JsonObject, { method, path, pathItem, operation }: Operation, name: string,
  options: ImportOptions): ImportedAction {
  const source_key = `${method.toUpperCase()} ${path}`;
  const override = options.overrides?.[source_key];
  const resourceAndVerb = name.slice(options.slug.length + 1);
  const hidden = new Set(options.hidden_headers);
  const { schema, ...request } = readInput(document, pathItem, operation, hidden);
  const title = textOf(operation.summary) ?? textOf(pathItem.summary)
    ?? resourceAndVerb.replace(/[._]/g, ' ');
  return {
    name,
    integration: options.slug,
    source_key,
    title,
    description: textOf(operation.description) ?? textOf(pathItem.description) ?? title,
    effect: override?.effect
      ?? effectOf(method, resourceAndVerb, textOf(operation.operationId)),
    effect_source: override === undefined ? 'rule' : 'operator',
    input_schema: schema,
    output_schema: outputSchema(document, operation),
    paged: request.parameters.some(({ place, name: parameter }) =>
      place === 'query' && parameter === 'cursor'),
    method: method.toUpperCase(),
    path,
    request,
  };
}

/** The schema of the first successful response that is JSON; null if there is none. */
function outputSchema(document: JsonObject, operation: JsonObject): JsonObject | null {
  const responses = objectOf(operation.responses);
  const successes = Object.keys(responses).filter((status) => /^2(\d\d|XX)$/i.test(status)).sort();
  for (const status of successes) {
    const content = objectOf(resolve(document, responses[status]).content);
    const mediaType = preferredMediaType(content);
    if (mediaType === null || !isJsonMediaType(mediaType)) continue;
    const { schema } = objectOf(content[mediaType]);
    if (schema !== undefined) return bundleSchema(document, schema, { for_input: false });
  }
  return null;
}

function tagsOf(operation: JsonObject): string[] {
  return Array.isArray(operation.tags)
    ? operation.tags.filter((tag): tag is string => typeof tag === 'string') : [];
}
