/** The thread of answerReader.ts. */
import { serve } from '../threads/sideThread.ts';
import type { Performed } from '../action/action.ts';
import { ActionFailure } from '../action/failure.ts';
import { keptOf } from '../action/kept.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { scrubOf } from '../credentials/withoutSecrets.ts';
import { readAnswer, type AnswerTask } from './readAnswer.ts';

/** An answer, and what is kept of its result. */
export interface LargeAnswer {
  task: AnswerTask;
  secrets: readonly string[];
  fields: readonly string[] | null;
  limit_bytes: number;
}

/** What the thread answers: classes of errors do not get out of it. */
export type AnswerRead = { performed: Performed } | { unauthorized: string }
  | { failure: Pick<ActionFailure, 'outcome' | 'for_operator'> };

serve(({ task, secrets, fields, limit_bytes }: LargeAnswer): AnswerRead => {
  const { response } = task;
  try {
    const { result, is_chosen = false, truncated = false, ...rest } = readAnswer(
      // Buffers arrive as plain byte arrays.
      { ...task, response: { ...response, body: Buffer.from(response.body) } },
      scrubOf(secrets));
    const kept = keptOf(result,
      { fields: is_chosen ? null : fields, limit_bytes, is_cut: truncated });
    return { performed: { ...rest, ...kept, is_chosen: true } };
  } catch (error) {
    if (error instanceof Unauthorized) return { unauthorized: error.message };
    if (!(error instanceof ActionFailure)) throw error;
    const { outcome, for_operator } = error;
    return { failure: { outcome, for_operator } };
  }
});
