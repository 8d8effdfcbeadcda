/** Checks of the database: whether it can be had, and whether it is as a node needs it. */
import type { Config } from '../config.ts';
import { checkServer, connect, type Sql } from '../store/database.ts';
import { embeddedState } from '../store/embedded.ts';
import { functionsBehind } from '../store/functions.ts';
import {
  connectionFacts, databaseClock, databasePlace, foreignOwner, hasRoom, missingPartitions,
  serverFacts, workerLeases, type ForeignOwner,
} from '../store/inspection.ts';
import { LATEST_VERSION, schemaVersion, unreleasedSchema } from '../store/migrate.ts';
import { isWrongClock, liveNodes, nameOfNode } from '../store/nodes.ts';
import { openRuns } from '../store/overview.ts';
import { misplacedTables } from '../store/misplacedTables.ts';
import { requireSameDatabase, whyReadOnly, whyUnusable } from '../store/unusable.ts';
import { hasWorkspace } from '../store/workspaces.ts';
import type { KeptProfile } from './machine.ts';
import {
  count, failed, ok, warning, type CheckAnswer, type CheckOutcome, type CheckContext,
} from './report.ts';

const START = 'Start the service with `gatehouse serve`, and call this again while it runs. If it'
  + ' does not start, it says why.';

const EMBEDDED = 'Look into the log of the service that has started it; stopped and started again,'
  + ' it starts this database anew.';

/**
 * Connects to the database; to the embedded one if it runs. `kept`: what credentials.json holds,
 * beside which no embedded one is made.
 */
export async function openDatabase(
  config: Config, kept: Pick<KeptProfile, 'exists' | 'file'>): Promise<CheckAnswer<Sql>> {
  if (config.database_url !== null) {
    return await alsoDirectly(await connectTo(config.database_url, false), config);
  }
  const embedded = await embeddedState(config.data_dir);
  const place = `the embedded one in ${config.data_dir}`;
  switch (embedded.state) {
    case 'absent': return { outcome: warning(
      `none: there is no embedded one in ${config.data_dir} yet, and DATABASE_URL is not set`,
      kept.exists ? `Set DATABASE_URL as the service has it: ${kept.file} is of a database`
        + ' elsewhere, and `gatehouse serve` makes none beside it. If that is gone for good, move'
        + ' the file away.'
      : 'Start the service with `gatehouse serve`, which makes one; or set DATABASE_URL (or'
      + ' GATEHOUSE_DATA_DIR) to that of a service that there is.') };
    // Failures and not warnings: a script must not take a check that was not made for a good one.
    case 'stopped': return { outcome: failed(
      `${place} does not run, as no service does; a check does not start it`, START) };
    case 'starting': return { outcome: failed(`${place} is starting, or recovering`,
      'Call this again in a moment.') };
    case 'running': return await connectTo(embedded.url, true);
  }
}

async function connectTo(url: string, embedded: boolean): Promise<CheckAnswer<Sql>> {
  let sql: Sql | undefined;
  try {
    const place = databasePlace(url);
    sql = connect(url, { max: 1, application_name: 'gatehouse doctor' });
    const facts = await serverFacts(sql);
    await checkServer(sql);
    // A socket of this machine needs none.
    const secured = place.startsWith('/') ? ''
      : facts.tls === null ? ', without TLS' : `, by ${facts.tls}`;
    const found = `PostgreSQL ${facts.version}, UTF-8, ${embedded ? 'embedded, ' : ''}at ${place}`
      + secured;
    const why = whyReadOnly(facts);
    return { gives: sql,
      outcome: why ? failed(`${found}; ${why.found}`, why.advice) : ok(found) };
  } catch (error) {
    void sql?.end({ timeout_ms: 0 });
    const { found, advice } = whyUnusable(error as Error, url);
    // No variable says where the embedded one is.
    return { outcome: failed(found, embedded ? EMBEDDED : advice) };
  }
}

/** A node does not start unless both addresses lead to one database. */
async function alsoDirectly(
  answer: CheckAnswer<Sql>, { database_direct_url }: Config): Promise<CheckAnswer<Sql>> {
  if (answer.gives === undefined || database_direct_url === null) return answer;
  try {
    await requireSameDatabase(answer.gives, database_direct_url);
    return answer;
  } catch (error) {
    return { gives: answer.gives, outcome: failed((error as Error).message,
      'DATABASE_DIRECT_URL is for the database of DATABASE_URL, past its pooler.') };
  }
}

