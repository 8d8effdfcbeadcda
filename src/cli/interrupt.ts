import { EXIT, Failure } from './failure.ts';

/**
 * Runs `work` with a signal that the first Ctrl-C aborts; then a Failure with the `farewell` is
 * thrown. A second Ctrl-C ends the process at once.
 */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>, farewell: () => string): Promise<T> {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', onInterrupt);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw new Failure(farewell(), EXIT.interrupted);
    throw error;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
