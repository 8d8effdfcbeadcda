/** A service as a real process, to be killed, frozen and stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/config.ts';

const OWN_FOLDER = fileURLToPath(new URL('../..', import.meta.url));
const SETTLED_NODE = fileURLToPath(new URL('settledNode.ts', import.meta.url));
const LOG_LINES_KEPT = 60;
/** A node that starts and prints and logs nothing for so long hangs. */
const SILENT_START_LIMIT_MS = 120_000;

export interface NodeOptions {
  /** Empty: the embedded one of the data directory. */
  database_url: string;
  env?: Record<string, string>;
  /** What no variable sets; such a node is not started by the command. */
  fixed?: Partial<Config>;
  /** Any free one if it is left out. */
  port?: number;
  /** Options of Node.js itself. */
  node_options?: string[];
  /** Where another version lies, with its packages. */
  folder?: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class ServiceNode {
  readonly base_url: string;
  /** It is of another version, whose answers are not held against this one's document. */
  readonly is_former: boolean;
  /** When the process ended, and how. */
  readonly exited: Promise<Exit>;
  /** Whether somebody has ended it on purpose. */
  ended_by_us = false;
  /** When it was last frozen, or thawed after that: answers may be late for a moment. */
  disturbed_at_ms = 0;
  frozen = false;
  readonly #process: ChildProcess;
  readonly #log: string[];

  private constructor(
    process_: ChildProcess, base_url: string, log: string[], is_former: boolean) {
    this.#process = process_;
    this.base_url = base_url;
    this.is_former = is_former;
    this.#log = log;
    this.exited = process_.exitCode !== null || process_.signalCode !== null
      ? Promise.resolve({ code: process_.exitCode, signal: process_.signalCode })
      : once(process_, 'exit').then(([code, signal]) => ({ code, signal }));
  }

  /** Starts one; resolves when it is ready, rejects if it ends before. */
  static async start(options: NodeOptions, owner: Set<ChildProcess>): Promise<ServiceNode> {
    const [command, ...args] = options.fixed
      ? [process.execPath, SETTLED_NODE, JSON.stringify(options.fixed)]
      : [join(options.folder ?? OWN_FOLDER, 'bin', 'gatehouse'), 'serve'];
    const process_ = spawn(command!, args, {
      env: {
        ...process.env, LOG_LEVEL: 'warn', ...options.env, DATABASE_URL: options.database_url,
        PORT: String(options.port ?? 0), HOST: '127.0.0.1',
        NODE_OPTIONS: [process.env.NODE_OPTIONS, ...options.node_options ?? []]
          .filter(Boolean).join(' '),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    owner.add(process_);
    process_.once('exit', () => owner.delete(process_));
    const log: string[] = [];
    let starts = true;
    const timer = setTimeout(() => process_.kill('SIGKILL'), SILENT_START_LIMIT_MS);
    // Once it is ready the timer is cleared, and a refresh would set it again.
    const heard = () => { if (starts) timer.refresh(); };
    createInterface({ input: process_.stderr! }).on('line', (line) => {
      heard();
      log.push(line);
      if (log.length > LOG_LINES_KEPT) log.shift();
    });
    const base_url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      process_.once('close', (code) => reject(new Error(
        `a node ended with ${code} before it was ready:\n${printed}${log.join('\n')}`)));
      process_.stdout!.on('data', (chunk: Buffer) => {
        heard();
        printed += String(chunk);
        const address = /http:\/\/\S+\/v1(?=\s)/.exec(printed);
        if (!printed.includes('is ready') || !address) return;
        resolve(address[0]);
      });
    }).finally(() => {
      starts = false;
      clearTimeout(timer);
    });
    return new ServiceNode(process_, base_url, log, options.folder !== undefined);
  }

  get pid(): number {
    return this.#process.pid!;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.ended_by_us = true;
    this.#process.kill('SIGKILL');
    await this.exited;
  }

  /** SIGTERM; answers how it ended and after how long. */
  async terminate(): Promise<Exit & { took_ms: number }> {
    this.ended_by_us = true;
    const begun_ms = performance.now();
    this.#process.kill('SIGTERM');
    return { ...await this.exited, took_ms: performance.now() - begun_ms };
  }

  freeze(): void {
    this.frozen = true;
    this.disturbed_at_ms = performance.now();
    this.#process.kill('SIGSTOP');
  }

  thaw(): void {
    this.#process.kill('SIGCONT');
    this.frozen = false;
    this.disturbed_at_ms = performance.now();
  }

  /** Resident memory, in MiB; Linux only, else null. */
  async memory_mib(): Promise<number | null> {
    const status = await readFile(`/proc/${this.pid}/status`, 'utf8').catch(() => '');
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1_024);
  }

  /** Open files and connections; Linux only, else null. */
  async descriptors(): Promise<number | null> {
    return await readdir(`/proc/${this.pid}/fd`).then((names) => names.length, () => null);
  }

  /** The last lines of its log, in short. */
  logTail(lines = 12): string {
    return this.#log.slice(-lines).map(inShort).join('\n');
  }
}

/** Time, message and error of a log line; of a fault that nothing caught, where it was. */
function inShort(line: string): string {
  try {
    const { level, time, msg, err, run_id = '' } = JSON.parse(line);
    const error = level === 'fatal' ? err?.stack : err && `${err.code ?? ''} ${err.message}`;
    return `  ${time} ${level} ${msg} ${run_id} ${error ?? ''}`.trimEnd();
  } catch {
    return `  ${line}`;
  }
}
