/** The thread of shortener.ts. */
import { isObject, objectOf, parseExactly, textOf, type JsonObject } from '../../json.ts';
import { textOfBytes } from '../../textOfBytes.ts';
import { standBack } from '../threads/sideThread.ts';
import { serve } from '../threads/workThread.ts';
import { keptText } from '../action/kept.ts';
import { scrubOf } from '../credentials/withoutSecrets.ts';
import { beginningOf } from './beginningOf.ts';
import { saidOfFailure, toContents, toResult } from './result.ts';

/** How the answer to a call is read. */
export interface AnswerReading {
  /** Whose turn it is: a workspace's. */
  share: string;
  /** What the integration is called. */
  title: string;
  secrets: readonly string[];
  fields: readonly string[] | null;
  limit_bytes: number;
  base64_limit_chars: number;
  reads_resource: boolean;
}

/** The readings are of calls that wait for their answers, by the ids of their requests. */
export interface LargeMessage {
  text: string | Uint8Array;
  readings: ReadonlyMap<unknown, AnswerReading>;
  marker: string;
}

const MESSAGE_LIMIT_CHARS = 2_000;

standBack();
serve(({ text, readings, marker }: LargeMessage): string | null => {
  const said = parseExactly(typeof text === 'string' ? text : textOfBytes(text));
  for (const message of [said].flat()) {
    if (!isObject(message) || !('result' in message || 'error' in message)) continue;
    const reading = readings.get(message.id);
    if (reading === undefined) continue;
    const { id } = message;
    return JSON.stringify({ jsonrpc: '2.0', id, ...('result' in message
      ? { result: shortResult(message.result, reading, marker) }
      : { error: shortError(objectOf(message.error), reading) }) });
  }
  return null;
});

function shortResult(
  answer: unknown, { title, secrets, fields, limit_bytes, base64_limit_chars, reads_resource }:
  AnswerReading, marker: string): JsonObject {
  const scrub = scrubOf(secrets);
  if (objectOf(answer).isError === true) {
    const { text, ...structured } = saidOfFailure(answer, scrub);
    return { isError: true, content: [{ type: 'text', text }], ...structured };
  }
  const read = reads_resource ? toContents(answer, base64_limit_chars)
    : toResult(answer, title, base64_limit_chars, scrub);
  if (read === null) return {}; // is no result either, and is told to be none
  const { result, truncated } = read;
  const clean = scrub(result);
  return { [marker]: keptText(clean, { fields, limit_bytes, is_cut: truncated }) };
}

function shortError({ code, message }: JsonObject, { secrets }: AnswerReading): JsonObject {
  return { code: typeof code === 'number' ? code : 0,
    message: beginningOf(textOf(message) ?? '', MESSAGE_LIMIT_CHARS, scrubOf(secrets)) };
}
