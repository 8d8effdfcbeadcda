/**
 * What an operation is: an asynchronous function from a validated request to one of the replies
 * that openapi.yaml declares for it. It knows nothing of sockets; it chooses the success status,
 * and throws a GatehouseError for everything else. tsc refuses a missing operation, an undeclared
 * status and a body that the document does not describe.
 */
import type { operations as OperationTypes } from '../../generated/types.ts';
import type { OperationId, OperationParameters, operations } from '../../generated/operations.ts';
import type { Caller, Operator, Scope } from '../caller.ts';
import type { Batch } from '../runs/runEvents.ts';
import type { Services } from './services.ts';

/** The JSON body, as validated; undefined where there is none or it may be left out. */
type BodyOf<O extends OperationId> =
  OperationTypes[O] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body
    : OperationTypes[O] extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? Body | undefined : undefined;

/** Everything that an operation gets. */
export interface OperationContext<O extends OperationId> {
  /** Whose api key it is; null for operations of the operator, who has no workspace. */
  readonly caller: (typeof operations)[O] extends { internal: true } ? null : Caller;
  /** What the caller may see, for what reads: its workspace, or an agent's own session. */
  readonly scope: (typeof operations)[O] extends { internal: true } ? null : Scope;
  /** Who operates the service; null: an application asks, or who it is does not matter. */
  readonly operator: (typeof operations)[O]['security'] extends 'adminToken' | 'dashboardSession'
    ? Operator : Operator | null;
  /** Typed, with the document's defaults filled in; header names are in lower case. */
  readonly params: OperationParameters<O>;
  readonly body: BodyOf<O>;
  readonly accepts: {
    /** The Accept header prefers text/event-stream to JSON, or names it and both are as good. */
    readonly event_stream: boolean;
  };
  readonly request_id: string;
  /**
   * Aborted when the client goes away, and for an event stream also when the server drains. Made
   * when first read: read it only where it is needed.
   */
  readonly signal: AbortSignal;
  /** Aborted when the server starts to drain: a long wait should answer with what it has. */
  readonly draining: AbortSignal;
  readonly services: Services;
  /**
   * Takes one of the key's event streams before anything is done; the HTTP room gives it back.
   * Throws `rate_limited` if the key or its workspace has too many. Replying with `events` does it
   * as well, so call it only if refusing later would leave something behind.
   */
  reserveStream(): void;
  /** What the browser says it is; null if it says nothing. */
  readonly user_agent: string | null;
  /** The header Set-Cookie with the secret of a dashboard session; an empty one takes it away. */
  cookieSetting(secret: string): string;
  /** The secret in the cookie that the request came with, whatever it is good for; or null. */
  readonly cookie_secret: string | null;
  /**
   * Runs `authenticate` for somebody who may be guessing credentials. It has to call the function
   * that it is given before it looks up a credential that it does not know: that throws
   * `rate_limited` if guesses from the same address have failed too often.
   */
  guarded<T>(authenticate: (beforeLookup: () => void) => Promise<T>): Promise<T>;
}

type ResponsesOf<O extends OperationId> = OperationTypes[O]['responses'];
type Success<O extends OperationId> = {
  [S in keyof ResponsesOf<O>]: `${S & number}` extends `2${string}` | '304' ? S : never
}[keyof ResponsesOf<O>];
type WithHeaders = { headers?: Record<string, string> };
type JsonReply<S, R> = R extends { content: { 'application/json': infer Body } }
  ? { status: S; body: Body } & WithHeaders : never;
type EventsReplyWith<S, R> = R extends { content: { 'text/event-stream': unknown } }
  ? { status: S; events: AsyncIterable<Batch> } & WithHeaders : never;
type EmptyReply<S, R> = R extends { content?: never } ? { status: S } & WithHeaders : never;
/** A body that already is JSON text; only for the document itself. */
type RawReply<O, S, R> = O extends 'getOpenapiDocument'
  ? R extends { content: { 'application/json': unknown } }
    ? { status: S; raw: string } & WithHeaders : never
  : never;
type ReplyWith<O, S, R> =
  JsonReply<S, R> | EventsReplyWith<S, R> | EmptyReply<S, R> | RawReply<O, S, R>;

/**
 * What operation O may answer: for each success status of the document a JSON `body`, `events`, or
 * neither. Batches of events are written as they come; the iterable is cancelled (`return()`) when
 * the client goes away, and if it throws, the connection is cut so that the client resumes.
 */
export type Reply<O extends OperationId> = {
  [S in Success<O>]: ReplyWith<O, S, ResponsesOf<O>[S]>
}[Success<O>];

export type Operation<O extends OperationId> = (context: OperationContext<O>) => Promise<Reply<O>>;
export type Operations = { [O in OperationId]: Operation<O> };
