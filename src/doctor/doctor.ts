/**
 * `gatehouse doctor`: checks everything that a node needs and says what to do. It only reads: it
 * writes nothing, starts nothing, and asks only the database, the service of this machine and, if
 * told to, the model. (The alternative was to start the embedded database for the check: that
 * writes, may take half a minute, and `serve` does it with its reasons.)
 */
import { readClientEnvironment, readConfig, type Config, type Environment } from '../config.ts';
import { AllowedCommands } from '../gateway/mcp/allowedCommands.ts';
import type { ConfiguredKeys } from '../gateway/vault/masterKeys.ts';
import { Scrubber } from '../gateway/vault/scrubber.ts';
import type { Sql } from '../store/database.ts';
import { checkCredentials } from './credentials.ts';
import {
  checkSchema, DATABASE_CHECKS, openDatabase, SCHEMA_CHECKS, type DatabaseCheck,
} from './database.ts';
import { checkConnections, checkIntegrations } from './integrations.ts';
import { checkStoredSecrets, findKeys } from './keys.ts';
import {
  checkConfiguration, checkDataDirectory, checkNode, checkService, readKept,
} from './machine.ts';
import { askModel, checkModel, MODEL_MS } from './model.ts';
import { Report, secretsOf, skipped, type Finding, type Ground } from './report.ts';

export type { Finding } from './report.ts';

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

/** Makes all checks; answers their findings, which hold no secrets. Never throws. */
export async function examine(options: ExamineOptions = {}): Promise<Finding[]> {
  const { environment, overrides = {}, onFinding = () => {}, now = Date.now } = options;
  const scrubber = new Scrubber();
  const report = new Report({ onFinding, clean: (finding) => scrubber.scrub(finding) });
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
  const ground: Ground = { config, now };
  await report.make('data directory', () => checkDataDirectory(config, kept));
  const service = await report.need('service',
    () => checkService(config, client.base_url ?? kept.base_url));
  await report.make('credentials', async () => service?.ready
    ? await checkCredentials(service.origin, client, kept)
    : skipped('it needs a service that is ready'));
  const keys = await report.need('master keys', () => findKeys(config));
  const sql = await report.need('database', () => openDatabase(config));
  try {
    await examineDatabase(report, ground, sql, keys);
  } finally {
    await sql?.end({ timeout_ms: 1_000 });
  }
  await examineModel(report, ground, options, service !== undefined);
  return report.findings;
}

async function examineDatabase(
  report: Report, ground: Ground, sql: Sql | undefined, keys: ConfiguredKeys | undefined,
): Promise<void> {
  const usable = await report.need('schema', async () =>
    sql ? await checkSchema(sql, ground.config) : { outcome: WITHOUT_DATABASE });
  const onSchema: Record<string, DatabaseCheck> = {
    ...SCHEMA_CHECKS, integrations: checkIntegrations, connections: checkConnections,
    'stored secrets': async (sql) =>
      keys ? await checkStoredSecrets(sql, keys) : skipped('it needs the master keys'),
  };
  for (const [name, check] of Object.entries({ ...DATABASE_CHECKS, ...onSchema })) {
    await report.make(name, async () => {
      if (sql === undefined) return WITHOUT_DATABASE;
      return usable || name in DATABASE_CHECKS ? await check(sql, ground) : WITHOUT_SCHEMA;
    });
  }
}

async function examineModel(
  report: Report, { config }: Ground, options: ExamineOptions, has_service: boolean,
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
