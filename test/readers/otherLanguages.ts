/**
 * The readers of other languages. They run where their packages are; `make readers` fetches them.
 * Python's go to a folder of the run, Go's to where Go keeps its modules.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { ownFolder } from '../../scripts/leftovers.ts';
import { LIMIT_MS, type Message } from './eventSource.ts';

const execute = promisify(execFile);
const PYTHON_PACKAGES =
  ['httpx==0.28.1', 'httpx-sse==0.4.3', 'requests==2.34.2', 'sseclient-py==1.9.0'];

/** A command that takes a reader's name, the service's url and the run; or why there is none. */
export type Command = { command: string[] } | { skip: string };

/** The readers of test/readers/readers.py. */
export async function pythonReaders(t: Pick<Test, 'teardown'>, fetch: boolean): Promise<Command> {
  let python = process.env.TEST_PYTHON ?? 'python3';
  try {
    if (fetch) {
      const folder = await throwAway(t);
      await execute(python, ['-m', 'venv', folder]);
      python = join(folder, 'bin/python');
      await execute(python, ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES]);
    }
    await execute(python, ['-c', 'import httpx, httpx_sse, requests, sseclient']);
    return { command: [python, here('readers.py')] };
  } catch (error) {
    return skipped('Python', error, fetch);
  }
}

/** The readers of test/readers/go. */
export async function goReaders(t: Pick<Test, 'teardown'>, fetch: boolean): Promise<Command> {
  try {
    const program = join(await throwAway(t), 'readers');
    await execute('go', ['build', '-o', program, '.'],
      { cwd: here('go'), env: { ...process.env, ...(!fetch && { GOPROXY: 'off' }) } });
    return { command: [program] };
  } catch (error) {
    return skipped('Go', error, fetch);
  }
}

/** All that a reader shows until it ends. Rejects if it fails. */
export async function readBy(command: string[], args: string[]): Promise<Message[]> {
  const [program, ...first] = command;
  const child = spawn(program!, [...first, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' });
  const [shown, said, code] = await Promise.all([text(child.stdout), text(child.stderr),
    new Promise((resolve) => child.once('close', resolve))]);
  if (code !== 0) throw new Error(`${args[0]} ended with ${String(code)}:\n${said}`);
  return shown.trimEnd().split('\n').map((line) => JSON.parse(line) as Message);
}

function skipped(language: string, error: unknown, fetch: boolean): Command {
  if (fetch) throw error;
  const [why] = (error as { stderr?: string; message: string }).stderr?.trim().split('\n').slice(-1)
    ?? [(error as Error).message];
  return { skip: `${language}'s readers are not here (${why}); make readers fetches them` };
}

async function throwAway(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(ownFolder('readers-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
