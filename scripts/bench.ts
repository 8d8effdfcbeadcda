/**
 * `make bench`: runs the benches one after another, each in a process of its own, and ends with a
 * table of figures, their aims, and whether they were met. A bench is a file of test/bench/ that
 * says so in its first lines ("Usage: node test/bench/…"). A missed aim is no failure: figures are
 * to be read, on a machine that one knows. A bench that breaks, or takes too long, is one.
 *
 * Usage: node scripts/bench.ts [NAME…]
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PREFIX, type Figure } from '../test/bench/bench.ts';
import { ROOT } from './document.ts';
import { removeLeftovers } from './leftovers.ts';

const LIMIT_MS = 5 * 60_000;
const KILL_AFTER_MS = 20_000;
const folder = new URL('test/bench/', ROOT);

let current: ChildProcess | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    if (current) end(current);
  });
}
process.exitCode = await main(process.argv.slice(2));

async function main(asked: string[]): Promise<number> {
  const names = readdirSync(folder).filter((file) =>
    readFileSync(new URL(file, folder), 'utf8').includes(`Usage: node test/bench/${file}`))
    .map((file) => file.replace(/\.ts$/, '')).sort();
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`No bench is called ${unknown.join(' or ')}. There are:`
      + ` ${names.join(', ')}.\n`);
    return 2;
  }
  await removeLeftovers(PREFIX);
  const chosen = asked.length > 0 ? asked : names;
  const results = new Map<string, Figure[] | undefined>();
  const start_ms = Date.now();
  for (const [index, name] of chosen.entries()) {
    if (interrupted) break;
    process.stdout.write(`\n── ${name} (${index + 1} of ${chosen.length}, after`
      + ` ${Math.round((Date.now() - start_ms) / 1_000)} s) ${'─'.repeat(40)}\n`);
    results.set(name, await run(name));
  }
  await removeLeftovers(PREFIX);
  process.stdout.write(tableOf(results));
  return interrupted || [...results.values()].includes(undefined) ? 1 : 0;
}

/** Answers the figures of a bench, or undefined if it did not come to its end. */
async function run(name: string): Promise<Figure[] | undefined> {
  const child = fork(fileURLToPath(new URL(`${name}.ts`, folder)), { stdio: 'inherit' });
  current = child;
  const limit = setTimeout(() => {
    process.stderr.write(`  ${name} took longer than ${LIMIT_MS / 1_000} s and is ended\n`);
    end(child);
  }, LIMIT_MS);
  let figures: Figure[] | undefined;
  child.on('message', (message) => { figures = message as Figure[]; });
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(limit);
  current = undefined;
  return code === 0 ? figures : undefined;
}

/** Lets it clean up; what it then leaves behind is removed at the end. */
function end(child: ChildProcess): void {
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.once('close', () => clearTimeout(kill));
}

function tableOf(results: Map<string, Figure[] | undefined>): string {
  const lines = ['', `${'figure'.padEnd(82)}${'measured'.padStart(12)}${'aim'.padStart(12)}`];
  for (const [name, figures] of results) {
    if (!figures) lines.push(`${name.padEnd(82)}${'broke off'.padStart(12)}`);
    for (const figure of figures ?? []) {
      const { value, unit, at_least, at_most } = figure;
      const aim = at_least !== undefined ? `≥ ${at_least} ${unit}`
        : at_most !== undefined ? `≤ ${at_most} ${unit}` : '';
      const met = value >= (at_least ?? -Infinity) && value <= (at_most ?? Infinity);
      lines.push(`${`${name}: ${figure.name}`.padEnd(82)}${`${shown(value)} ${unit}`.padStart(12)}`
        + `${aim.padStart(12)}${aim === '' ? '' : met ? '  met' : '  MISSED'}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
