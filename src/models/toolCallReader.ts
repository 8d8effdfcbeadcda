import { isObject, parseNoticing, roundedIn } from '../json.ts';
import { ActionScanner } from './actionScanner.ts';
import type { StepPart, ToolCallPart } from './model.ts';
import { JsonTextSanitizer, TextSanitizer } from './deltaSanitizer.ts';

/** Deeper arguments are refused: JSON.stringify would overflow on them further down. */
export const ARGUMENTS_DEPTH = 64;

/**
 * One tool call while it streams in. Announces the call as soon as the action's name can be read,
 * then passes the arguments on; what came before the name is held and follows it.
 */
export class ToolCallReader {
  readonly tool_call_id: string;
  /** Whether `tool_call.started` has been given out. */
  started = false;

  #received = ''; // as the provider sent it
  #text = ''; // sanitised
  #unseen = ''; // the end of #text that has not been given out
  readonly #characters = new TextSanitizer();
  readonly #escapes = new JsonTextSanitizer();
  readonly #scanner = new ActionScanner();

  constructor(tool_call_id: string) {
    this.tool_call_id = tool_call_id;
  }

  push(delta: string): StepPart[] {
    this.#received += delta;
    return this.#take(this.#escapes.push(this.#characters.push(delta)));
  }

  /**
   * The call is complete. `input` is the final text of the provider, if it gave one: usually the
   * streamed text, or all of it if nothing was streamed. If they differ, the shown text counts.
   */
  end(input: string | null): { parts: StepPart[]; call: ToolCallPart; invalid: string | null } {
    const parts: StepPart[] = [];
    if (input !== null && input.startsWith(this.#received)) {
      parts.push(...this.push(input.slice(this.#received.length)));
    }
    if (this.#received.trim() === '') parts.push(...this.push('{}')); // a call without arguments
    parts.push(...this.#take(this.#escapes.push(this.#characters.end()) + this.#escapes.end()));
    if (!this.started) parts.push(...this.#start('call_action'));
    const args = this.#parse();
    return {
      parts,
      call: {
        type: 'tool_call', tool_call_id: this.tool_call_id,
        name: this.#scanner.action ?? 'call_action', arguments: args ?? {},
      },
      invalid: args === null ? this.#text : null,
    };
  }

  #take(text: string): StepPart[] {
    if (text === '') return [];
    this.#text += text;
    this.#unseen += text;
    this.#scanner.read(text);
    if (!this.started) {
      return this.#scanner.action === undefined ? [] : this.#start(this.#scanner.action);
    }
    return this.#show();
  }

  #start(name: string): StepPart[] {
    this.started = true;
    return [{ type: 'tool_call.started', tool_call_id: this.tool_call_id, name }, ...this.#show()];
  }

  #show(): StepPart[] {
    const delta = this.#unseen;
    this.#unseen = '';
    return delta === '' ? []
      : [{ type: 'tool_call.arguments.delta', tool_call_id: this.tool_call_id, delta }];
  }

  /** The arguments; null when they are no object, too deep, name two actions, or were rounded. */
  #parse(): object | null {
    if (this.#scanner.deepest > ARGUMENTS_DEPTH || this.#scanner.action_keys > 1) return null;
    try {
      const value = parseNoticing(this.#text);
      return isObject(value) && roundedIn(value, ['input']) === null ? value : null;
    } catch {
      return null;
    }
  }
}
