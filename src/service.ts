/** Wires the rooms together: from a configuration to a running service, and back to nothing. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFirstCredentials, type FirstCredentials } from './accounts/accounts.ts';
import { Credentials } from './accounts/credentials.ts';
import { AuditAnchors } from './audit/anchors.ts';
import { readProcessEnvironment, type Config } from './config.ts';
import { within } from './deadline.ts';
import type { ActionSource } from './gateway/action/action.ts';
import { createSelfSource, type SelfTransport } from './gateway/builtin/self.ts';
import { BUILTIN_SLUGS, type Gateway } from './gateway/gateway.ts';
import { openGateway } from './gateway/open.ts';
import { rotateMasterKeys as rotateMasterKeysOf, type Rotation } from './gateway/vault/rotation.ts';
import { Scrubber } from './gateway/vault/scrubber.ts';
import { openMetrics } from './http/metricsPage.ts';
import type { PageMaker } from './http/pages.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { createLog, type Log, type LogOptions, type LogScrubber } from './log.ts';
import { Models } from './models/models.ts';
import * as operations from './operations/index.ts';
import type { Services } from './operations/services.ts';
import { Appender } from './runs/appender.ts';
import { WorkspaceTokens } from './runs/budgets.ts';
import { Endings } from './runs/endings.ts';
import { EventHub } from './runs/eventHub.ts';
import { Runs } from './runs/lifecycle.ts';
import { executeTurn } from './runs/turnExecutor.ts';
import { Worker } from './runs/worker.ts';
import { checkServerVersion, connect, isUnavailable, type Sql } from './store/database.ts';
import { startEmbedded } from './store/embedded.ts';
import { keepHouse } from './store/maintenance.ts';
import { isUpToDate, LATEST_VERSION, migrate, schemaVersion } from './store/migrate.ts';
import { openRuns } from './store/runs.ts';
import { hasWorkspace } from './store/workspaces.ts';
import type { Meters } from './telemetry/metrics.ts';
import { serviceGauges } from './telemetry/serviceGauges.ts';
import { createTelemetry, type Telemetry } from './telemetry/telemetry.ts';

export { examine } from './doctor/doctor.ts';

/** The command-line client's profile, as credentials.json holds it. */
export interface Profile extends FirstCredentials {
  base_url: string;
}

export interface Service {
  base_url: string;
  port: number;
  /** The first credentials, if this start made them: to be shown once. */
  credentials: Profile | null;
  embedded: boolean;
  /** Where the credentials are kept; null unless the database is the embedded one. */
  credentials_file: string | null;
  /** The file with the master key, if this start made one: the operator has to copy it. */
  master_key_file: string | null;
  /** Where the metrics are. */
  metrics_url: string;
  /** Ends everything in order; repeating it is fine. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  config: Config;
  log: Log;
  /** Told what is being done, for a person who waits. */
  onProgress?: (message: string) => void;
  /** Told the secrets that were opened, and keeps them from the log. */
  log_scrubber?: LogScrubber;
  /** Integrations besides the built-in ones. */
  sources?: readonly ActionSource[];
  /** The process is this service and nothing else: a thread says on stderr if it hangs. */
  says_hang?: boolean;
  /** Between two refreshes of an MCP integration whose server announces changes; tests set it. */
  refresh_interval_ms?: number;
  /** Between two anchors of the audit log; tests set it. */
  anchor_interval_ms?: number;
}

/** Ends one part of the service. */
type Stop = () => Promise<unknown> | void;

const HOUSEKEEPING_MS = 10 * 60 * 1_000;
/** For one part of the service to stop, beyond the time that requests may take to end. */
const STOP_MS = 4_000;
const SELF_DOCUMENT = new URL('../generated/openapi.json', import.meta.url);

/**
 * The log of a service, without the secrets that the service has opened: an error of a library may
 * quote them. Whole entries are scrubbed, so that no field is forgotten.
 */
