/** A call of an action, and everything that may come of it. */
import type { JsonObject } from '../../json.ts';
import type { Effect, Performed } from './action.ts';

/** Told of a write of which nobody knows what came. */
export const MAY_HAVE_TAKEN_EFFECT = 'The call may have taken effect, and was not repeated. Find'
  + ' out before you call it again.';

export interface ActionCall {
  action: string;
  input?: object;
  connection_id?: string;
  /** Dot paths of what to keep of the result, arrays mapped: `data.id`. */
  fields?: string[];
  cursor?: string;
}

export interface CallContext {
  source: 'api' | 'run' | 'mcp';
  /** The id of the HTTP request that asks for the call; calls of runs have none. */
  request_id?: string;
  run_id?: string;
  /** The attempt of the run that makes the call; nothing is sent once the attempt is over. */
  attempt?: number;
  tool_call_id?: string;
  /** Only a reading action is performed, whatever the grants say. */
  read_only_only: boolean;
  /** Breaks the call off. */
  signal?: AbortSignal;
  /** Breaks the call off unless it is changing something: such a call goes on until `signal`. */
  windDown?: AbortSignal;
}

export interface Violation {
  /** JSON pointer into the call: `/input/query/limit`. */
  path: string;
  message: string;
}

/** What another system asks a person before it does what it was called for. */
export type Question =
  | { mode: 'form', message: string, /** What an answer looks like. */ schema: JsonObject | null }
  /** `url`: a page that the person has to open; null if it is none that is shown. */
  | { mode: 'url', message: string, url: string | null };

/** Something the call lacks; the caller, or someone the message names, can supply it. */
export type Missing =
  | { code: 'unknown_action', message: string, action: string, suggestions: string[] }
  | { code: 'action_not_read_only', message: string, action: string, effect: Effect }
  | { code: 'not_permitted', message: string, action: string, effect: Effect,
      grant_needed: { actions: string, decision: 'allow' }, who_can_grant: 'operator' }
  | { code: 'approval_required', message: string, action: string, effect: Effect,
      approval_id: string, status: 'pending' | 'denied',
      /** Why it was denied, if that was said. */
      reason: string | null,
      call: { action: string, connection_id: string, input: object }, expires_at: string,
      read_only_alternatives: string[], who_can_approve: 'operator' }
  | { code: 'approvals_full', message: string, action: string, effect: Effect,
      /** How many may be pending in the workspace. */
      most_pending: number,
      read_only_alternatives: string[], who_can_approve: 'operator' }
  | { code: 'not_connected', message: string, integration: string, auth_methods: string[],
      /** There if an account needs all of these credentials; `in` and `name` are of an api key. */
      needed_together?: { scheme: string, type: string, in?: string, name?: string }[],
      who_can_connect: 'operator' }
  | { code: 'needs_reconnect', message: string, integration: string, connection_id: string,
      account_label: string | null, reason: string | null, who_can_reconnect: 'operator' }
  | { code: 'connection_ambiguous', message: string, integration: string,
      connections: { connection_id: string, account_label: string | null }[] }
  | { code: 'answer_required', message: string, action: string, integration: string,
      questions: Question[],
      /** What the other system said once nobody had answered. */
      answer: string, who_can_answer: 'person' }
  | { code: 'invalid_input', message: string, violations: Violation[],
      /** The part of the input's schema that each failing field is held to, by its path. */
      schema: Record<string, unknown> };

export interface ActionError {
  /**
   * `egress_refused`: nothing is sent to where the action is, until an operator allows or changes
   * it.
   * `invalid_document`: no input can be checked by the action's schema, so it cannot be called.
   * `outcome_unknown`: the answer was lost, and what the call was to change may have
   * changed.
   */
  code: 'upstream_error' | 'upstream_forbidden' | 'upstream_rate_limited' | 'upstream_timeout'
    | 'outcome_unknown' | 'cancelled' | 'egress_refused'
    | 'invalid_document' | 'internal_error';
  message: string;
  details?: unknown;
  /** When repeating the call makes sense, if that is known. */
  retry_after_s?: number;
}

/** What came of a call. */
export type Outcome = CompletedOutcome | MissingOutcome | FailedOutcome;

export interface CompletedOutcome extends Performed {
  status: 'completed';
  /** The result was larger than what is kept of one; `result` says how much is left out. */
  truncated: boolean;
}

export interface MissingOutcome {
  status: 'missing';
  /** Never empty. Permission comes first, then the connection, then the input. */
  missing: Missing[];
}

export interface FailedOutcome {
  status: 'failed';
  error: ActionError;
}

/** As a caller is told of it: by the id of the call its next page is found. */
type ToldOutcome = MissingOutcome | FailedOutcome
  | (Omit<CompletedOutcome, 'source_cursor'> & { next_cursor: string | null });

/** What came of a call, with what its record says of it. */
export type ActionOutcome = ToldOutcome & {
  invocation_id: string;
  action: string;
  /** Null if the call did not get as far as a connection. */
  connection_id: string | null;
  duration_ms: number;
};
