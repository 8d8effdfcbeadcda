import { reachedModules, textsBelow } from './reachedModules.ts';

/**
 * What belongs to a process and not to a file: other processes and threads, which end with its
 * group; what it measures or changes of the process. What is started by `execFile` is waited for.
 */
const OF_A_PROCESS = new RegExp([
  /(?<!\{ execFile(?:Sync)? \} from )'node:child_process'/.source,
  'node:worker_threads', 'setGlobalDispatcher',
  /process\.(?:memoryUsage|getActiveResourcesInfo|exit\(|chdir\(|(?:on|once)\((?!'exit'))/.source,
  /process\.env\.\w+ = /.source,
].join('|'));

/**
 * They wait for each process that they start, or keep it for the next file: 23 files of test/cli
 * took 28 s of CPU in one process, and 48 s in one each.
 */
const TIDY: readonly string[] = ['test/cli/oneProcess.ts', 'test/cli/support.ts'];

/** Tells of test files below `root` whether they, or what they import of test/, need their own. */
export function ownProcess(root: string): (file: string) => boolean {
  const textOf = textsBelow(root);
  return (file) => [...reachedModules(file, textOf)]
    .some(({ path, text }) => !TIDY.includes(path) && OF_A_PROCESS.test(text));
}
