/** Wires the rooms together: from a configuration to a running service, and back to nothing. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFirstCredentials, type FirstCredentials } from './accounts/accounts.ts';
import { Credentials } from './accounts/credentials.ts';
import type { Config } from './config.ts';
import {
  BUILTIN_SLUGS, createGateway, type ActionSource, type Gateway,
} from './gateway/gateway.ts';
import { createSelfSource, type SelfTransport } from './gateway/sources/self.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import type { Log } from './log.ts';
import { resolveModel } from './models/model.ts';
import { operations } from './operations/index.ts';
import type { Services } from './operations/services.ts';
import { Appender } from './runs/appender.ts';
import { EventHub } from './runs/eventHub.ts';
import { Runs } from './runs/lifecycle.ts';
import { executeTurn } from './runs/turnExecutor.ts';
import { Worker } from './runs/worker.ts';
import { checkServerVersion, connect, isUnavailable, type Sql } from './store/database.ts';
import { startEmbedded } from './store/embedded.ts';
import { keepHouse } from './store/maintenance.ts';
import { LATEST_VERSION, migrate, schemaVersion } from './store/migrate.ts';
import { hasWorkspace } from './store/workspaces.ts';

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
  /** Ends everything in order; repeating it is fine. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  config: Config;
  log: Log;
  /** Says what is being done, for a person who waits. */
  on_progress?: (message: string) => void;
  /** Integrations besides the built-in ones. */
  sources?: readonly ActionSource[];
}

/** Ends one part of the service. */
type Stop = () => Promise<unknown> | void;

const HOUSEKEEPING_MS = 10 * 60 * 1_000;
/** For one part of the service to stop, beyond the time that requests may take to end. */
const STOP_MS = 4_000;
const SELF_DOCUMENT = new URL('../generated/openapi.json', import.meta.url);

/** Starts the service. Throws an Error that says what to do; nothing is left running then. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, log, on_progress = () => {} } = options;
  // What has been started, to be stopped in the opposite order.
  const stops: Stop[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAll(stops, log));
  requireModel(config);
  try {
    const url = await openDatabase(options, stops);
    const sql = connect(url, { max: config.database_connections });
    stops.push(() => within(STOP_MS, sql.end({ timeout_ms: 2_000 })));
    on_progress('Preparing the database');
    await prepareDatabase(sql, { config, log });
    const { event_retention_days } = config;
    const housekeeping = setInterval(
      () => void keepHouse(sql, { event_retention_days, log }), HOUSEKEEPING_MS);
    stops.push(() => clearInterval(housekeeping));
    const embedded = config.database_url === null;
    // A client's profile names who serves it, and that is not a worker.
    const serves_api = config.role !== 'worker';
    const first = embedded && serves_api && !await hasWorkspace(sql)
      ? await createFirstCredentials(sql, BUILTIN_SLUGS) : null;
    const { server, worker } = await startRooms(options, { sql, url }, stops);
    const { port, base_url } = await server.listen();
    // Together: runs are handed over at once, while open requests still end.
    stops.push(() => Promise.all([within(STOP_MS, worker?.stop()), server.drain()]));
    const credentials = first && { base_url, ...first };
    const credentials_file = embedded && serves_api
      ? await keepProfile(config.data_dir, base_url, credentials) : null;
    return { base_url, port, credentials, embedded, credentials_file, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A model that cannot be used would refuse every run that names none: better no start at all. */
