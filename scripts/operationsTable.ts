/**
 * generated/operations.ts: what the HTTP room needs to know of each operation, as one table, and
 * the type of each operation's parameters.
 */
import {
  listOperations, resolveReference, type ListedOperation, type OpenapiDocument,
} from './document.ts';
import { bodySchemaName, responseSchemaName } from './validators.ts';

const EVENT_STREAM = 'text/event-stream';
/** The first scheme of an operation, and the ways in that go with it: all of them. */
const WAYS_IN: Record<string, string> = {
  apiKey: 'apiKey or dashboardSession and dashboardWorkspace',
  adminToken: 'adminToken or dashboardSession',
  dashboardSession: 'dashboardSession',
};

/** The text of generated/operations.ts. Throws on what the service could not serve. */
export function operationsFile(document: OpenapiDocument): string {
  const listed = listOperations(document);
  const entries = listed.map((operation) => entryText(document, operation)).join('');
  const defaults = listed.map((operation) => defaultsText(document, operation)).join('');
  return HEAD
    + '/** Query parameters and headers that have a default, and so are always there. */\n'
    + `interface DefaultedParameters {\n${defaults}}\n`
    + TYPES
    + `\nexport const operations = {\n${entries}} as const satisfies {\n`
    + '  readonly [O in OperationId]: OperationEntry\n};\n';
}

function entryText(document: OpenapiDocument, listed: ListedOperation): string {
  const { operation_id, method, path, node, parameters } = listed;
  const headers = parameters.filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name.toLowerCase());
  const responses = Object.keys(node.responses ?? {}).map((status) => {
    const name = responseSchemaName(document, listed, status);
    const events = mediaTypes(document, listed, status).includes(EVENT_STREAM);
    const response = resolveReference(document, node.responses![status]!);
    const internal = response['x-internal'] ? ', internal: true' : '';
    return `      ${status}: { json: ${quoted(name ?? null)}, events: ${events}${internal} },\n`;
  });
  const produces = new Set(Object.keys(node.responses ?? {})
    .filter((status) => status.startsWith('2'))
    .flatMap((status) => mediaTypes(document, listed, status)));
  if (produces.size === 0) produces.add('application/json'); // its errors
  return `  ${operation_id}: {
    method: '${method.toUpperCase()}',
    path: '${path}',
    security: ${quoted(securityOf(document, listed))},
    internal: ${node['x-internal'] === true},
    tags: [${(node.tags ?? []).map(quoted).join(', ')}],
    parameters: parameters.${operation_id},
    headers: [${headers.map(quoted).join(', ')}],
    large_body: ${node['x-large-body'] === true},
    body: ${bodyText(document, listed)},
    produces: [${[...produces].map(quoted).join(', ')}],
    responses: {\n${responses.join('')}    },
  },\n`;
}

function bodyText(document: OpenapiDocument, listed: ListedOperation): string {
  const body = resolveReference(document, listed.node.requestBody);
  if (!body) return 'null';
  const name = bodySchemaName(document, listed);
  if (!name || Object.keys(body.content!).length !== 1) {
    throw new Error(`openapi.yaml: the body of ${listed.operation_id} must be application/json`);
  }
  return `{
      required: ${body.required === true},
      validate: validators.${name},
      violations: violations.${name},
    }`;
}

function mediaTypes(document: OpenapiDocument, listed: ListedOperation, status: string): string[] {
  const response = resolveReference(document, listed.node.responses?.[status]);
  const types = Object.keys(response?.content ?? {});
  const unknown = types.find((type) => type !== 'application/json' && type !== EVENT_STREAM);
  if (unknown) {
    throw new Error(`openapi.yaml: ${listed.operation_id} ${status} produces ${unknown}`);
  }
  return types;
}

function securityOf(document: OpenapiDocument, { operation_id, node }: ListedOperation) {
  const requirements = node.security ?? document.security ?? [];
  if (requirements.length === 0) return null;
  const ways = requirements.map((requirement) => Object.keys(requirement).join(' and '));
  if (WAYS_IN[ways[0]!] !== ways.join(' or ')) {
    throw new Error(`openapi.yaml: ${operation_id} must be secured by one of these: `
      + Object.values(WAYS_IN).join('; '));
  }
  return ways[0]!;
}

function defaultsText(
  document: OpenapiDocument, { operation_id, parameters }: ListedOperation): string {
  const names = parameters
    .filter(({ schema }) => resolveReference(document, schema)?.default !== undefined)
    .map(({ name, in: where }) => quoted(where === 'header' ? name.toLowerCase() : name));
  return names.length === 0 ? '' : `  ${operation_id}: ${names.join(' | ')};\n`;
}

function quoted(text: string | null): string {
  return text === null ? 'null' : `'${text.replace(/[\\']/g, '\\$&')}'`;
}

const HEAD = `import type { operations as OperationTypes } from './types.ts';
import * as parameters from './parameters.js';
import * as validators from './validators.js';
import * as violations from './violations.js';

export type OperationId = keyof OperationTypes;

/** What the document says of one operation. \`path\` is its template, without \`/v1\`. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
  readonly security: 'apiKey' | 'adminToken' | 'dashboardSession' | null;
  /** True for operations of the operator, which the public document leaves out. */
  readonly internal: boolean;
  readonly tags: readonly string[];
  /** Turns the texts of one \`{path, query, headers}\` object into their types, in place. */
  readonly parameters: validators.Validate<unknown>;
  /** The headers among the parameters, in lower case. */
  readonly headers: readonly string[];
  /** Whether its body may be as large as an OpenAPI document. */
  readonly large_body: boolean;
  readonly body: {
    readonly required: boolean;
    /** Stops at the first violation. */
    readonly validate: validators.Validate<unknown>;
    /** Finds every violation; for bodies of bounded size only. */
    readonly violations: validators.Validate<unknown>;
  } | null;
  /** Media types of its successes. Errors are always application/json. */
  readonly produces: readonly string[];
  readonly responses: Readonly<Record<number, {
    /** The name of its validator, which generated/responses.js has: the service needs none. */
    readonly json: string | null;
    readonly events: boolean;
    /** True where the public document does not have it: for who is signed in to the dashboard. */
    readonly internal?: true;
  }>>;
}

`;
const TYPES = `
type In<O extends OperationId, Place extends 'path' | 'query' | 'header'> =
  [NonNullable<OperationTypes[O]['parameters'][Place]>] extends [never]
    ? Record<never, never> : NonNullable<OperationTypes[O]['parameters'][Place]>;
type Lowercased<T> = { [Name in keyof T as Lowercase<Name & string>]: T[Name] };
type Defaulted<O extends OperationId> =
  O extends keyof DefaultedParameters ? DefaultedParameters[O] : never;
type Filled<T, Names> = T & { [Name in keyof T & Names]-?: NonNullable<T[Name]> };
/** What an operation's parameters are after validation: typed, and with the defaults filled in. */
export interface OperationParameters<O extends OperationId> {
  path: In<O, 'path'>;
  query: Filled<In<O, 'query'>, Defaulted<O>>;
  headers: Filled<Lowercased<In<O, 'header'>>, Defaulted<O>>;
}
`;
