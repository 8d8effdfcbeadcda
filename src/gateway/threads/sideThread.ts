/**
 * A thread for work that would keep the one that serves everybody too long, one piece after the
 * other. Of those that wait, the share that has had least of late is next. The thread begins with
 * the first piece, and ends when there was none for a while: a Node without code takes 5 MB.
 */
import { constants, getPriority, setPriority } from 'node:os';
import { steadyClock } from '../../clock.ts';
import { untilAborted } from '../../deadline.ts';
import { FairQueue } from '../../fairQueue.ts';
import { WorkThread, type WorkLimits } from './workThread.ts';

export interface SideThreadOptions extends WorkLimits {
  /** The module of the thread, which calls `standBack`, and `serve` of workThread.ts. */
  module: URL;
}

const IDLE_MS = 30_000;
/** While the processors are busy, the thread that serves everybody has three times as much. */
const NICENESS = 5;

export class SideThread<Asked, Answer> {
  readonly #options: SideThreadOptions;
  readonly #waiting = new FairQueue<string, () => void>(steadyClock);
  #thread: WorkThread<Asked, Answer> | undefined;
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
      return await this.#running().do(asked, signal);
    } finally {
      end();
      this.#next();
    }
  }

  /** Ends the thread, and what it is at work on. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }

  #running(): WorkThread<Asked, Answer> {
    if (this.#thread === undefined || this.#thread.has_ended) {
      this.#thread = new WorkThread(this.#options.module, this.#options);
    }
    return this.#thread;
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
      if (!this.#waiting.delete(share, begin)) this.#next();
      throw error;
    });
  }

  /** Gives the turn on, or has the thread end if nobody wants it for a while. */
  #next(): void {
    this.#busy = false;
    this.#waiting.take()?.();
    if (!this.#busy) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
  }
}

/** In the thread: on Linux alone it has a priority of its own, elsewhere that of the process. */
export function standBack(): void {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS));
}
