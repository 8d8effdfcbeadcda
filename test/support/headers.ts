/** Which headers openapi.yaml declares for an answer, and whether an answer has those. */
import { readFileSync } from 'node:fs';
import type { OperationId } from '../../generated/operations.ts';
import {
  listOperations, resolveReference, type OpenapiDocument,
} from '../../scripts/document.ts';

/** The headers that mean something to a client; the others are HTTP's own. */
const TOLD = ['allow', 'etag', 'idempotent-replayed', 'location', 'ratelimit', 'ratelimit-policy',
  'retry-after', 'www-authenticate', 'x-request-id'];

const document = JSON.parse(readFileSync(
  new URL('../../generated/openapi.admin.json', import.meta.url), 'utf8')) as OpenapiDocument;

/** Of each operation and status: the declared headers, in lower case, and whether each must be. */
const declared = new Map(listOperations(document).map(({ operation_id, node }) =>
  [operation_id, new Map(Object.entries(node.responses ?? {}).map(([status, response]) => {
    const { headers = {} } = resolveReference(document, response);
    return [Number(status), new Map(Object.entries(headers).map(([name, header]) =>
      [name.toLowerCase(), resolveReference(document, header).required === true]))];
  }))]));

/** What an answer has and the document does not say, or the other way round. */
export function headerFaults(id: OperationId, status: number, headers: Headers): string[] {
  const named = declared.get(id)!.get(status) ?? new Map<string, boolean>();
  return [
    ...TOLD.filter((name) => headers.has(name) && !named.has(name))
      .map((name) => `the header ${name} is not declared`),
    ...[...named].filter(([name, required]) => required && !headers.has(name))
      .map(([name]) => `the header ${name} is missing`),
  ];
}