function requireModel({ model }: Config): void {
  try {
    resolveModel(model);
  } catch (error) {
    throw new Error(`MODEL: ${(error as Error).message}`, { cause: error });
  }
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

async function openDatabase(
  { config, log, on_progress = () => {} }: ServiceOptions, stops: Stop[],
): Promise<string> {
  if (config.database_url !== null) return config.database_url;
  on_progress(`Starting the embedded PostgreSQL in ${config.data_dir}`);
  const database = await startEmbedded({ data_dir: config.data_dir, log, on_progress });
  stops.push(() => database.stop());
  return database.url;
}

async function prepareDatabase(
  sql: Sql, { config, log }: Pick<ServiceOptions, 'config' | 'log'>): Promise<void> {
  await checkServerVersion(sql);
  await migrate(sql, log);
  await keepHouse(sql, { event_retention_days: config.event_retention_days, log });
}

async function startRooms(
  options: ServiceOptions, { sql, url }: { sql: Sql; url: string },
  stops: Stop[]): Promise<{ server: HttpServer; worker: Worker | undefined }> {
  const { config, log } = options;
  const hub = new EventHub(sql, log);
  await hub.open();
  stops.push(() => within(STOP_MS, hub.close()));
  const credentials = new Credentials(sql, config, log);
  credentials.open();
  stops.push(() => within(STOP_MS, credentials.close()));

  // The gateway calls the service itself, and the service calls the gateway.
  let server: HttpServer;
  const toSelf: SelfTransport = (request, caller, signal) =>
    server.inject({ ...request, signal }, caller);
  const self = createSelfSource(JSON.parse(readFileSync(SELF_DOCUMENT, 'utf8')), toSelf);
  const gateway = createGateway({ sql, config, log, sources: [self, ...options.sources ?? []] });

  let worker: Worker | undefined;
  const services: Services = {
    ...makeServices(options, sql, hub, credentials, gateway),
    readiness: () => readiness(sql, log, config.role === 'worker' ? worker : undefined),
  };
  server = createHttpServer({
    config, log, services, operations, serves_api: config.role !== 'worker',
  });
  if (config.role !== 'api' && config.concurrency > 0) {
    worker = await startWorker(options, { sql, url }, hub, gateway);
  }
  // Should the start fail from here on; to stop twice is fine.
  stops.push(() => within(STOP_MS, worker?.stop()));
  return { server, worker };
}

function makeServices(
  { config, log }: ServiceOptions, sql: Sql, hub: EventHub, credentials: Credentials,
  gateway: Gateway): Omit<Services, 'readiness'> {
  return {
    config, log, sql, gateway, isUnavailable,
    runs: new Runs(sql, hub),
    builtin_integrations: BUILTIN_SLUGS,
    authenticate: (token) => credentials.authenticate(token),
    authenticateAdmin: (token) => credentials.authenticateAdmin(token),
    whileValid: (caller) => credentials.whileValid(caller),
  };
}

/** Why the process cannot do its work now; with a worker, also that its lease is not renewed. */
async function readiness(sql: Sql, log: Log, worker: Worker | undefined): Promise<string[]> {
  try {
    const reasons = await schemaVersion(sql) === LATEST_VERSION ? [] : ['schema'];
    return worker === undefined || worker.alive ? reasons : [...reasons, 'lease'];
  } catch (error) {
    log.warn({ err: error }, 'the database is not ready');
    return ['database'];
  }
}

async function startWorker(
  { config, log }: ServiceOptions, { sql, url }: { sql: Sql; url: string }, hub: EventHub,
  gateway: Gateway): Promise<Worker> {
  const appender = new Appender(sql, hub, log);
  const lock = connect(url, { max: 1, application_name: 'gatehouse worker' });
  const worker = new Worker({
    sql, lock, hub, config, log,
    execute: (run, signals) => executeTurn({ sql, appender, gateway, config, log }, run, signals),
  });
  try {
    await worker.start();
  } catch (error) {
    await lock.end({ timeout_ms: 1_000 });
    throw error;
  }
  return worker;
}

/** Waits for `work`, but no longer: a database that hangs must not keep us from ending. */
async function within(limit_ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(
    new Error(`did not stop within ${limit_ms / 1_000} seconds`)), limit_ms);
  try {
    await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
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
 * Keeps the first credentials for the command line, or renews the address in what is kept already.
 * Written beside and renamed, readable by its owner alone.
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
