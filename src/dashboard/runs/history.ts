/**
 * What a run's events tell, put together: its attempts and steps, and what the model thought, said
 * and called in each. It knows nothing but the events, so that a file of them shows the same.
 */
import type {
  Metadata, OutputItem, RunError, RunEvent, RunInputItem, RunStatus, ToolCallError, Usage,
} from '#client/types.gen.ts';

interface Span {
  id: string;
  from_ms: number;
  /** Null: it goes on. */
  to_ms: number | null;
  /** The number of the last event that changed it: what is equal in this looks the same. */
  changed: number;
}

export interface Thought extends Span { kind: 'thought'; text: string }

export interface Message extends Span {
  kind: 'message';
  text: string;
  /** Not in the transcript: `lost` with its worker, said `anew`, or `cut` by the run's end. */
  state: 'growing' | 'complete' | 'lost' | 'anew' | 'cut';
  /** Null: the model ended it by itself. */
  incomplete_reason: string | null;
}

export interface Call extends Span {
  kind: 'call';
  name: string;
  status: 'running' | 'completed' | 'failed';
  /** The JSON of the arguments as the model writes it. */
  argument_text: string;
  /** What the model passed; undefined until the call has ended, or if it was no JSON. */
  arguments: unknown;
  result: unknown;
  is_truncated: boolean;
  error: ToolCallError | null;
  invocation_id: string | null;
  /** How long the gateway took; null if it was not asked. */
  duration_ms: number | null;
}

export type Part = Thought | Message | Call;

/** One answer of the model, from when it could be asked to the end of the calls in it. */
export interface Step extends Span {
  kind: 'step';
  number: number;
  parts: Part[];
}

/** Another worker took the run on. */
interface Takeover extends Span { kind: 'takeover'; attempt: number; gap_ms: number }

export interface History {
  items: (Step | Takeover)[];
  calls: Call[];
  /** Every part by its id. */
  parts: ReadonlyMap<string, Part>;
  status: RunStatus;
  input: readonly RunInputItem[];
  output: readonly OutputItem[];
  metadata: Metadata;
  model: string | null;
  error: RunError | null;
  usage: Usage | null;
  cancel_reason: string | null;
  created_ms: number;
  started_ms: number | null;
  /** When the last event was. */
  last_ms: number;
  is_over: boolean;
}

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** Undefined without any event. */
export function historyOf(events: readonly RunEvent[]): History | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const teller = new Teller(Date.parse(first.created_at));
  for (const event of events) teller.take(event);
  return teller.told();
}

class Teller {
  readonly #told: History;
  readonly #parts = new Map<string, Part>();
  #step: Step | null = null;
  /** The step has been committed, or its calls were closed: what the model says next is another. */
  #is_answered = false;
  #steps = 0;
  /** Since when the model could be asked. */
  #ready_ms: number;
  #at_ms: number;
  #number = 0;

