/** Gatehouse processes on the trial's database: two take requests, two execute runs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/gatehouse', import.meta.url));
/** Of what a node prints, where it answers. */
const ORIGIN = /http:\/\/[^/\s]+(?=\/)/;
const API_NODES = 2;
const WORKERS = 2;

export interface Services {
  /** Base addresses of those that take requests. */
  base_urls: string[];
  /** Those that ended by themselves, which none should. */
  ended(): string[];
  stop(): Promise<void>;
}

/**
 * Starts four processes and waits until each says that it is ready. `database` are the settings by
 * which they find the database.
 */
export async function startServices(
  database: Record<string, string>, log_folder: string): Promise<Services> {
  const started: { name: string; process: ChildProcess }[] = [];
  const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
    exitCode !== null || signalCode !== null;
  const start = async (name: string, settings: Record<string, string>) => {
    const process_ = spawn(PROGRAM, ['serve'], {
      env: { ...process.env, ...database, PORT: '0', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push({ name, process: process_ });
    process_.stderr.pipe(createWriteStream(join(log_folder, `${name}.log`)));
    let printed = '';
    while (!printed.includes('is ready') || !ORIGIN.test(printed)) {
      const [chunk] = await Promise.race([once(process_.stdout, 'data'), once(process_, 'exit')]);
      if (hasEnded(process_)) throw new Error(`${name} did not start: see ${log_folder}`);
      printed += String(chunk);
    }
    process_.stdout.resume();
    return `${ORIGIN.exec(printed)![0]}/v1`;
  };
  const stop = async () => {
    await Promise.all(started.map(async ({ process: process_ }) => {
      if (hasEnded(process_)) return;
      const exit = once(process_, 'exit');
      process_.kill('SIGTERM');
      await exit;
    }));
  };
  try {
    const many = (count: number, kind: string, settings: Record<string, string>) =>
      Promise.all(Array.from({ length: count }, (_, n) => start(`${kind}${n + 1}`, settings)));
    const base_urls = await many(API_NODES, 'api', { GATEHOUSE_ROLE: 'api' });
    await many(WORKERS, 'worker', { GATEHOUSE_ROLE: 'worker', GATEHOUSE_CONCURRENCY: '24' });
    const ended = () => started.filter(({ process: process_ }) => hasEnded(process_))
      .map(({ name }) => name);
    return { base_urls, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
