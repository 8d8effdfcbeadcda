/**
 * `make bench`: runs the benches one after another, each in a process of its own. A bench is a file
 * of test/bench/ that says so in its first lines ("Usage: node test/bench/…").
 *
 * Usage: node scripts/bench.ts [NAME…]
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ROOT } from './document.ts';

const folder = new URL('test/bench/', ROOT);
const asked = process.argv.slice(2);
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  .filter((file) => readFileSync(new URL(file, folder), 'utf8')
    .includes(`Usage: node test/bench/${file}`))
  .filter((file) => asked.length === 0 || asked.includes(file.replace(/\.ts$/, '')))
  .sort();

if (files.length === 0) throw new Error(`No bench is called ${asked.join(' or ')}.`);
for (const file of files) {
  process.stdout.write(`\n── ${file.replace(/\.ts$/, '')} ${'─'.repeat(60)}\n`);
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, folder))],
    { stdio: 'inherit' });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) process.exitCode = 1;
}
