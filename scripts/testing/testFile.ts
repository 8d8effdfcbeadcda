import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { addFailure, tellsWhy, type Outcome } from './outcome.ts';
import { endAfter, forgetGroup, startGroup } from './processGroups.ts';
import { emptyReport, testReport } from './testReport.ts';

export interface TestFileOptions {
  cwd: string;
  env: Record<string, string>;
  /** After so long the file is ended, and has failed. */
  limit_ms: number;
  write: (text: string) => void;
}

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

/** What each process of tests loads first. */
export const PRELOADED = new URL('./withoutDomains.ts', import.meta.url).href;

/** Runs one test file as a process of its own, in a process group that does not outlive it. */
export async function runFile(file: string, options: TestFileOptions): Promise<Outcome> {
  const begun_ms = performance.now();
  const child = startGroup('sh', ['-c', TIMED, 'sh', process.execPath, '--import', PRELOADED, file],
    { cwd: options.cwd, stdin: 'ignore',
      // The limit of the whole file, for tap too: it tells which test was at work.
      env: { ...options.env, TAP: '1', TAP_TIMEOUT: String(options.limit_ms / 1_000) } });
  if (child.pid === undefined) return await notStarted(file, child);
  const late = endAfter(child, options.limit_ms);
  let times = '';
  child.stdio[3]!.on('data', (chunk: Buffer) => { times += String(chunk); });
  const { tally, failures } = await readOutput(child, options.write, () => {
    clearTimeout(late);
    forgetGroup(child);
  });
  return { file, ok: child.exitCode === 0 && tally.failed === 0, tally, failures,
    cpu_ms: cpuOf(times), took_ms: performance.now() - begun_ms };
}

/** The machine has no process or file left for it: that is told as the failure of this file. */
async function notStarted(file: string, child: ChildProcess): Promise<Outcome> {
  const [error] = await once(child, 'error') as [Error];
  const report = emptyReport();
  addFailure(report, error.message, '');
  return { file, ok: false, ...report, took_ms: 0, cpu_ms: 0 };
}

/** Everything that the file says; how it ended counts as a failure where no assertion tells it. */
async function readOutput(
  child: ChildProcess, write: (text: string) => void, onExit: () => void) {
  const { parser, report } = testReport(write);
  const complete = once(parser, 'complete');
  const words = lastWords(child, write);
  child.stdout!.setEncoding('utf8').on('data', (text: string) => parser.write(text));
  const [code, signal] = await untilClosed(child, onExit);
  parser.end();
  await complete;
  if ((code !== 0 || !parser.ok) && !tellsWhy(report)) {
    addFailure(report,
      code === 0 ? 'not all of its tests were run' : `ended with ${signal ?? code}`, words());
  }
  return report;
}

/** Writes what the process says of errors; the end of that can be asked for. */
export function lastWords(child: ChildProcess, write: (text: string) => void): () => string {
  let last_words = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    write(text);
    last_words = (last_words + text).slice(-KEPT_CHARACTERS);
  });
  return () => last_words;
}

/** How the process ended, once all is read that it said. */
export async function untilClosed(
  child: ChildProcess, onExit: () => void): Promise<[number | null, string | null]> {
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit') as [number | null, string | null];
  onExit();
  const giveUp = setTimeout(() => {
    for (const stream of child.stdio) stream?.destroy();
  }, OUTPUT_LIMIT_MS);
  await closed;
  clearTimeout(giveUp);
  return [code, signal];
}

/** `0m1.250s 0m0.310s` of the shell itself, and in the next line of its children. */
function cpuOf(times: string): number {
  const parts = [...times.matchAll(/(\d+)m([\d.,]+)s/g)].slice(2);
  return parts.reduce((sum, [, minutes, seconds]) =>
    sum + 60_000 * Number(minutes) + 1_000 * Number(seconds!.replace(',', '.')), 0);
}
