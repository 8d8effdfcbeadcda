/**
 * Time from starting `bin/gatehouse serve` to the first 200 of /readyz, on a data directory that
 * exists: with the compile cache of earlier starts, with an empty one as after an installation, and
 * as it was before there was one, when the validators of all responses were loaded too. The sides
 * take turns. `--help` stands for commands that do not load the service.
 *
 * Usage: node test/bench/start.ts [rounds]
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFolder } from '../../scripts/leftovers.ts';
import { column, median, PREFIX, quantile, runBench, type Bench } from './bench.ts';

const ROUNDS = Number(process.argv[2] ?? 7);
const GATEHOUSE = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));
const ALL_VALIDATORS = new URL('../../generated/responses.js', import.meta.url);

type Environment = Record<string, string>;

await runBench(async (bench) => {
  const data_dir = ownFolder(randomBytes(4).toString('hex'), PREFIX);
  bench.teardown(() => rm(data_dir, { recursive: true, force: true }));
  const cache = (name: string) => ({ NODE_COMPILE_CACHE: join(data_dir, `cache-${name}`) });
  const off = { NODE_DISABLE_COMPILE_CACHE: '1' };
  const before = { ...off, NODE_OPTIONS: `--import=${ALL_VALIDATORS}` };
  const ready = (environment: Environment) =>
    timeToReady(bench, { ...environment, GATEHOUSE_DATA_DIR: data_dir });
  const help = (environment: Environment) => timeHelp(bench, environment);
  const very_first_ms = await ready(off); // makes the database
  await ready(cache('warm'));
  await help(cache('warm'));
  const times: Record<string, number[]> = {
    'ready, warm': [], 'ready, cold': [], 'ready, before': [],
    '--help, warm': [], '--help, off': [],
  };
  for (let i = 0; i < ROUNDS; i++) {
    times['ready, warm']!.push(await ready(cache('warm')));
    times['ready, cold']!.push(await ready(cache(`${i}`)));
    times['ready, before']!.push(await ready(before));
    times['--help, warm']!.push(await help(cache('warm')));
    times['--help, off']!.push(await help(off));
  }
  report(bench, times, very_first_ms);
});

/** Starts the command, which does not outlive the bench. */
function start(bench: Bench, args: string[], environment: Environment) {
  const child = spawn(GATEHOUSE, args, {
    env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  bench.teardown(() => child.kill('SIGTERM') && closed);
  return { child, closed };
}

async function timeHelp(bench: Bench, environment: Environment): Promise<number> {
  const start_ms = performance.now();
  const { child, closed } = start(bench, ['--help'], environment);
  child.stdout.resume();
  await closed;
  return performance.now() - start_ms;
}

async function timeToReady(bench: Bench, environment: Environment): Promise<number> {
  const start_ms = performance.now();
  const { child, closed } = start(
    bench, ['serve', '--port', '0', '--log-level', 'warn'], environment);
  let address: string | undefined;
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (address !== undefined) break;
  }
  const { status } = await fetch(`${address}/readyz`);
  const took_ms = performance.now() - start_ms;
  child.kill('SIGTERM');
  await closed;
  if (status !== 200) throw new Error(`/readyz answered ${status}`);
  return took_ms;
}

function report(bench: Bench, times: Record<string, number[]>, very_first_ms: number): void {
  const p50 = (name: string) => median(times[name]!);
  bench.say(`  ${ROUNDS} rounds; the very first start, which makes the database, took`
    + ` ${Math.round(very_first_ms)} ms`);
  bench.say('                  p50 ms   min ms   max ms');
  for (const [name, all] of Object.entries(times)) {
    bench.say(`  ${name.padEnd(13)}${column(p50(name), 0)}${column(quantile(all, 0), 0)}`
      + column(quantile(all, 1), 0));
  }
  bench.figure({ name: 'process start to ready, p50', value: p50('ready, warm'), unit: 'ms' });
  bench.figure({
    name: 'the same, to no compile cache and all validators',
    value: p50('ready, warm') / p50('ready, before'), unit: '×', at_most: 0.8,
  });
  bench.figure({
    name: 'first start after an installation, to the same',
    value: p50('ready, cold') / p50('ready, before'), unit: '×',
  });
  bench.figure({
    name: 'gatehouse --help, to no compile cache',
    value: p50('--help, warm') / p50('--help, off'), unit: '×', at_most: 0.7,
  });
}