export function createServiceLog(
  level: string, options: Omit<LogOptions, 'scrub'> = {},
): Required<Pick<ServiceOptions, 'log' | 'log_scrubber'>> {
  const log_scrubber = new Scrubber();
  const log = createLog(level, { ...options, scrub: (value) => log_scrubber.scrub(value) });
  return { log, log_scrubber };
}

/** Starts the service. Throws an Error that says what to do; nothing is left running then. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, onProgress = () => {} } = options;
  // Ends what was started, in the opposite order.
  const stops: Stop[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAll(stops, log));
  const models = openModels(config);
  const loading = createTelemetry({ config, log, says_hang: options.says_hang });
  loading.catch(() => {}); // it is awaited once there is a database
  stops.push(() => loading.then((telemetry) => telemetry.stop(), () => {}));
  try {
    const url = await openDatabase(options, stops);
    const telemetry = await loading;
    const direct_url = config.database_direct_url ?? url;
    const sql = connect(url, { max: config.database_connections, direct_url });
    stops.push(() => inTime(sql.end({ timeout_ms: 2_000 })));
    onProgress('Preparing the database');
    await prepareDatabase(sql, { config, log, meters: telemetry.meters });
    const { event_retention_days } = config;
    const housekeeping = setInterval(() => void keepHouse(
      sql, { event_retention_days, log, meters: telemetry.meters }), HOUSEKEEPING_MS);
    stops.push(() => clearInterval(housekeeping));
    const embedded = config.database_url === null;
    // The profile is for clients, which a worker does not serve.
    const serves_api = config.role !== 'worker';
    const first = embedded && serves_api && !await hasWorkspace(sql)
      ? await createFirstCredentials(sql, BUILTIN_SLUGS) : null;
    const metrics = await openMetrics(options, () => telemetry.metricsText());
    stops.push(() => metrics.stop());
    const ground = { sql, direct_url, models, telemetry, metrics: metrics.beside };
    const rooms = await startRooms(options, ground, stops);
    const { server, worker, master_key_file } = rooms;
    telemetry.observe(serviceGauges({
      openRuns: () => openRuns(sql),
      executing: () => worker?.executing ?? 0,
      openStreams: () => server.openStreams(),
      database: () => sql.load(),
    }));
    const { port, base_url } = await server.listen();
    // Together: runs are handed over at once while open requests still end.
    stops.push(() => Promise.all([inTime(worker?.stop()), server.drain()]));
    const credentials = first && { base_url, ...first };
    const credentials_file = embedded && serves_api
      ? await keepProfile(config.data_dir, base_url, credentials) : null;
    return {
      base_url, port, credentials, embedded, credentials_file, master_key_file, stop,
      metrics_url: metrics.own_url ?? `${server.origin()}/metrics`,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Throws if the default model cannot be used: it would refuse every run that names none. */
function openModels(config: Config): Models {
  const models = new Models(config);
  try {
    models.check(config.model);
  } catch (error) {
    throw new Error(`MODEL: ${(error as Error).message}`, { cause: error });
  }
  return models;
}

/** Prepares a database of one's own and makes its first credentials. */
export async function setUp(
  { config, log }: Pick<ServiceOptions, 'config' | 'log'>): Promise<FirstCredentials> {
  if (config.database_url === null) {
    throw new Error('DATABASE_URL is not set. The embedded database sets itself up on the first'
      + ' `gatehouse serve`; `setup` is for a PostgreSQL of your own.');
  }
  const sql = connect(config.database_url, { max: 2 });
  try {
    await prepareDatabase(sql, { config, log });
    if (await hasWorkspace(sql)) {
      throw new Error('This database is set up already. Create further keys by `gatehouse keys'
        + ' create`; if its admin token is lost, give the service one by GATEHOUSE_ADMIN_TOKEN.');
    }
    return await createFirstCredentials(sql, BUILTIN_SLUGS);
  } finally {
    await sql.end({ timeout_ms: 2_000 });
  }
}

/**
 * Seals the data keys of the database with the first of the configured master keys; services may be
 * at work meanwhile. Throws an Error that says what to do.
 */
