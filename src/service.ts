/** Wires the rooms together: from a configuration to a running service, and back to nothing. */
import { readFileSync } from 'node:fs';
import { createMissingCredentials, type FirstCredentials } from './accounts/accounts.ts';
import { oidcFaults } from './accounts/oidcSettings.ts';
import { openAccounts } from './accounts/open.ts';
import {
  keepFirstProfile, profileOf, renewProfile, requireNoProfile,
} from './accounts/profile.ts';
import { AuditAnchors } from './audit/anchors.ts';
import { readProcessEnvironment, type Config } from './config.ts';
import { allEnded, within } from './deadline.ts';
import { inspect } from './doctor/doctor.ts';
import {
  AllowedCommands, createSelfSource, findMasterKeys, openGateway, openMasterKeys,
  readSelfActions, rewrapDataKeys, Scrubber, type ActionSource, type OpenedGateway, type Rotation,
} from './gateway/face.ts';
import { thrownBy } from './faults.ts';
import { parseNetworks } from './http/clientAddress.ts';
import { openMetrics } from './http/metricsPage.ts';
import type { PageMaker } from './http/pages.ts';
import { OIDC_CALLBACK_PATH } from './http/dashboardSignInPages.ts';
import { MCP_PATH } from './http/mcpResource.ts';
import { API_ROOT } from './http/routes.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './http/server.ts';
import { newId } from './ids.ts';
import { createLog, type Log, type LogOptions, type LogScrubber } from './log.ts';
import type { Model } from './models/model.ts';
import { openMcpDoor } from './mcp/openDoor.ts';
import { modelFaults, Models } from './models/models.ts';
import * as operations from './operations/index.ts';
import type { Services } from './operations/services.ts';
import { originOf } from './origin.ts';
import { Overviews } from './overview/overviews.ts';
import { announce, type AnnouncedNode } from './overview/presence.ts';
import { openEndings } from './runs/endings.ts';
import { EventHub } from './runs/eventHub.ts';
import { Runs } from './runs/lifecycle.ts';
import { Sessions } from './runs/sessions.ts';
import { startWorker } from './runs/startWorker.ts';
import type { Worker } from './runs/worker.ts';
import {
  connect, isInDoubt, isShareUsedUp, isUnavailable, type Sql,
} from './store/database.ts';
import { requireDatabase, startDatabase } from './store/configuredDatabase.ts';
import { databaseClock, databasePlace } from './store/inspection.ts';
import { openHouse } from './store/maintenance.ts';
import { ensurePartitions } from './store/partitions.ts';
import { isUpToDate, migrate, requireUpToDate } from './store/migrate.ts';
import { openPools, type Pools } from './store/pools.ts';
import { openRuns } from './store/overview.ts';
import { requireSameDatabase, requireUsable } from './store/unusable.ts';
import { destinationsOf } from './telemetry/otlp.ts';
import { serviceGauges } from './telemetry/serviceGauges.ts';
import { createTelemetry, type Telemetry } from './telemetry/telemetry.ts';

export { examine } from './doctor/doctor.ts';

export interface Service {
  base_url: string;
  port: number;
  /** The first credentials, if this start made them: to be shown once. */
  credentials: FirstCredentials | null;
  embedded: boolean;
  /** The credentials.json of the data directory, if what it holds is of this database. */
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
  /** The process is this service alone: threads say if it hangs, and keep its worker's lease. */
  owns_process?: boolean;
  /** Between two refreshes of an MCP integration whose server announces changes; tests set it. */
  refresh_interval_ms?: number;
  /** Between two anchors of the audit log; tests set it. */
  anchor_interval_ms?: number;
  /** What a mock does otherwise; everything else of it is the service. */
  disguise?: Disguise;
}

export interface Disguise extends Pick<HttpServerOptions, 'before' | 'around'> {
  rehearse(rehearsal: Model): Model;
  services(own: Services): Services;
}

/** Ends a part. */
type Stop = () => Promise<unknown> | void;

