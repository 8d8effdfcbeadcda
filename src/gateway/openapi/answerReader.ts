/**
 * Reads answers, large ones in a thread of their own: seven megabytes of JSON with 700,000 keys
 * take three seconds to be parsed, cleaned and cut. One run with eight such calls held two nodes
 * for 17 and 9 s, and their leases ran out.
 */
import { inOwnTurn } from '../../patience.ts';
import { MODULE } from '../../root.ts';
import { AnswerSlots, type AnswerSlot } from '../threads/answerSlots.ts';
import { LARGE_BYTES, LIMITS } from '../threads/largeAnswers.ts';
import { SideThread } from '../threads/sideThread.ts';
import { TooMuchWork } from '../threads/workThread.ts';
import type { Performed, PerformRequest } from '../action/action.ts';
import { ActionFailure, failure, failureInDoubt } from '../action/failure.ts';
import { resultOfKept } from '../action/kept.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import type { AnswerRead, LargeAnswer } from './answerWorker.ts';
import { keepAnswer, type AnswerKept, type AnswerTask } from './readAnswer.ts';

export interface ReadOptions extends Pick<PerformRequest, 'scrub' | 'secrets' | 'fields'> {
  /** Whose turn it is: a workspace's. */
  share: string;
  /** How much is kept of a result. */
  limit_bytes: number;
}

export class AnswerReader {
  readonly #slots = new AnswerSlots();
  readonly #thread = new SideThread<LargeAnswer, AnswerRead>({
    module: new URL(`./answerWorker${MODULE}`, import.meta.url), ...LIMITS });

  /** For an answer that may turn out to be large; held until it was read. */
  slotFor(share: string, signal: AbortSignal): AnswerSlot {
    return this.#slots.for(share, signal);
  }

  /** As `readAnswer`, with what is kept of the result in its place. */
  async read(
    task: AnswerTask, options: ReadOptions, signal: AbortSignal): Promise<Performed> {
    return { ...resultOfKept(await this.#keep(task, options, signal)), is_kept: true };
  }

  async #keep(
    task: AnswerTask, { share, limit_bytes, scrub, secrets, fields = null }: ReadOptions,
    signal: AbortSignal): Promise<AnswerKept> {
    const { length } = task.response.body;
    if (length <= LARGE_BYTES) {
      return await inOwnTurn(() => keepAnswer(task, scrub, { fields, limit_bytes }), length);
    }
    const read = await this.#thread.do(share,
      { task, secrets, fields, limit_bytes }, signal).catch((error: unknown) => {
      throw error instanceof TooMuchWork ? tooMuch(task) : error;
    });
    if ('kept' in read) return read.kept;
    if ('unauthorized' in read) {
      const { message, details, otherwise } = read.unauthorized;
      throw new Unauthorized(message, details, otherwise);
    }
    throw new ActionFailure(read.failure.outcome, read.failure.for_operator);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}

function tooMuch({ context: { integration, writes } }: AnswerTask): ActionFailure {
  const message = `${integration} answered, but with so much that it could not be read within`
    + ` ${LIMITS.limit_ms / 1_000} seconds.`;
  return writes ? failureInDoubt(message)
    : failure(`${message} Ask for less with a filter or a smaller page.`);
}