export async function rotateMasterKeys(
  options: Pick<ServiceOptions, 'config' | 'log' | 'onProgress'>): Promise<Rotation> {
  const { config, log } = options;
  const stops: Stop[] = [];
  if (config.database_url === null && !existsSync(join(config.data_dir, 'credentials.json'))) {
    throw new Error(`There is no database in ${config.data_dir}. Set GATEHOUSE_DATA_DIR, or`
      + ' DATABASE_URL for a PostgreSQL of your own.');
  }
  try {
    const sql = connect(await openDatabase(options, stops), { max: 2 });
    stops.push(() => sql.end({ timeout_ms: 2_000 }));
    if (await schemaVersion(sql) !== LATEST_VERSION) {
      throw new Error('The database is of another version. Start `gatehouse serve` of this version'
        + ' first, which brings it up to date.');
    }
    return await rotateMasterKeysOf({ sql, config, log });
  } finally {
    await stopAll(stops, log);
  }
}

async function openDatabase(
  { config, log, onProgress = () => {} }: Pick<ServiceOptions, 'config' | 'log' | 'onProgress'>,
  stops: Stop[],
): Promise<string> {
  if (config.database_url !== null) return config.database_url;
  onProgress(`Starting the embedded PostgreSQL in ${config.data_dir}`);
  const database = await startEmbedded({ data_dir: config.data_dir, log, onProgress });
  stops.push(() => database.stop());
  return database.url;
}

async function prepareDatabase(
  sql: Sql, { config, log, meters }: Pick<ServiceOptions, 'config' | 'log'> & { meters?: Meters },
): Promise<void> {
  await checkServerVersion(sql);
  await migrate(sql, log);
  await keepHouse(sql, { event_retention_days: config.event_retention_days, log, meters });
}

/** The parts that all rooms need. */
interface Ground {
  sql: Sql;
  direct_url: string;
  models: Models;
  telemetry: Telemetry;
  /** The page of the metrics, if it is to be beside the API. */
  metrics?: PageMaker;
}

async function startRooms(
  options: ServiceOptions, ground: Ground, stops: Stop[],
): Promise<{ server: HttpServer; worker: Worker | undefined; master_key_file: string | null }> {
  const { config, log } = options;
  const { sql, models, telemetry: { meters }, metrics } = ground;
  const log_scrubber = options.log_scrubber ?? new Scrubber();
  log_scrubber.add(models.secrets);
  const hub = new EventHub(sql, log);
  await hub.open();
  stops.push(() => inTime(hub.close()));
  const credentials = new Credentials(sql, config, log);
  credentials.open();
  stops.push(() => inTime(credentials.close()));
  hub.on('revoked', (id) => credentials.revoked(id));
  hub.on('connected', () => credentials.doubt());
  const runs = new Runs(sql, hub, meters);
  const endings = new Endings(sql, runs, log);
  endings.open();
  stops.push(() => inTime(endings.close()));

  // The gateway calls the service itself, and the service calls the gateway.
  let server: HttpServer;
  const toSelf: SelfTransport = (request, caller, signal) =>
    server.inject({ ...request, signal }, caller);
  const self = createSelfSource(JSON.parse(readFileSync(SELF_DOCUMENT, 'utf8')), toSelf);
  const opened = await openGateway({
    sql, config, log, meters, sources: [self, ...options.sources ?? []],
    log_scrubber,
    environment: readProcessEnvironment(), refresh_interval_ms: options.refresh_interval_ms,
    publicUrl: () => config.public_url?.replace(/\/+$/, '') ?? server.origin(),
  });
  const { gateway, integrations, connections, master_key_file } = opened;
  stops.push(() => inTime(opened.close()));
  const anchors = new AuditAnchors(
    { sql, log, seal: opened.anchor_seal, interval_ms: options.anchor_interval_ms });
  anchors.open();
  stops.push(() => inTime(anchors.close()));

  let worker: Worker | undefined;
  const services: Services = {
    config, log, sql, models, gateway, integrations, connections, isUnavailable,
    runs,
    announceRevoked(id) {
      hub.revoked(id);
      endings.request();
    },
    authenticate: (token, beforeLookup) => credentials.authenticate(token, beforeLookup),
    authenticateAdmin: (token, beforeLookup) =>
      credentials.authenticateAdmin(token, beforeLookup),
    verifyAudit: (anchor, limit_ms) => anchors.verify(anchor, limit_ms),
    whileValid: (caller) => credentials.whileValid(caller),
    readiness: () => readiness(sql, log, config.role === 'worker' ? worker : undefined),
  };
  server = createHttpServer({
    config, services, operations, meters, metrics, serves_api: config.role !== 'worker',
    health: () => healthOf(ground.telemetry),
  });
  if (config.role !== 'api' && config.concurrency > 0) {
    worker = await startWorker(options, ground, hub, runs, gateway);
  }
  // In case the start fails from here on; stopping twice is harmless.
  stops.push(() => inTime(worker?.stop()));
  return { server, worker, master_key_file };
}

