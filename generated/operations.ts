// Generated from openapi.yaml by scripts/generate.ts. Do not edit.
import type { operations as OperationTypes } from './types.ts';
import * as parameters from './parameters.js';
import * as validators from './validators.js';
import * as violations from './violations.js';

export type OperationId = keyof OperationTypes;

/** What the document says of one operation. `path` is its template, without `/v1`. */
export interface OperationEntry {
  readonly method: string;
  readonly path: string;
  readonly security: 'apiKey' | 'adminToken' | null;
  /** True for operations of the operator, which the public document leaves out. */
  readonly internal: boolean;
  readonly tags: readonly string[];
  /** Turns the texts of one `{path, query, headers}` object into their types, in place. */
  readonly parameters: validators.Validate<unknown>;
  /** The headers among the parameters, in lower case. */
  readonly headers: readonly string[];
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
    readonly json: validators.Validate<unknown> | null;
    readonly events: boolean;
  }>>;
}

/** Query parameters and headers that have a default, and so are always there. */
interface DefaultedParameters {
  listSessions: 'limit' | 'order';
  listRuns: 'limit' | 'order';
  streamRunEvents: 'limit';
  listActions: 'limit';
  listActionInvocations: 'limit' | 'order';
  listWorkspaces: 'limit' | 'order';
  listApiKeys: 'limit' | 'order';
}

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

