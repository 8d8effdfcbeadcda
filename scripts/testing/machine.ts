import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 300;
/** Of one core. Less than this slows nothing. */
const BUSY_PERCENT = 20;
const SHOWN = 6;
const SHOWN_CHARACTERS = 90;
/** What /proc counts CPU time in: USER_HZ is 100 on every Linux that Node.js runs on. */
const TICK_MS = 10;

/**
 * The machine in a line, and a line for each process that keeps a core busy: a slow run explains
 * itself. Processes are looked at on Linux alone, which tells them without a program.
 */
export async function describeMachine(): Promise<string> {
  const [one, five] = loadavg().map((load) => load.toFixed(1));
  const free_gib = (process.availableMemory() / 2 ** 30).toFixed(1);
  const whole_gib = (totalmem() / 2 ** 30).toFixed(1);
  return [
    `${availableParallelism()} cores, load ${one} (${five} over 5 minutes), `
      + `${free_gib} of ${whole_gib} GiB of memory free, Node.js ${process.version}`,
    ...(await busyProcesses()).map((line) => `  busy: ${line}`),
  ].join('\n');
}

async function busyProcesses(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const before = await cpuTimes();
  const begun_ms = performance.now();
  await delay(LOOK_MS);
  const after = await cpuTimes();
  const took_ms = performance.now() - begun_ms;
  const busy = [...after].map(([pid, cpu_ms]) =>
    ({ pid, percent: 100 * (cpu_ms - (before.get(pid) ?? cpu_ms)) / took_ms }))
    .filter(({ pid, percent }) => percent >= BUSY_PERCENT && pid !== process.pid)
    .toSorted((a, b) => b.percent - a.percent).slice(0, SHOWN);
  return await Promise.all(busy.map(async ({ pid, percent }) => {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
      .replaceAll('\0', ' ').slice(0, SHOWN_CHARACTERS);
    return `${Math.round(percent)} % of a core, process ${pid}: ${command}`;
  }));
}

/** The CPU that each process has taken so far, in milliseconds. */
async function cpuTimes(): Promise<Map<number, number>> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const times = await Promise.all(pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // The name of the program, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return [pid, (Number(fields[11]) + Number(fields[12])) * TICK_MS] as const;
  }));
  return new Map(times.filter(([, cpu_ms]) => !Number.isNaN(cpu_ms)));
}
