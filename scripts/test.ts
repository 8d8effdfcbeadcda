/**
 * `node scripts/test.ts [--jobs=N] [files, folders or patterns]` starts a PostgreSQL for the tests,
 * outside the checkout (or takes TEST_DATABASE_URL, a superuser of a server that holds nothing
 * else), runs the test files in processes that they share or that are their own (see
 * `ownProcess`), the longest first, and ends with every failure once more and the line
 * `N passed, N failed[, N skipped]`, which counts assertions. A file that failed is tried once
 * more, alone, when the others are done (see `noSecondTry`). The server is stopped and its data
 * removed however this ends; after a kill -9 the next run does it.
 *
 * `--quick` runs the tests that start no process, and no database.
 * `--note-costs` writes what each file took to test/costs.json, by which the longest are known.
 */
import { randomBytes } from 'node:crypto';
import { globSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createLog } from '../src/log.ts';
import { startEmbedded, type EmbeddedDatabase } from '../src/store/embedded.ts';
import { prepareTemplate } from '../test/support/database.ts';
import { endServersIn, ownFolder, removeLeftovers, TEST_PREFIX } from './leftovers.ts';
import { describeMachine } from './testing/machine.ts';
import { memoryFolder } from './testing/memoryFolder.ts';
import type { Outcome } from './testing/outcome.ts';
import { ownProcess } from './testing/ownProcess.ts';
import { endAll } from './testing/processGroups.ts';
import { quickTests } from './testing/quickTests.ts';
import { runAll, type RunAllOptions, type RunResult } from './testing/runAll.ts';
import { summaryText } from './testing/summary.ts';
import { SharedProcesses } from './testing/sharedProcess.ts';
import { runFile, type TestFileOptions } from './testing/testFile.ts';
import { testEnvironment } from './testing/testEnvironment.ts';

const ROOT_DIR = fileURLToPath(new URL('..', import.meta.url));
/** Where test/support/database.ts finds the server. */
const DATABASE_URL = 'GATEHOUSE_TEST_DATABASE_URL';
const COSTS_FILE = join(ROOT_DIR, 'test/costs.json');
/**
 * For a file that hangs in spite of all: the waits in tests have bounds of their own. On two cores
 * with four busy loops and other tests beside it the longest scenario of the torture took 220 s.
 */
const FILE_LIMIT_MS = 600_000;
const KILL_AFTER_MS = 5_000;
/** In milliseconds. What takes less need not be known in advance. */
const NOTED_FROM_MS = 2_000;

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
// Whoever reads what this says may go first: a `tee` that is interrupted too, a closed terminal.
for (const stream of [process.stdout, process.stderr]) stream.on('error', interrupt);
process.on('exit', () => endAll('SIGKILL'));
process.exitCode = await main() ? 0 : 1;

function interrupt(): void {
  if (interrupted) return;
  interrupted = true;
  endAll('SIGTERM');
  setTimeout(() => endAll('SIGKILL'), KILL_AFTER_MS).unref();
}

/** Answers whether all is well. */
async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    // A file waits a quarter of its time, one of the dashboard a third of it.
    options: { jobs: { type: 'string', default: String(availableParallelism() + 2) },
      quick: { type: 'boolean', default: false },
      'note-costs': { type: 'boolean', default: false } },
  });
  const jobs = Number(values.jobs);
  if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs takes a number from 1 on.');
  console.log(await describeMachine());
  await removeLeftovers(TEST_PREFIX);
  process.env.TMPDIR ??= await memoryFolder() ?? tmpdir();
  const costs = await readCosts();
  if (values.quick) return (await run(quickTests(ROOT_DIR, costs), jobs, false, costs)).is_green;
  const files = filesOf(positionals);
  // Who names files is at work on them, and wants to see the first failure.
  const second_tries = positionals.length === 0;
  return await withDatabase(async () => {
    const { outcomes, is_green } = await run(files, jobs, second_tries, costs);
    if (values['note-costs']) await writeCosts(costs, outcomes);
    return is_green;
  });
}

