/**
 * 1, 2 and 4 nodes on one PostgreSQL, each a process of its own that takes requests and executes
 * runs. As many clients as ever spread over them: each makes a run of 20 words in a session of its
 * own and waits for its end. Told is what a run costs: commits, notifications and CPU time of the
 * nodes and of the database, how long runs wait to be claimed, and what the database's connections
 * are found at. The nodes, the database and the clients share the machine: on two cores
 * more nodes cannot do more, and what is seen is what each further node costs.
 *
 * Usage: node test/bench/nodes.ts
 */
import type { ChildProcess } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { ServiceNode } from '../torture/serviceNode.ts';
import { column, median, runBench, type Bench } from './bench.ts';

const COUNTS = [1, 2, 4];
const ROUNDS = 3;
const CLIENTS = 48;
const RUNS = 600;
const WARM_UP = 100;
const SAMPLE_MS = 20;
const ENV = { LOG_LEVEL: 'error', GATEHOUSE_RATE_PER_KEY: '0' };
const RUN = JSON.stringify({ wait: true, input: [{ role: 'user',
  content: [{ type: 'input_text', text: '@rehearsal words=20' }] }] });

interface Turn {
  per_s: number;
  commits: number;
  notifications: number;
  nodes_ms: number;
  database_ms: number;
  claim_p50_ms: number;
  claim_p99_ms: number;
}

await runBench(async (bench) => {
  const url = await bench.database('nodes');
  const sql = connect(url, { max: 3 });
  bench.teardown(() => sql.end());
  const { api_key } = await createFirstCredentials(sql);
  const turns = new Map(COUNTS.map((count) => [count, [] as Turn[]]));
  const found = new Map(COUNTS.map((count) => [count, new Map<string, number>()]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const count of COUNTS) {
      turns.get(count)!.push(await turn(bench, { url, sql, api_key, count }, found.get(count)!));
    }
  }
  tell(bench, turns, found);
});

async function turn(
  bench: Bench, { url, sql, api_key, count }: {
    url: string; sql: Sql; api_key: string; count: number },
  found: Map<string, number>): Promise<Turn> {
  const processes = new Set<ChildProcess>();
  bench.teardown(() => { for (const child of processes) child.kill('SIGKILL'); });
  const nodes = await Promise.all(Array.from({ length: count }, () =>
    ServiceNode.start({ database_url: url, env: ENV }, processes)));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const target = { agent, api_key, base_urls: nodes.map((node) => node.base_url) };
  await makeRuns(target, WARM_UP);
  const database = await serverProcesses(sql);
  const notified = await countNotifications(sql);
  const cpu = async () => [await cpu_ms(nodes.map((node) => node.pid)), await cpu_ms(database)];
  const sampling = new AbortController();
  const sampled = sample(sql, found, sampling.signal);
  const commits = await commitsOf(sql);
  const before = await cpu();
  const start_ms = performance.now();
  const since = new Date();
  await makeRuns(target, RUNS);
  const took_ms = performance.now() - start_ms;
  const after = await cpu();
  sampling.abort();
  const samples = await sampled;
  // The nodes' counters arrive with up to a second's delay.
  await delay(1_500);
  const [claims] = await sql<{ p50: number; p99: number }[]>`
    select percentile_cont(0.5) within group (order by waited_ms) as p50,
      percentile_cont(0.99) within group (order by waited_ms) as p99
    from (select extract(epoch from started_at - created_at)::float8 * 1000 as waited_ms
      from runs where created_at >= ${since}) waits`;
  const result = {
    per_s: RUNS / took_ms * 1_000,
    commits: (await commitsOf(sql) - commits - samples) / RUNS,
    notifications: await notified.end() / RUNS,
    nodes_ms: (after[0]! - before[0]!) / RUNS, database_ms: (after[1]! - before[1]!) / RUNS,
    claim_p50_ms: claims!.p50, claim_p99_ms: claims!.p99,
  };
  agent.destroy();
  await Promise.all(nodes.map((node) => node.terminate()));
  return result;
}

interface Target { agent: Agent; base_urls: string[]; api_key: string }

