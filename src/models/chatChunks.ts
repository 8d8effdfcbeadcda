/** Events of chat completions that servers word otherwise, and their package takes for broken. */
import { follow, isObject, objectOf, parseExactly, parseJson, type JsonObject } from '../json.ts';

const HAS_CHOICES = /"choices"\s*:\s*\[/;
const HAS_OBJECT = /"arguments"\s*:\s*\{/;

/**
 * The data of an event, or a whole answer, as OpenAI would send it; undefined if it says nothing.
 * Some servers tell the usage in an event without choices, where others have an empty list, and
 * some give the arguments of a call as an object. To ask again, as after a broken stream, would get
 * the same, and be paid for each time.
 */
export function usualChunk(data: string): string | undefined {
  if (HAS_CHOICES.test(data) && !HAS_OBJECT.test(data)) return data;
  const chunk = parseJson(data);
  if (chunk === null) return undefined;
  if (!isObject(chunk)) return data;
  const { choices } = chunk;
  if (Array.isArray(choices)) {
    const exact = parseExactly(data);
    return JSON.stringify({ ...chunk, choices: choices.map((choice, nth) =>
      withTextArguments(objectOf(choice), follow(exact, ['choices', String(nth)]))) });
  }
  const is_silent = isObject(chunk.usage) || chunk.object === 'chat.completion.chunk';
  return is_silent && !('error' in chunk) ? JSON.stringify({ ...chunk, choices: [] }) : data;
}

/** `exact`: the same choice, with integers that are no numbers of JavaScript as texts. */
function withTextArguments(choice: JsonObject, exact: unknown): JsonObject {
  return Object.fromEntries(Object.entries(choice).map(([name, said]) => {
    const { tool_calls } = objectOf(said);
    if (!Array.isArray(tool_calls)) return [name, said];
    const calls = tool_calls.map((call, nth) => {
      const called = follow(exact, [name, 'tool_calls', String(nth), 'function', 'arguments']);
      return isObject(called)
        ? { ...call, function: { ...call.function, arguments: JSON.stringify(called) } } : call;
    });
    return [name, { ...objectOf(said), tool_calls: calls }];
  }));
}