/** Starts a PostgreSQL for what is done, and leaves nothing of it. */
async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  const data_dir = ownFolder(randomBytes(4).toString('hex'));
  let server: EmbeddedDatabase | undefined;
  try {
    let url = process.env.TEST_DATABASE_URL;
    if (!url) {
      server = await startEmbedded({ data_dir, log: createLog('warn') });
      url = server.url;
    }
    process.env[DATABASE_URL] = url;
    await prepareTemplate();
    return await work();
  } finally {
    endAll('SIGKILL');
    await server?.stop().catch((error: unknown) => console.error(error));
    await endServersIn(data_dir);
    await rm(data_dir, { recursive: true, force: true });
    // A test file that was killed could not tidy up.
    await removeLeftovers(TEST_PREFIX);
  }
}

/** The test files that are meant, by their places below the checkout; throws if there are none. */
function filesOf(patterns: readonly string[]): string[] {
  if (patterns.length === 0) return globSync('test/**/*.test.ts', { cwd: ROOT_DIR });
  return [...new Set(patterns.flatMap((pattern) => {
    const named = relative(ROOT_DIR, resolve(pattern));
    const is_folder = statSync(resolve(pattern), { throwIfNoEntry: false })?.isDirectory();
    const found = globSync(is_folder ? join(named, '**/*.test.ts') : named, { cwd: ROOT_DIR })
      .filter((file) => !file.startsWith('node_modules'));
    if (found.length === 0) throw new Error(`There is no test file ${pattern}.`);
    return found;
  }))];
}

async function run(
  files: string[], jobs: number, second_tries: boolean, costs: Costs): Promise<RunResult> {
  const begun_ms = performance.now();
  const write = (text: string) => void process.stdout.write(text);
  const result = await withRunner(write, (runOne) => runAll(files,
    { jobs, second_tries, costs, run: runOne, isInterrupted: () => interrupted, write }));
  const took_ms = performance.now() - begun_ms;
  write(summaryText(files.length, result.outcomes, result.tries, took_ms));
  return result;
}

/** Runs each file in an environment that has no more than a test needs. */
async function withRunner<T>(
  write: (text: string) => void, work: (run: RunAllOptions['run']) => Promise<T>): Promise<T> {
  const options: TestFileOptions = {
    cwd: ROOT_DIR, limit_ms: FILE_LIMIT_MS, write,
    env: testEnvironment(process.env, {
      ...(DATABASE_URL in process.env && { [DATABASE_URL]: process.env[DATABASE_URL]! }),
      // Test files load much the same: with what Node has compiled already a file takes two thirds
      // of the CPU until its first test. See bin/gatehouse for the place.
      NODE_COMPILE_CACHE: join(ROOT_DIR, 'node_modules/.compile-cache'),
    }),
  };
  const needsOwn = ownProcess(ROOT_DIR);
  const shared = new SharedProcesses(options);
  try {
    return await work((file, is_alone) => is_alone || needsOwn(file)
      ? runFile(file, options) : shared.run(file));
  } finally {
    await shared.end();
  }
}

/** Seconds, by the file. */
type Costs = Readonly<Record<string, number>>;

async function readCosts(): Promise<Costs> {
  return JSON.parse(await readFile(COSTS_FILE, 'utf8')) as Costs;
}

/** Of the files that take long; what was not run keeps what it had. */
async function writeCosts(former: Costs, outcomes: readonly Outcome[]): Promise<void> {
  const costs = { ...former };
  for (const { file, took_ms } of outcomes) {
    if (took_ms < NOTED_FROM_MS) delete costs[file];
    else costs[file] = Math.round(took_ms / 1_000);
  }
  const sorted = Object.entries(costs).toSorted(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(COSTS_FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