/** For one part of the service to stop, beyond the time that requests may take to end. */
const STOP_MS = 4_000;
const SELF_DOCUMENT = new URL('../generated/openapi.json', import.meta.url);
/** Made once in a process, which may run many services, as tests do: a fifth of a start. */
let self_actions: ReturnType<typeof readSelfActions> | undefined;

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
  const faults = await settingFaults(config);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const models = new Models(config, options.disguise?.rehearse);
  const loading = createTelemetry({ config, log, says_hang: options.owns_process });
  loading.catch(() => {}); // it is awaited once there is a database
  stops.push(() => loading.then((telemetry) => telemetry.stop(), () => {}));
  try {
    const { url, leads, stop: stopDatabase } = await startDatabase(
      { config, log, onProgress, beforeMaking: () => requireNoProfile(config.data_dir) });
    stops.push(stopDatabase);
    const telemetry = await loading;
    const direct_url = config.database_direct_url ?? url;
    const { sql, ...pools } = openPools(url, direct_url, config.database_connections);
    stops.push(() => inTime(pools.end()));
    onProgress('Preparing the database');
    await prepareDatabase(sql, { config, log });
    const { event_retention_days } = config;
    const house = openHouse(sql, { event_retention_days, log, meters: telemetry.meters });
    stops.push(() => inTime(house.close()));
    const embedded = config.database_url === null;
    // The profile is for clients, which a worker does not serve.
    const serves_api = config.role !== 'worker';
    const first = embedded && serves_api ? await createMissingCredentials(sql,
      // Whatever ends this start from here on, the next one has them.
      (made) => keepFirstProfile({ config, log }, { base_url: addressOf(config), ...made })) : null;
    const metrics = await openMetrics(options, () => telemetry.metricsText());
    stops.push(() => metrics.stop());
    const ground = { sql, ...pools, direct_url, models, telemetry, metrics: metrics.beside };
    const rooms = await startRooms(options, ground, stops);
    const { server, worker, embeddings, master_key_file } = rooms;
    telemetry.observe(serviceGauges({
      openRuns: () => openRuns(sql),
      executing: () => worker?.executing ?? 0,
      openStreams: () => server.openStreams(),
      clockOffset: () => rooms.clock.offset_ms,
      database: pools.load,
      embeddings: () => embeddings?.progress(),
    }));
    const { port, base_url } = await server.listen();
    house.request();
    embeddings?.open();
    // Together: runs are handed over at once while open requests still end.
    stops.push(() => allEnded([inTime(worker?.stop()), server.drain()]));
    const profile = serves_api ? await profileOf(sql, config) : null;
    // To ask is to lead from then on, if nobody does.
    if (embedded && profile && (await leads() || first)) await renewProfile(profile, base_url);
    return {
      base_url, port, credentials: first, embedded, master_key_file, stop,
      credentials_file: profile?.file ?? null,
      metrics_url: metrics.own_url ?? `${server.origin()}/metrics`,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Where the service will be, as far as that is known before it listens. */
function addressOf({ host, port }: Config): string {
  return originOf(host, port) + API_ROOT;
}

/** What is wrong with settings beyond what `readSettings` sees, a line each. */
export async function settingFaults(config: Config): Promise<string[]> {
  const { database_url, database_direct_url, master_keys, master_keys_file } = config;
  const faults = [...modelFaults(config), ...oidcFaults(config), ...thrownBy([
    () => destinationsOf(config),
    () => new AllowedCommands(config.mcp_stdio),
    () => parseNetworks(config.trusted_proxies ?? ''),
    () => database_url && databasePlace(database_url),
    () => database_direct_url && databasePlace(database_direct_url),
  ])];
  // master.key is no setting: what is to be done about it depends on what the database holds.
  if (master_keys === null && master_keys_file === null) return faults;
  const ofKeys = await findMasterKeys(config).then(() => [], ({ message }: Error) => [message]);
  return [...faults, ...ofKeys];
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
    const made = await createMissingCredentials(sql);
    if (made !== null) return made;
    throw new Error('This database is set up already. Create further keys by `gatehouse keys'
      + ' create`; if its admin token is lost, give the service one by GATEHOUSE_ADMIN_TOKEN.');
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
  await requireDatabase(config);
  try {
    const database = await startDatabase(options);
    stops.push(database.stop);
    const sql = connect(database.url, { max: 2 });
    stops.push(() => sql.end({ timeout_ms: 2_000 }));
    await requireUsable(sql, config.database_url);
    await requireUpToDate(sql);
    return await rewrapDataKeys({ sql, config, log });
  } finally {
    await stopAll(stops, log);
  }
}

async function prepareDatabase(
  sql: Sql, { config, log }: Pick<ServiceOptions, 'config' | 'log'>,
): Promise<void> {
  const started_ms = performance.now();
  const { database_url, database_direct_url } = config;
  await requireUsable(sql, database_url);
  if (database_direct_url !== null) await requireSameDatabase(sql, database_direct_url);
  const made = await migrate(sql, log, undefined, database_direct_url ?? undefined);
  // The rest of the housekeeping may have much to do, and waits until requests are answered.
  const partitions = (await ensurePartitions(sql, await databaseClock(sql), log)).length;
  const [migrations, functions] = [made.applied.length, made.functions.length];
  if (migrations + functions + partitions === 0) return;
  log.info({ migrations, functions, partitions,
    took_ms: Math.round(performance.now() - started_ms) }, 'database prepared');
}

/** The parts that all rooms need. */
interface Foundations extends Pick<Pools, 'sql' | 'upkeep'> {
  direct_url: string;
  models: Models;
  telemetry: Telemetry;
  /** The page of the metrics, if it is to be beside the API. */
  metrics?: PageMaker;
}

interface Rooms extends Pick<OpenedGateway, 'embeddings' | 'master_key_file'> {
  server: HttpServer;
  worker: Worker | undefined;
  clock: AnnouncedNode['clock'];
}

async function startRooms(
  options: ServiceOptions, ground: Foundations, stops: Stop[]): Promise<Rooms> {
  const { config, log, disguise } = options;
  const { sql, models, telemetry: { meters }, metrics } = ground;
  const log_scrubber = options.log_scrubber ?? new Scrubber();
  log_scrubber.add([...models.secrets, config.oidc_client_secret ?? '']);
  const hub = new EventHub(sql, log);
  await hub.open();
  stops.push(() => inTime(hub.close()));
  let server: HttpServer;
  const publicUrl = () => config.public_url?.replace(/\/+$/, '') ?? server.origin();
  const accounts = openAccounts({
    sql, config, log, announce: (id) => hub.revoked(id),
    redirectUri: () => publicUrl() + OIDC_CALLBACK_PATH, resource: () => publicUrl() + MCP_PATH,
  });
  stops.push(() => inTime(accounts.close()));
  hub.on('revoked', (id) => accounts.revoked(id));
  hub.on('connected', () => accounts.doubt());
  const runs = new Runs(sql, hub, meters);
  const endings = openEndings(sql, runs, log);
  stops.push(() => inTime(endings.close()));

  // The gateway calls the service itself, and the service calls the gateway.
  self_actions ??= readSelfActions(JSON.parse(readFileSync(SELF_DOCUMENT, 'utf8')));
  const self = createSelfSource(self_actions,
    (request, caller, signal) => server.inject({ ...request, signal }, caller));
  const opened = await openGateway({
    sql, config, log, meters, sources: [self, ...options.sources ?? []],
    log_scrubber, publicUrl, embedder: models.embedder,
    environment: readProcessEnvironment(), refresh_interval_ms: options.refresh_interval_ms,
  });
  const { gateway, integrations, connections, embeddings, master_key_file } = opened;
  stops.push(() => inTime(opened.close()));
  const worker_id = config.role === 'api' || config.concurrency === 0 ? null : newId('wrk');
  const { clock } = await joinNodes({ sql, config, log }, opened, worker_id, stops);
  const anchors = new AuditAnchors(
    { sql, log, seal: opened.anchor_seal, interval_ms: options.anchor_interval_ms });
  await anchors.open();
  stops.push(() => inTime(anchors.close()));
  let worker: Worker | undefined;
  const own: Services = {
    ...accounts.services,
    config, log, sql, models, gateway, integrations, connections, runs,
    sessions: new Sessions(sql, meters), publicUrl,
    isUnavailable, isInDoubt, isShareUsedUp,
    overviews: new Overviews({ sql, inspect: () => inspect(sql, config) }),
    announceRevoked(id) {
      hub.revoked(id);
      endings.request();
    },
    verifyAudit: (anchor, limit_ms) => anchors.verify(anchor, limit_ms),
    readiness: () => readiness(ground, log, opened, config.role === 'worker' ? worker : undefined),
  };
  server = createHttpServer({
    config, operations, meters, metrics, serves_api: config.role !== 'worker',
    services: disguise?.services(own) ?? own, before: disguise?.before, around: disguise?.around,
    health: () => healthOf(ground.telemetry),
    mcp: config.mcp_server === 'on' ? openMcpDoor(own) : undefined,
  });
  if (worker_id !== null) {
    worker = await startWorker({
      ...ground, id: worker_id, hub, runs, gateway, config, log, turnsOf: server.turnsOf,
      owns_process: options.owns_process,
    });
    runs.executeBy(worker);
  }
  // In case the start fails from here on; stopping twice is harmless.
  stops.push(() => inTime(worker?.stop()));
  return { server, worker, clock, embeddings, master_key_file };
}

async function joinNodes(ground: { sql: Sql; config: Config; log: Log }, opened: OpenedGateway,
  worker_id: string | null, stops: Stop[]): Promise<AnnouncedNode> {
  const { key_fingerprints: master_keys, seals_with } = opened;
  const presence = await announce({ ...ground, worker_id, master_keys, seals_with });
  stops.push(() => inTime(presence.close()));
  // Again: `rotate-master` may have looked before this node told of itself.
  await openMasterKeys(ground);
  return presence;
}

/** What held the process up, if anything has. */
function healthOf(telemetry: Telemetry): object {
  const { count, last } = telemetry.stalls();
  return last === null ? {} : { event_loop: { stalls: count, last } };
}

/** Why the process cannot work now; for a worker also a lease that is not renewed. */
async function readiness(
  { upkeep }: Foundations, log: Log, gateway: OpenedGateway, worker?: Worker) {
  try {
    const reasons = gateway.isWarm() ? [] : ['integrations'];
    // A newer one means an upgrade under way, during which nodes of this version go on.
    if (!await isUpToDate(upkeep)) reasons.push('schema');
    return worker === undefined || worker.alive ? reasons : [...reasons, 'lease'];
  } catch (error) {
    log.warn({ err: error }, 'the database is not ready');
    return ['database'];
  }
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
