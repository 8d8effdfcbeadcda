import { newId } from '../ids.ts';
import type {
  AssistantPart, ProviderState, StepPart, StepResult, StepUsage, TranscriptMessage,
} from '../models/model.ts';
import { isUnavailable } from '../store/database.ts';
import type { ClaimedRun, NewMessage, OutputItem } from '../store/runs.ts';
import type { SettledWrite } from '../store/writeIntents.ts';
import type { Appender, AppendRequest } from './appender.ts';
import { event, type NewEvent } from './runEvents.ts';
import type { RunFailure } from './runStatus.ts';
import type { FinishedToolCall } from './toolCallExecutor.ts';

/** A model's stream waits for the database when this many appends of its run are under way. */
const PENDING_APPENDS = 64;

/**
 * What one attempt of a run writes: events as they stream, steps and results as they are
 * committed. It knows which calls have begun and not ended, so that none is left open.
 */
export class TurnLog {
  readonly #appender: Appender;
  readonly #run: ClaimedRun;
  readonly #broken = new AbortController();
  readonly #refused = new AbortController();
  #mended = false;
  #open = new Map<string, string>();
  #position = 0;
  readonly #usage: StepUsage;
  #pending = 0;
  #latest: Promise<unknown> = Promise.resolve();

  constructor(appender: Appender, run: ClaimedRun) {
    this.#appender = appender;
    this.#run = run;
    this.#usage = { input_tokens: run.input_tokens, output_tokens: run.output_tokens };
  }

  /** Aborts with the reason when an append that nobody awaited was refused. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /**
   * Likewise, but not if the database was away: then calls that change something go on, for what
   * came of them can be recorded once it is back.
   */
  get refused(): AbortSignal {
    return this.#refused.signal;
  }

  /** Takes over the calls that an earlier attempt has left open. */
  resume(open: Map<string, string>): void {
    this.#open = open;
  }

  /**
   * After an append was refused for what it held: only the run's end may still be written. `open`
   * are the calls without an end according to the log itself.
   */
  mend(open: Map<string, string>): void {
    this.#open = open;
    this.#mended = true;
  }