/** Has clients make so many runs, on one node after the other, and wait for the end of each. */
async function makeRuns(target: Target, runs: number): Promise<void> {
  let made = 0;
  await Promise.all(Array.from({ length: CLIENTS }, async () => {
    while (made < runs) {
      const base_url = target.base_urls[made++ % target.base_urls.length]!;
      const session = await post(target, `${base_url}/sessions`, '{}');
      const run = await post(target, `${base_url}/sessions/${session.id}/runs`, RUN);
      if (run.status !== 'completed') throw new Error(`a run is ${run.status}`);
    }
  }));
}

async function post(
  { agent, api_key }: Target, url: string, body: string): Promise<{ id: string; status?: string }> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; });
      response.on('end', () => {
        if (response.statusCode! < 300) resolve(JSON.parse(text));
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    }).on('error', reject).end(body);
  });
}

async function commitsOf(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select xact_commit::float8 as n from pg_stat_database where datname = current_database()`;
  return row!.n;
}

/** Counts what the nodes tell each other. */
async function countNotifications(sql: Sql): Promise<{ end(): Promise<number> }> {
  let count = 0;
  // Not as a node does: nobody is to be told more because of this.
  const listening = await sql.listen('gatehouse', {
    onPayload: () => { count += 1; }, onConnected: () => {}, onError: () => {} });
  return {
    end: async () => {
      await listening.stop();
      return count;
    },
  };
}

/** Notes what the connections are at, time and again; answers how often it looked. */
async function sample(
  sql: Sql, found: Map<string, number>, signal: AbortSignal): Promise<number> {
  let looks = 0;
  for (; !signal.aborted; looks++) {
    for (const { at, n } of await sql<{ at: string; n: number }[]>`
      select coalesce(wait_event_type || ' ' || wait_event, 'computing') as at, count(*)::int as n
      from pg_stat_activity
      where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid()
      group by at`) {
      found.set(at, (found.get(at) ?? 0) + n);
    }
    await delay(SAMPLE_MS);
  }
  return looks;
}

/** The processes of the database server; Linux only, else none. */
async function serverProcesses(sql: Sql): Promise<number[]> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const parent = (await statOf(row!.pid))?.[1];
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0);
  const children: number[] = [];
  for (const pid of pids) if ((await statOf(pid))?.[1] === parent) children.push(pid);
  return parent === undefined ? [] : children;
}

async function cpu_ms(pids: number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await statOf(pid);
    ticks += Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0);
  }
  return ticks * 10;
}

/** The fields of /proc/<pid>/stat behind the name: state, parent, … */
async function statOf(pid: number): Promise<string[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function tell(
  bench: Bench, turns: Map<number, Turn[]>, found: Map<number, Map<string, number>>): void {
  bench.say('  of a run         commits  notified  CPU nodes ms  CPU database ms'
    + '  claimed after p50 ms    p99 ms');
  const of = (count: number, name: keyof Turn) =>
    median(turns.get(count)!.map((measured) => measured[name]));
  for (const count of COUNTS) {
    bench.say(`  ${count} nodes, ${column(of(count, 'per_s'), 0, 4)}/s`
      + `${column(of(count, 'commits'), 1, 11)}${column(of(count, 'notifications'), 1, 10)}`
      + `${column(of(count, 'nodes_ms'), 1, 14)}${column(of(count, 'database_ms'), 1, 17)}`
      + `${column(of(count, 'claim_p50_ms'), 1, 22)}${column(of(count, 'claim_p99_ms'), 1, 10)}`);
  }
  for (const count of COUNTS) {
    const seen = [...found.get(count)!].toSorted(([, a], [, b]) => b - a);
    const all = seen.reduce((sum, [, n]) => sum + n, 0);
    bench.say(`  ${count} nodes: active connections were found at ${seen.slice(0, 6)
      .map(([at, n]) => `${at} ${Math.round(n / all * 100)} %`).join(', ')}`);
  }
  for (const count of COUNTS.slice(1)) {
    bench.figure({
      name: `runs/s, ${count} nodes on one machine to one`,
      value: of(count, 'per_s') / of(1, 'per_s'), unit: '×' });
    bench.figure({
      name: `CPU of a run, nodes and database, ${count} nodes to one`, unit: '×',
      value: (of(count, 'nodes_ms') + of(count, 'database_ms'))
        / (of(1, 'nodes_ms') + of(1, 'database_ms')) });
  }
}
