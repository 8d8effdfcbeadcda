/** What must hold within the log of one run and its part of the transcript; knows no database. */
import { isDeepStrictEqual } from 'node:util';

export interface LoggedEvent {
  seq: number;
  type: string;
  data: Record<string, any>;
}

export interface LoggedMessage {
  position: number;
  role: string;
  content: Record<string, any>[];
}

export interface LoggedRun {
  status: string;
  last_seq: number;
  attempt: number;
  output: unknown;
  events: LoggedEvent[];
  messages: LoggedMessage[];
}

const ENDED = ['completed', 'failed', 'cancelled'];
const TERMINAL = ENDED.map((status) => `run.${status}`);

/**
 * What is wrong, one line each: numbers 1..n without a gap, one creation and it is the first, one
 * end for an ended run and it is the last, a start for each attempt, items that are consistent in
 * themselves and written by one attempt, and a transcript that says the same.
 */
export function faultsOfRun(run: LoggedRun): string[] {
  return [...faultsOfOrder(run), ...new Items(run).faults(), ...faultsOfTranscript(run)];
}

function faultsOfOrder({ events, last_seq, status, attempt }: LoggedRun): string[] {
  const faults: string[] = [];
  if (events.some(({ seq }, index) => seq !== index + 1)) {
    faults.push(`numbers ${events.map(({ seq }) => seq).join(',')}`);
  }
  if (last_seq !== events.length) faults.push(`last_seq ${last_seq} of ${events.length}`);
  const created = events.filter(({ type }) => type === 'run.created').length;
  if (created !== 1 || events[0]!.type !== 'run.created') faults.push(`${created} creations`);
  const ended = ENDED.includes(status);
  const ends = events.filter(({ type }) => TERMINAL.includes(type));
  if (ends.length !== (ended ? 1 : 0)) {
    faults.push(`terminal events: ${ends.map(({ type }) => type).join(', ') || 'none'}`);
  }
  const last = events.at(-1)!.type;
  if (ended && last !== `run.${status}`) faults.push(`ends with ${last}`);
  const starts = events.filter(({ type }) => type === 'run.started')
    .map(({ data }) => data.attempt);
  if (starts.length !== attempt || starts.some((number, index) => number !== index + 1)) {
    faults.push(`starts ${starts.join(',')} in ${attempt} attempts`);
  }
  return faults;
}

interface Item {
  /** The attempt that began it. */
  attempt: number;
  text: string;
  ended: boolean;
}

/** Tool calls and messages, as their events tell of them. */
class Items {
  readonly #run: LoggedRun;
  readonly #calls = new Map<string, Item>();
  readonly #messages = new Map<string, Item>();
  readonly #faults: string[] = [];
  #attempt = 0;

  constructor(run: LoggedRun) {
    this.#run = run;
  }

  faults(): string[] {
    for (const event of this.#run.events) this.#take(event);
    if (ENDED.includes(this.#run.status)) {
      for (const [id, { ended }] of this.#calls) if (!ended) this.#faults.push(`${id} is open`);
    }
    return this.#faults;
  }

  #take({ seq, type, data }: LoggedEvent): void {
    const say = (what: string) => this.#faults.push(`event ${seq}, ${type}: ${what}`);
    switch (type) {
      case 'run.started': this.#attempt = data.attempt; break;
      case 'tool_call.started':
        if (this.#calls.has(data.tool_call_id)) say('it began twice');
        this.#calls.set(data.tool_call_id, { attempt: this.#attempt, text: '', ended: false });
        break;
      case 'tool_call.arguments.delta': {
        const call = this.#calls.get(data.tool_call_id);
        if (!call || call.ended) say('the call is not open');
        else this.#add(call, data.delta, say);
        break;
      }
      // These may come of a later attempt: what it committed is done by the next one.
      case 'tool_call.completed':
      case 'tool_call.failed': {
        const call = this.#calls.get(data.tool_call_id);
        if (!call || call.ended) say('the call is not open');
        else call.ended = true;
        if (call && type === 'tool_call.completed') compareArguments(call.text, data, say);
        break;
      }
      case 'message.output.delta': {
        const message = this.#messages.get(data.message_id)
          ?? { attempt: this.#attempt, text: '', ended: false };
        this.#messages.set(data.message_id, message);
        if (message.ended) say('the message is complete');
        else this.#add(message, data.delta, say);
        break;
      }
      case 'message.output.completed': this.#completeMessage(data, say); break;
      case 'run.completed':
        if (!isDeepStrictEqual(data.output, this.#run.output)) say('its output is not the run\'s');
    }
  }

  #add(item: Item, delta: string, say: (what: string) => void): void {
    if (item.attempt !== this.#attempt) {
      say(`it belongs to attempt ${item.attempt}, and ${this.#attempt} has begun`);
    }
    item.text += delta;
  }

  #completeMessage(data: Record<string, any>, say: (what: string) => void): void {
    const message = this.#messages.get(data.message_id);
    const whole = data.message.content.map((part: { text: string }) => part.text).join('');
    if (message?.ended) say('it completed twice');
    if (message && message.attempt !== this.#attempt) say('an earlier attempt began it');
    if ((message?.text ?? '') !== whole) say('its deltas are another text');
    this.#messages.set(data.message_id, { attempt: this.#attempt, text: whole, ended: true });
  }
}

function compareArguments(
  text: string, data: Record<string, any>, say: (what: string) => void): void {
  try {
    const said: unknown = JSON.parse(text);
    if (!isDeepStrictEqual(said, data.arguments)) say('its deltas are other arguments');
  } catch {
    say(`its deltas are no JSON: ${text.slice(0, 200)}`);
  }
}

/** The transcript has no hole, one result at most for a call, and the results that the log has. */
function faultsOfTranscript({ status, events, messages }: LoggedRun): string[] {
  const faults: string[] = [];
  if (messages.some(({ position }, index) => position !== index + 1)) {
    faults.push(`messages ${messages.map(({ position }) => position).join(',')}`);
  }
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const { type, tool_call_id } of messages.flatMap(({ content }) => content)) {
    if (type === 'tool_call') called.add(tool_call_id);
    if (type !== 'tool_result') continue;
    if (answered.has(tool_call_id)) faults.push(`${tool_call_id} has two results`);
    if (!called.has(tool_call_id)) faults.push(`${tool_call_id} has a result and was not called`);
    answered.add(tool_call_id);
  }
  const ended = new Set(events.filter(({ type }) => /^tool_call\.(completed|failed)$/.test(type))
    .map(({ data }) => data.tool_call_id as string));
  for (const id of answered) if (!ended.has(id)) faults.push(`${id} has a result and no end`);
  for (const { type, data } of events) {
    if (type === 'tool_call.completed' && !answered.has(data.tool_call_id)) {
      faults.push(`${data.tool_call_id} completed, and the transcript lacks its result`);
    }
  }
  if (status === 'completed') {
    for (const id of called) if (!answered.has(id)) faults.push(`${id} was never answered`);
  }
  return faults;
}
