import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../config.ts';
import { ROOT } from '../root.ts';
import { shellWord } from '../shellWord.ts';

const PROGRAM = fileURLToPath(new URL('bin/gatehouse', ROOT));

/** The whole path of the program; undefined if it is not where it belongs. */
export function programFile(): string | undefined {
  return existsSync(PROGRAM) ? PROGRAM : undefined;
}

/**
 * How to call this program from the current folder, ready to paste: `./bin/gatehouse`, with the
 * data directory in front if it is not where the program looks by itself.
 */
export function invocation(data_dir: string): string {
  const usual = resolve(SETTINGS.data_dir.fallback);
  const prefix = data_dir === usual ? '' : `${SETTINGS.data_dir.variable}=${shellWord(data_dir)} `;
  return prefix + commandFrom(process.cwd(), PROGRAM);
}

/** The command whose program is `file`: as npm offers it in the folder `cwd`, or its path. */
export function commandFrom(cwd: string, file: string): string {
  if (!existsSync(file)) return 'gatehouse';
  const [, project] = /^(.*)\/node_modules\/gatehouse\/bin\/gatehouse$/.exec(file) ?? [];
  if (project?.endsWith('/lib')) {
    // Installed for all projects: a link lies in bin/, as a rule where Node lies and is found.
    const bin = join(dirname(project), 'bin');
    return bin === dirname(process.execPath) ? 'gatehouse' : shellWord(join(bin, 'gatehouse'));
  }
  // Elsewhere npx would look for another package of this name, and execute that.
  if (project !== undefined && `${cwd}/`.startsWith(`${project}/`)) return 'npx gatehouse';
  // From further up the whole path: who reads the log of a service is somewhere else.
  const folder = dirname(dirname(file));
  return shellWord(cwd === folder || cwd === dirname(file) ? `./${relative(cwd, file)}` : file);
}

/**
 * Messages, also those of the service, name commands as `gatehouse grants add`. This rewrites them
 * so that they can be pasted, because the program may not be in the PATH. `names`: all commands;
 * `whole`: how the program is called. What is whole already stays as it is.
 */
export function callable(message: string, names: readonly string[], whole: string): string {
  const pattern = new RegExp(`(?<![\\w/.-])gatehouse (?=(?:${names.join('|')})\\b)`, 'g');
  return message.replaceAll(pattern, (found, at: number) =>
    message.slice(0, at + found.length).endsWith(`${whole} `) ? found : `${whole} `);
}
