/**
 * `gatehouse doctor`: checks everything that a node needs and says what to do. It changes nothing,
 * starts nothing, and asks only the database, the service of this machine, an identity provider
 * where people sign in by one and, if told to, the model. (The alternative was to start the
 * embedded database for the check: that writes, may take half a minute, and `serve` does it with
 * its reasons.)
 */
import type { Schemas } from '../../generated/types.ts';
import { readClientEnvironment, readConfig, type Config, type Environment } from '../config.ts';
import { AllowedCommands, Scrubber, type ConfiguredKeys } from '../gateway/face.ts';
import type { Sql } from '../store/database.ts';
import { liveNodes } from '../store/nodes.ts';
import { checkCredentials } from './credentials.ts';
import {
  checkSchema, DATABASE_CHECKS, openDatabase, SCHEMA_CHECKS, type DatabaseCheck,
} from './database.ts';
import { checkIdentityProvider } from './identityProvider.ts';
import { checkConnections, checkIntegrations } from './integrations.ts';
import { checkStoredSecrets, findKeys } from './keys.ts';
import {
  checkConfiguration, checkDataDirectory, checkNode, checkService, readKept, type Answering,
} from './machine.ts';
import { checkEmbeddings } from './embeddings.ts';
import { checkNodes } from './nodes.ts';
import { askFindings, type Told } from './serviceFindings.ts';
import { askModel, checkModel, MODEL_MS } from './model.ts';
import { DoctorReport, secretsOf, skipped, type Finding, type CheckContext } from './report.ts';

export interface ExamineOptions {
  /** The options of the command line; they win over the environment. */
  overrides?: Partial<Config>;
  /** Asks a model one tiny question: this one, or with `true` that of MODEL. */
  model?: string | boolean;
  onFinding?: (finding: Finding) => void;
  /** For tests. */
  environment?: Environment;
  now?: () => number;
  model_limit_ms?: number;
}

const WITHOUT_CONFIGURATION = skipped('it needs a configuration that can be read');
const WITHOUT_DATABASE = skipped('it needs the database');
const WITHOUT_SCHEMA = skipped('it needs a database of this version');
const WITHOUT_SETTINGS = skipped('it needs the settings of the node that runs, or an admin token'
  + ' with which to ask it');

/** Makes all checks; answers their findings, which hold no secrets. Never throws. */
export async function examine(options: ExamineOptions = {}): Promise<Finding[]> {
  const { environment, overrides = {}, onFinding = () => {}, now = Date.now } = options;
  const scrubber = new Scrubber();
  const report = new DoctorReport({ onFinding, clean: (finding) => scrubber.scrub(finding) });
  const config = await report.need('configuration', async () => {
    const read = () => {
      const found = readConfig(environment, overrides);
      scrubber.add(secretsOf(found));
      void new AllowedCommands(found.mcp_stdio); // throws if it cannot be read
      return found;
    };
    return checkConfiguration(read, environment);
  });
  await report.make('node', checkNode);
  if (config === undefined) {
    for (const check of ['data directory', 'database', 'service', 'credentials', 'master keys',
      'model']) {
      await report.make(check, async () => WITHOUT_CONFIGURATION);
    }
    return report.findings;
  }
  const kept = await readKept(config.data_dir);
  const client = readClientEnvironment(environment);
  scrubber.add([kept.api_key, kept.admin_token, client.api_key, client.admin_token]
    .flatMap((secret) => secret || []));
  const ground: CheckContext = { config, now };
  await report.make('data directory', () => checkDataDirectory(config, kept));
  const service = await report.need('service',
    () => checkService(config, client.base_url ?? kept.base_url));
  const admin_token = await report.need('credentials', async () => service?.ready
    ? await checkCredentials(service.address, client, kept)
    : { outcome: skipped('it needs a service that is ready') });
  if (config.oidc_issuer !== null) {
    await report.make('identity provider', () => checkIdentityProvider(ground));
  }
  const keys = await report.need('master keys', () => findKeys(config));
  const sql = await report.need('database', () => openDatabase(config, kept));
  try {
    if (sql === undefined) {
      await examineWithout(report, service && admin_token
        ? await askFindings(service.address, admin_token) : new Map());
    } else {
      await examineDatabase(report, ground, sql, { keys, service, admin_token });
    }
  } finally {
    await sql?.end({ timeout_ms: 1_000 });
  }
  await examineModel(report, ground, options, service !== undefined);
  return report.findings;
}

