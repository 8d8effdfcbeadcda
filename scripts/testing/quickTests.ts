import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** What tests begin processes with, their database among them. */
const STARTS = /node:child_process|node:worker_threads|playwright-core/;
const DATABASE = 'test/support/database.ts';
/** It reads the whole tree, and whoever edits wants to hear of it at once. */
const ALWAYS = 'test/house.test.ts';

/**
 * The test files below `root` that neither start a process nor need a database, judged by what they
 * import below test/, however deep. What takes longer than a moment, by `costs`, is none of them:
 * it may start one by a module of the service.
 */
export function quickTests(root: string, costs: Readonly<Record<string, number>>): string[] {
  const texts = new Map<string, string>();
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, readFileSync(join(root, path), 'utf8'));
    return texts.get(path)!;
  };
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) => {
    if (file === ALWAYS) return true;
    if (file in costs) return false;
    const reached = new Set([file]);
    for (const path of reached) {
      if (path === DATABASE || STARTS.test(textOf(path))) return false;
      for (const imported of importsOf(path, textOf(path))) reached.add(imported);
    }
    return true;
  });
}

/** Modules of test/ that a module imports for more than their types. */
function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export|\}) (?!type ).*?from '(\.[^']+\.ts)'/gm)]
    .map(([, specifier]) => normalize(join(dirname(path), specifier!)))
    .filter((imported) => imported.startsWith('test/'));
}
