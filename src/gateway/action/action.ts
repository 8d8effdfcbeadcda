/** The nouns of this room: what an action is, where it comes from, and how one is performed. */
import type { Schemas } from '../../../generated/types.ts';
import type { Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import type { Connection } from '../../store/connections.ts';
import type { Departure } from '../egress/departure.ts';
import type { Credentials } from './credentials.ts';

/** What performing an action does: a write changes something, a destructive one loses something. */
export type Effect = Schemas['ActionEffect'];

export interface Integration {
  slug: string;
  title: string;
  /** How it can be connected; a built-in one is connected in every workspace and needs none. */
  auth_methods?: readonly string[];
  /** What has to be given together, as a document says; empty or absent: one of them suffices. */
  needed_together?: readonly NeededScheme[];
  /**
   * What its calls may reach besides public addresses. Absent: they stay within the service, and
   * need no credentials.
   */
  egress_allow?: readonly string[];
  /** The workspaces that it is offered to; null or absent: all. */
  workspace_ids?: readonly string[] | null;
}

/** A way to authenticate, which goes together with others. */
export type NeededScheme =
  Pick<Schemas['SecurityScheme'], 'name' | 'type' | 'placement'>;

/** An action was removed, or made anew, since it was looked up. */
export class ActionGone extends Error {
  constructor(name: string) {
    super(`${name} was changed meanwhile`);
    this.name = 'ActionGone';
  }
}

/** What of an action is always at hand, the same for every workspace. */
export interface ActionSummary {
  name: string;
  integration: string;
  /** What it is in its source: `METHOD path`, or the tool's name. */
  source_key: string;
  title: string;
  description: string;
  effect: Effect;
  /** Whether its result comes in pages, so that a call may carry `cursor`. */
  paged: boolean;
  /** What its caller chooses from: `power_off, reboot`. Absent or empty: it does one thing. */
  verbs?: string;
}

/** An action as its source describes it. */
export interface ActionDescription extends ActionSummary {
  input_schema: JsonObject;
  output_schema: JsonObject | null;
  /** Whoever is trusted in that says that it destroys nothing. Absent: nobody does. */
  spares_all?: boolean;
  /** Whoever is not trusted in that says that it only reads. Absent: nobody does. */
  said_to_read?: boolean;
}

/** What a call sends to another system, without credentials. */
export type OutgoingRequest = Schemas['OutgoingRequest'];

export interface ActionDefinition extends ActionDescription {
  /**
   * Does it. The input is valid and the connection usable. Throws ActionFailure for what the caller
   * is to be told; anything else that is thrown is a fault of ours. Stops when `signal` aborts.
   * Asks for the departure right before anything of the call leaves, and marks it as it does. (What
   * needs no credentials leaves at once: it is asked for before.)
   */
  perform(request: PerformRequest, caller: Caller, signal: AbortSignal): Promise<Performed>;
  /**
   * The input of the page that a cursor of this action stands for, made of the caller's input. Null
   * if the cursor says nothing to the action, such as one from before the action changed. There is
   * none if the action has no pages.
   */
  turnTo?(input: JsonObject, cursor: string): TurnedInput | null;
  /**
   * An input that its schema refuses, put as the action takes it where that can be meant in one way
   * only. What comes of it is checked again, and is then what is approved, recorded and sent. There
   * is none if the action has no other way to write an input.
   */
  arrange?(input: JsonObject): Arranged;
  /**
   * The input without what says nothing, such as an empty query: inputs that are equal then are one
   * call, and what was decided about one holds for the other. Absent: all of an input counts.
   */
  essence?(input: JsonObject): JsonObject;
  /** Parameters of the input that are not for callers to set. */
  withheld?: readonly { place: string; name: string }[];
  /**
   * What `perform` would send for this input, made the same way, or what of the input cannot be
   * sent; null if it would send nothing. There is none if calls of the action never leave the
   * service.
   */
  preview?(input: JsonObject): OutgoingRequest | NoRequest | null;
}

/** What of an input cannot be sent, although its schema takes it. */
export interface NoRequest {
  violations: { path: string; message: string }[];
}

/** An action whose schemas, and whose way to be called, are elsewhere until they are needed. */
export interface KeptAction extends ActionSummary {
  open(): Promise<ActionDefinition>;
}

/** An action as its source has it. */
export type SourceAction = ActionDefinition | KeptAction;

/** The action with all that describes it and that a call needs; undefined if it is gone. */
export async function openIfThere(action: SourceAction): Promise<ActionDefinition | undefined> {
  if (!('open' in action)) return action;
  return await action.open().catch((error: unknown) => {
    if (error instanceof ActionGone) return undefined;
    throw error;
  });
}

/** An input put right as far as that can be done. */
export interface Arranged {
  input: JsonObject;
  /** By field of the input: where it belongs, in words that follow its name. */
  hints: Readonly<Record<string, string>>;
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
  /** The cursor of that page; null or absent: the first. */
  source_cursor?: string | null;
  connection: Connection;
  /** The record of the call; null: a call of the service's own, which has none. */
  invocation_id: string | null;
  /** For an upstream service that knows such keys; null for what only reads. */
  idempotency_key: string | null;
  credentials: Credentials;
  /** Takes the secrets of the connection out of what came back, before anything of it is cut. */
  scrub<T>(value: T): T;
  /** What `scrub` takes out, for a thread that has a scrubber of its own. */
  secrets: readonly string[];
  departure: Departure;
  /**
   * The dot paths of what is kept of the result; null or absent: all. The rest need not be in it,
   * but whether a path is in it has to show.
   */
  fields?: readonly string[] | null;
}

export interface Performed {
  /** A value that JSON has, or a JsonText in place of a long one. */
  result: unknown;
  /** For `turnTo`, to get the next page; null: this was the last. Callers never see it. */
  source_cursor: string | null;
  /** The answer was larger than what is read of one; `result` says how much is left out. */
  truncated?: boolean;
  /** `result` is what is kept of the answer (kept.ts): nothing more is chosen or cut of it. */
  is_kept?: boolean;
  /** Those of the fields asked for that the result does not have. */
  unknown_fields?: string[];
}

export interface ActionSource<Action extends SourceAction = SourceAction> {
  integration: Integration;
  actions: readonly Action[];
}

/** A source that may hold something open: processes, sessions with a server. */
export interface OpenSource extends ActionSource {
  /** Ends what no call uses, and the rest when its calls are done. */
  drain?(): Promise<void>;
  /** Ends everything at once. */
  close?(): Promise<void>;
}
