import { parseJson } from '../json.ts';
import type { RunEvent, Schemas } from './client.ts';
import { faultText } from './outcome.ts';
import { openPage, type PageWriter } from './page.ts';
import { callLine, completedLine, failedLines } from './renderToolCall.ts';
import { oneLine, safeText, type Screen, type Style } from './terminal.ts';

interface ShownCall {
  name: string;
  arguments: string;
  /** Its line has been written. */
  shown: boolean;
}

type DataOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];

/** Why an answer is not all that the model would have said. */
const CUT_OFF: Record<string, string | undefined> = {
  max_output_tokens: ': it has as many tokens as the operator allows',
  content_filter: " by the provider's content filter",
  other: ' by the provider, which does not say why',
};
const PROMPT_CHARACTERS = 200;
/** Longer arguments are shown with the outcome: checking each time whether they are whole costs. */
const WATCHED_CHARACTERS = 65_536;

/**
 * Shows a run as it happens, for a person: the reasoning, each call with what came of it, and the
 * answer as it streams. The first event that it gets may be any event of the run.
 */
export class EventRenderer {
  readonly #page: PageWriter;
  readonly #style: Style;
  /** What has been written of messages that are not complete. */
  readonly #messages = new Map<string, string>();
  readonly #calls = new Map<string, ShownCall>();
  /** The call whose line was written last, if nothing was written after it. */
  #last_call = '';
  #created_ms: number | null = null;
  #model = '';

  constructor(write: (text: string) => void, style: Style, screen: Screen | null = null) {
    this.#page = openPage(write, style, screen);
    this.#style = style;
  }

  event(event: RunEvent): void {
    switch (event.type) {
      case 'run.created': return this.#created(event);
      case 'run.started': return this.#started(event.data);
      case 'reasoning.summary.delta':
        return this.#text(event.data.item_id, 'reasoning', event.data.delta);
      case 'tool_call.started': {
        const { tool_call_id, name } = event.data;
        this.#calls.set(tool_call_id, { name, arguments: '', shown: false });
        return;
      }
      case 'tool_call.arguments.delta': return this.#arguments(event.data);
      case 'tool_call.completed': return this.#callEnded(event.data.tool_call_id, (named) =>
        [completedLine(event.data, named, this.#style)], event.data);
      case 'tool_call.failed': return this.#callEnded(event.data.tool_call_id, (named) =>
        failedLines(event.data, named, this.#style), event.data);
      case 'message.output.delta': return this.#message(event.data);
      case 'message.output.completed': return this.#messageCompleted(event.data);
      case 'run.completed': return this.#end('green', '✓ completed', event);
      case 'run.failed':
        return this.#end('red', `✗ failed: ${faultText(event.data.error)}`, event);
      case 'run.cancelled':
        return this.#end('yellow', `■ cancelled (${safeText(event.data.reason)})`, event);
      default: // An event that this client does not know is newer than the client.
    }
  }

  /** Writes a remark on a line of its own; what was being written goes on after it. */
  note(text: string): void {
    this.#line(this.#style('dim', text));
  }

  /** Ends the line that is being written, if any. */
  close(): void {
    this.#page.close();
  }

  #created({ run_id, session_id, created_at, data }: Schemas['RunCreatedEvent']): void {
    this.#created_ms = Date.parse(created_at);
    this.#line(this.#style('dim', `run ${run_id} · session ${session_id}`));
    const prompt = data.input.flatMap(({ content }) => content.map(({ text }) => text)).join(' ');
    this.#line(`${this.#style('bold', '>')} ${oneLine(prompt, PROMPT_CHARACTERS)}`);
  }

  #started({ attempt, model }: DataOf<'run.started'>): void {
    this.#model = model;
    if (attempt === 1) return;
    const isVoid = this.#messages.size > 0;
    this.#voidMessages();
    this.note(`attempt ${attempt}: another worker has taken the run on; ${isVoid
      ? 'the unfinished answer above is void' : 'unfinished steps are made again'}`);
  }

  #arguments({ tool_call_id, delta }: DataOf<'tool_call.arguments.delta'>): void {
    const call = this.#calls.get(tool_call_id);
    if (!call || call.shown) return;
    call.arguments += delta;
    const short = call.arguments.length <= WATCHED_CHARACTERS;
    if (short && delta.trimEnd().endsWith('}') && parseJson(call.arguments) !== undefined) {
      this.#showCall(tool_call_id, call);
    }
  }

  #showCall(tool_call_id: string, call: ShownCall): void {
    this.#line(callLine(call.name, call.arguments, this.#style));
    call.shown = true;
    this.#last_call = tool_call_id;
  }

  /** Writes what came of a call; it names the call if another line came between. */
  #callEnded(
    tool_call_id: string, lines: (named: boolean) => string[],
    data: { name: string; arguments?: unknown }): void {
    const call = this.#calls.get(tool_call_id)
      ?? { name: data.name, arguments: '', shown: false };
    if (data.arguments !== undefined) call.arguments = JSON.stringify(data.arguments);
    if (!call.shown) this.#showCall(tool_call_id, call);
    this.#calls.delete(tool_call_id);
    const named = this.#last_call !== tool_call_id;
    for (const line of lines(named)) this.#line(line);
  }

  #message({ message_id, delta }: DataOf<'message.output.delta'>): void {
    if (!this.#messages.has(message_id)) {
      const isVoid = this.#messages.size > 0;
      this.#voidMessages();
      if (isVoid) this.note('the model was asked again; its unfinished answer above is void');
    }
    this.#messages.set(message_id, (this.#messages.get(message_id) ?? '') + delta);
    this.#text(message_id, 'message', delta);
  }

  /** Writes the rest of a message: all of it if following began after its pieces. */
  #messageCompleted({ message_id, message }: DataOf<'message.output.completed'>): void {
    const text = message.content.map((part) => part.text).join('');
    const written = this.#messages.get(message_id) ?? '';
    const whole = written === '' ? text === '' : text.endsWith(written);
    if (!whole) {
      const rest = text.startsWith(written) ? text.slice(written.length) : text;
      this.#text(message_id, 'message', rest);
    }
    this.#messages.delete(message_id);
    if (this.#page.open === message_id) this.close();
    const cut_off = CUT_OFF[message.incomplete_reason ?? ''];
    if (cut_off !== undefined) this.note(`the answer was cut off${cut_off}`);
  }

  #voidMessages(): void {
    if (this.#messages.size > 0) this.#page.strike();
    this.#messages.clear();
  }

  #end(format: 'green' | 'red' | 'yellow', what: string, event: RunEvent): void {
    const facts: string[] = [];
    if (this.#model !== '') facts.push(`model ${this.#model}`);
    if ('usage' in event.data) {
      const { input_tokens, output_tokens } = event.data.usage;
      facts.push(`${input_tokens} tokens in, ${output_tokens} out`);
    }
    if (this.#created_ms !== null) {
      const seconds = (Date.parse(event.created_at) - this.#created_ms) / 1_000;
      facts.push(`${seconds.toFixed(1)} s`);
    }
    const rest = facts.map((fact) => ` · ${fact}`).join('');
    this.#line('');
    this.#line(`${this.#style(format, what)}${this.#style('dim', rest)}`);
  }

  #text(id: string, kind: 'reasoning' | 'message', piece: string): void {
    if (this.#page.open !== id) this.#last_call = '';
    this.#page.text(id, kind, piece);
  }

  #line(text: string): void {
    this.#last_call = '';
    this.#page.line(text);
  }
}
