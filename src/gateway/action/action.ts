/** The nouns of this room: what an action is, where it comes from, and how one is performed. */
import type { Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import type { Connection } from '../../store/connections.ts';
import type { Departure } from '../egress/departure.ts';
import type { Credentials } from './credentials.ts';

/** What performing an action does: a write changes something, a destructive one loses something. */
export type Effect = 'read' | 'write' | 'destructive';

export interface Integration {
  slug: string;
  title: string;
  /** How it can be connected; a built-in one is connected in every workspace and needs none. */
  auth_methods?: readonly string[];
  /**
   * What its calls may reach besides public addresses. Absent: they stay within the service, and
   * need no credentials.
   */
  egress_allow?: readonly string[];
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
  input_schema: JsonObject;
  output_schema: JsonObject | null;
  /** Whether its result comes in pages, so that a call may carry `cursor`. */
  paged: boolean;
}

export interface ActionDefinition extends ActionDescription {
  /**
   * Does it. The input is valid and the connection usable. Throws ActionFailure for what the caller
   * is to be told; anything else that is thrown is a fault of ours. Stops when `signal` aborts.
   * Marks the departure as soon as anything of the call leaves.
   */
  perform(request: PerformRequest, caller: Caller, signal: AbortSignal): Promise<Performed>;
  /**
   * The input of the page that a cursor of this action stands for, made of the caller's input. Null
   * if the cursor says nothing to the action, such as one from before the action changed. There is
   * none if the action has no pages.
   */
  turnTo?(input: JsonObject, cursor: string): TurnedInput | null;
}

/** An input on another page. */
export interface TurnedInput {
  /** All that leaves: what somebody approves, and what the action performs. */
  input: JsonObject;
  /** The part of it that the action's schema describes, and is checked against. */
  described: JsonObject;
}

export interface PerformRequest {
  /** On another page than the first, with what that page changes in it. */
  input: JsonObject;
  connection: Connection;
  invocation_id: string;
  /** For an upstream service that knows such keys; null for what only reads. */
  idempotency_key: string | null;
  credentials: Credentials;
  /** Takes the secrets of the connection out of what came back, before anything of it is cut. */
  scrub<T>(value: T): T;
  departure: Departure;
}

export interface Performed {
  result: unknown;
  /** For `turnTo`, to get the next page; null: this was the last. Callers never see it. */
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
