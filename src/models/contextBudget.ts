import type { LanguageModelV4Message } from '@ai-sdk/provider';

/** The part of the budget a prompt may fill: the answer needs room, and so do bad guesses. */
const FILL = 0.75;

const LEFT_OUT = '[Left out, as the conversation grew too long. Call again if you need it.]';

/**
 * Fits turns (oldest first; each a user message with all that followed from it) into a budget:
 * first the results of earlier turns give way to a marker, oldest first; then whole turns are
 * dropped, oldest first. The last turn is never touched. No call is parted from its result.
 */
export function fitTurns(turns: LanguageModelV4Message[][], budget_chars: number): {
  turns: LanguageModelV4Message[][]; dropped: number;
} {
  const limit = budget_chars * FILL;
  const view = turns.map((turn) => [...turn]);
  const costs = view.map((turn) => turn.reduce((sum, message) => sum + jsonLength(message), 0));
  let total = costs.reduce((sum, cost) => sum + cost, 0);
  for (let turn = 0; turn < view.length - 1 && total > limit; turn++) {
    for (const [index, message] of view[turn]!.entries()) {
      if (message.role !== 'tool' || total <= limit) continue;
      const short = withoutResults(message);
      const saved = jsonLength(message) - jsonLength(short);
      if (saved <= 0) continue;
      view[turn]![index] = short;
      costs[turn]! -= saved;
      total -= saved;
    }
  }
  let dropped = 0;
  while (dropped < view.length - 1 && total > limit) total -= costs[dropped++]!;
  return { turns: view.slice(dropped), dropped };
}

function withoutResults(
  message: LanguageModelV4Message & { role: 'tool' }): LanguageModelV4Message {
  return {
    ...message,
    content: message.content.map((part) => part.type === 'tool-result'
      ? { ...part, output: { type: 'text', value: LEFT_OUT } } : part),
  };
}

/** About the length of the JSON text. Iterative: JSON.stringify overflows on deep values. */
export function jsonLength(value: unknown): number {
  let length = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') length += next.length + 3;
    else if (typeof next !== 'object' || next === null) length += 6;
    else {
      length += 2;
      for (const [key, item] of Object.entries(next)) {
        if (!Array.isArray(next)) length += key.length + 3;
        open.push(item);
      }
    }
  }
  return length;
}
