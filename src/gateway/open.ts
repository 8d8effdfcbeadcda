/** Puts the gateway together. */
import type { AnchorSeal } from '../audit/anchors.ts';
import type { Config } from '../config.ts';
import type { Log, LogScrubber } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { readDocuments } from '../store/integrations.ts';
import type { Meters } from '../telemetry/metrics.ts';
import type { ActionSource } from './action/action.ts';
import { createBuiltinSource } from './builtin/builtin.ts';
import { ConnectionCredentials } from './credentials/connectionCredentials.ts';
import { OAuthFlows } from './credentials/flows.ts';
import { createUpstream } from './egress/upstream.ts';
import { BUILTIN_SLUGS, createGateway, type Gateway } from './gateway.ts';
import { Administration } from './integrations/administration.ts';
import { ConnectionAdministration } from './integrations/connections.ts';
import { IntegrationRefresher } from './integrations/integrationRefresher.ts';
import { Registry } from './integrations/registry.ts';
import { AllowedCommands } from './mcp/allowedCommands.ts';
import type { ProcessEnvironment } from './mcp/integration.ts';
import { mcpSource, SERVICE } from './mcp/mcpServers.ts';
import { FreshImports } from './openapi/freshImports.ts';
import { openapiSource } from './openapi/openapiSource.ts';
import { anchorSeal } from './vault/anchorSeal.ts';
import { openMasterKeys } from './vault/masterKeys.ts';
import { createSecrets } from './vault/secrets.ts';

export interface OpenOptions {
  sql: Sql;
  config: Config;
  log: Log;
  /** Besides the gateway's own actions, which are always there. */
  sources: readonly ActionSource[];
  /** Told every secret that is opened, for the log. */
  log_scrubber: LogScrubber;
  /** The part of our environment that the commands of MCP servers see. */
  environment: ProcessEnvironment;
  /** Between two refreshes of an integration whose server announces changes; 10 s by default. */
  refresh_interval_ms?: number | undefined;
  /** Where browsers reach the service, without a slash at the end. */
  publicUrl(): string;
  meters?: Meters;
}

export interface OpenedGateway {
  gateway: Gateway;
  integrations: Administration;
  connections: ConnectionAdministration;
  /** Seals anchors of the audit log; null: there is no master key. */
  anchor_seal: AnchorSeal | null;
  /** The file with the master key that this start made; null: none. */
  master_key_file: string | null;
  close(): Promise<void>;
}

// More than is kept of a result, because `fields` selects before the result is cut.
const RESPONSE_LIMIT_BYTES = 8 * 1_048_576;

/** Throws an Error that says what to do if the master keys are not those of the database. */
export async function openGateway(options: OpenOptions): Promise<OpenedGateway> {
  const { sql, config, log, log_scrubber, environment } = options;
  const { keys, created_file } = await openMasterKeys({ config, sql, log });
  const secrets = createSecrets({ sql, keys });
  const result_limit_bytes = config.action_result_limit_bytes;
  const upstream = createUpstream({
    response_limit_bytes: Math.max(RESPONSE_LIMIT_BYTES, result_limit_bytes),
    timeout_ms: config.action_timeout_ms,
  });
  const documents = createUpstream({ response_limit_bytes: config.document_limit_bytes });
  /** For token endpoints, which are sent secrets. */
  const confidentialFetch = (reach: { egress_allow: readonly string[] }): typeof fetch => {
    const guarded = upstream.fetchFor(reach);
    return (input, init) => guarded(input, { ...init, confidential: true });
  };
  const credentials = new ConnectionCredentials({
    sql, secrets, log, log_scrubber, fetchFor: confidentialFetch,
  });
  const servers = {
    sql, upstream, credentials, secrets, log_scrubber, environment, log,
    commands: new AllowedCommands(config.mcp_stdio), data_dir: config.data_dir,
    onToolsChanged: (slug: string) => refresher.request(slug),
  };
  const fresh = new FreshImports();
  const registry = new Registry({
    sql, log,
    fixed: [createBuiltinSource(() => gateway.catalogue), ...options.sources],
    build: async (row, stored, before) => (row.kind === 'mcp'
      ? await mcpSource(servers, row, stored, before)
      : await openapiSource({
        upstream, result_limit_bytes, fresh,
        documents: (slug) => readDocuments(sql, slug),
      }, row, stored)),
  });
  const gateway: Gateway = createGateway(
    { sql, config, log, registry, credentials, meters: options.meters });
  const integrations = new Administration({
    ...servers, upstream: { ...upstream, send: documents.send }, builtin: BUILTIN_SLUGS, fresh,
  });
  const refresher = new IntegrationRefresher({
    log, interval_ms: options.refresh_interval_ms,
    refresh: (slug, signal) => integrations.follow(slug, signal),
  });
  const flows = new OAuthFlows({ sql, secrets, credentials });
  return {
    gateway,
    integrations,
    connections: new ConnectionAdministration({
      sql, credentials, flows, catalogue: gateway.catalogue, builtin: BUILTIN_SLUGS,
      fetchFor: confidentialFetch, publicUrl: options.publicUrl,
    }),
    anchor_seal: keys.length === 0 ? null : anchorSeal(secrets, SERVICE),
    master_key_file: created_file,
    async close() {
      await refresher.close();
      await registry.close();
      await credentials.close();
      await Promise.all([upstream.close(), documents.close()]);
    },
  };
}
