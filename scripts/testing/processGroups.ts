/** Processes of tests, each with all that it starts in a group that is ended as one. */
import { spawn, type ChildProcess } from 'node:child_process';

/** For tap to tell what it was at, after SIGTERM. */
const KILL_AFTER_MS = 5_000;

export interface GroupOptions {
  cwd: string;
  env: Record<string, string>;
  stdin: 'ignore' | 'pipe';
}

/** Those that are going on, for `endAll`. */
const groups = new Set<number>();

/** Ends every process of tests, with all that it has started. */
export function endAll(signal: NodeJS.Signals): void {
  for (const group of groups) endGroup(group, signal);
}

/** Starts a process with a pipe for descriptor 3, in a group of its own. It may emit `error`. */
export function startGroup(
  command: string, args: readonly string[], { cwd, env, stdin }: GroupOptions): ChildProcess {
  const child = spawn(command, args,
    { cwd, env, detached: true, stdio: [stdin, 'pipe', 'pipe', 'pipe'] });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/** Ends the process when the time is over: politely, so that it may tell what it was at. */
export function endAfter(child: ChildProcess, limit_ms: number): NodeJS.Timeout {
  return setTimeout(() => {
    endGroup(child.pid!, 'SIGTERM');
    setTimeout(() => endGroup(child.pid!, 'SIGKILL'), KILL_AFTER_MS).unref();
  }, limit_ms + KILL_AFTER_MS);
}

/** The process has ended: ends what it may have left. */
export function forgetGroup({ pid }: ChildProcess): void {
  endGroup(pid!, 'SIGKILL');
  groups.delete(pid!);
}

function endGroup(group: number, signal: NodeJS.Signals): void {
  // Its number may be another's by now.
  if (!groups.has(group)) return;
  try {
    process.kill(-group, signal);
  } catch { /* it has ended */ }
}
