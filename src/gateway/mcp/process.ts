/** A server that is a process of this machine, as a transport: one JSON message a line. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { within } from '../../deadline.ts';
import { isContainer, parseExactly, parseJson } from '../../json.ts';
import type { Log } from '../../log.ts';
import { textOfBytes } from '../../textOfBytes.ts';
import { SECRET_LIMIT_CHARS } from '../credentials/withoutSecrets.ts';
import { LARGE_BYTES } from '../threads/largeAnswers.ts';
import { TooMuchWork } from '../threads/workThread.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import { answerable } from './answers.ts';
import type { Scrub } from './beginningOf.ts';
import { departing } from './departing.ts';
import { ServerFault, tooLargeAnswer } from './failure.ts';
import { LineReader } from './lines.ts';
import { Pace } from './pace.ts';
import type { Shortener } from './shortener.ts';
import type { AnswerReading } from './shortenerWorker.ts';

export interface ProcessOptions {
  command: string;
  args: readonly string[];
  /** All of its environment. */
  env: NodeJS.ProcessEnv;
  /** Where it is started; made if it is not there, for the user of the service alone. */
  folder: string;
  message_limit_bytes: number;
  stop_grace_ms: number;
  scrub: Scrub;
  log: Log;
  shortener: Shortener;
}

const NOT_STARTED: Partial<Record<string, string>> = {
  ENOENT: ', its command is not found', EACCES: ', it may not be executed',
  E2BIG: ', its arguments or variables are too long',
};

const STDERR_LINE_LIMIT_CHARS = 4_096;
/** More is read of a line: what comes after the limit may be the end of a secret. */
const STDERR_READ_BYTES = STDERR_LINE_LIMIT_CHARS + SECRET_LIMIT_CHARS;
const STDERR_LINES_PER_MINUTE = 100;
/** Of what it said last, for the operator when it ends by itself. */
const LAST_LINES = 10;

