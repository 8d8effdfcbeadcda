/**
 * `make check`: what to run after every edit, in less than a minute: `make verify` and, beside it,
 * the tests that start no process. Exits with 1 if either found something.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));

/** One after the other would take twice as long; each is told whole, when it has ended. */
async function tell(...args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  process.stdout.write(await text(child.stdout));
  const [code] = await ended as [number | null];
  return code === 0;
}

const are_good = await Promise.all([tell('scripts/verify.ts'), tell('scripts/test.ts', '--quick')]);
process.exitCode = are_good.every(Boolean) ? 0 : 1;
