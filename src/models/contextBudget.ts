import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { isContainer } from '../json.ts';
import { sanitizeText } from '../sanitize.ts';
import { memoized } from './remembered.ts';

/** Of English text. All lengths here are in such characters: see `textLength`. */
export const CHARACTERS_PER_TOKEN = 4;

const LEFT_OUT = '[Left out, as the conversation grew too long. Call again if you need it.]';
/** What more may be given up, of the room, once something has to give way. */
const SPARE = 0.25;
const CUT = '[Cut, as it is too long for what is left of the context. It begins:]\n';

const lengthOf = memoized<LanguageModelV4Message, number>(jsonLength);
const withoutResults = memoized((message: LanguageModelV4Message) =>
  withResults(message, () => LEFT_OUT));

/** A user message with all that followed from it, and about how long that is. */
export interface SizedTurn {
  messages: LanguageModelV4Message[];
  chars: number;
  /** What `bare` has made of it. */
  bare?: SizedTurn;
}

export function sizeTurn(messages: LanguageModelV4Message[]): SizedTurn {
  return { messages, chars: messages.reduce((sum, message) => sum + lengthOf(message), 0) };
}

function charsOf(turns: readonly SizedTurn[]): number {
  return turns.reduce((sum, { chars }) => sum + chars, 0);
}

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
 * Fits turns, oldest first, into so many characters. It shortens in this order, each oldest first
 * and as far as `Room` says: the results of earlier turns become a marker; earlier turns are
 * dropped; in the last turn, the results of all steps but the latest become a marker, then these
 * steps are dropped; the latest results are cut. A call always keeps its result. Throws
 * ContextOverflow if the rest is still too long.
 *
 * `first_turn` is the number of the first turn in its session.
 */
export function fitTurns(
  turns: readonly SizedTurn[], limit_chars: number, first_turn = 0): FittedTurns {
  const room = new Room(charsOf(turns), limit_chars);
  const earlier = turns.slice(0, -1);
  const without_results = room.make(earlier, first_turn, (turn) => turn.chars - bare(turn).chars);
  for (let nth = 0; nth < without_results; nth++) earlier[nth] = bare(earlier[nth]!);
  const dropped_turns = room.make(earlier, first_turn, ({ chars }) => chars);
  const shown = earlier.slice(dropped_turns).map(({ messages }) => messages);
  const { messages, dropped_steps } = fitLatest(turns.at(-1)?.messages ?? [], room);
  if (room.is_missing) throw new ContextOverflow();
  return { turns: [...shown, messages], dropped_turns, dropped_steps };
}

function fitLatest(
  messages: LanguageModelV4Message[], room: Room,
): { messages: LanguageModelV4Message[]; dropped_steps: number } {
  // [user, assistant, tool, assistant, tool, …]: a step is what begins with an assistant message.
  const pieces = messages.flatMap((message, index) => message.role === 'tool' ? []
    : [sizeTurn(messages[index + 1]?.role === 'tool'
      ? [message, messages[index + 1]!] : [message])]);
  const steps = pieces.filter((piece) => piece.messages[0]!.role === 'assistant').slice(0, -1);
  const without_results = room.make(steps, 0, (step) => step.chars - bare(step).chars);
  const views = new Map(steps.slice(0, without_results).map((step) => [step, bare(step)]));
  const dropped_steps = room.make(steps, 0, (step) => (views.get(step) ?? step).chars);
  for (const step of steps.slice(0, dropped_steps)) views.set(step, NOTHING);
  const fitted = pieces.flatMap((piece) => (views.get(piece) ?? piece).messages);
  return { messages: cutResults(fitted, room), dropped_steps };
}

const NOTHING: SizedTurn = { messages: [], chars: 0 };

/** With a marker in place of each result that is longer than one. */
function bare(turn: SizedTurn): SizedTurn {
  turn.bare ??= turn.messages.some(({ role }) => role === 'tool')
    ? sizeTurn(turn.messages.map(shorter)) : turn;
  return turn.bare;
}

function shorter(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool') return message;
  const short = withoutResults(message);
  return lengthOf(short) < lengthOf(message) ? short : message;
}

