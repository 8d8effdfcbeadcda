/**
 * Three PostgreSQL servers under Patroni with a synchronous standby, etcd on the same three
 * machines, and HAProxy and PgBouncer on a fourth: what an operator would build, on one computer.
 */
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  etcdArguments, haproxyConfig, patroniConfig, pgbouncerConfig, POOLER_PORT, PROXY_PORT,
  type Member, type Registry,
} from './configs.ts';
import {
  addMachine, addressOf, createNetwork, killMachine, plugBackIn, removeNetwork, run, startOn,
  unplug,
} from './network.ts';

const MEMBERS: Member[] = [1, 2, 3].map((place) => ({ name: `pg${place}`, place }));
const PROXY: Member = { name: 'proxy', place: 10 };
const DATABASE = 'gatehouse';
const ASK_AGAIN_MS = 200;
/** A cluster in which no server gets further for so long does not become complete. */
const STANDSTILL_MS = 120_000;
/** A member that cannot follow for so long gets a new copy of the primary. */
const REMAKE_AFTER_MS = 30_000;
const ANSWER_MS = 2_000;

interface PatroniMember {
  name: string;
  role: string;
  state: string;
}

export class Cluster {
  /** Data and logs of everything; removed at the end. */
  readonly folder: string;
  /** Members that could not come back with the data they had. */
  readonly remade: string[] = [];
  readonly #registry: Registry;

  constructor(folder: string, registry: Registry) {
    this.folder = folder;
    this.#registry = registry;
  }