export const operations = {
  createSession: {
    method: 'POST',
    path: '/sessions',
    security: 'apiKey',
    internal: false,
    tags: ['Sessions'],
    parameters: parameters.createSession,
    headers: ['idempotency-key'],
    body: {
      required: false,
      validate: validators.CreateSessionRequest,
      violations: violations.CreateSessionRequest,
    },
    produces: ['application/json'],
    responses: {
      201: { json: validators.Session, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      409: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  listSessions: {
    method: 'GET',
    path: '/sessions',
    security: 'apiKey',
    internal: false,
    tags: ['Sessions'],
    parameters: parameters.listSessions,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.SessionList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  getSession: {
    method: 'GET',
    path: '/sessions/{session_id}',
    security: 'apiKey',
    internal: false,
    tags: ['Sessions'],
    parameters: parameters.getSession,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.SessionWithMessages, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  updateSession: {
    method: 'PATCH',
    path: '/sessions/{session_id}',
    security: 'apiKey',
    internal: false,
    tags: ['Sessions'],
    parameters: parameters.updateSession,
    headers: [],
    body: {
      required: true,
      validate: validators.UpdateSessionRequest,
      violations: violations.UpdateSessionRequest,
    },
    produces: ['application/json'],
    responses: {
      200: { json: validators.Session, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  createRun: {
    method: 'POST',
    path: '/sessions/{session_id}/runs',
    security: 'apiKey',
    internal: false,
    tags: ['Runs'],
    parameters: parameters.createRun,
    headers: ['idempotency-key'],
    body: {
      required: true,
      validate: validators.CreateRunRequest,
      violations: violations.CreateRunRequest,
    },
    produces: ['application/json', 'text/event-stream'],
    responses: {
      200: { json: validators.Run, events: true },
      202: { json: validators.Run, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      409: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      429: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  listRuns: {
    method: 'GET',
    path: '/runs',
    security: 'apiKey',
    internal: false,
    tags: ['Runs'],
    parameters: parameters.listRuns,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.RunList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  getRun: {
    method: 'GET',
    path: '/runs/{run_id}',
    security: 'apiKey',
    internal: false,
    tags: ['Runs'],
    parameters: parameters.getRun,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.Run, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  cancelRun: {
    method: 'POST',
    path: '/runs/{run_id}/cancel',
    security: 'apiKey',
    internal: false,
    tags: ['Runs'],
    parameters: parameters.cancelRun,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.Run, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  streamRunEvents: {
    method: 'GET',
    path: '/runs/{run_id}/events',
    security: 'apiKey',
    internal: false,
    tags: ['Runs'],
    parameters: parameters.streamRunEvents,
    headers: ['last-event-id'],
    body: null,
    produces: ['application/json', 'text/event-stream'],
    responses: {
      200: { json: validators.RunEventList, events: true },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      410: { json: validators.Error, events: false },
      429: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  listActions: {
    method: 'GET',
    path: '/actions',
    security: 'apiKey',
    internal: false,
    tags: ['Actions'],
    parameters: parameters.listActions,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.ActionList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  searchActions: {
    method: 'POST',
    path: '/actions/search',
    security: 'apiKey',
    internal: false,
    tags: ['Actions'],
    parameters: parameters.searchActions,
    headers: [],
    body: {
      required: true,
      validate: validators.SearchActionsRequest,
      violations: violations.SearchActionsRequest,
    },
    produces: ['application/json'],
    responses: {
      200: { json: validators.ScoredActionList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  createActionInvocation: {
    method: 'POST',
    path: '/action_invocations',
    security: 'apiKey',
    internal: false,
    tags: ['Action invocations'],
    parameters: parameters.createActionInvocation,
    headers: ['idempotency-key'],
    body: {
      required: true,
      validate: validators.CreateActionInvocationRequest,
      violations: violations.CreateActionInvocationRequest,
    },
    produces: ['application/json'],
    responses: {
      201: { json: validators.ActionInvocation, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      403: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      409: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      502: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
      504: { json: validators.Error, events: false },
    },
  },
  listActionInvocations: {
    method: 'GET',
    path: '/action_invocations',
    security: 'apiKey',
    internal: false,
    tags: ['Action invocations'],
    parameters: parameters.listActionInvocations,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.ActionInvocationList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  getActionInvocation: {
    method: 'GET',
    path: '/action_invocations/{invocation_id}',
    security: 'apiKey',
    internal: false,
    tags: ['Action invocations'],
    parameters: parameters.getActionInvocation,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.ActionInvocation, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  getOpenapiDocument: {
    method: 'GET',
    path: '/openapi.json',
    security: 'apiKey',
    internal: false,
    tags: ['Description'],
    parameters: parameters.getOpenapiDocument,
    headers: ['if-none-match'],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.OpenapiDocument, events: false },
      304: { json: null, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  createWorkspace: {
    method: 'POST',
    path: '/admin/workspaces',
    security: 'adminToken',
    internal: true,
    tags: ['Workspaces'],
    parameters: parameters.createWorkspace,
    headers: [],
    body: {
      required: true,
      validate: validators.CreateWorkspaceRequest,
      violations: violations.CreateWorkspaceRequest,
    },
    produces: ['application/json'],
    responses: {
      201: { json: validators.Workspace, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  listWorkspaces: {
    method: 'GET',
    path: '/admin/workspaces',
    security: 'adminToken',
    internal: true,
    tags: ['Workspaces'],
    parameters: parameters.listWorkspaces,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.WorkspaceList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  getWorkspace: {
    method: 'GET',
    path: '/admin/workspaces/{workspace_id}',
    security: 'adminToken',
    internal: true,
    tags: ['Workspaces'],
    parameters: parameters.getWorkspace,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.Workspace, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  updateWorkspace: {
    method: 'PATCH',
    path: '/admin/workspaces/{workspace_id}',
    security: 'adminToken',
    internal: true,
    tags: ['Workspaces'],
    parameters: parameters.updateWorkspace,
    headers: [],
    body: {
      required: true,
      validate: validators.UpdateWorkspaceRequest,
      violations: violations.UpdateWorkspaceRequest,
    },
    produces: ['application/json'],
    responses: {
      200: { json: validators.Workspace, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  createApiKey: {
    method: 'POST',
    path: '/admin/api_keys',
    security: 'adminToken',
    internal: true,
    tags: ['API keys'],
    parameters: parameters.createApiKey,
    headers: [],
    body: {
      required: true,
      validate: validators.CreateApiKeyRequest,
      violations: violations.CreateApiKeyRequest,
    },
    produces: ['application/json'],
    responses: {
      201: { json: validators.ApiKeyWithSecret, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      413: { json: validators.Error, events: false },
      415: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  listApiKeys: {
    method: 'GET',
    path: '/admin/api_keys',
    security: 'adminToken',
    internal: true,
    tags: ['API keys'],
    parameters: parameters.listApiKeys,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      200: { json: validators.ApiKeyList, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/admin/api_keys/{api_key_id}',
    security: 'adminToken',
    internal: true,
    tags: ['API keys'],
    parameters: parameters.revokeApiKey,
    headers: [],
    body: null,
    produces: ['application/json'],
    responses: {
      204: { json: null, events: false },
      400: { json: validators.Error, events: false },
      401: { json: validators.Error, events: false },
      404: { json: validators.Error, events: false },
      406: { json: validators.Error, events: false },
      500: { json: validators.Error, events: false },
      503: { json: validators.Error, events: false },
    },
  },
} as const satisfies {
  readonly [O in OperationId]: OperationEntry
};