/** The service has the settings that count, and these say where its database is. */
async function examineWithout(report: DoctorReport, told: Told): Promise<void> {
  for (const name of ['schema', 'nodes', ...Object.keys(CHECKS_OF_SERVICE), 'stored secrets']) {
    await report.make(name, async () => told.get(name) ?? WITHOUT_DATABASE);
  }
}

/**
 * Checks that go by settings in which secrets may be, so that no node tells of them. Where a node
 * runs and this shell's settings find a fault, the service is asked what it finds by its own.
 */
const BY_SECRET_SETTINGS = new Set(['integrations', 'embeddings']);

interface Reached {
  keys: ConfiguredKeys | undefined;
  service: Answering | undefined;
  admin_token: string | undefined;
}

async function examineDatabase(
  report: DoctorReport, ground: CheckContext, sql: Sql, { keys, service, admin_token }: Reached,
): Promise<void> {
  const usable = await report.need('schema', () => checkSchema(sql, ground.config));
  const nodes = await report.need('nodes', async () =>
    usable ? await checkNodes(sql, ground.config, keys, service)
      : { outcome: WITHOUT_SCHEMA });
  // What runs counts, not what this shell would start.
  const running = { ...ground, config: { ...ground.config, ...nodes } };
  const all: Record<string, DatabaseCheck> = {
    ...CHECKS_OF_SERVICE,
    'stored secrets': async (sql) =>
      keys ? await checkStoredSecrets(sql, keys) : skipped('it needs the master keys'),
  };
  let told: Told | undefined;
  const ask = async (): Promise<Told> => told ??= service && admin_token
    ? await askFindings(service.address, admin_token,
      (await liveNodes(sql)).map(({ worker_id }) => worker_id))
    : new Map();
  for (const [name, check] of Object.entries(all)) {
    await report.make(name, async () => {
      if (!usable && !(name in DATABASE_CHECKS)) return WITHOUT_SCHEMA;
      const own = await check(sql, running);
      if (own.status === 'ok' || nodes === undefined || !BY_SECRET_SETTINGS.has(name)) return own;
      return (await ask()).get(name) ?? (own.status === 'failed' ? WITHOUT_SETTINGS : own);
    });
  }
}

/** What a running service tells of itself: what the database and the configuration show. */
const CHECKS_OF_SERVICE: Record<string, DatabaseCheck> = {
  ...DATABASE_CHECKS, ...SCHEMA_CHECKS, integrations: checkIntegrations,
  connections: checkConnections, embeddings: checkEmbeddings,
};

/** Makes the checks of a running service by its own database. Never throws; without secrets. */
export async function inspect(sql: Sql, config: Config): Promise<Schemas['Finding'][]> {
  const scrubber = new Scrubber();
  scrubber.add(secretsOf(config));
  const report = new DoctorReport(
    { onFinding: () => {}, clean: (finding) => scrubber.scrub(finding) });
  for (const [name, check] of Object.entries(CHECKS_OF_SERVICE)) {
    await report.make(name, () => check(sql, { config, now: Date.now, is_service: true }));
  }
  return report.findings.map(({ advice = null, ...finding }) => ({ ...finding, advice }));
}

async function examineModel(
  report: DoctorReport, { config }: CheckContext, options: ExamineOptions, has_service: boolean,
): Promise<void> {
  const { model = false, model_limit_ms = MODEL_MS } = options;
  const key = typeof model === 'string' ? model : config.model;
  const models = await report.need('model', async () => checkModel(config, key, has_service));
  if (model === false) return;
  // The model's own limit ends the request; that of the report ends a check that ignores it.
  await report.make('model answers', async () => models
    ? await askModel(models, key, model_limit_ms)
    : skipped('it needs a model that can be used'), model_limit_ms + 2_000);
}
