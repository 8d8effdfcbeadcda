import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../config.ts';

// It is beside src/ or, when compiled, beside dist/.
const CANDIDATES = ['../../bin/gatehouse', '../../../bin/gatehouse'];

/**
 * How to call this program from the current folder, ready to paste: `./bin/gatehouse`, with the
 * data directory in front if it is not where the program looks by itself.
 */
export function invocation(data_dir: string): string {
  const file = CANDIDATES.map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path));
  const near = file && relative(process.cwd(), file);
  const command = !file || !near ? 'gatehouse' : near.startsWith('..') ? file : `./${near}`;
  const usual = resolve(SETTINGS.data_dir.fallback);
  const prefix = data_dir === usual ? '' : `${SETTINGS.data_dir.variable}=${quoted(data_dir)} `;
  return prefix + quoted(command);
}

/**
 * Messages, also those of the service, name commands as `gatehouse grants add`. This rewrites them
 * so that they can be pasted, because the program may not be in the PATH. `names`: all commands.
 */
export function callable(message: string, names: readonly string[], data_dir: string): string {
  const pattern = new RegExp(`(?<![\\w/.-])gatehouse (?=(?:${names.join('|')})\\b)`, 'g');
  return message.replaceAll(pattern, () => `${invocation(data_dir)} `);
}

/** Quotes a text so that a POSIX shell takes it as one word. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