  /** The calls that have begun and not ended. */
  get open(): string[] {
    return [...this.#open.keys()];
  }

  /** Sets how many messages the run has so far. */
  begin(messages: number): void {
    this.#position = messages;
  }

  /** Appends a streamed part without waiting for it. */
  emitPart(part: StepPart): void {
    const { type, ...data } = part;
    if (type === 'tool_call.started') this.#open.set(part.tool_call_id, part.name);
    this.#send({ events: [{ type, data: JSON.stringify(data) }] }).catch(() => {});
  }

  /** The tokens of all steps that the run has committed. */
  get total_tokens(): number {
    return this.#usage.input_tokens + this.#usage.output_tokens;
  }

  /** Resolves at once unless the database is far behind the model. */
  async roomForMore(): Promise<void> {
    if (this.#pending >= PENDING_APPENDS) await this.#latest;
  }

  /** Commits a model step: its message and, if the agent said something, the event of it. */
  async commitStep(result: StepResult): Promise<TranscriptMessage> {
    const { content, provider, usage, message_id } = result;
    const events = outputOf(result)
      .map((message) => event('message.output.completed', { message_id, message }));
    // At once: the end of the run may be appended in the same tick.
    this.#use(usage, 1);
    await this.#send({
      events, steps: 1, ...usage,
      messages: [this.#message(message_id, 'assistant', content, { ...provider, usage })],
    }).catch((error: unknown) => {
      this.#use(usage, -1);
      throw error;
    });
    return { role: 'assistant', run_id: this.#run.id, content, provider };
  }

  /** Commits the result of a call: its message and its event. */
  async commitToolResult(finished: FinishedToolCall): Promise<TranscriptMessage> {
    const { part } = finished;
    this.#open.delete(part.tool_call_id);
    await this.#send({
      events: [finished.event],
      messages: [this.#message(newId('msg'), 'tool', [part], null)],
    });
    return { role: 'tool', run_id: this.#run.id, content: [part] };
  }

  /** Closes the calls that began and never reached the transcript: nobody will make them. */
  async closeUncommitted(
    committed: Set<string>, code: string, message: string): Promise<void> {
    const ids = [...this.#open.keys()].filter((id) => !committed.has(id));
    if (ids.length > 0) await this.#send({ events: this.#closings(ids, code, message) });
  }

  /** Ends the run as completed, with this message. */
  async complete(message: Said): Promise<void> {
    const output = outputOf(message);
    await this.#send({
      events: [event('run.completed', { output, usage: this.#totals() })],
      end: { status: 'completed', output, error: null },
    });
  }

  /**
   * Ends the run as failed. Calls without an end are closed first: those that are `settled` by what
   * they came to, in the transcript as well, and any other by the failure.
   */
  async fail({ code, message, retryable }: RunFailure, settled: SettledWrite[]): Promise<void> {
    const error = { code, message, retryable };
    const known = new Map(settled.map((write) => [write.tool_call_id, write]));
    // A message that was refused did not take its position in the transcript; one that is still
    // being written did.
    const place = settled[0]?.place ?? 0;
    this.#position = this.#mended ? place : Math.max(this.#position, place);
    const open = this.open;
    const messages = open.flatMap((id) => known.get(id)?.part ?? []).map((part) =>
      this.#message(newId('msg'), 'tool', [JSON.parse(part)], null));
    const closings = open.flatMap((id) => known.get(id) ?? this.#closings([id], code,
      'The run failed before this call had a result.'));
    await this.#send({
      events: [...closings.map(({ type, data }) => ({ type, data })),
        event('run.failed', { error, usage: this.#totals() })],
      messages,
      end: { status: 'failed', output: [], error },
    });
  }

  #closings(tool_call_ids: string[], code: string, message: string): NewEvent[] {
    return tool_call_ids.map((tool_call_id) => {
      const name = this.#open.get(tool_call_id)!;
      this.#open.delete(tool_call_id);
      return event('tool_call.failed', { tool_call_id, name, error: { code, message } });
    });
  }

  #message(
    id: string, role: NewMessage['role'], content: unknown[], provider: unknown): NewMessage {
    this.#position += 1;
    return { id, role, content, provider, position: this.#position };
  }

  #use({ input_tokens, output_tokens }: StepUsage, times: 1 | -1): void {
    this.#usage.input_tokens += times * input_tokens;
    this.#usage.output_tokens += times * output_tokens;
  }

  #totals() {
    const { input_tokens, output_tokens } = this.#usage;
    return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
  }

  #send(what: Partial<AppendRequest>): Promise<number> {
    // After one append has failed, a later one would leave a hole in the log.
    if (this.#broken.signal.aborted && !this.#mended) {
      return Promise.reject(this.#broken.signal.reason);
    }
    const { workspace_id, id: run_id, attempt } = this.#run;
    const sent = this.#appender.append({ workspace_id, run_id, attempt, ...what });
    this.#pending += 1;
    this.#latest = sent.catch((error: unknown) => {
      this.#broken.abort(error);
      if (!isUnavailable(error)) this.#refused.abort(error);
    }).finally(() => { this.#pending -= 1; });
    return sent;
  }
}

interface Said { content: AssistantPart[]; provider: ProviderState | null }

/** What a step of the agent says, as one message; nothing if it only calls. */
function outputOf({ content, provider }: Said): OutputItem[] {
  const text = content.filter((part) => part.type === 'output_text');
  if (text.length === 0) return [];
  const incomplete_reason = provider?.incomplete_reason;
  return [{
    type: 'message', role: 'assistant', content: text,
    ...(incomplete_reason && { incomplete_reason }),
  }];
}
