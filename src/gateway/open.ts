/** Puts the gateway together. */
import type { AnchorSeal } from '../audit/anchors.ts';
import type { Config } from '../config.ts';
import { within } from '../deadline.ts';
import type { Log, LogScrubber } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { integrationsVersion, readDocuments } from '../store/integrations.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import type { ActionSource } from './action/action.ts';
import { createBuiltinSource } from './builtin/builtin.ts';
import { ConnectionCredentials } from './credentials/connectionCredentials.ts';
import { OAuthFlows } from './credentials/flows.ts';
import { OwnClients } from './credentials/ownClients.ts';
import { createUpstream, type Upstream } from './egress/upstream.ts';
import type { Embedder } from './embeddings/embedder.ts';
import { Embeddings } from './embeddings/embeddings.ts';
import { BUILTIN_SLUGS, createGateway, type Gateway } from './gateway.ts';
import { Administration } from './integrations/administration.ts';
import { ConnectionAdministration } from './integrations/connections.ts';
import { IdentityChecks } from './integrations/identityChecks.ts';
import { IntegrationRefresher } from './integrations/integrationRefresher.ts';
import { Registry } from './integrations/registry.ts';
import { countTools } from './integrations/toolListing.ts';
import { AllowedCommands } from './mcp/allowedCommands.ts';
import type { ProcessEnvironment } from './mcp/integration.ts';
import { mcpSource } from './mcp/mcpServers.ts';
import { AnswerReader } from './openapi/answerReader.ts';
import { Definitions } from './openapi/definitions.ts';
import { openapiSource } from './openapi/openapiSource.ts';
import { anchorSeal } from './vault/anchorSeal.ts';
import { fingerprints, openMasterKeys } from './vault/masterKeys.ts';
import { createSecrets, SERVICE } from './vault/secrets.ts';
import { Shortener } from './mcp/shortener.ts';

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
  /** Null: search goes by words alone. */
  embedder?: Embedder | null;
}

export interface OpenedGateway {
  gateway: Gateway;
  integrations: Administration;
  connections: ConnectionAdministration;
  /** Null: there is no embedding model. */
  embeddings: Embeddings | null;
  /** Seals anchors of the audit log; null: there is no master key. */
  anchor_seal: AnchorSeal | null;
  /** Of the master keys, by their names. */
  key_fingerprints: Record<string, string>;
  /** The fingerprint of the master key that seals; null if there is none. */
  seals_with: string | null;
  /** The file with the master key that this start made; null: none. */
  master_key_file: string | null;
  /** Whether the integrations have been loaded once; if not, begins to. */
  isWarm(): boolean;
  close(): Promise<void>;
}

// More than is kept of a result, because `fields` selects before the result is cut.
const RESPONSE_LIMIT_BYTES = 8 * 1_048_576;
/** Of longer answers, `fields` selects while they are read. */
const CHOICE_LIMIT_BYTES = 64 * 1_048_576;
/** For what is selected then, and what tells of the next page, where little is kept of a result. */
const CHOSEN_BYTES = 1_048_576;
/** For the integrations to be loaded before the service listens. */
const WARM_MS = 2_000;

/** Throws an Error that says what to do if the master keys are not those of the database. */
export async function openGateway(options: OpenOptions): Promise<OpenedGateway> {
  const { sql, config, log, log_scrubber, environment, meters = NO_METERS } = options;
  const { keys, created_file } = await openMasterKeys({ config, sql, log });
  const secrets = createSecrets({ sql, keys });
  const upstream = upstreamOf(config);
  const documents = createUpstream({ response_limit_bytes: config.document_limit_bytes });
  const confidentialFetch = confidentialFetchOf(upstream);
  const identities = new IdentityChecks({ sql, catalogue: () => gateway.catalogue });
  const credentials = new ConnectionCredentials({
    sql, secrets, log, log_scrubber, identities, fetchFor: confidentialFetch,
  });
  const servers = {
    sql, upstream, credentials, secrets, log_scrubber, environment, log,
    commands: new AllowedCommands(config.mcp_stdio), data_dir: config.data_dir,
    shortener: new Shortener(), result_limit_bytes: config.action_result_limit_bytes,
    onToolsChanged: (slug: string) => void refresher.request(slug),
  };
  const definitions = new Definitions(sql);
  const answers = new AnswerReader();
  const registry = new Registry({
    sql, log,
    fixed: [createBuiltinSource(() => gateway.catalogue), ...options.sources],
    build: async (row, stored, before) => (row.kind === 'mcp'
      ? await mcpSource(servers, row, stored, before)
      : await openapiSource({
        upstream, definitions, answers, log, ...limitsOf(config),
        documents: (slug) => readDocuments(sql, slug),
      }, row, stored)),
  });
  const embeddings = options.embedder == null ? null : new Embeddings({
    sql, log, meters, embedder: options.embedder,
    lists: async () => (await registry.at(await integrationsVersion(sql))).sources
      .map(({ actions }) => actions),
  });
  const gateway: Gateway = createGateway(
    { sql, config, log, registry, credentials, embeddings, meters });
  const integrations = new Administration({
    ...servers, definitions, documents, builtin: BUILTIN_SLUGS,
  });
  const refresher = new IntegrationRefresher({ log, interval_ms: options.refresh_interval_ms,
    refresh: (slug, signal) => integrations.follow(slug, signal) });
  const flows = new OAuthFlows({ sql, secrets, credentials });
  // What is stored is there in a moment. What an upgrade makes anew is not, and /readyz says so.
  await within(WARM_MS, registry.warm(), () => {});
  return {
    gateway,
    integrations,
    connections: new ConnectionAdministration({
      sql, credentials, flows, catalogue: gateway.catalogue, builtin: BUILTIN_SLUGS,
      clients: new OwnClients({ sql, secrets }),
      fetchFor: confidentialFetch, publicUrl: options.publicUrl,
      countTools: (row, connection, signal) => countTools(servers, row, connection, signal),
      onFirstAccount: (slug) => refresher.request(slug),
    }),
    anchor_seal: keys.length === 0 ? null : anchorSeal(secrets, SERVICE),
    key_fingerprints: fingerprints(keys),
    seals_with: keys[0] === undefined ? null : fingerprints([keys[0]])[keys[0].id]!,
    master_key_file: created_file,
    embeddings, isWarm: () => registry.isWarm(),
    async close() {
      await embeddings?.close();
      await Promise.all([refresher.close(), identities.close()]);
      await registry.close();
      await credentials.close();
      await Promise.all([upstream.close(), documents.close(), answers.close(),
        servers.shortener.close()]);
    },
  };
}

function upstreamOf({ action_result_limit_bytes, action_timeout_ms }: Config): Upstream {
  return createUpstream({
    response_limit_bytes: Math.max(RESPONSE_LIMIT_BYTES, action_result_limit_bytes),
    timeout_ms: action_timeout_ms,
  });
}

function limitsOf({ action_result_limit_bytes }: Config) {
  return {
    result_limit_bytes: action_result_limit_bytes, choice_limit_bytes: CHOICE_LIMIT_BYTES,
    chosen_limit_bytes: Math.max(CHOSEN_BYTES, 2 * action_result_limit_bytes),
  };
}

/** For token endpoints, which are sent secrets. */
function confidentialFetchOf(upstream: Upstream) {
  return (reach: { egress_allow: readonly string[] }): typeof fetch => {
    const guarded = upstream.fetchFor(reach);
    return (input, init) => guarded(input, { ...init, confidential: true });
  };
}
