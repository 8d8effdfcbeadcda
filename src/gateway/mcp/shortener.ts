/**
 * Large answers of tools, read in a thread of their own before the library sees them: what it gets
 * is a short answer to the same request, with what is kept of the result. (Eight megabytes of JSON
 * hold this thread for seconds: here, in the library and in the scrubber.)
 */
import { randomUUID } from 'node:crypto';
import { objectOf } from '../../json.ts';
import { MODULE } from '../../root.ts';
import { LIMITS } from '../threads/largeAnswers.ts';
import { SideThread } from '../threads/sideThread.ts';
import { resultOfKept, type KeptResult, type KeptText } from '../action/kept.ts';
import type { LargeMessage, AnswerReading } from './shortenerWorker.ts';

export class Shortener {
  /** Names what is kept in a short answer; no server can know it. */
  readonly #marker = `kept-${randomUUID()}`;
  readonly #thread = new SideThread<LargeMessage, string | null>({
    module: new URL(`./shortenerWorker${MODULE}`, import.meta.url), ...LIMITS });

  /**
   * A short message instead of a large one that answers one of these calls; null: it answers none
   * of them. Throws TooMuchWork.
   */
  async shorten(
    text: LargeMessage['text'], readings: LargeMessage['readings'], signal?: AbortSignal,
  ): Promise<string | null> {
    const [{ share }] = readings.values() as Iterable<AnswerReading> as [AnswerReading];
    return await this.#thread.do(share, { text, readings, marker: this.#marker }, signal);
  }

  /** What was kept of a large result; undefined: the answer is as the server gave it. */
  keptIn(answer: unknown): KeptResult | undefined {
    const kept = objectOf(answer)[this.#marker] as KeptText | undefined;
    return kept && resultOfKept(kept);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}