/**
 * Starts the process in a group of its own and without a shell, and ends the whole group: servers
 * are often started by a wrapper (npx, uvx) that leaves its child behind. The library's own
 * transport does neither, and hands on six variables of the service's environment.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the service stopped it; null if it was asked to end. */
  fault: ServerFault | null = null;
  readonly #options: ProcessOptions;
  #child: ChildProcessWithoutNullStreams | undefined;
  #stopping: Promise<void> | undefined;
  #last_lines: Buffer[] = [];
  /** How it ended; null: it runs. */
  #end: string | null = null;
  /** Of the calls that wait for an answer, by the ids of their requests. */
  readonly #readings = new Map<unknown, AnswerReading>();
  /** Large lines that are being read. */
  readonly #receiving = new Set<Promise<void>>();
  readonly #pace = new Pace();
  readonly #exited = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  /** Resolves once the process runs; rejects if it cannot be started. */
  async start(): Promise<void> {
    const { command, args, env, folder, message_limit_bytes } = this.#options;
    makeFolder(folder);
    const child = this.#child = begun(() =>
      spawn(command, args, { env, cwd: folder, detached: true, shell: false }));
    const output = new LineReader(message_limit_bytes, (line) => {
      this.#pace.line(line.length);
      if (line.length > LARGE_BYTES && this.#readings.size > 0) {
        const received = this.#receiveLarge(line).finally(() => this.#receiving.delete(received));
        this.#receiving.add(received);
      } else this.#receive(line);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      if (!output.read(chunk)) {
        this.#giveUp(`${tooLargeAnswer(message_limit_bytes)} It was stopped, and starts again for`
          + ' the next call.');
        return;
      }
      const wait_ms = this.#pace.takeWait();
      if (wait_ms === 0) return;
      // Nothing is read for a while. Once the pipe is full, the process has to wait as well.
      child.stdout.pause();
      setTimeout(() => child.stdout.resume(), wait_ms);
    });
    this.#logErrors(child);
    for (const stream of child.stdio) stream?.on('error', (error) => this.onerror?.(error));
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    // Its children are ended with it; the pipes are sure to close only then.
    child.once('exit', (code, signal) => {
      this.#end = signal === null ? `with exit code ${code}` : `by ${signal}`;
      this.#exited.resolve();
      this.#killGroup('SIGKILL');
      // A child in a group of its own may hold the pipes. What came last may be an answer.
      void within(this.#options.stop_grace_ms, closed, () => {})
        .then(() => Promise.all(this.#receiving)).then(() => this.#finish());
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.on('error', (error: NodeJS.ErrnoException) => {
        reject(notStarted(error));
        if (child.pid === undefined) {
          this.#exited.resolve();
          this.#finish();
        }
      });
    });
  }

  /** How the process ended and what it said before, if nobody had it end; else null. */
  get last_words(): string | null {
    if (this.#end === null || this.#stopping !== undefined || this.fault !== null) return null;
    return `Its process ended ${this.#end}, and said ${this.said ?? 'nothing'}`;
  }

  /** Its last lines on stderr; null if there are none. */
  get said(): string | null {
    const lines = this.#last_lines.map((line) => this.#shown(line)).join('\n');
    return lines === '' ? null : `last:\n${lines}`;
  }

  /** Rejects if the process is gone, or has not read what it was sent before. */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw new UpstreamUnreachable('it has ended');
    if (stdin.writableLength > this.#options.message_limit_bytes) {
      throw this.#giveUp('did not read what it was sent and was stopped.');
    }
    const call = departing.getStore();
    if (call && 'id' in message) this.#readings.set(message.id, call.reading);
    // The call was cancelled, so that the server need not answer it any more.
    if ('method' in message && message.method === 'notifications/cancelled') {
      this.#readings.delete(message.params?.requestId);
    }
    call?.departure.mark();
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends the process, by force if it takes too long. Resolves when its group is gone. */
  close(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  #giveUp(words: string): ServerFault {
    this.fault = new ServerFault(words);
    this.#options.log.warn(`the server ${words}`);
    this.#killGroup('SIGKILL');
    return this.fault;
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) {
      this.#finish();
      return;
    }
    child.stdin.end();
    const { stop_grace_ms } = this.#options;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await within(stop_grace_ms, this.#exited.promise, () => this.#killGroup(signal));
    }
    await this.#ended.promise;
  }

  #killGroup(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone.
    }
  }

  #finish(): void {
    for (const stream of this.#child?.stdio ?? []) stream?.destroy();
    const { log } = this.#options;
    const { last_words } = this;
    if (last_words === null) log.info({ end: this.#end }, 'the server has ended');
    else log.warn({ words: last_words }, 'the server has ended by itself');
    this.#ended.resolve();
    const { onclose } = this;
    delete this.onclose; // once
    onclose?.();
  }

  /** A large line may be the answer to any of the calls that wait for one. */
  async #receiveLarge(line: Buffer): Promise<void> {
    try {
      const short = await this.#options.shortener.shorten(line, this.#readings);
      this.#receive(short === null ? line : Buffer.from(short));
    } catch (error) {
      // Nobody awaits this function: an error that it threw would end the service's own process.
      if (!(error instanceof TooMuchWork)) this.onerror?.(error as Error);
      this.#giveUp('answered with more than could be read in time, and was stopped.');
    }
  }

  #receive(line: Buffer): void {
    const text = textOfBytes(line);
    const message = parseJson(text);
    if (!isContainer(message)) return; // Many servers greet on stdout.
    // The answer to a call has its integers whole.
    const answers = 'id' in message && !('method' in message) && this.#readings.delete(message.id);
    try {
      this.onmessage?.(answerable(answers ? parseExactly(text) : message) as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  /** Logs stderr: often it is the only hint why a server does not start. */
  #logErrors(child: ChildProcessWithoutNullStreams): void {
    const { log } = this.#options;
    let minute = 0;
    let lines = 0;
    const reader = new LineReader(STDERR_READ_BYTES, (line) => {
      this.#last_lines = [...this.#last_lines.slice(1 - LAST_LINES), line];
      const now = Math.floor(performance.now() / 60_000);
      if (now !== minute) [minute, lines] = [now, 0];
      lines += 1;
      if (lines === STDERR_LINES_PER_MINUTE + 1) log.info('the server says too much to log');
      if (lines > STDERR_LINES_PER_MINUTE) return;
      log.info({ stderr: this.#shown(line) }, 'the server says');
    }, 'cut');
    child.stderr.on('data', (chunk: Buffer) => reader.read(chunk));
    child.stderr.on('end', () => reader.end());
  }

  /** The beginning of a line on stderr, without secrets. */
  #shown(line: Buffer): string {
    const clean = this.#options.scrub(line.toString('utf8'));
    const sure = line.length < STDERR_READ_BYTES ? clean : clean.slice(0, -SECRET_LIMIT_CHARS);
    return sure.slice(0, STDERR_LINE_LIMIT_CHARS);
  }
}

/** Throws UpstreamUnreachable. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UpstreamUnreachable(
      'the folder that it is started in, below GATEHOUSE_DATA_DIR, cannot be made', error);
  }
}

/** Node.js throws some of what the system says at once, and emits the rest. */
function begun<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw notStarted(error as Error);
  }
}

function notStarted(error: NodeJS.ErrnoException): UpstreamUnreachable {
  return new UpstreamUnreachable(
    `it cannot be started${NOT_STARTED[error.code ?? ''] ?? ''}`, error);
}
