/** What all benches share: a PostgreSQL and databases of their own, clean ends, figures. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { ownFolder } from '../../scripts/leftovers.ts';
import { createLog, type Log } from '../../src/log.ts';
import { connect } from '../../src/store/database.ts';
import { startEmbedded, type EmbeddedDatabase } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrate.ts';
import { ensurePartitions } from '../../src/store/partitions.ts';
import { Unreachable } from '../support/packedFile.ts';

/** What the data directories of benches begin with, before the number of their process. */
export const PREFIX = 'gatehouse-bench-';

/** A rate that no bench comes to: the limits are asked for each request, and refuse none. */
export const UNREACHED = { rate_per_key: 1_000_000, rate_per_workspace: 1_000_000 };

/** One result of a bench. With an aim it is met or missed; without one it is for information. */
export interface Figure {
  name: string;
  value: number;
  /** '×' for a ratio. */
  unit: '×' | 'ms' | 'µs' | 'kB' | '/s' | 'tokens';
  at_least?: number;
  at_most?: number;
}

/** What is open during a bench, and what it found. */
export class Bench {
  readonly log: Log = createLog('warn');
  readonly figures: Figure[] = [];
  readonly #teardowns: (() => unknown)[] = [];
  #server: EmbeddedDatabase | undefined;
  #ending: Promise<void> | undefined;

  /** Runs at the end, the latest first, however the bench ends. */
  teardown(work: () => unknown): void {
    this.#teardowns.push(work);
  }

  /** A new migrated database on the bench's own PostgreSQL; answers its URL. */
  async database(name: string): Promise<string> {
    this.#server ??= await this.#startServer();
    const server = connect(this.#server.url, { max: 1 });
    await server.unsafe(`create database ${name}`);
    await server.end();
    const url = new URL(this.#server.url);
    url.pathname = `/${name}`;
    const sql = connect(url.href, { max: 1 });
    await migrate(sql);
    await ensurePartitions(sql);
    await sql.end();
    return url.href;
  }

  async #startServer(): Promise<EmbeddedDatabase> {
    const data_dir = ownFolder(randomBytes(4).toString('hex'), PREFIX);
    this.teardown(() => rm(data_dir, { recursive: true, force: true }));
    const server = await startEmbedded({ data_dir, log: this.log });
    this.teardown(() => server.stop());
    return server;
  }

  say(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  figure(figure: Figure): void {
    this.figures.push(figure);
  }

  /** Whether the end has begun. */
  get ending(): boolean {
    return this.#ending !== undefined;
  }

  end(): Promise<void> {
    return this.#ending ??= (async () => {
      for (const work of this.#teardowns.toReversed()) {
        try {
          await work();
        } catch (error) {
          this.say(`  at the end: ${String(error)}`); // the rest must still be done
        }
      }
    })();
  }
}

/**
 * Runs a bench and hands its figures to scripts/bench.ts. Whether it succeeds, fails, is
 * interrupted or loses its parent: no process and no data stay behind. One that lacks a document
 * which cannot be fetched is left out, and says so.
 */
export async function runBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = new Bench();
  const interrupt = async () => {
    // What is under way fails now, wherever it is: that must not end the process before the end.
    process.on('uncaughtException', () => {});
    bench.log.level = 'silent';
    await bench.end();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupt);
  process.once('disconnect', interrupt);
  try {
    await work(bench).catch((error: unknown) => {
      if (!(error instanceof Unreachable)) throw error;
      bench.say(`SKIPPED: ${error.message}`);
    });
    process.send?.(bench.figures);
  } catch (error) {
    process.exitCode = 1;
    if (!bench.ending) process.stderr.write(`${(error as Error).stack}\n`);
  } finally {
    await bench.end();
    process.off('disconnect', interrupt);
    if (process.connected) process.disconnect();
  }
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** "  12.34", for columns of numbers. */
export function column(value: number, digits = 2, width = 9): string {
  return value.toFixed(digits).padStart(width);
}