  /** Starts everything and creates the database. Throws if nothing gets further for two minutes. */
  static async start(registry: Registry): Promise<Cluster> {
    await createNetwork();
    const cluster = new Cluster(await mkdtemp(join(tmpdir(), 'gatehouse-failover-')), registry);
    await chmod(cluster.folder, 0o755);
    for (const { name, place } of [...MEMBERS, PROXY]) {
      await addMachine(name, place);
      await mkdir(cluster.#of(name));
      await cluster.#give(cluster.#of(name));
    }
    for (const member of MEMBERS) await cluster.#startMember(member);
    await cluster.#startProxies();
    await cluster.whenComplete();
    await run('psql', cluster.urlOf('postgres'), '-qc', `create database ${DATABASE}`);
    return cluster;
  }

  /** By way of HAProxy, to whoever is the primary. */
  get url(): string {
    return this.urlOf(DATABASE);
  }

  /** By way of PgBouncer and HAProxy. PgBouncer knows prepared statements from 1.21 on. */
  get pooled_url(): string {
    const { place } = PROXY;
    return `postgres://postgres@${addressOf(place)}:${POOLER_PORT}/${DATABASE}?prepare=false`;
  }

  /** All three servers, for a client that finds the primary by itself. */
  get direct_url(): string {
    const hosts = MEMBERS.map(({ place }) => `${addressOf(place)}:5432`).join(',');
    return `postgres://postgres@${hosts}/${DATABASE}?target_session_attrs=read-write`;
  }

  urlOf(database: string): string {
    return `postgres://postgres@${addressOf(PROXY.place)}:${PROXY_PORT}/${database}`;
  }

  /** The name of the primary, as the others see it. */
  async primary(): Promise<string> {
    const members = await this.#members();
    const leader = members.find(({ role, state }) => role === 'leader' && state === 'running');
    if (!leader) throw new Error('there is no primary');
    return leader.name;
  }

  async synchronousStandby(): Promise<string> {
    const standby = (await this.#members()).find(({ role }) => role === 'sync_standby');
    if (!standby) throw new Error('there is no synchronous standby');
    return standby.name;
  }

  /** Waits for one primary and two standbys that follow it, one of them synchronously. */
  async whenComplete(): Promise<void> {
    let moved_ms = Date.now();
    let well_ms = moved_ms;
    let most = 0;
    for (;;) {
      const members = await this.#members().catch(() => []);
      // It alternates between `starting` and `start failed`.
      const broken = members.find(({ state }) => state.startsWith('start'));
      if (!broken) well_ms = Date.now();
      else if (Date.now() - well_ms > REMAKE_AFTER_MS) {
        await this.#remake(broken.name);
        well_ms = Date.now();
      }
      const has = (role: string) => members.some((member) => member.role === role);
      const follow = await this.#streaming().catch(() => 0);
      if (members.length === MEMBERS.length && has('leader') && has('sync_standby')
        && follow === MEMBERS.length - 1) return;
      // Further than ever: a server that goes to and fro does not count.
      const there = members.length + Number(has('leader')) + Number(has('sync_standby')) + follow;
      if (there > most) moved_ms = Date.now();
      most = Math.max(most, there);
      if (Date.now() - moved_ms > STANDSTILL_MS) {
        throw new Error(`the cluster is not complete: ${follow} standbys follow;`
          + ` ${JSON.stringify(members)}. The logs are in ${this.folder}.`);
      }
      await delay(ASK_AGAIN_MS);
    }
  }

  /** Hands the primary's place over in good order, as before maintenance. */
  async switchOver(): Promise<void> {
    const leader = await this.primary();
    const candidate = await this.synchronousStandby();
    const address = addressOf(memberOf(leader).place);
    const response = await fetch(`http://${address}:8008/switchover`, {
      method: 'POST', body: JSON.stringify({ leader, candidate }),
    });
    if (!response.ok) throw new Error(`switchover: ${await response.text()}`);
  }

  /** Kills the postmaster with -9; its Patroni goes on. */
  async killPostgres(name: string): Promise<void> {
    const file = await readFile(join(this.#of(name), 'data/postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(file, 10), 'SIGKILL');
  }

  /** Kills PostgreSQL, Patroni and etcd of a machine at once. */
  async cutPower(name: string): Promise<void> {
    await killMachine(name);
  }

  async restorePower(name: string): Promise<void> {
    await this.#startMember(memberOf(name));
  }

  /** Takes a machine off the network; all on it goes on running. */
  async isolate(name: string): Promise<void> {
    await unplug(name);
  }

  async reconnect(name: string): Promise<void> {
    await plugBackIn(name);
  }

  /** Ends everything. */
  async stop({ keep_logs }: { keep_logs: boolean }): Promise<void> {
    await removeNetwork();
    if (!keep_logs) await rm(this.folder, { recursive: true, force: true });
  }

  /** As `patronictl reinit`. */
  async #remake(name: string): Promise<void> {
    this.remade.push(name);
    await fetch(`http://${addressOf(memberOf(name).place)}:8008/reinitialize`,
      { method: 'POST', body: JSON.stringify({ force: true }) });
  }

  #of(name: string): string {
    return join(this.folder, name);
  }

  async #give(path: string): Promise<void> {
    const id = async (what: string) => Number(await run('id', what, 'postgres'));
    await chown(path, await id('-u'), await id('-g'));
    await chmod(path, 0o700);
  }

  async #startMember(member: Member): Promise<void> {
    const folder = this.#of(member.name);
    const config = join(folder, 'patroni.yml');
    await writeFile(config, patroniConfig(member, MEMBERS, this.#registry, folder));
    startOn(member.name, 'postgres', join(this.folder, `${member.name}-etcd.log`),
      ['etcd', ...etcdArguments(member, MEMBERS, folder)]);
    startOn(member.name, 'postgres', join(this.folder, `${member.name}-patroni.log`),
      ['env', `HOME=${folder}`, 'patroni', config]);
  }

  async #startProxies(): Promise<void> {
    const folder = this.#of(PROXY.name);
    const haproxy = join(folder, 'haproxy.cfg');
    const pgbouncer = join(folder, 'pgbouncer.ini');
    await writeFile(haproxy, haproxyConfig(MEMBERS, PROXY.place));
    await writeFile(pgbouncer, pgbouncerConfig(PROXY.place, folder));
    startOn(PROXY.name, 'postgres', join(this.folder, 'haproxy.log'),
      ['/usr/sbin/haproxy', '-db', '-f', haproxy]);
    startOn(PROXY.name, 'postgres', join(this.folder, 'pgbouncer.log'),
      ['/usr/sbin/pgbouncer', pgbouncer]);
  }

  /** The members as any of them tells them. */
  async #members(): Promise<PatroniMember[]> {
    const answers = MEMBERS.map(async ({ place }) => {
      const response = await fetch(`http://${addressOf(place)}:8008/cluster`,
        { signal: AbortSignal.timeout(ANSWER_MS) });
      return (await response.json() as { members: PatroniMember[] }).members;
    });
    return await Promise.any(answers);
  }

  async #streaming(): Promise<number> {
    const count = await run('psql', this.urlOf('postgres'), '-qAtc',
      "select count(*) from pg_stat_replication where state = 'streaming'");
    return Number(count);
  }
}

function memberOf(name: string): Member {
  return MEMBERS.find((member) => member.name === name)!;
}
