import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../config.ts';

// Beside src/ or, when compiled, beside dist/.
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
 * Messages, the service's among them, name commands as `gatehouse grants add`: here they are put as
 * they can be pasted, for the program may well not be in the PATH. `names`: those of all commands.
 */
export function callable(message: string, names: readonly string[], data_dir: string): string {
  const pattern = new RegExp(`(?<![\\w/.-])gatehouse (?=(?:${names.join('|')})\\b)`, 'g');
  return message.replaceAll(pattern, () => `${invocation(data_dir)} `);
}

/** A word of a POSIX shell that stands for just this text. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