/** Whether the schema is that of this version; gives true if it can be read. */
export async function checkSchema(sql: Sql, config: Config): Promise<CheckAnswer<true>> {
  const fault = await misplacedTables(sql);
  if (fault) return { outcome: failed(fault.found, fault.advice) };
  const foreign = await foreignOwner(sql);
  if (foreign?.may_read === false) return { outcome: belongsTo(foreign, 'it cannot be read') };
  const version = await schemaVersion(sql);
  const stranger = await unreleasedSchema(sql);
  if (stranger) return { outcome: failed('from before the first release', stranger) };
  if (version > LATEST_VERSION) {
    return { outcome: failed(`version ${version}; this program knows ${LATEST_VERSION}, a newer one`
      + ' has migrated the database', 'Run that newer version, or a later one, on this machine too;'
      + ' or restore a backup from before.') };
  }
  const own = config.database_url !== null;
  if (version === 0) {
    return { outcome: warning('the database is empty', own
      ? 'Prepare it, once: gatehouse setup --save' : START) };
  }
  if (version < LATEST_VERSION) {
    return { outcome: warning(`version ${version}; this program needs ${LATEST_VERSION}`,
      'Take a backup, then start `gatehouse serve` of this version: it migrates the database.') };
  }
  const behind = await functionsBehind(sql);
  if (behind.length > 0) {
    return { outcome: warning(`version ${version}, that of this program, but not its functions: `
      + behind.map(({ name }) => name).join(', '),
      'Start `gatehouse serve` of this version: it applies them.') };
  }
  const found = `version ${version}, that of this program`;
  if (foreign !== undefined) return { gives: true, outcome: belongsTo(foreign, found) };
  if (await hasWorkspace(sql)) return { outcome: ok(found), gives: true };
  return { gives: true, outcome: warning(`${found}; there is no workspace yet`,
    own ? 'Make the first one, with its keys: gatehouse setup --save' : START) };
}

function belongsTo({ owner, role }: ForeignOwner, found: string): CheckOutcome {
  return failed(`${found}; it belongs to ${owner}, and a node that connects as ${role} does not`
    + ' start', `Name ${owner} in DATABASE_URL.`);
}

export type DatabaseCheck = (sql: Sql, ground: CheckContext) => Promise<CheckOutcome>;

/**
 * Connections besides the pool: one that listens, one for the lock of a worker, and one that keeps
 * its lease while its thread is busy.
 */
const BESIDE = 3;

const checkFree: DatabaseCheck = async (sql, { config }) => {
  const { max, used, ours } = await connectionFacts(sql);
  const needs = config.database_connections + BESIDE;
  const found = `${used} of ${max} in use, ${ours} of them by Gatehouse; a node takes up to`
    + ` ${needs}`;
  const advice = `Raise max_connections (nodes × ${needs} + 20), and the connection limit of the`
    + ' role or the database if they have one; or lower GATEHOUSE_DATABASE_CONNECTIONS.';
  if (max < needs) return failed(found, advice);
  // A running node already holds some of its own.
  return max - used + ours < needs || max - used < BESIDE ? warning(found, advice) : ok(found);
};

const checkDurability: DatabaseCheck = async (sql) => {
  const { fsync, synchronous_commit, unconfirmed, set_by } = await serverFacts(sql);
  if (unconfirmed > 0) {
    return failed('commits wait for a synchronous standby that does not answer'
      + ` (${unconfirmed}): nothing is written, nor can nodes and workers tell that they live`,
    'Bring a standby of synchronous_standby_names back, or take those that are gone out of it.');
  }
  if (!await hasRoom(sql)) {
    return failed('the disk of the database is full: what stores something is answered 503',
      'Make room on that disk, or give it more.');
  }
  if (fsync !== 'on') {
    return failed('fsync is off: a crash of its machine may destroy the database',
      "alter system set fsync = 'on'; select pg_reload_conf();");
  }
  const found = `fsync is on, synchronous_commit is ${synchronous_commit}`;
  return synchronous_commit === 'off'
    ? warning(`${found}: a crash loses what was acknowledged in the last moments`,
      set_by === null ? "alter system set synchronous_commit = 'on'; select pg_reload_conf();"
        : `${set_by} reset synchronous_commit; then start the nodes anew.`)
    : ok(found);
};

