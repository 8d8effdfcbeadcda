/** What the MCP room needs of this service, and the servers of integrations as it sees them. */
import { join } from 'node:path';
import { VERSION } from '../../config.ts';
import type { LogScrubber } from '../../log.ts';
import type { IntegrationRow, McpServerShown, StoredAction } from '../../store/integrations.ts';
import type { OpenSource } from '../action/action.ts';
import type { ConnectionCredentials } from '../credentials/connectionCredentials.ts';
import { reachOf } from '../egress/egress.ts';
import type { Upstream } from '../egress/upstream.ts';
import { SERVICE, type Secrets } from '../vault/secrets.ts';
import {
  environmentSecrets, type McpAction, type McpDeps, type McpIntegration,
} from './integration.ts';
import type { McpSource } from './source.ts';

export interface McpDependencies extends Pick<McpDeps,
  'log' | 'environment' | 'commands' | 'shortener' | 'result_limit_bytes' | 'onToolsChanged'> {
  upstream: Upstream;
  credentials: ConnectionCredentials;
  secrets: Secrets;
  /** Knows every secret that this process has opened; for what servers write to the log. */
  log_scrubber: LogScrubber;
  data_dir: string;
}

/** Where the environment of a command is sealed. */
function environmentPlace(slug: string) {
  return { table: 'integrations', row: slug, field: 'mcp_env' };
}

/** The environment of a command, sealed. */
export function sealEnvironment(
  { secrets }: Pick<McpDependencies, 'secrets'>, slug: string, env: Record<string, string>,
): Promise<string> {
  return secrets.seal(SERVICE, environmentPlace(slug), env);
}

/** Where the process of an integration is at home. */
export function processFolder(data_dir: string, integration_id: string): string {
  return join(data_dir, 'mcp', integration_id);
}

/** What there is to know of an integration to speak to its server. */
export type McpRow = Pick<IntegrationRow, 'id' | 'slug' | 'title' | 'auth_methods' | 'mcp'
  | 'mcp_env' | 'overrides' | 'egress_allow' | 'insecure_http'>;

export async function mcpIntegration(
  { secrets }: Pick<McpDependencies, 'secrets'>, row: McpRow): Promise<McpIntegration> {
  const { slug, title, auth_methods, mcp_env } = row;
  const { url, command, args = [], trust_hints } = row.mcp as McpServerShown;
  const { overrides } = row;
  const env = mcp_env === null ? {}
    : await secrets.open<Record<string, string>>(SERVICE, environmentPlace(slug), mcp_env);
  return {
    slug, title, auth_methods, overrides,
    mcp: url !== undefined ? { url, trust_hints }
      : { command: command!, args, env, trust_hints },
  };
}

export function mcpDeps(
  { upstream, data_dir, secrets: _, credentials: __, log_scrubber: ___, ...deps }: McpDependencies,
  row: McpRow): McpDeps {
  return {
    ...deps, version: VERSION, fetch: upstream.fetchFor({ egress_allow: reachOf(row) }),
    folder: processFolder(data_dir, row.id),
  };
}

/** The source of an MCP integration; it goes on with the sessions of the one before it. */
export async function mcpSource(
  deps: McpDependencies, row: IntegrationRow, stored: readonly StoredAction[],
  before: OpenSource | undefined): Promise<McpSource> {
  const actions = stored
    .filter(({ removed_at, quarantined_at }) => removed_at === null && quarantined_at === null)
    .map((one) => ({
      ...one.definition as McpAction, name: one.name, schema_hash: one.schema_hash,
    }));
  const integration = await mcpIntegration(deps, row);
  // Not before there is one: the client's package is an eighth of what a start takes.
  const { McpSource } = await import('./source.ts');
  const { id, workspace_ids } = row;
  const { trust_hints: _, ...server } = integration.mcp;
  return new McpSource({
    integration, actions, workspace_ids, before,
    identity: { id, server, egress_allow: reachOf(row) },
    deps: mcpDeps(deps, row), onEnd: deps.log_scrubber.add(environmentSecrets(integration)),
  });
}
