import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { failureText, testReport, type Failure, type Tally } from './testReport.ts';

export interface Outcome {
  file: string;
  ok: boolean;
  tally: Tally;
  failures: Failure[];
  took_ms: number;
  /** Of the process and of all that it waited for. */
  cpu_ms: number;
}

export interface TestFileOptions {
  cwd: string;
  env: Record<string, string>;
  /** After so long the file is ended, and has failed. */
  limit_ms: number;
  write: (text: string) => void;
}

/** For tap to tell what it was at, after SIGTERM. */
const KILL_AFTER_MS = 5_000;
/** What a file has left may hold its output open for ever. */
const OUTPUT_LIMIT_MS = 2_000;
const KEPT_CHARACTERS = 4_000;
/**
 * A file of tap prints TAP by itself; tap's own runner would begin each with two loaders and source
 * maps (8 min 20 s against 5 min 30 s for the whole). `times` of the POSIX shell tells what CPU its
 * children took, which Node does not know of an ended process; /usr/bin/time is not everywhere.
 * The shell waits for the file when both get SIGTERM.
 */
const TIMED = 'trap : TERM; "$@"; code=$?; times >&3; exit $code';

const PRELOADED = new URL('./withoutDomains.ts', import.meta.url).href;

/** Process groups that are going on, for `endAll`. */
const groups = new Set<number>();

/** Ends every file that is running, with all that it has started. */
export function endAll(signal: NodeJS.Signals): void {
  for (const group of groups) endGroup(group, signal);
}

/** Runs one test file as a process of its own, in a process group that does not outlive it. */
export async function runFile(file: string, options: TestFileOptions): Promise<Outcome> {
  const begun_ms = performance.now();
  const child = spawn('sh', ['-c', TIMED, 'sh', process.execPath, '--import', PRELOADED, file], {
    cwd: options.cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // The limit of the whole file, for tap too: it tells which test was at work.
    env: { ...options.env, TAP: '1', TAP_TIMEOUT: String(options.limit_ms / 1_000) },
  });
  if (child.pid === undefined) return await notStarted(file, child);
  const group = child.pid;
  groups.add(group);
  const late = setTimeout(() => {
    endGroup(group, 'SIGTERM');
    setTimeout(() => endGroup(group, 'SIGKILL'), KILL_AFTER_MS).unref();
  }, options.limit_ms + KILL_AFTER_MS);
  let times = '';
  child.stdio[3]!.on('data', (chunk: Buffer) => { times += String(chunk); });
  const { tally, failures } = await readOutput(child, options.write, () => {
    clearTimeout(late);
    endGroup(group, 'SIGKILL'); // what the file may have left
    groups.delete(group);
  });
  return { file, ok: child.exitCode === 0 && tally.failed === 0, tally, failures,
    cpu_ms: cpuOf(times), took_ms: performance.now() - begun_ms };
}

/** The machine has no process or file left for it: that is told as the failure of this file. */
async function notStarted(file: string, child: ChildProcess): Promise<Outcome> {
  const [error] = await once(child, 'error') as [Error];
  return { file, ok: false, tally: { passed: 0, failed: 1, skipped: 0 }, took_ms: 0, cpu_ms: 0,
    failures: [{ test: 'the whole file', message: error.message, details: '' }] };
}

/** Everything that the file says; how it ended counts as a failure where no assertion tells it. */
async function readOutput(
  child: ChildProcess, write: (text: string) => void, onExit: () => void) {
  const { parser, report } = testReport(write);
  const complete = once(parser, 'complete');
  let last_words = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => parser.write(text));
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    write(text);
    last_words = (last_words + text).slice(-KEPT_CHARACTERS);
  });
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit') as [number | null, string | null];
  onExit();
  const giveUp = setTimeout(() => {
    for (const stream of child.stdio) stream?.destroy();
  }, OUTPUT_LIMIT_MS);
  await closed;
  clearTimeout(giveUp);
  parser.end();
  await complete;
  // An error that nobody awaited ends the file in the middle of a test.
  const is_told = report.failures.some(({ message }) => message !== 'test unfinished');
  if ((code !== 0 || !parser.ok) && !is_told) {
    report.tally.failed++;
    report.failures.push({ test: 'the whole file', details: last_words.trimEnd(),
      message: code === 0 ? 'not all of its tests were run' : `ended with ${signal ?? code}` });
  }
  return report;
}

/** `0m1.250s 0m0.310s` of the shell itself, and in the next line of its children. */
function cpuOf(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.,]+)s/g)].slice(2);
  return parts.reduce((sum, [, minutes, seconds]) =>
    sum + 60_000 * Number(minutes) + 1_000 * Number(seconds!.replace(',', '.')), 0);
}

/** The line that tells how a file ended, with its failures before it. */
export function outcomeText({ file, ok, failures, took_ms, cpu_ms }: Outcome): string {
  const cost = `${seconds(took_ms)}, CPU ${seconds(cpu_ms)}`;
  return `${failures.map((failure) => `\n${failureText(file, failure)}\n`).join('')}`
    + `${ok ? 'ok' : 'NOT OK'} ${file} (${cost})\n`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function endGroup(group: number, signal: NodeJS.Signals): void {
  // Its number may be another's by now.
  if (!groups.has(group)) return;
  try {
    process.kill(-group, signal);
  } catch { /* it has ended */ }
}
