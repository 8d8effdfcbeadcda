/**
 * The commands of a test file, one after the other in one process: what takes nearly all of their
 * time is to start it. Signals, terminals and what bin/gatehouse does itself want `support.ts`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { CommandOptions, Ended } from './support.ts';

/** What the process is told to run. */
export interface Order {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  input: string;
  /** Of the terminal that it writes to; 0: it writes into pipes. */
  columns: number;
}

/** No command takes so long, on a slow machine as well. */
const HANGS_MS = 120_000;
const SERVER = fileURLToPath(new URL('commandServer.ts', import.meta.url));

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end as `gatehouse` of support.ts does: with nothing in its environment but
 * what is given. One that hangs, or ends the process, has the code null. `columns`: what it
 * writes to is a terminal as wide as this.
 */
export function gatehouse(
  args: string[], { cwd, env = {}, input = '' }: Omit<CommandOptions, 'command'>, columns = 0,
): Promise<Ended> {
  const order: Order = { args, cwd, env: { PATH: process.env.PATH!, ...env }, input, columns };
  const ended = last.then(() => carryOut(order));
  last = ended;
  return ended;
}

/** What a shell is offered behind these words. */
export async function offered(...words: string[]): Promise<string[]> {
  const { out } = await gatehouse(['__complete', ...words], { cwd: '/' });
  return out.trimEnd().split('\n').map((line) => line.split('\t')[0]!);
}

/** All commands but those that only hold others, as a shell is told of them. */
export async function allCommands(): Promise<string[]> {
  const commands = await Promise.all((await offered('=')).map(async (name) => {
    const below = await offered('=', name);
    // Of a command without others a shell is told what may be its first word.
    return name === 'completion' || below[0] === '' ? [name] : below.map((one) => `${name} ${one}`);
  }));
  return commands.flat();
}

async function carryOut(order: Order): Promise<Ended> {
  const worker = child ??= begin();
  const done = new AbortController();
  const hangs = setTimeout(() => worker.kill('SIGKILL'), HANGS_MS);
  try {
    const gone = once(worker, 'exit', { signal: done.signal }).then(() => {
      child = undefined;
      return { code: null, out: '', err: `the process has ended in: ${order.args.join(' ')}` };
    });
    const answered = once(worker, 'message', { signal: done.signal })
      .then(([ended]) => ended as Ended);
    worker.send(order);
    return await Promise.race([answered, gone]);
  } finally {
    done.abort();
    clearTimeout(hangs);
  }
}

function begin(): ChildProcess {
  const made = fork(SERVER, { execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  t.teardown(async () => {
    if (made.exitCode !== null || made.signalCode !== null) return;
    const ended = once(made, 'exit');
    made.disconnect();
    await ended;
  });
  return made;
}
