import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { isContainer } from '../json.ts';
import { sanitizeText } from '../sanitize.ts';

const LEFT_OUT = '[Left out, as the conversation grew too long. Call again if you need it.]';
const CUT = '[Cut, as it is too long for what is left of the context. It begins:]\n';

/** Even the shortest view of the last turn is too long. */
export class ContextOverflow extends Error {
  constructor() {
    super('The prompt is longer than the context.');
    this.name = 'ContextOverflow';
  }
}

export interface FittedTurns {
  turns: LanguageModelV4Message[][];
  /** How many whole turns are left out, the oldest first. */
  dropped_turns: number;
  /** How many steps of the last turn are left out, the first ones. */
  dropped_steps: number;
}

/**
 * Fits turns (oldest first; each a user message with all that followed from it) into so many
 * characters. It shortens in this order, each only as far as needed and oldest first: the results
 * of earlier turns become a marker; earlier turns are dropped; in the last turn, the results of all
 * steps but the latest become a marker, then these steps are dropped; the latest results are cut. A
 * call always keeps its result. Throws ContextOverflow if the rest is still too long.
 */
export function fitTurns(turns: LanguageModelV4Message[][], limit_chars: number): FittedTurns {
  const view = new View(turns, limit_chars);
  const last = turns.length - 1;
  for (let turn = 0; turn < last; turn++) view.leaveOutResults(turn, Infinity);
  let dropped_turns = 0;
  while (dropped_turns < last && view.is_over) view.empty(dropped_turns++);
  let dropped_steps = 0;
  if (last >= 0) {
    // [user, assistant, tool, assistant, tool, …]: a step is what begins with an assistant message.
    const latest = turns[last]!.findLastIndex(({ role }) => role === 'assistant');
    view.leaveOutResults(last, latest);
    while (view.is_over && view.dropFirstStep(last)) dropped_steps += 1;
    view.cutResults(last);
  }
  if (view.is_over) throw new ContextOverflow();
  return { turns: view.turns.slice(dropped_turns), dropped_turns, dropped_steps };
}

/** Copies of the turns, shortened until they fit. */
class View {
  readonly turns: LanguageModelV4Message[][];
  #over: number;

  constructor(turns: LanguageModelV4Message[][], limit_chars: number) {
    this.turns = turns.map((turn) => [...turn]);
    this.#over = turns.flat().reduce((sum, message) => sum + jsonLength(message), -limit_chars);
  }

  get is_over(): boolean {
    return this.#over > 0;
  }

  /** Puts a marker in place of the results in the turn's messages before `end`. */
  leaveOutResults(turn: number, end: number): void {
    for (const [index, message] of this.turns[turn]!.entries()) {
      if (!this.is_over || index >= end) return;
      this.#shorten(turn, index, withResults(message, () => LEFT_OUT));
    }
  }

  empty(turn: number): void {
    for (const message of this.turns[turn]!) this.#over -= jsonLength(message);
    this.turns[turn] = [];
  }

  /** Drops the oldest step of a turn with its results; not the latest one. */
  dropFirstStep(turn: number): boolean {
    const messages = this.turns[turn]!;
    const isStep = ({ role }: LanguageModelV4Message) => role === 'assistant';
    const first = messages.findIndex(isStep);
    if (first === messages.findLastIndex(isStep)) return false;
    const results = messages[first + 1]!.role === 'tool' ? 1 : 0;
    for (const message of messages.splice(first, 1 + results)) this.#over -= jsonLength(message);
    return true;
  }

  /** Cuts the results of the latest step to an equal share each of what is left for them. */
  cutResults(turn: number): void {
    const index = this.turns[turn]!.length - 1;
    const message = this.turns[turn]![index]!;
    if (!this.is_over || message.role !== 'tool') return;
    const lengths = message.content.map((part) =>
      jsonLength(part.type === 'tool-result' ? part.output : undefined));
    const room = lengths.reduce((sum, length) => sum + length, 0) - this.#over;
    const share = Math.max(0, Math.floor(room / lengths.length));
    let nth = 0;
    this.#shorten(turn, index, withResults(message, (part) =>
      lengths[nth++]! <= share ? null : cutText(part, share)));
  }

  #shorten(turn: number, index: number, short: LanguageModelV4Message): void {
    const saved = jsonLength(this.turns[turn]![index]) - jsonLength(short);
    if (saved <= 0) return;
    this.turns[turn]![index] = short;
    this.#over -= saved;
  }
}

/** The message with other texts for its results; null leaves one as it is. */
function withResults(
  message: LanguageModelV4Message,
  textOf: (part: LanguageModelV4ToolResultPart) => string | null): LanguageModelV4Message {
  if (message.role !== 'tool') return message;
  return {
    ...message,
    content: message.content.map((part) => {
      const value = part.type === 'tool-result' ? textOf(part) : null;
      return value === null || part.type !== 'tool-result' ? part
        : { ...part, output: { type: 'text', value } };
    }),
  };
}

/** The beginning of a result's text, with a note, in at most about `share` characters of JSON. */
function cutText({ output }: LanguageModelV4ToolResultPart, share: number): string {
  const whole = output.type === 'text' || output.type === 'error-text'
    ? output.value : JSON.stringify('value' in output ? output.value : null);
  const frame = jsonLength({ type: 'text', value: CUT });
  return CUT + sanitizeText(whole.slice(0, Math.max(0, share - frame)));
}

/** About the length of the JSON text. Iterative: JSON.stringify overflows on deep values. */
export function jsonLength(value: unknown): number {
  let length = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') length += next.length + 3;
    else if (!isContainer(next)) length += 6;
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
