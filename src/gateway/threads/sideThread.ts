/**
 * A thread for work that would keep the one that serves everybody too long, one piece after the
 * other. Of those that wait, the share that has had least of late is next. The thread begins with
 * the first piece, and ends when there was none for a while: a Node without code takes 5 MB.
 */
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
import { steadyClock } from '../../clock.ts';
import { deadline, untilAborted } from '../../deadline.ts';
import { FairQueue } from '../../fairQueue.ts';

export interface SideThreadOptions {
  /** The module of the thread, which calls `serve`. */
  module: URL;
  /** For one piece, from when it begins. */
  limit_ms: number;
  memory_limit_mb: number;
}

/** The piece was given up: it took too long, or more memory than there is for one. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';

  constructor(cause?: unknown) {
    super('the work took too long, or too much memory', { cause });
  }
}

const IDLE_MS = 30_000;
/** While the processors are busy, the thread that serves everybody has three times as much. */
const NICENESS = 5;

export class SideThread<Asked, Answer> {
  readonly #options: SideThreadOptions;
  readonly #waiting = new FairQueue<string, () => void>(steadyClock);
  #worker: Worker | undefined;
  #busy = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: SideThreadOptions) {
    this.#options = options;
  }

  /**
   * What the thread makes of `asked`, which is copied. Throws TooMuchWork, and the signal's reason
   * when it aborts.
   */
  async do(share: string, asked: Asked, signal?: AbortSignal): Promise<Answer> {
    await this.#turn(share, signal);
    const end = this.#waiting.begin(share);
    clearTimeout(this.#idle);
    try {
      signal?.throwIfAborted();
      return await this.#work(asked, signal);
    } finally {
      end();
      this.#busy = false;
      this.#waiting.take()?.();
      if (!this.#busy) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  /** Ends the thread, and what it is at work on. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Resolves when it is the turn of this one, which then is `busy`. */
  async #turn(share: string, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const begin = () => {
      this.#busy = true;
      turn.resolve();
    };
    this.#waiting.add(share, begin);
    await untilAborted(turn.promise, signal).catch((error: unknown) => {
      // If it got its turn in the same moment, the turn is passed on to the next one.
      if (!this.#waiting.delete(share, begin)) {
        this.#busy = false;
        this.#waiting.take()?.();
      }
      throw error;
    });
  }

  async #work(asked: Asked, signal: AbortSignal | undefined): Promise<Answer> {
    const { module, limit_ms, memory_limit_mb } = this.#options;
    const worker = this.#worker ??= new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: memory_limit_mb } });
    // The thread alone does not keep the process from ending.
    worker.unref();
    const limit = deadline(limit_ms, signal);
    let has_answered = false;
    try {
      worker.postMessage(asked);
      const [answer] = await once(worker, 'message', { signal: limit.signal }) as [Served<Answer>];
      has_answered = true;
      if ('made' in answer) return answer.made;
      throw answer.failed;
    } catch (error) {
      signal?.throwIfAborted();
      throw limit.is_over || isOutOfMemory(error) ? new TooMuchWork(error) : error;
    } finally {
      // A thread that was given up may still be at work, and one that has failed is of no use.
      if (!has_answered) {
        if (this.#worker === worker) this.#worker = undefined;
        await worker.terminate();
      }
      limit.end();
    }
  }
}

type Served<Answer> = { made: Answer } | { failed: unknown };

/** In the thread: does `work` for each piece. */
export function serve<Asked, Answer>(work: (asked: Asked) => Answer): void {
  const answer = (asked: Asked): Served<Answer> => {
    try {
      return { made: work(asked) };
    } catch (failed) {
      return { failed };
    }
  };
  // On Linux alone a thread has a priority of its own; elsewhere it would be that of the process.
  if (process.platform === 'linux') {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS));
  }
  parentPort!.on('message', (asked: Asked) => parentPort!.postMessage(answer(asked)));
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
