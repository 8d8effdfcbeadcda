/** A thread that does one piece of work after the other, each within limits. */
import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { firstOf } from '../../deadline.ts';

export interface WorkLimits {
  /** Of the processor, for one piece; one that is kept waiting ends after `PATIENCE` times that. */
  limit_ms: number;
  memory_limit_mb: number;
}

const PATIENCE = 2;
/** So often it is looked at what the thread has used, while its limit passes. */
const LOOKS = 4;

/** The piece was given up: it took too long, or more memory than there is for one. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
  readonly of: 'time' | 'memory';

  constructor(of: TooMuchWork['of'], cause: unknown) {
    super(`the work took too much ${of}`, { cause });
    this.of = of;
  }
}

export class WorkThread<Asked, Answer> {
  readonly #worker: Worker;
  readonly #limit_ms: number;
  readonly #ending = new AbortController();
  #has_ended = false;

  /** `module` calls `serve`. */
  constructor(module: URL, { limit_ms, memory_limit_mb }: WorkLimits) {
    this.#limit_ms = limit_ms;
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: memory_limit_mb } });
    // One that is given up may run out of memory before it is gone; without a listener that would
    // end the process.
    this.#worker.on('error', () => {
      this.#has_ended = true;
    });
    // The thread alone does not keep the process from ending.
    this.#worker.unref();
  }

  /** It does no more work: it was ended, gave a piece up, or has failed by itself. */
  get has_ended(): boolean {
    return this.#has_ended;
  }

  /**
   * What the thread makes of `asked`, which is copied; one piece at a time. Throws TooMuchWork, and
   * the signal's reason when it aborts.
   */
  async do(asked: Asked, signal?: AbortSignal): Promise<Answer> {
    const late = new AbortController();
    const endWatch = this.#onceOver(() => late.abort(new Error('its time is over')));
    let has_answered = false;
    try {
      this.#worker.postMessage(asked);
      // A thread that is ended says nothing more.
      const [answer] = await once(this.#worker, 'message',
        { signal: firstOf(late.signal, signal, this.#ending.signal) }) as [Served<Answer>];
      has_answered = true;
      if ('made' in answer) return answer.made;
      throw answer.failed;
    } catch (error) {
      signal?.throwIfAborted();
      if (has_answered) throw error;
      if (late.signal.aborted) throw new TooMuchWork('time', error);
      throw isOutOfMemory(error) ? new TooMuchWork('memory', error) : error;
    } finally {
      endWatch();
      // A thread that was given up may still be at work, and one that has failed is of no use.
      if (!has_answered) await this.end();
    }
  }

  /**
   * Calls back once the thread has taken too long from now on; answers the undo. The time that
   * passes alone would have a busy machine refuse what it would have read in two seconds.
   */
  #onceOver(onOver: () => void): () => void {
    const before = this.#cpuTime();
    let looks = 0;
    const timer = setInterval(async () => {
      looks += 1;
      if (looks === LOOKS * PATIENCE
        || await this.#cpuTime() - await before >= this.#limit_ms) onOver();
    }, this.#limit_ms / LOOKS);
    return () => clearInterval(timer);
  }

  /** In milliseconds. */
  async #cpuTime(): Promise<number> {
    // One that has not begun has used nothing yet.
    const { user, system } =
      await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1_000;
  }

  /** Ends it, and what it is at work on, which then rejects. */
  async end(): Promise<void> {
    this.#has_ended = true;
    this.#ending.abort(new Error('the thread was ended'));
    await this.#worker.terminate();
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
  parentPort!.on('message', (asked: Asked) => parentPort!.postMessage(answer(asked)));
}

function isOutOfMemory(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
