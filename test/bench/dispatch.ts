/**
 * What the HTTP room costs: bare node:http, Gatehouse, a fastify that routes and validates, and
 * one that authenticates, limits, validates, logs and counts as Gatehouse does. Each server is a
 * process of its own, this one makes the load over loopback, and the rounds alternate, so that what
 * else the machine does strikes all alike. Read the ratios, not the absolute figures. The aims: at
 * least 0.75 of bare, and with its log 0.9 of the fastify that does the same.
 *
 * "CPU" is the server's own CPU time per request, which a busy machine disturbs least; its ratio is
 * that of bare's to the server's, so that 1.00 is the best there as well.
 *
 * Usage: node test/bench/dispatch.ts [--rounds 5] [--seconds 2] [--only bare,gatehouse]
 */
import type { ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
// @ts-expect-error: autocannon has no types
import autocannon from 'autocannon';
import { median, runBench, type Bench } from './bench.ts';
import { ask, nextMessage, startProcess } from './processes.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: 'bare,gatehouse,fastify,gatehouse-logged,fastify-alike' },
  },
});
const rounds = Number(values.rounds);
const duration = Number(values.seconds);
const names = values.only.split(',');
const CONNECTIONS = 32;
/** So many, not for so long: on a busy machine V8 would still compile while it is measured. */
const WARM_REQUESTS = 20_000;
/** Who is held against whom, and what for. */
const AIMS = [
  ['gatehouse', 'bare', 0.75], ['gatehouse', 'fastify', undefined],
  ['gatehouse-logged', 'fastify-alike', 0.9],
] as const;
const headers = { authorization: 'Bearer gth_bench' };
const WORKLOADS = {
  'POST /sessions': {
    path: '/v1/sessions', method: 'POST' as const,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Weekly report', metadata: { team: 'growth', week: '47' } }),
  },
  'GET /runs/{run_id}': {
    path: '/v1/runs/run_01kagz4e6f1s3t5v7w9x1y3z5a', method: 'GET' as const, headers,
  },
};

/** The part of autocannon's result that is read here; it brings no types. */
interface Result {
  requests: { average: number; total: number };
  latency: { p99: number };
  non2xx: number;
  errors: number;
}
interface Target { name: string; child: ChildProcess; port: number }

async function start(bench: Bench, name: string): Promise<Target> {
  const child = startProcess(bench, new URL('dispatchTarget.ts', import.meta.url), [name]);
  return { name, child, ...await nextMessage<{ port: number }>(child) };
}

interface Measured { per_second: number; p99_ms: number; cpu_us: number }

async function measure(
  { name, port, child }: Target, workload: object & { path: string },
  extent: { duration: number } | { amount: number },
): Promise<Measured> {
  const before_us = await cpuTime(child);
  const result: Result = await autocannon({
    ...workload, url: `http://127.0.0.1:${port}${workload.path}`,
    connections: CONNECTIONS, ...extent,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} wrong answers, ${result.errors} errors`);
  }
  const cpu_us = (await cpuTime(child) - before_us) / result.requests.total;
  return { per_second: result.requests.average, p99_ms: result.latency.p99, cpu_us };
}

async function cpuTime(child: ChildProcess): Promise<number> {
  return (await ask<{ cpu_us: number }>(child, 'cpu')).cpu_us;
}

function report(bench: Bench, title: string, name: string, measured: Map<string, Measured[]>) {
  const list = measured.get(name)!;
  const to = (other: string) => {
    const floor = measured.get(other)!;
    return median(list.map((item, round) => item.per_second / floor[round]!.per_second));
  };
  const floor = measured.get(names[0]!)!;
  const cpu = median(list.map((item, round) => floor[round]!.cpu_us / item.cpu_us));
  const per_second = Math.round(median(list.map((item) => item.per_second)));
  const cpu_us = median(list.map((item) => item.cpu_us));
  const p99_ms = median(list.map((item) => item.p99_ms));
  bench.say(`  ${name.padEnd(16)} speed ${to(names[0]!).toFixed(2)}   CPU ${cpu.toFixed(2)}`
    + `   ${String(per_second).padStart(7)}/s   ${cpu_us.toFixed(1).padStart(6)} µs`
    + `   p99 ${p99_ms} ms`);
  for (const [ours, other, at_least] of AIMS) {
    if (name !== ours || !measured.has(other)) continue;
    bench.figure({
      name: `${title}, requests/s ${ours === 'gatehouse' ? '' : 'with its log '}to ${other}`,
      value: to(other), unit: '×', ...(at_least && { at_least }) });
  }
}

await runBench(async (bench) => {
  const targets = await Promise.all(names.map((name) => start(bench, name)));
  for (const [title, workload] of Object.entries(WORKLOADS)) {
    const measured = new Map(names.map((name) => [name, [] as Measured[]]));
    for (const target of targets) await measure(target, workload, { amount: WARM_REQUESTS });
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < targets.length; i++) {
        const target = targets[(i + round) % targets.length]!;
        measured.get(target.name)!.push(await measure(target, workload, { duration }));
      }
    }
    bench.say(`  ${title}, ${CONNECTIONS} connections, ${rounds} rounds`);
    for (const name of names) report(bench, title, name, measured);
  }
});
