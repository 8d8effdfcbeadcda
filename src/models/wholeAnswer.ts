/** Servers of chat completions that answer whole, although they were asked for a stream. */
import { isObject, objectOf, parseJson } from '../json.ts';
import { usualChunk } from './chatChunks.ts';

/**
 * The answer as a stream of one event, if it is a whole one, or an error under a status of success.
 * Anything else is as it came. Some gateways and wrappers of a model cannot stream: to ask them
 * again, as after a broken stream, would get the same, and be paid for each time.
 */
export async function streamedAnswer(answer: Response): Promise<Response> {
  const { headers, status, statusText } = answer;
  if (!answer.ok || !/^application\/json\b/i.test(headers.get('content-type') ?? '')) return answer;
  const said = await answer.text();
  const { choices, ...whole } = objectOf(parseJson(usualChunk(said) ?? said));
  const isWhole = Array.isArray(choices) && choices.some((one) => isObject(one?.message));
  // What was read cannot be read again.
  if (!isWhole && !('error' in whole)) return new Response(said, answer);
  const event = isWhole ? { ...whole, choices: choices.map(asChunk) } : whole;
  return new Response(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`,
    { status, statusText, headers: { 'content-type': 'text/event-stream' } });
}

/** A choice as a stream has it: its message comes in parts, and its calls by their number. */
function asChunk({ message, ...choice }: { message?: unknown }): object {
  const { tool_calls, ...delta } = objectOf(message);
  const calls = Array.isArray(tool_calls) && { tool_calls: tool_calls.map((call, index) =>
    ({ index, ...objectOf(call) })) };
  return { ...choice, delta: { ...delta, ...calls } };
}
