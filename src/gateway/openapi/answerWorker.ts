/** The thread of answerReader.ts. */
import { standBack } from '../threads/sideThread.ts';
import { serve } from '../threads/workThread.ts';
import { ActionFailure } from '../action/failure.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { scrubOf } from '../credentials/withoutSecrets.ts';
import { keepAnswer, type AnswerKept, type AnswerTask } from './readAnswer.ts';

/** An answer, and what is kept of its result. */
export interface LargeAnswer {
  task: AnswerTask;
  secrets: readonly string[];
  fields: readonly string[] | null;
  limit_bytes: number;
}

/** What the thread answers: classes of errors do not get out of it. */
export type AnswerRead = { kept: AnswerKept }
  | { unauthorized: Pick<Unauthorized, 'message' | 'details' | 'otherwise'> }
  | { failure: Pick<ActionFailure, 'outcome' | 'for_operator'> };

standBack();
serve(({ task, secrets, fields, limit_bytes }: LargeAnswer): AnswerRead => {
  const { response } = task;
  try {
    // Buffers arrive as plain byte arrays.
    const body = Buffer.from(response.body);
    return { kept: keepAnswer(
      { ...task, response: { ...response, body } }, scrubOf(secrets), { fields, limit_bytes }) };
  } catch (error) {
    if (error instanceof Unauthorized) {
      const { message, details, otherwise } = error;
      return { unauthorized: { message, details, otherwise } };
    }
    if (!(error instanceof ActionFailure)) throw error;
    const { outcome, for_operator } = error;
    return { failure: { outcome, for_operator } };
  }
});
