/** The operations of a document, and which of them are none to call. */
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { firstNamed } from '../../truncate.ts';
import { lostReferences, resolve } from '../schema/references.ts';
import { readParameters, type DeclaredParameter } from './declaredParameters.ts';
import type { SkipReason } from './importReport.ts';
import type { LeftOut } from './leftOut.ts';
import type { Override } from './override.ts';

export interface SourceOperation {
  source_key: string;
  method: string;
  path: string;
  pathItem: JsonObject;
  operation: JsonObject;
  operation_id: string | undefined;
  /** Those of its path, and its own. */
  parameters: readonly DeclaredParameter[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
const OTHER_METHODS = ['options', 'trace', 'query'] as const;
const MAX_OPERATIONS = 20_000;

/** In the document's order, with those that are hidden. What is skipped goes to `leftOut`. */
export function sourceOperations(
  document: JsonObject, { max_operations = MAX_OPERATIONS, overrides = {} }: {
    max_operations?: number; overrides?: Readonly<Record<string, Override>>;
  }, leftOut: LeftOut): SourceOperation[] {
  const found: SourceOperation[] = [];
  let taken = 0;
  for (const [path, item] of Object.entries(objectOf(document.paths))) {
    if (path.startsWith('x-')) continue;
    const pathItem = resolve(document, item);
    const [lost] = lostReferences(document, [item]);
    if (lost !== undefined) leftOut.addOutside(`* ${path}`, lost);
    for (const method of Object.keys(objectOf(pathItem.additionalOperations))) {
      leftOut.add(`${method} ${path}`, 'method_not_supported');
    }
    for (const method of [...METHODS, ...OTHER_METHODS]) {
      if (!isObject(pathItem[method])) continue;
      // Not by the letter of OpenAPI, but split documents have operations in files of their own.
      const operation = resolve(document, pathItem[method]);
      const source_key = `${method.toUpperCase()} ${path}`;
      const [reference] = lostReferences(document, [pathItem[method]]);
      if (reference !== undefined) {
        leftOut.addOutside(source_key, reference);
        continue;
      }
      const is_hidden = Object.hasOwn(overrides, source_key)
        && overrides[source_key]!.hidden === true;
      const full = !is_hidden && taken >= max_operations;
      const reason = skipReason(method, pathItem, operation, full);
      if (reason !== null) {
        leftOut.add(source_key, reason);
        continue;
      }
      found.push({ source_key, method, path, pathItem, operation,
        operation_id: textOf(operation.operationId),
        parameters: readParameters(document, pathItem.parameters, operation.parameters) });
      taken += Number(!is_hidden);
    }
  }
  return found;
}

/** So many ids that are repeated are named, and operations of each. */
const REPEATED_SHOWN = 10;

/** Says which operations share an operationId, which OpenAPI does not allow; null if none do. */
export function repeatedIds(operations: readonly SourceOperation[]): string | null {
  const repeated = [...Map.groupBy(operations, ({ operation_id }) => operation_id)]
    .filter(([id, { length }]) => id && length > 1);
  if (repeated.length === 0) return null;
  const shown = repeated.map(([id, group]) =>
    `${id} (${firstNamed(group.map(({ source_key }) => source_key), REPEATED_SHOWN)})`);
  return 'Several operations have the same operationId, which OpenAPI does not allow:'
    + ` ${firstNamed(shown, REPEATED_SHOWN)}. Each is an action, but if one of them moves to`
    + ' another path, the import cannot tell which it was';
}

function skipReason(
  method: string, pathItem: JsonObject, operation: JsonObject, full: boolean,
): SkipReason | null {
  if (operation['x-internal'] === true || pathItem['x-internal'] === true) return 'internal';
  if (OTHER_METHODS.some((one) => one === method)) return 'method_not_supported';
  return full ? 'too_many_operations' : null;
}
