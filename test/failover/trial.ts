/**
 * Gatehouse on a replicated PostgreSQL that fails in six ways under load. Tells for each what was
 * acknowledged, lost and made twice, and for how long clients had to wait. Ends with 1 if anything
 * was lost, made twice or put out of order.
 *
 * It runs on Debian 12, as root, and leaves nothing behind but its folder of logs, if something was
 * wrong:
 *
 *   apt-get install patroni etcd-server haproxy pgbouncer postgresql-15 iproute2 python3-etcd
 *
 * Usage: node test/failover/trial.ts [--by haproxy|pgbouncer|direct] [--registry etcd|etcd3]
 *          [--rounds number] [fault …]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { Client } from '../support/client.ts';
import { untilSeen } from '../support/until.ts';
import { Cluster } from './cluster.ts';
import type { Registry } from './configs.ts';
import { Load } from './load.ts';
import { OWN } from './network.ts';
import { startServices, type Services } from './services.ts';
import { judge, type Verdict } from './verdict.ts';

const BEFORE_MS = 8_000;
/** Longer than Patroni waits before it gives a lost primary's place to another. */
const LASTING_MS = 60_000;
const PASSING_MS = 30_000;
/** Longer than a closed connection tries to tell the other side of it: 102 s on Linux. */
const FORGOTTEN_MS = 130_000;
const AFTER_MS = 8_000;
/** What gets no further for so long does not come to its end. */
const STANDSTILL_MS = 120_000;

interface Fault {
  says: string;
  /** From its beginning to its end, or until it should be over. */
  lasts_ms: number;
  /** Does it; answers what ends it. */
  strike(cluster: Cluster): Promise<() => Promise<void>>;
}

const nothing = async () => {};

const FAULTS: Record<string, Fault> = {
  switchover: {
    says: 'the primary hands its place over in good order',
    lasts_ms: PASSING_MS,
    strike: async (cluster) => {
      await cluster.switchOver();
      return nothing;
    },
  },
  kill: {
    says: 'kill -9 of the primary\'s PostgreSQL; Patroni lives',
    lasts_ms: PASSING_MS,
    strike: async (cluster) => {
      await cluster.killPostgres(await cluster.primary());
      return nothing;
    },
  },
  power: {
    says: 'PostgreSQL, Patroni and etcd of the primary\'s machine are killed at once',
    lasts_ms: LASTING_MS,
    strike: async (cluster) => {
      const name = await cluster.primary();
      await cluster.cutPower(name);
      return () => cluster.restorePower(name);
    },
  },
  partition: {
    says: 'the primary\'s machine is cut off, and goes on running',
    lasts_ms: LASTING_MS,
    strike: async (cluster) => {
      const name = await cluster.primary();
      await cluster.isolate(name);
      return () => cluster.reconnect(name);
    },
  },
  nodes: {
    says: 'all Gatehouse nodes are cut off from the database',
    lasts_ms: FORGOTTEN_MS,
    strike: async (cluster) => {
      await cluster.isolate(OWN);
      return () => cluster.reconnect(OWN);
    },
  },
  standby: {
    says: 'the synchronous standby\'s machine is cut off',
    lasts_ms: LASTING_MS,
    strike: async (cluster) => {
      const name = await cluster.synchronousStandby();
      await cluster.isolate(name);
      return () => cluster.reconnect(name);
    },
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: 'string', default: 'haproxy' },
    registry: { type: 'string', default: 'etcd' },
    rounds: { type: 'string', default: '1' },
  },
});

const interrupted = Promise.withResolvers<never>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupted.reject(new Error(`interrupted by ${signal}`)));
}
if (process.getuid?.() !== 0) {
  throw new Error('The trial makes network namespaces, which only root may: run it as root.');
}
process.exitCode = await main();

async function main(): Promise<number> {
  say('starting three database servers');
  const cluster = await Cluster.start(values.registry as Registry);
  let services: Services | undefined;
  let sql: Sql | undefined;
  let faultless = false;
  try {
    services = await startServices(settingsFor(cluster), cluster.folder);
    sql = connect(cluster.url, { max: 2 });
    const { api_key } = await createFirstCredentials(sql);
    const clients = services.base_urls.map((base_url) => new Client({ base_url, api_key }));
    const trials = tryAll({ cluster, services, sql, clients });
    faultless = (await Promise.race([trials, interrupted.promise])).every(isFaultless);
    return faultless ? 0 : 1;
  } finally {
    await services?.stop();
    await sql?.end();
    await cluster.stop({ keep_logs: !faultless });
    if (!faultless) say(`the logs are in ${cluster.folder}`);
  }
}

/** How Gatehouse finds the database. */
function settingsFor(cluster: Cluster): Record<string, string> {
  if (values.by === 'pgbouncer') return { DATABASE_URL: cluster.pooled_url };
  return { DATABASE_URL: values.by === 'direct' ? cluster.direct_url : cluster.url };
}

interface Scene {
  cluster: Cluster;
  services: Services;
  sql: Sql;
  clients: Client[];
}

async function tryAll(scene: Scene): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let round = 1; round <= Number(values.rounds); round++) {
    for (const name of positionals.length > 0 ? positionals : Object.keys(FAULTS)) {
      verdicts.push(await tryFault(name, round, scene));
    }
  }
  return verdicts;
}

async function tryFault(
  name: string, round: number, { cluster, services, sql, clients }: Scene): Promise<Verdict> {
  const fault = FAULTS[name];
  if (!fault) throw new Error(`no fault is called ${name}`);
  const primary = await cluster.primary();
  say(`${name}: ${fault.says} (${primary})`);
  const load = new Load(`${name}${round}`, clients);
  await load.start();
  await delay(BEFORE_MS);
  if (load.acknowledged.size === 0) throw new Error('no run could be created before the fault');
  const struck_ms = Date.now();
  const heal = await fault.strike(cluster);
  await delay(fault.lasts_ms);
  await heal();
  // What clients lost by it is the more interesting.
  const wrong = await cluster.whenComplete()
    .then((): string[] => [], (error: Error) => [error.message]);
  await delay(AFTER_MS);
  await load.stop(STANDSTILL_MS);
  wrong.push(...await runsThatDoNotEnd(sql));
  const verdict = await judge(load, sql, struck_ms);
  verdict.wrong.push(...wrong);
  say(JSON.stringify({ fault: name, round, primary: [primary, await cluster.primary()],
    remade: cluster.remade.splice(0), ended: services.ended(), ...verdict }));
  return verdict;
}

/** Waits until every run has ended, for as long as any of them gets events. */
async function runsThatDoNotEnd(sql: Sql): Promise<string[]> {
  const look = async () => await sql<{ id: string; status: string; events: number }[]>`
    select id, status, last_seq as events from runs where status in ('queued', 'running')`;
  return await untilSeen('the end of every run', look, (open) => open.length === 0,
    { quiet_ms: STANDSTILL_MS, whole_ms: Infinity })
    .then(() => [], (error: Error) => [error.message]);
}

function isFaultless(verdict: Verdict): boolean {
  const { runs_lost, runs_duplicated, runs_failed, events_lost, log_faults, wrong } = verdict;
  return runs_lost + runs_duplicated + events_lost === 0
    && runs_failed.length + log_faults.length + wrong.length === 0;
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
