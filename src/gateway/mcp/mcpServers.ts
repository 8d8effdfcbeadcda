/** What the MCP room needs of this service, and the servers of integrations as it sees them. */
import { isDeepStrictEqual } from 'node:util';
import { VERSION } from '../../config.ts';
import type { Log, LogScrubber } from '../../log.ts';
import type { Connection } from '../../store/connections.ts';
import type { IntegrationRow, McpServer, StoredAction } from '../../store/integrations.ts';
import type { ActionDefinition, OpenSource } from '../action/action.ts';
import type { ConnectionCredentials, Issued } from '../credentials/connectionCredentials.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { withCredentials } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import type { Upstream } from '../egress/upstream.ts';
import type { Secrets } from '../vault/secrets.ts';
import {
  isProcess, type McpAction, type McpDeps, type McpIntegration, type ProcessEnvironment,
} from './integration.ts';
import { createMcpSource, type McpSource } from './source.ts';

export interface McpDependencies {
  upstream: Upstream;
  credentials: ConnectionCredentials;
  secrets: Secrets;
  /** Knows every secret that this process has opened; for what servers write to the log. */
  log_scrubber: LogScrubber;
  environment: ProcessEnvironment;
  log: Log;
  /** A server says, or is found out, to have other tools than were imported. */
  onToolsChanged(slug: string): void;
}

/** The owner of what is sealed and belongs to no workspace. */
export const SERVICE = '_service';

/** Where the environment of a command is sealed. */
export function environmentPlace(slug: string) {
  return { table: 'integrations', connection_id: slug, field: 'mcp_env' };
}

export async function mcpIntegration(
  { secrets }: Pick<McpDependencies, 'secrets'>,
  row: Pick<IntegrationRow, 'slug' | 'title' | 'auth_methods' | 'mcp' | 'mcp_env' | 'overrides'>,
): Promise<McpIntegration> {
  const { slug, title, auth_methods, mcp_env } = row;
  const { url, command, args = [], trust_hints } = row.mcp as McpServer;
  const overrides = Object.fromEntries(Object.entries(row.overrides)
    .flatMap(([name, { effect }]) => (effect === undefined ? [] : [[name, { effect }]])));
  const env = mcp_env === null ? {}
    : await secrets.open<Record<string, string>>(SERVICE, environmentPlace(slug), mcp_env);
  return {
    slug, title, auth_methods, overrides,
    mcp: url !== undefined ? { url, trust_hints }
      : { command: command!, args, env, trust_hints },
  };
}

/** What of a server's environment must not be seen: a process may repeat it in any answer. */
export function environmentSecrets({ mcp }: McpIntegration): string[] {
  return isProcess(mcp) ? Object.values(mcp.env ?? {}) : [];
}

/** `credentialsOf`: what a call of this connection is made with. */
export function mcpDeps(
  deps: McpDependencies, { egress_allow }: Pick<IntegrationRow, 'egress_allow'>,
  credentialsOf: (connection: Connection) => Credentials): McpDeps {
  return {
    log: deps.log,
    version: VERSION,
    fetch: deps.upstream.fetchFor({ egress_allow }),
    credentials: async (connection) => credentialsOf(connection),
    // What a caller sees is scrubbed with the secrets of the call, see Scrubber.
    scrub: (text) => text,
    environment: deps.environment,
    onToolsChanged: ({ integration }) => deps.onToolsChanged(integration),
  };
}

/** What makes two servers the same one: what is behind its sessions, or started for them. */
interface Place {
  id: string;
  server: object;
  egress_allow: readonly string[];
}

/** What is behind the sources of MCP integrations, for those that take their places. */
const behind = new WeakMap<OpenSource, { source: McpSource, place: Place }>();

/**
 * The source of an MCP integration: its tools as they were accepted. It goes on with the sessions
 * of the one before it if these are with the same server. A process would lose what it keeps in its
 * memory, and one that announces changes often would be started as often.
 */
export async function mcpSource(
  deps: McpDependencies, row: IntegrationRow, stored: readonly StoredAction[],
  before: OpenSource | undefined): Promise<OpenSource> {
  const tools = stored.filter(({ removed_at }) => removed_at === null).map((one) => ({
    ...one.definition as McpAction, name: one.name, schema_hash: one.schema_hash,
    quarantined: one.quarantined_at !== null,
  }));
  // A call's connection is an object of its own: it stands for the call.
  const handed = new WeakMap<Connection, Issued>();
  const integration = await mcpIntegration(deps, row);
  const environment = environmentSecrets(integration);
  const forget = deps.log_scrubber.add(environment);
  const { egress_allow, workspace_ids } = row;
  const { trust_hints: _, ...server } = integration.mcp;
  const place = { id: row.id, server, egress_allow };
  const known = before === undefined ? undefined : behind.get(before);
  const source = createMcpSource(integration, tools,
    mcpDeps(deps, row, (connection) => handed.get(connection)!.credentials),
    isDeepStrictEqual(known?.place, place) ? known!.source : undefined);
  const actions = source.actions.map((action): ActionDefinition => ({
    ...action,
    perform: async (request, caller, signal) => {
      const connection = { ...request.connection };
      const target = {
        workspace_id: caller.workspace_id, connection_id: connection.id, egress_allow,
      };
      return await withCredentials(deps.credentials, target, connection, async (issued) => {
        handed.set(connection, issued);
        return await withoutSecrets([...environment, ...issued.secrets], () =>
          action.perform({ ...request, connection }, caller, signal));
      }, signal);
    },
  }));
  const made: OpenSource = {
    integration: { ...source.integration, workspace_ids }, actions,
    drain: () => source.drain().finally(forget),
    close: () => source.close().finally(forget),
  };
  behind.set(made, { source, place });
  return made;
}
