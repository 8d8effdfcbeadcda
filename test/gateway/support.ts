/** Definitions, connections and documents for the gateway's tests. */
import type { Caller } from '../../src/caller.ts';
import type {
  ActionDefinition, ActionSource, PerformRequest,
} from '../../src/gateway/action/action.ts';
import { ActionFailure } from '../../src/gateway/action/failure.ts';
import { createBuiltinSource } from '../../src/gateway/builtin/builtin.ts';
import { Inventory } from '../../src/gateway/catalogue/inventory.ts';
import type { IndexedAction, IndexedSource } from '../../src/gateway/catalogue/searchIndex.ts';
import { VisibleActions } from '../../src/gateway/catalogue/visibility.ts';
import { Departure } from '../../src/gateway/egress/departure.ts';
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway/gateway.ts';
import { Registry } from '../../src/gateway/integrations/registry.ts';
import type { Connection } from '../../src/store/connections.ts';
import type { Grant } from '../../src/store/grants.ts';

export const caller: Caller = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };

/** An action `github.issues.list` that reads and answers with its input, unless told otherwise. */
export function definition(changes: Partial<ActionDefinition> = {}): ActionDefinition {
  return {
    name: 'github.issues.list',
    integration: 'github',
    source_key: 'GET /issues',
    title: 'List issues',
    description: 'Issues of a repository.',
    effect: 'read',
    input_schema: {
      type: 'object',
      properties: { state: { type: 'string', enum: ['open', 'closed'] } },
      additionalProperties: false,
    },
    output_schema: null,
    paged: false,
    perform: async ({ input }) => ({ result: input, source_cursor: null }),
    ...changes,
  };
}

/** What a search looks through; the slug is that of the first action. */
export function searched(actions: readonly IndexedAction[], title = ''): IndexedSource {
  return { integration: { slug: actions[0]?.integration ?? '', title }, actions };
}

export function source(actions: ActionDefinition[], slug = 'github'): ActionSource {
  return {
    integration: { slug, title: slug.toUpperCase(), auth_methods: ['bearer'] },
    actions,
  };
}

export function connection(changes: Partial<Connection> = {}): Connection {
  return {
    id: 'con_1',
    integration: 'github',
    name: 'github',
    account_label: 'octocat',
    status: 'connected',
    status_reason: null,
    ...changes,
  };
}

/** A document of one operation, and whatever else it needs. */
export function documentOf(
  path: string, method: string, operation: object, rest: object = {}): Record<string, unknown> {
  return { openapi: '3.1.0', info: { title: 'x', version: '1' },
    paths: { [path]: { [method]: operation } }, ...rest };
}

export function grant(changes: Partial<Grant> = {}): Grant {
  return {
    id: 'grt_1', workspace_id: 'wsp_1', api_key_id: null, actions: '*', decision: 'allow',
    approval_scope: 'api_key', connection_id: null, expires_at: null,
    created_at: '2026-11-21T09:00:00.000Z', ...changes,
  };
}

/** A request, as it comes to an action that is performed. */
export function performRequest(changes: Partial<PerformRequest> = {}): PerformRequest {
  return {
    input: {}, connection: connection(), invocation_id: 'inv_1',
    idempotency_key: null, credentials: { type: 'none' }, scrub: (value) => value,
    secrets: [], departure: new Departure(), ...changes,
  };
}

async function noCredentials(): Promise<never> {
  throw new Error('these integrations stay within the service');
}

/** Rejects as `work`; an ActionFailure also has what its outcome says. */
export async function told<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (!(error instanceof ActionFailure)) throw error;
    const { outcome } = error;
    throw Object.assign(error, outcome.status === 'failed' ? outcome.error : outcome);
  });
}

/** What exists for the caller of the tests. */
export function visibleOf(
  sources: ActionSource[], connections: Connection[], grants: Grant[] = []): VisibleActions {
  return new VisibleActions(caller, new Inventory(sources), { connections, grants });
}

/** A gateway with these sources and its own, and no integrations of an operator. */
export function gatewayOf(
  { sources, ...options }: Omit<GatewayOptions, 'registry' | 'credentials'>
    & Partial<Pick<GatewayOptions, 'credentials'>> & { sources: readonly ActionSource[] },
): Gateway {
  const gateway: Gateway = createGateway({
    credentials: { for: noCredentials, refused: noCredentials },
    ...options,
    registry: new Registry({
      ...options,
      fixed: [createBuiltinSource(() => gateway.catalogue), ...sources],
      build: () => { throw new Error('there are no others'); },
    }),
  });
  return gateway;
}
