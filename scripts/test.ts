/**
 * `node scripts/test.ts [files] [tap options]`: starts a PostgreSQL for the tests, outside the
 * checkout (or takes TEST_DATABASE_URL, a superuser of a server that holds nothing else), runs tap
 * and ends with the line `N passed, N failed[, N skipped]`, which counts assertions. The server is
 * stopped and its data removed however this ends; after a kill -9 the next run does it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createLog } from '../src/log.ts';
import { startEmbedded, type EmbeddedDatabase } from '../src/store/embedded.ts';
import { prepareTemplate } from '../test/support/database.ts';
import { endServersIn, ownFolder, removeLeftovers, TEST_PREFIX } from './leftovers.ts';
import { lastLine, testReport } from './testReport.ts';

const ROOT_DIR = fileURLToPath(new URL('..', import.meta.url));
const TAP = join(ROOT_DIR, 'node_modules/tap/dist/esm/run.mjs');
const KILL_AFTER_MS = 5_000;
// For its coverage tap notes each module that a test or what it starts loads, and reads the source
// map of each: a third of the CPU until the first test. Where nobody wants it, it notes nothing.
const NOTE_NO_MODULES = '--test-env=_TAPJS_PROCESSINFO_EXCLUDE_=/./';
// Each test file is a process that loads much the same: with what Node has compiled already it
// takes two thirds of the CPU until its first test (2.2 s instead of 3.3 s where there is a
// service). See bin/gatehouse for the place.
process.env.NODE_COMPILE_CACHE ??= join(ROOT_DIR, 'node_modules/.compile-cache');

let tap: ChildProcess | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    endTap('SIGTERM');
    setTimeout(() => endTap('SIGKILL'), KILL_AFTER_MS).unref();
  });
}
process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  await removeLeftovers(TEST_PREFIX);
  const data_dir = ownFolder(randomBytes(4).toString('hex'));
  let server: EmbeddedDatabase | undefined;
  try {
    if (process.env.TEST_DATABASE_URL) {
      process.env.GATEHOUSE_TEST_DATABASE_URL = process.env.TEST_DATABASE_URL;
    } else {
      server = await startEmbedded({ data_dir, log: createLog('warn') });
      process.env.GATEHOUSE_TEST_DATABASE_URL = server.url;
    }
    await prepareTemplate();
    await buildTap();
    return interrupted ? 1 : await runTap(args);
  } finally {
    await server?.stop();
    await endServersIn(data_dir);
    await rm(data_dir, { recursive: true, force: true });
    // A test file that was killed could not tidy up.
    await removeLeftovers(TEST_PREFIX);
  }
}

/** tap compiles its own class for the plugins of .taprc; once after an installation. */
async function buildTap(): Promise<void> {
  const built = join(ROOT_DIR, 'node_modules/@tapjs/test/test-built/dist/esm/index.js');
  const plugins = await readFile(built, 'utf8');
  const options = parse(await readFile(join(ROOT_DIR, '.taprc'), 'utf8')) as { plugin: string[] };
  // Those with an exclamation mark are to be left out.
  const left_out = options.plugin.map((name) => name.replace('!', ''));
  if (!left_out.some((name) => plugins.includes(`from "${name}"`))) return;
  console.log('building tap for the plugins in .taprc; only once after an installation');
  const output: Buffer[] = [];
  const child = spawnTap(['build'], (chunk) => output.push(chunk));
  if (await ended(child) !== 0) throw new Error(`tap build failed:\n${Buffer.concat(output)}`);
}

async function runTap(args: string[]): Promise<number> {
  const { parser, tally } = testReport((text) => process.stdout.write(text));
  const complete = new Promise((resolve) => parser.once('complete', resolve));
  const is_covering = args.some((arg) => arg.includes('coverage'));
  const options = ['--reporter=tap', ...(is_covering ? [] : [NOTE_NO_MODULES])];
  const code = await ended(spawnTap(['run', ...options, ...args], (chunk) => {
    parser.write(chunk);
  }));
  parser.end();
  await complete;
  endTap('SIGKILL'); // what the tests may have left running in tap's process group
  if (code !== 0 && tally.failed === 0) console.log(`tap ended with ${code}`);
  console.log(lastLine(tally));
  return code;
}

/** In a process group of its own, so that nothing that tests started outlives the run. */
function spawnTap(args: string[], onOutput: (chunk: Buffer) => void): ChildProcess {
  tap = spawn(process.execPath, [TAP, ...args],
    { cwd: ROOT_DIR, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  tap.stdout!.on('data', onOutput);
  return tap;
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function endTap(signal: NodeJS.Signals): void {
  try {
    if (tap?.pid !== undefined) process.kill(-tap.pid, signal);
  } catch { /* it has ended */ }
}
