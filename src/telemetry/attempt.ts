/**
 * Counts and traces one attempt of a run: the attempt itself, its requests to the model, its calls
 * of actions. Never their contents: no prompt, no arguments, no result.
 */
import type { Meters } from './metrics.ts';
import type { Attributes, SpanOf, StartSpan } from './spans.ts';

/** `ok`, or the code of an error. */
type AttemptOutcome = string;

export interface AttemptOf {
  id: string;
  session_id: string;
  attempt: number;
  model: string;
}

/** The call has ended. Only the first time counts. */
export type EndCall = (outcome: AttemptOutcome, invocation_id?: string) => void;

/**
 * The most models with a label of their own. Callers choose the names, so a model gets its label
 * with its first answer: invented names must not fill the memory or appear in metrics.
 */
const MODEL_LABELS = 100;
/** Names of existing actions match this; other texts could be anything, and are not exported. */
const ACTION_NAME = /^[\w.-]{1,255}$/;
/** With these codes the action does not exist, or no name was given. */
const NAMELESS = new Set(['unknown_action', 'invalid_arguments']);

/** Telemetry of the runs of one process. */
export class RunTelemetry {
  readonly meters: Meters;
  readonly startSpan: StartSpan;
  readonly #models: Set<string>;

  /** `model` is the default model, which has its label from the beginning. */
  constructor(meters: Meters, startSpan: StartSpan, model: string) {
    this.#models = new Set([model]);
    this.meters = meters;
    this.startSpan = startSpan;
  }

  begin(run: AttemptOf): AttemptTelemetry {
    return new AttemptTelemetry(this, run);
  }

  /** The label of the model in metrics. */
  label(model: string): string {
    return this.#models.has(model) ? model : 'other';
  }

  /** Call this when the model has answered, so that its name is real. */
  answered(model: string): void {
    if (this.#models.size < MODEL_LABELS) this.#models.add(model);
  }
}

/** One attempt, from its begin to its end. */
export class AttemptTelemetry {
  readonly #telemetry: RunTelemetry;
  readonly #run: AttemptOf;
  readonly #span: SpanOf | undefined;
  #step: StepTelemetry | undefined;
  #steps = 0;
  /** Ends the calls that are under way. */
  readonly #calls = new Set<EndCall>();
  #ended = false;

  constructor(telemetry: RunTelemetry, run: AttemptOf) {
    this.#telemetry = telemetry;
    this.#run = run;
    const { provider, model } = split(run.model);
    this.#span = telemetry.startSpan('invoke_agent', 'internal', {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gen_ai.conversation.id': run.session_id,
      'gatehouse.run.id': run.id,
      'gatehouse.run.attempt': run.attempt,
    });
  }

  /** Begins a request to the model. The failure of an earlier one was not the end then: a retry. */
  beginStep(): StepTelemetry {
    const failed_with = this.#step?.failed_with;
    this.#step?.end('interrupted');
    const { meters, startSpan } = this.#telemetry;
    if (failed_with !== undefined) {
      const label = this.#telemetry.label(this.#run.model);
      meters.model_retries_total.add(1, { model: label, code: failed_with });
    }
    const { provider, model } = split(this.#run.model);
    const span = this.#span && startSpan(`chat ${model}`, 'client', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'gatehouse.run.step': this.#steps += 1,
    }, this.#span);
    return this.#step = new StepTelemetry(this.#telemetry, this.#run.model, span);
  }

  beginCall(tool_call_id: string, action: string): EndCall {
    if (!this.#span) return ignore;
    const span = this.#telemetry.startSpan('execute_tool', 'internal', {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': tool_call_id,
    }, this.#span);
    const end: EndCall = (outcome, invocation_id) => {
      if (!this.#calls.delete(end)) return;
      if (!NAMELESS.has(outcome) && ACTION_NAME.test(action)) {
        span?.rename(`execute_tool ${action}`, { 'gen_ai.tool.name': action });
      }
      span?.end(outcome, {
        'gatehouse.outcome': outcome,
        ...(invocation_id !== undefined && { 'gatehouse.invocation.id': invocation_id }),
      });
    };
    this.#calls.add(end);
    return end;
  }

  /** The attempt is over. Only the first time counts. */
  end(outcome: AttemptOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#step?.end('interrupted');
    for (const endCall of this.#calls) endCall('interrupted');
    this.#span?.end(outcome, { 'gatehouse.outcome': outcome });
  }
}

/** One request to the model. */
export class StepTelemetry {
  /** The code that it failed with, if it did. */
  failed_with: string | undefined;
  readonly #telemetry: RunTelemetry;
  readonly #model: string;
  readonly #span: SpanOf | undefined;
  readonly #started_ms = performance.now();
  #answering = false;
  #ended = false;

  constructor(telemetry: RunTelemetry, model: string, span: SpanOf | undefined) {
    this.#telemetry = telemetry;
    this.#model = model;
    this.#span = span;
  }

  /** A piece of the answer came. */
  delta(): void {
    if (this.#answering) return;
    this.#answering = true;
    this.#telemetry.answered(this.#model);
    const { model_first_delta_seconds } = this.#telemetry.meters;
    model_first_delta_seconds.record(this.#seconds(), { model: this.#label });
  }

  /** The whole answer came. */
  complete(usage: { input_tokens: number; output_tokens: number }): void {
    this.#telemetry.answered(this.#model);
    const model = this.#label;
    const { input_tokens, output_tokens } = usage;
    const { model_tokens_total } = this.#telemetry.meters;
    model_tokens_total.add(input_tokens, { model, direction: 'input' });
    model_tokens_total.add(output_tokens, { model, direction: 'output' });
    this.end('ok', {
      'gen_ai.usage.input_tokens': input_tokens, 'gen_ai.usage.output_tokens': output_tokens,
    });
  }

  fail(code: string): void {
    if (this.#ended) return;
    this.failed_with = code;
    this.#telemetry.meters.model_errors_total.add(1, { model: this.#label, code });
    this.end(code);
  }

  /** It is over. Only the first time counts. */
  end(outcome: AttemptOutcome, attributes: Attributes = {}): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#telemetry.meters.model_step_duration_seconds.record(
      this.#seconds(), { model: this.#label, outcome });
    this.#span?.end(outcome, attributes);
  }

  get #label(): string {
    return this.#telemetry.label(this.#model);
  }

  #seconds(): number {
    return (performance.now() - this.#started_ms) / 1_000;
  }
}

const ignore = () => {};

/** Names of providers by the conventions for generative AI; others keep our name. */
const PROVIDERS: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

/** `openai/gpt-5` is the model gpt-5 of openai. */
function split(key: string): { provider: string; model: string } {
  const slash = key.indexOf('/');
  if (slash === -1) return { provider: 'gatehouse', model: key };
  const provider = key.slice(0, slash);
  return { provider: PROVIDERS[provider] ?? provider, model: key.slice(slash + 1) };
}
