/** How patiently commands try again while the service is away. */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, ConnectionError } from './answers.ts';
import type { Terminal } from './terminal.ts';

/** So many tries in a row last about half a minute, which is as long as a restart takes. */
export const MAX_ATTEMPTS = 10;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/** Whether what failed so may do better later. */
export function mayPass(error: unknown): error is Error {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429;
  return error instanceof ConnectionError;
}

/** So long to wait, in ms, after tries in a row that have failed, the last of them so. */
export function waitBefore(attempt: number, error: Error): number {
  const backoff_ms = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  const asked_ms = error instanceof ApiError ? error.retry_after_ms ?? 0 : 0;
  return Math.max(backoff_ms, Math.min(asked_ms, 2 * LONGEST_WAIT_MS));
}

/** What a person is told before the wait for another try. */
export function tryingAgain(attempt: number, { message }: Error): string {
  return `${message} Trying again (${attempt} of ${MAX_ATTEMPTS}) …`;
}

/** Does `work` again, and says so, while it fails with what `passes`. Throws what does not pass. */
export async function withTries<T>(
  terminal: Terminal, work: () => Promise<T>,
  passes: (error: unknown, attempt: number) => error is Error = mayPass): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!passes(error, attempt) || attempt > MAX_ATTEMPTS) throw error;
      terminal.err(`${tryingAgain(attempt, error)}\n`);
      await delay(waitBefore(attempt, error));
    }
  }
}
