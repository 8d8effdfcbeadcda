/** The nouns of this room: what an action is, where it comes from, and how one is performed. */
import type { Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import type { Connection } from '../../store/connections.ts';
import type { Missing } from './outcome.ts';

/** What performing an action does: a write changes something, a destructive one loses something. */
export type Effect = 'read' | 'write' | 'destructive';

export interface Integration {
  slug: string;
  kind: 'openapi' | 'mcp' | 'builtin';
  title: string;
  /** How it can be connected; a built-in one is connected in every workspace and needs none. */
  auth_methods?: readonly string[];
  /** The workspaces that it is offered to; null or absent: all. */
  workspace_ids?: readonly string[] | null;
}

/** An action as its source describes it, the same for every workspace. */
export interface ActionDescription {
  name: string;
  integration: string;
  /** What it is in its source: `METHOD path`, or the tool's name. */
  source_key: string;
  title: string;
  description: string;
  effect: Effect;
  effect_source: 'rule' | 'hint' | 'operator';
  input_schema: JsonObject;
  output_schema: JsonObject | null;
  /** Whether its result comes in pages, so that a call may carry `cursor`. */
  paged: boolean;
}

export interface ActionDefinition extends ActionDescription {
  /**
   * Does it. The input is valid and the connection usable. Throws ActionFailure for what the caller
   * is to be told; anything else that is thrown is a fault of ours. Stops when `signal` aborts.
   */
  perform(request: PerformRequest, caller: Caller, signal: AbortSignal): Promise<Performed>;
}

export interface PerformRequest {
  input: JsonObject;
  cursor: string | null;
  connection: Connection;
  invocation_id: string;
  /** For an upstream service that knows such keys; null for what only reads. */
  idempotency_key: string | null;
}

export interface Performed {
  result: unknown;
  /** To be given as `cursor` for the next page; null: this was the last. */
  next_cursor: string | null;
  /** The answer was larger than what is read of one; `result` says how much is left out. */
  truncated?: boolean;
}

export interface ActionSource {
  integration: Integration;
  actions: ActionDefinition[];
}

/** A source that may hold something open: processes, sessions with a server. */
export interface OpenSource extends ActionSource {
  /** Ends what no call uses, and the rest when its calls are done. */
  drain?(): Promise<void>;
  /** Ends everything at once. */
  close?(): Promise<void>;
}

/** `outcome_unknown`: the answer was lost, and what the call was to change may have changed. */
export type UpstreamFailureCode =
  'upstream_error' | 'upstream_forbidden' | 'upstream_rate_limited' | 'outcome_unknown';

export interface FailureParticulars {
  /** `upstream_error` if it is left out. */
  code?: UpstreamFailureCode;
  details?: unknown;
  missing?: Missing[];
  retry_after_s?: number;
  /** False only where it is known that nothing of the call had left; true if it is left out. */
  sent?: boolean;
}

/** What an integration answered instead of a result, or what it found missing in the call. */
export class ActionFailure extends Error {
  readonly code: UpstreamFailureCode;
  readonly details: unknown;
  readonly missing: Missing[] | null;
  /** When repeating the call makes sense; null: unknown. */
  readonly retry_after_s: number | null;
  /** Whether the call may have reached whom it was for. An approval that it used up stays used. */
  readonly sent: boolean;

  /** `missing`: the call lacks something the caller can mend; else it is an upstream error. */
  constructor(message: string, particulars: FailureParticulars = {}) {
    super(message);
    this.name = 'ActionFailure';
    this.code = particulars.code ?? 'upstream_error';
    this.retry_after_s = particulars.retry_after_s ?? null;
    this.details = particulars.details;
    this.missing = particulars.missing ?? null;
    this.sent = particulars.sent ?? true;
  }

  /** The same failure of a call of which more is known. It stays as it is: others may have it. */
  withSent(sent: boolean): ActionFailure {
    if (sent === this.sent) return this;
    const { message, code, details, missing, retry_after_s } = this;
    return new ActionFailure(message, { code, details, sent,
      ...(missing !== null && { missing }), ...(retry_after_s !== null && { retry_after_s }) });
  }
}
