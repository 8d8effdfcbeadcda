/**
 * `gatehouse doctor`: checks everything that a node needs and says what to do. It only reads: it
 * writes nothing, starts nothing, and asks only the database, the service of this machine and, if
 * told to, the model. (The alternative was to start the embedded database for the check: that
 * writes, may take half a minute, and `serve` does it with its reasons.)
 */
import { readClientEnvironment, readConfig, type Config, type Environment } from '../config.ts';
import { Scrubber } from '../gateway/vault/scrubber.ts';
import type { Sql } from '../store/database.ts';
import { checkCredentials } from './credentials.ts';
import {
  checkSchema, DATABASE_CHECKS, openDatabase, SCHEMA_CHECKS, type DatabaseCheck,
} from './database.ts';
import { checkConnections, checkIntegrations } from './integrations.ts';
import { checkStoredSecrets, findKeys, type Keys } from './keys.ts';
import {
  checkConfiguration, checkDataDirectory, checkNode, checkService, readKept,
} from './machine.ts';
import { askModel, checkModel, MODEL_MS } from './model.ts';
import { Report, secretsOf, type Finding } from './report.ts';

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

/** What the checks look at. */
export interface Ground {
  config: Config;
  now: () => number;
}

const WITHOUT_CONFIGURATION = 'it needs a configuration that can be read';
const WITHOUT_DATABASE = 'it needs the database';
const WITHOUT_SCHEMA = 'it needs a database of this version';

/** Makes all checks; answers their findings, which hold no secrets. Never throws. */
export async function examine(options: ExamineOptions = {}): Promise<Finding[]> {
  const { environment, overrides = {}, onFinding = () => {}, now = Date.now } = options;
  const scrubber = new Scrubber();
  const report = new Report({ onFinding, clean: (finding) => scrubber.scrub(finding) });
  const config = await report.need('configuration', async () => {
    const read = () => {
      const found = readConfig(environment, overrides);
      scrubber.add(secretsOf(found));
      return found;
    };
    return checkConfiguration(read, environment);
  });
  await report.make('node', checkNode);
  if (config === undefined) {
    for (const check of ['data directory', 'database', 'service', 'credentials', 'master keys',
      'model']) {
      report.skip(check, WITHOUT_CONFIGURATION);
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
  if (!service?.ready) report.skip('credentials', 'it needs a service that is ready');
  else {
    await report.make('credentials', () => checkCredentials(service.origin, client, kept));
  }
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
  report: Report, ground: Ground, sql: Sql | undefined, keys: Keys | undefined): Promise<void> {
  const usable = sql && await report.need('schema', () => checkSchema(sql, ground.config));
  if (sql === undefined) report.skip('schema', WITHOUT_DATABASE);
  for (const [name, check] of Object.entries(DATABASE_CHECKS)) {
    if (sql === undefined) report.skip(name, WITHOUT_DATABASE);
    else await report.make(name, () => check(sql, ground));
  }
  const needed = sql === undefined ? WITHOUT_DATABASE : WITHOUT_SCHEMA;
  const onSchema: Record<string, DatabaseCheck> = {
    ...SCHEMA_CHECKS, integrations: checkIntegrations, connections: checkConnections,
  };
  for (const [name, check] of Object.entries(onSchema)) {
    if (!sql || !usable) report.skip(name, needed);
    else await report.make(name, () => check(sql, ground));
  }
  if (!sql || !usable) report.skip('stored secrets', needed);
  else if (keys === undefined) report.skip('stored secrets', 'it needs the master keys');
  else await report.make('stored secrets', () => checkStoredSecrets(sql, keys));
}

async function examineModel(
  report: Report, { config }: Ground, options: ExamineOptions, has_service: boolean,
): Promise<void> {
  const { model = false, model_limit_ms = MODEL_MS } = options;
  const key = typeof model === 'string' ? model : config.model;
  const models = await report.need('model', async () => checkModel(config, key, has_service));
  if (model === false) return;
  if (models === undefined) report.skip('model answers', 'it needs a model that can be used');
  else {
    // The model's own limit ends the request; that of the report ends a check that ignores it.
    await report.make('model answers', () => askModel(models, key, model_limit_ms),
      model_limit_ms + 2_000);
  }
}
