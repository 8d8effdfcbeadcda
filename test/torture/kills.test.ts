/**
 * Processes are killed with -9 under load, again and again: no acknowledged run is lost, none is
 * made twice, and every log is whole (G1-G3, G6 and G14 of the guarantees, in small).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { BUILTIN_SLUGS } from '../../src/gateway/gateway.ts';
import { Client, prompt } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { faultsInLogs } from '../support/log.ts';
import { until } from '../support/until.ts';

const NODES = 3;
const CLIENTS = 6;
const RUNS_PER_CLIENT = 25;
const RUNS_PER_KILL = 20;
const PROGRAM = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

const { sql, url } = await testDatabase(t);
const credentials = await createFirstCredentials(sql, BUILTIN_SLUGS);
const nodes: { process: ChildProcess; base_url: string }[] = [];
t.teardown(() => { for (const node of nodes) node.process.kill('SIGKILL'); });

/** Starts a service on a free port and waits until it says that it is ready. */
async function startNode() {
  const process_ = spawn(PROGRAM, ['serve'], {
    env: { ...process.env, DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'fatal',
      GATEHOUSE_CONCURRENCY: '6', GATEHOUSE_DATABASE_CONNECTIONS: '4' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  while (!printed.includes('is ready') || !/\/v1\s/.test(printed)) {
    printed += String((await once(process_.stdout!, 'data'))[0]);
  }
  process_.stdout!.resume();
  return { process: process_, base_url: /http:\/\/\S+\/v1/.exec(printed)![0] };
}

/** Asks one node after the other until one answers as expected, as a careful client does. */
async function persistently<T>(ask: (client: Client) => Promise<T>): Promise<T> {
  for (let attempt = Math.floor(Math.random() * NODES); ; attempt++) {
    const { base_url } = nodes[attempt % NODES]!;
    try {
      return await ask(new Client({ ...credentials, base_url }));
    } catch (error) {
      if (attempt > 2_000) throw error;
    }
  }
}

t.test('kill -9 under load', { timeout: 110_000 }, async (t) => {
  nodes.push(...await Promise.all(Array.from({ length: NODES }, startNode)));
  const sessions = await Promise.all(Array.from({ length: 8 }, async () =>
    (await persistently((client) => client.expect(201, 'createSession'))).id));
  const acknowledged = new Map<string, string>();
  let kills = 0;
  let killing: Promise<void> = Promise.resolve();

  async function killOne(): Promise<void> {
    const victim = kills++ % NODES;
    nodes[victim]!.process.kill('SIGKILL');
    nodes[victim] = await startNode();
  }

  async function createRuns(name: number): Promise<void> {
    for (let n = 0; n < RUNS_PER_CLIENT; n++) {
      const key = `${name}-${n}`;
      const run = await persistently((client) => client.expect(202, 'createRun', {
        path: { session_id: sessions[(name + n) % sessions.length]! },
        headers: { 'idempotency-key': key },
        body: prompt(`@rehearsal words=${3 + n} delay_ms=${n % 3}\n`
          + 'call gateway.connections.list & call gatehouse.runs.list {"query": {"limit": 1}}'),
      }));
      acknowledged.set(key, run.id);
      // One after the other, while the others go on creating.
      if (acknowledged.size % RUNS_PER_KILL === 0) killing = killing.then(killOne);
      if (n % 8 === 0) {
        await persistently((client) =>
          client.expect(200, 'cancelRun', { path: { run_id: run.id } }));
      }
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, (_, name) => createRuns(name)));
  await killing;
  await until(async () => {
    const [open] = await sql<{ n: number }[]>`
      select count(*)::int as n from runs where status in ('queued', 'running')`;
    return open!.n === 0;
  });
  const rows = await sql<{ id: string; status: string; attempt: number }[]>`
    select id, status, attempt from runs`;
  t.equal(kills, Math.floor(CLIENTS * RUNS_PER_CLIENT / RUNS_PER_KILL));
  t.same(rows.map((row) => row.id).toSorted(), [...acknowledged.values()].toSorted(),
    'every acknowledged run is there, and no other');
  t.ok(rows.some((row) => row.attempt > 1), 'some runs outlived their worker');
  t.same(rows.filter((row) => !['completed', 'cancelled'].includes(row.status)), []);
  t.same(await faultsInLogs(sql), []);
});
