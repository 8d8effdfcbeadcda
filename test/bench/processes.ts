/** Processes of a bench: what is measured, and what measures it, get CPU time of their own. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Bench } from './bench.ts';

/** Starts a file that ends when it is disconnected; it does so as the bench ends. */
export function startProcess(
  bench: Bench, file: URL, args: string[] = [], execArgv: string[] = []): ChildProcess {
  const child = fork(file, args,
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv });
  const exited = once(child, 'exit');
  bench.teardown(async () => {
    if (child.connected) child.disconnect();
    await exited;
  });
  return child;
}

/** Ends one before the bench does. */
export async function endProcess(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
}

/** What it says next. Rejects if it ends before that. */
export async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as T),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`a process of the bench ended with ${code}`);
      }),
    ]);
  } finally {
    done.abort();
  }
}

/** Says something to it; answers what it says next. */
export async function ask<T = unknown>(
  child: ChildProcess, question: object | string): Promise<T> {
  const answer = nextMessage<T>(child);
  child.send(question);
  return await answer;
}
