import { globSync } from 'node:fs';
import { reachedModules, textsBelow } from './reachedModules.ts';

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
  const textOf = textsBelow(root);
  return globSync('test/**/*.test.ts', { cwd: root }).filter((file) => {
    if (file === ALWAYS) return true;
    if (file in costs) return false;
    return [...reachedModules(file, textOf)]
      .every(({ path, text }) => path !== DATABASE && !STARTS.test(text));
  });
}
