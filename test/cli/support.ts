/** The command as a person runs it, and a service that says what a test has it say. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import type { components } from '../../generated/types.ts';
import { portOf } from '../support/listen.ts';

export type RunEvent = components['schemas']['RunEvent'];

export const GATEHOUSE = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Standard input; empty if left out. */
  input?: string;
  /** Instead of bin/gatehouse. */
  command?: string;
}

/** Starts bin/gatehouse with nothing in its environment but what is given. */
export function start(
  args: string[], { cwd, env = {}, input = '', command = GATEHOUSE }: CommandOptions,
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...env } });
  child.stdin.on('error', () => {}); // It may have ended without reading it.
  child.stdin.end(input);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    .then(([out, err, [code]]) => ({ code: code as number | null, out, err }));
  return { child, ended };
}

/** A command that says nothing for so long hangs, on a slow machine as well. */
const SILENCE_LIMIT_MS = 120_000;

/** Runs a command to its end. One that hangs is killed, and its code is null. */
export async function gatehouse(args: string[], options: CommandOptions): Promise<Ended> {
  const { child, ended } = start(args, options);
  const enough = killWhenSilent(child);
  return await ended.finally(enough);
}

/** Kills a process that prints nothing for too long; answers how that watch is ended. */
export function killWhenSilent(child: ChildProcess): () => void {
  const timer = setTimeout(() => child.kill('SIGKILL'), SILENCE_LIMIT_MS).unref();
  const heard = () => void timer.refresh();
  const outputs = [child.stdout!, child.stderr!];
  for (const output of outputs) output.on('data', heard);
  return () => {
    // Before the timer is cleared: a refresh would set it again.
    for (const output of outputs) output.off('data', heard);
    clearTimeout(timer);
  };
}

/** Runs a script in a process of its own, where `runProgram` calls commands; as `gatehouse`. */
export function runScript(
  script: string, options: Omit<CommandOptions, 'command'>): Promise<Ended> {
  const program = new URL('../../src/cli/program.ts', import.meta.url).href;
  return gatehouse(['--input-type=module', '--eval',
    `import { runProgram } from ${JSON.stringify(program)};\n${script}`],
  { ...options, command: process.execPath });
}

/**
 * What `--help` of each command prints, on so many columns or into a pipe; in one process, for
 * there are many.
 */
export async function helpOf(
  commands: string[], options: CommandOptions, columns = 0): Promise<string[]> {
  const { out } = await runScript(`process.stdout.columns = ${columns};
    for (const command of ${JSON.stringify(commands)}) {
      const code = await runProgram(['node', 'gatehouse', ...command.split(' '), '--help']);
      process.stdout.write(code === 0 ? '\\0' : 'ended with ' + code + '\\0');
    }`, options);
  return out.split('\0');
}

export interface Request {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  /** The JSON of the body; undefined if there is none. */
  body: unknown;
}

export type Answer = (request: Request, response: ServerResponse) => unknown;

/** A server on a free port that answers by `answer`; it keeps what it was asked. */
export async function fakeService(t: Pick<Test, 'teardown'>, answer: Answer) {
  const requests: Request[] = [];
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const request: Request = {
      method: incoming.method!, path: incoming.url!, headers: incoming.headers,
      body: body === '' ? undefined : JSON.parse(body),
    };
    requests.push(request);
    // A process that runs many commands meets no connection that is closing.
    response.shouldKeepAlive = false;
    await answer(request, response);
  });
  const port = await portOf(server);
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  t.teardown(stop);
  return { base_url: `http://127.0.0.1:${port}/v1`, requests, stop };
}

/** Names the kind of an object, as the service does of all that it answers; errors have none. */
export function json(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(status < 300 ? { object: 'any', ...body } : body));
}

/** Answers with these events as a stream, which stays open. */
export function stream(response: ServerResponse, events: RunEvent[]): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
  response.write('retry: 1000\n');
  for (const event of events) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n`
      + `id: ${event.sequence_number}\n\n`);
  }
}

export const RUN_ID = 'run_1';
export const SESSION_ID = 'ses_1';

type DataOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];

/** An event of the one run there is; a tenth of a second lies between two. */
export function event<T extends RunEvent['type']>(
  sequence_number: number, type: T, data: DataOf<T>): RunEvent {
  return {
    id: `evt_${sequence_number}`, type, run_id: RUN_ID, session_id: SESSION_ID, sequence_number,
    created_at: new Date(Date.UTC(2026, 10, 21) + 100 * sequence_number).toISOString(), data,
  } as unknown as RunEvent;
}

export const USAGE = { input_tokens: 12, output_tokens: 3, total_tokens: 15 };

export function output(text: string): components['schemas']['OutputItem'] {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

/** Events 1 to 5 of a run that says `text`. */
export function shortRun(text: string): RunEvent[] {
  return [
    event(1, 'run.created', {
      status: 'queued', metadata: {},
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Say it.' }] }],
    }),
    event(2, 'run.started', { attempt: 1, model: 'rehearsal' }),
    event(3, 'message.output.delta', { message_id: 'msg_1', delta: text }),
    event(4, 'message.output.completed', { message_id: 'msg_1', message: output(text) }),
    event(5, 'run.completed', { output: [output(text)], usage: USAGE }),
  ];
}