/** Cuts the results of the latest step to an equal share each of what is left for them. */
function cutResults(messages: LanguageModelV4Message[], room: Room): LanguageModelV4Message[] {
  const message = messages.at(-1);
  if (!room.is_missing || message?.role !== 'tool') return messages;
  const lengths = message.content.map((part) =>
    jsonLength(part.type === 'tool-result' ? part.output : undefined));
  const all = lengths.reduce((sum, length) => sum + length, 0);
  const share = Math.max(0, Math.floor((all - room.missing_chars) / lengths.length));
  let nth = 0;
  const cut = withResults(message, (part) =>
    lengths[nth++]! <= share ? null : cutText(part, share));
  const saved = lengthOf(message) - lengthOf(cut);
  if (saved <= 0) return messages;
  room.gain(saved);
  return messages.with(-1, cut);
}

/**
 * The room that a prompt has, and what is missing of it. Of things that give way the first go: as
 * many as needed, and of what would free a quarter of the room more, up to the roundest number.
 * While the rest grows, the same number stays the roundest for long. So one prompt begins like the
 * one before, which providers keep and take a tenth for, and nobody has to remember that one. Cut
 * as far as needed, each would begin anew.
 *
 * Say there is room for 10 turns, all alike: 2.5 more may go than have to. Of 16 turns 6 have to go
 * and 8 may, of 17 these are 7 and 9, of 18 8 and 10: 8 go each time, and all three prompts begin
 * with turn 8. Of 19 turns 9 have to go and 11 may: 10 do.
 */
class Room {
  #missing_chars: number;
  readonly #spare_chars: number;

  constructor(chars: number, limit_chars: number) {
    this.#missing_chars = chars - limit_chars;
    this.#spare_chars = limit_chars * SPARE;
  }

  /** What is still missing; 0 or less if nothing is. */
  get missing_chars(): number {
    return this.#missing_chars;
  }

  get is_missing(): boolean {
    return this.#missing_chars > 0;
  }

  gain(chars: number): void {
    this.#missing_chars -= chars;
  }

  /** How many give way, of things that are numbered from `first` on. */
  make<Thing>(things: readonly Thing[], first: number, savedBy: (thing: Thing) => number): number {
    if (!this.is_missing) return 0;
    const left: number[] = [this.#missing_chars];
    for (const thing of things) {
      const next = left.at(-1)! - savedBy(thing);
      if (left.at(-1)! <= 0 && next < -this.#spare_chars) break;
      left.push(next);
    }
    const most = left.length - 1;
    const least = left.findIndex((missing) => missing <= 0);
    const count = least === -1 ? most : roundest(first + least, first + most) - first;
    this.#missing_chars = left[count]!;
    return count;
  }
}

/** Of these numbers, the one with the most zeros at its end, written in binary. */
function roundest(from: number, to: number): number {
  let number = to;
  while ((number & (number - 1)) >= from) number &= number - 1;
  return number;
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
  return CUT + sanitizeText(beginningOf(whole, share - frame));
}

/** As much of a text as is surely no longer than this. */
function beginningOf(text: string, length: number): string {
  let end = 0;
  for (let left = length; end < text.length; end++) {
    left -= text.charCodeAt(end) < 128 ? 1 : CHARACTERS_PER_TOKEN;
    if (left < 0) break;
  }
  return text.slice(0, end);
}

/**
 * How long a text is, in characters of English. One of Chinese, Japanese or Korean is about a
 * token, and counts as four; one of two bytes in UTF-8 (accents, Greek, Cyrillic, Arabic) as two
 * and a half. It goes by the bytes, because prompts may be megabytes: a million characters take at
 * most 1 ms, and 3 ms when they are looked at one by one.
 */
export function textLength(text: string): number {
  const more_bytes = Buffer.byteLength(text) - text.length;
  return text.length + more_bytes * (CHARACTERS_PER_TOKEN - 1) / 2;
}

/**
 * About the length of the JSON text, as `textLength` counts. Iterative: JSON.stringify overflows on
 * deep values.
 */
export function jsonLength(value: unknown): number {
  let length = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') length += textLength(next) + 3;
    else if (!isContainer(next)) length += 6;
    else {
      length += 2;
      for (const [key, item] of Object.entries(next)) {
        if (!Array.isArray(next)) length += textLength(key) + 3;
        open.push(item);
      }
    }
  }
  return length;
}
