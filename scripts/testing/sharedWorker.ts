/**
 * The process in which test files run one after the other: what is loaded and compiled for one
 * serves the next. A file takes half the CPU so (the 61 of test/operations: 80 s instead of 165).
 * `sharedProcess.ts` writes the files to its standard input, one a line; the TAP of each is a
 * subtest with the name of the file, and what the file cost is a line of JSON in descriptor 3.
 */
import { readFileSync, realpathSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import tap, { type Test } from 'tap';

/** What the process that started this one is told when a file is done. */
export interface FileEnd {
  cpu_ms: number;
  /** Of the process, in bytes. */
  rss: number;
  /** What the file has left that would keep its process alive, as Node names it. */
  left_open: string[];
}

const ENDS = 3;
const CLOCK_TICKS_PER_MS = 0.1;
/** So long a file may take; tap's own limit would be that of the whole process. */
const LIMIT_MS = Number(process.argv[2]);
/** For what is closing when its tests are done. */
const CLOSING_LIMIT_MS = LIMIT_MS / 10;
const CLOSING_INTERVAL_MS = 5;
/** In place of the module tap, which is the test of a whole process: the test of one file. */
const TAP_OF_FILE = 'tap-of:';

const tests = new Map<string, Test>();
Object.assign(globalThis, { testOfFile: (url: string) => tests.get(url) });

registerHooks({
  resolve: (specifier, context, next) => specifier === 'tap' && tests.has(context.parentURL ?? '')
    ? { url: TAP_OF_FILE + context.parentURL, format: 'module', shortCircuit: true }
    : next(specifier, context),
  load: (url, context, next) => url.startsWith(TAP_OF_FILE)
    ? { format: 'module', shortCircuit: true,
      source: `export default testOfFile(${JSON.stringify(url.slice(TAP_OF_FILE.length))})` }
    : next(url, context),
});

const open_before = new Map<string, number>();
const lines = createInterface({ input: process.stdin });
for await (const file of lines) {
  if (open_before.size === 0) count(process.getActiveResourcesInfo(), open_before);
  const cpu_before_ms = cpuOfProcess();
  await runFile(file);
  const left_open = await leftOpen();
  // The reader of TAP holds a result back, and each comment after it, for what may belong to it.
  // This, which is so anyway, makes it go on.
  process.stdout.write('pragma -strict\n');
  const end: FileEnd = { cpu_ms: cpuOfProcess() - cpu_before_ms, left_open,
    rss: process.memoryUsage.rss() };
  writeSync(ENDS, `${JSON.stringify(end)}\n`);
}

/** Resolves when all tests of the file are done, whatever came of them. */
async function runFile(file: string): Promise<void> {
  const { href } = pathToFileURL(realpathSync(file));
  await tap.test(file, { timeout: LIMIT_MS }, async (t) => {
    tests.set(href, t);
    await import(href);
  });
  tests.delete(href);
}

/** Of this process and of the children that it has waited for; Node itself counts no children. */
function cpuOfProcess(): number {
  try {
    // The name of the program, in brackets, may hold spaces. Fields 14 to 17 of proc(5).
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / CLOCK_TICKS_PER_MS;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** What is open beyond what was before the first file, once nothing more of it closes. */
async function leftOpen(): Promise<string[]> {
  const give_up_ms = performance.now() + CLOSING_LIMIT_MS;
  for (;;) {
    const left = beyond(process.getActiveResourcesInfo());
    if (left.length === 0 || performance.now() > give_up_ms) return left;
    await sleep(CLOSING_INTERVAL_MS);
  }
}

function beyond(kinds: readonly string[]): string[] {
  return [...count(kinds)].flatMap(([kind, number]) =>
    Array.from({ length: Math.max(0, number - (open_before.get(kind) ?? 0)) }, () => kind));
}

function count(kinds: readonly string[], counted = new Map<string, number>()) {
  for (const kind of kinds) counted.set(kind, (counted.get(kind) ?? 0) + 1);
  return counted;
}