  constructor(begun_ms: number) {
    this.#ready_ms = begun_ms;
    this.#at_ms = begun_ms;
    this.#told = {
      items: [], calls: [], parts: this.#parts, status: 'queued', input: [], output: [],
      metadata: {}, model: null, error: null, usage: null, cancel_reason: null,
      created_ms: begun_ms, started_ms: null, last_ms: begun_ms, is_over: false,
    };
  }

  told(): History {
    for (const item of this.#told.items) {
      if (item.kind !== 'step') continue;
      const goes_on = item === this.#step && !this.#is_answered;
      const ends = item.parts.map(({ to_ms }) => to_ms);
      item.to_ms = goes_on || ends.includes(null) ? null
        : Math.max(item.from_ms, ...ends as number[]);
      item.changed = Math.max(item.changed, ...item.parts.map(({ changed }) => changed));
    }
    return this.#told;
  }

  take(event: RunEvent): void {
    this.#at_ms = Date.parse(event.created_at);
    this.#number = event.sequence_number;
    switch (event.type) {
      case 'run.created':
        this.#told.input = event.data.input;
        this.#told.metadata = event.data.metadata;
        break;
      case 'run.started': this.#start(event); break;
      case 'reasoning.summary.delta': this.#think(event.data); break;
      case 'message.output.delta': this.#say(event.data); break;
      case 'message.output.completed': this.#completeMessage(event); break;
      case 'tool_call.started': this.#startCall(event.data); break;
      case 'tool_call.arguments.delta': {
        const call = this.#call(event.data.tool_call_id);
        if (call) call.argument_text += event.data.delta;
        break;
      }
      case 'tool_call.completed': case 'tool_call.failed': this.#endCall(event); break;
      case 'run.completed': case 'run.failed': case 'run.cancelled': this.#end(event); break;
    }
    this.#told.last_ms = this.#at_ms;
  }

  #start({ id, data }: Of<'run.started'>): void {
    this.#giveUp('lost');
    const history = this.#told;
    if (history.started_ms !== null) {
      history.items.push({
        kind: 'takeover', id, attempt: data.attempt, gap_ms: this.#at_ms - history.last_ms,
        from_ms: history.last_ms, to_ms: this.#at_ms, changed: this.#number,
      });
    }
    history.started_ms ??= this.#at_ms;
    history.status = 'running';
    history.model = data.model;
    this.#ready_ms = this.#at_ms;
  }

  #think({ item_id, delta }: { item_id: string; delta: string }): void {
    const thought = this.#part<Thought>(item_id, () => ({ ...this.#span(item_id),
      kind: 'thought', text: '' }));
    thought.text += delta;
    thought.to_ms = this.#at_ms;
  }

  #say({ message_id, delta }: { message_id: string; delta: string }): void {
    const message = this.#message(message_id);
    message.text += delta;
  }

  #completeMessage({ data: { message_id, message: whole } }: Of<'message.output.completed'>) {
    const message = this.#message(message_id);
    message.state = 'complete';
    message.text = whole.content.map(({ text }) => text).join('');
    message.incomplete_reason = whole.incomplete_reason ?? null;
    message.to_ms = this.#at_ms;
    this.#answer();
  }

  /** A step has one message: another one says that the step is made anew. */
  #message(id: string): Message {
    const step = this.#step;
    const other = step && !this.#is_answered && !this.#parts.has(id)
      ? step.parts.findLastIndex(({ kind }) => kind === 'message') : -1;
    if (step && other !== -1) {
      const anew = step.parts.splice(other + 1);
      this.#ready_ms = anew[0]?.from_ms ?? this.#told.last_ms;
      this.#giveUp('anew');
      this.#open().parts.push(...anew);
    }
    return this.#part<Message>(id, () => ({ ...this.#span(id),
      kind: 'message', text: '', state: 'growing', incomplete_reason: null }));
  }

  #startCall({ tool_call_id, name }: { tool_call_id: string; name: string }): void {
    this.#told.calls.push(this.#part<Call>(tool_call_id, () => ({ ...this.#span(tool_call_id),
      kind: 'call', name, status: 'running', argument_text: '', arguments: undefined,
      result: undefined, is_truncated: false, error: null, invocation_id: null, duration_ms: null,
    })));
  }

  #call(id: string): Call | null {
    const call = this.#parts.get(id);
    if (call?.kind !== 'call') return null;
    call.changed = this.#number;
    return call;
  }

  #endCall({ type, data }: Of<'tool_call.completed'> | Of<'tool_call.failed'>): void {
    const call = this.#call(data.tool_call_id);
    if (!call) return;
    call.to_ms = this.#at_ms;
    call.invocation_id = data.invocation_id ?? null;
    call.duration_ms = data.duration_ms ?? null;
    if (type === 'tool_call.completed') {
      call.status = 'completed';
      call.arguments = data.arguments;
      call.result = data.result;
      call.is_truncated = data.truncated;
    } else {
      call.status = 'failed';
      call.arguments = parsed(call.argument_text);
      call.error = data.error;
    }
    this.#answer();
  }

  #end(event: Of<'run.completed'> | Of<'run.failed'> | Of<'run.cancelled'>): void {
    this.#giveUp('cut');
    const history = this.#told;
    history.is_over = true;
    if (event.type === 'run.cancelled') {
      history.status = 'cancelled';
      history.cancel_reason = event.data.reason;
      return;
    }
    history.usage = event.data.usage;
    if (event.type === 'run.failed') {
      history.status = 'failed';
      history.error = event.data.error;
    } else {
      history.status = 'completed';
      history.output = event.data.output;
    }
  }

  #span(id: string): Span {
    return { id, from_ms: this.#at_ms, to_ms: null, changed: this.#number };
  }

  /** The part of this id, which belongs to the step under way if it is new. */
  #part<Kind extends Part>(id: string, make: () => Kind): Kind {
    let part = this.#parts.get(id) as Kind | undefined;
    if (part === undefined) {
      part = make();
      this.#parts.set(id, part);
      this.#open().parts.push(part);
    }
    part.changed = this.#number;
    return part;
  }

  #open(): Step {
    if (this.#step && !this.#is_answered) return this.#step;
    this.#is_answered = false;
    const number = ++this.#steps;
    this.#step = {
      ...this.#span(`step-${number}`), kind: 'step', number, parts: [], from_ms: this.#ready_ms,
    };
    this.#told.items.push(this.#step);
    return this.#step;
  }

  /** Something of the step has ended for good. */
  #answer(): void {
    this.#is_answered = true;
    this.#ready_ms = this.#at_ms;
  }

  /** What the model was saying is void, and ends where it was last heard of. */
  #giveUp(state: 'lost' | 'anew' | 'cut'): void {
    for (const part of this.#step?.parts ?? []) {
      if (part.kind !== 'message' || part.state !== 'growing') continue;
      part.state = state;
      part.to_ms = this.#told.last_ms;
      part.changed = this.#number;
    }
    this.#step = null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