/** What held the process up, if anything has. */
function healthOf(telemetry: Telemetry): object {
  const { count, last } = telemetry.stalls();
  return last === null ? {} : { event_loop: { stalls: count, last } };
}

/** Why the process cannot work now; for a worker also a lease that is not renewed. */
async function readiness(sql: Sql, log: Log, worker: Worker | undefined): Promise<string[]> {
  try {
    // A newer schema means an upgrade under way, during which nodes of this version go on.
    const reasons = await isUpToDate(sql) ? [] : ['schema'];
    return worker === undefined || worker.alive ? reasons : [...reasons, 'lease'];
  } catch (error) {
    log.warn({ err: error }, 'the database is not ready');
    return ['database'];
  }
}

async function startWorker(
  { config, log }: ServiceOptions, ground: Ground, hub: EventHub, runs: Runs, gateway: Gateway,
): Promise<Worker> {
  const { sql, direct_url, models, telemetry: { meters, runs: telemetry } } = ground;
  const appender = new Appender(sql, hub, log, meters);
  const workspaceTokens = new WorkspaceTokens(sql);
  const turnDependencies = {
    sql, appender, gateway, models, workspaceTokens, runs, config, log, telemetry,
  };
  const lock = connect(direct_url, { max: 1, application_name: 'gatehouse worker' });
  const worker = new Worker({
    sql, lock, hub, config, log, meters,
    execute: (run, signals) => executeTurn(turnDependencies, run, signals),
  });
  try {
    await worker.start();
  } catch (error) {
    await lock.end({ timeout_ms: 1_000 });
    throw error;
  }
  return worker;
}

/** Waits for a part of the service to stop: a database that hangs must not keep us from ending. */
function inTime(stopping: Promise<unknown> = Promise.resolve()): Promise<unknown> {
  return within(STOP_MS, stopping, () => {
    throw new Error(`did not stop within ${STOP_MS / 1_000} seconds`);
  });
}

/** Stops in the opposite order of starting: one that fails does not keep the others from it. */
async function stopAll(stops: Stop[], log: Log): Promise<void> {
  for (const stop of stops.toReversed()) {
    try {
      await stop();
    } catch (error) {
      log.warn({ err: error }, 'a part of the service did not stop cleanly');
    }
  }
}

/**
 * Keeps the first credentials for the command line, or renews the address in the kept ones. The
 * file is written beside and renamed, readable by its owner alone.
 */
async function keepProfile(
  data_dir: string, base_url: string, made: Profile | null): Promise<string> {
  const file = join(data_dir, 'credentials.json');
  const kept: Profile | null = made ?? await readFile(file, 'utf8').then(JSON.parse, () => null);
  if (kept && (made || kept.base_url !== base_url)) {
    await mkdir(data_dir, { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify({ ...kept, base_url }, null, 2)}\n`;
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  return file;
}
