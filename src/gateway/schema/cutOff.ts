/**
 * Work that may take for ever, cut off after a time, in this thread. V8 breaks off what it runs,
 * regular expressions included, and nothing has to be sent to another thread and back.
 *
 * Alternatives: a worker thread keeps others free even for that time, but a few such calls would
 * keep those waiting whose inputs are to be checked, and each end of it costs 100 ms and all that
 * it had compiled. Counting steps in the compiled code bounds neither compiling nor patterns.
 * Why patterns have an engine of their own all the same: docs/decisions/0013.
 */
import { createContext, Script, type Context } from 'node:vm';

/** The work was cut off. What it changed is half done: forget it. */
export class CutOff extends Error {}

interface Work extends Context { work: (() => void) | undefined }

/**
 * What `work` returns; undefined if it takes longer than `limit_ms` of the processor, or calls
 * itself without an end. Throws what else `work` throws.
 */
export function unlessCutOff<T>(limit_ms: number, work: () => T): T | undefined {
  try {
    return cutOffAfter(limit_ms, work);
  } catch (error) {
    if (!(error instanceof CutOff || error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** How much longer a thread that was kept waiting gets, again and again. */
const PATIENCE = [1, 4, 16];
const call = new Script('work()');
let context: Work | undefined;

/**
 * What `work` returns. Throws CutOff once it has used the processor for `limit_ms`; `work` is begun
 * anew if the time has passed without that, because the machine is busy or the process was stopped.
 * `work` may end at any instruction, so it must load no modules, and must not change what others
 * read before the change is complete. It costs 0.1 ms.
 */
export function cutOffAfter<T>(limit_ms: number, work: () => T): T {
  context ??= createContext({ work: undefined }) as Work;
  for (const times of PATIENCE) {
    const before = process.threadCpuUsage();
    try {
      let result: T;
      context.work = () => {
        result = work();
      };
      call.runInContext(context, { timeout: limit_ms * times });
      return result!;
    } catch (error) {
      const { user, system } = process.threadCpuUsage(before);
      // What fails only after its time is cut off on a quiet machine, so it is on a busy one, too.
      if (user + system >= limit_ms * 900) break;
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    } finally {
      context.work = undefined;
    }
  }
  throw new CutOff(`the work takes more than ${limit_ms} ms`);
}
