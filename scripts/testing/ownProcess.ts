import { reachedModules, textsBelow } from './reachedModules.ts';

/**
 * What belongs to a process and not to a file: other processes and threads, which end with its
 * group; what it measures or changes of the process.
 */
const OF_A_PROCESS = new RegExp([
  'node:child_process', 'node:worker_threads', 'setGlobalDispatcher',
  /process\.(?:memoryUsage|getActiveResourcesInfo|exit\(|chdir\(|(?:on|once)\((?!'exit'))/.source,
  /process\.env\.\w+ = /.source,
].join('|'));

/** Tells of test files below `root` whether they, or what they import of test/, need their own. */
export function ownProcess(root: string): (file: string) => boolean {
  const textOf = textsBelow(root);
  return (file) => [...reachedModules(file, textOf)].some(({ text }) => OF_A_PROCESS.test(text));
}