const SKEW_FAILURE_MS = 3_600_000;

const checkClock: DatabaseCheck = async (sql, { now }) => {
  const [before, theirs, after] = [now(), await databaseClock(sql), now()];
  const skew_ms = (before + after) / 2 - theirs;
  const by = Math.abs(skew_ms);
  if (isWrongClock(skew_ms)) return wrongClock(by, `this machine's is ${apart(skew_ms)}`);
  // Part of the difference is the time of the answer on its way.
  return ok(`within ${(Math.ceil(by / 100) / 10).toFixed(1)} s of the database's`);
};

const checkNodeClocks: DatabaseCheck = async (sql) => {
  const nodes = await liveNodes(sql);
  const wrong = nodes.filter(({ clock_offset_ms }) => isWrongClock(clock_offset_ms))
    .map((node) => ({ node, by: node.clock_offset_ms! }));
  if (wrong.length === 0) {
    return ok(nodes.length === 0 ? 'no node runs'
      : `those of ${count(nodes.length, 'node')} are the database's`);
  }
  return wrongClock(Math.max(...wrong.map(({ by }) => Math.abs(by))),
    wrong.map(({ node, by }) => `that of ${nameOfNode(node)} is ${apart(by)}`).join('; '));
};

/** `60 s behind the database's`. */
function apart(offset_ms: number): string {
  return `${duration(Math.abs(offset_ms))} ${offset_ms > 0 ? 'ahead of' : 'behind'} the database's`;
}

function wrongClock(by_ms: number, found: string): CheckOutcome {
  const advice = ['Have both synchronized (`timedatectl set-ntp true`, or chrony; in a container or'
    + ' virtual machine on its host), then start the service anew.',
    'Certificates and the tokens of identity providers are judged by this clock; ids, and with them'
    + ' the order of lists, are by it until the node has found out.'];
  return by_ms > SKEW_FAILURE_MS ? failed(found, ...advice) : warning(found, ...advice);
}

export const DATABASE_CHECKS: Record<string, DatabaseCheck> = {
  'free connections': checkFree, durability: checkDurability, clock: checkClock,
};

const DAYS_AHEAD = 3;

const checkPartitions: DatabaseCheck = async (sql, { now }) => {
  const missing = await missingPartitions(sql, now(), DAYS_AHEAD);
  if (missing.length === 0) return ok(`there for the next ${DAYS_AHEAD} days`);
  return warning(`not there: ${missing.join(', ')}`,
    'Events are kept all the same, but expire row by row. A running node makes them every ten'
    + ' minutes: if one runs, look in its log for "housekeeping in the database failed".');
};

const WAIT_S = 30;

const checkWorkers: DatabaseCheck = async (sql) => {
  const { alive, lost } = await workerLeases(sql);
  const { queued, running, queue_age_s } = await openRuns(sql);
  const waits = queue_age_s > 0
    ? `; ${count(queued, 'run')} queued, the oldest for ${duration(1_000 * queue_age_s)}` : '';
  const found = `${alive} alive${lost > 0 ? `, ${lost} lost` : ''};`
    + ` ${count(running, 'run')} running${waits}`;
  if (alive === 0) {
    const advice = 'Nobody executes runs. Start a node that does: `gatehouse serve` (its'
      + ' GATEHOUSE_ROLE all or worker, its GATEHOUSE_CONCURRENCY above 0).';
    return queued + running > 0 ? failed(found, advice) : warning(found, advice);
  }
  return queue_age_s > WAIT_S ? warning(found, 'Start more nodes with --role worker, or raise'
    + ' GATEHOUSE_CONCURRENCY if theirs have cores to spare.') : ok(found);
};

export const SCHEMA_CHECKS: Record<string, DatabaseCheck> = {
  'node clocks': checkNodeClocks, partitions: checkPartitions, workers: checkWorkers,
};

function duration(time_ms: number): string {
  const time_s = time_ms / 1_000;
  if (time_s < 120) return `${time_s.toFixed(time_s < 10 ? 1 : 0)} s`;
  return time_s < 7_200 ? `${Math.round(time_s / 60)} minutes`
    : `${Math.round(time_s / 3_600)} hours`;
}
