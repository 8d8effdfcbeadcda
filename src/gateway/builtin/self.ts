/** The service as its own first integration: its public document, imported like any other. */
import type { Caller } from '../../caller.ts';
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import type {
  ActionDefinition, ActionSource, Performed, PerformRequest, TurnedInput,
} from '../action/action.ts';
import { failure, lacks, type ActionFailure } from '../action/failure.ts';
import { invalidInput } from '../action/missing.ts';
import { arrange, essence } from '../openapi/arrange.ts';
import { importOpenapi, type ImportedAction } from '../openapi/openapi.ts';
import { buildRequest, type OperationRequest } from '../openapi/request.ts';

export const SELF_SLUG = 'gatehouse';

export interface SelfResponse {
  status: number;
  /** The parsed JSON; undefined or null if there is none. */
  body: unknown;
}

/**
 * Brings a request to the service itself, on behalf of `caller`. `path` is the document's (no
 * `/v1`), `query` comes without the question mark. Rejects when `signal` aborts.
 */
export type SelfTransport =
  (request: OperationRequest, caller: Caller, signal: AbortSignal) => Promise<SelfResponse>;

const TITLE = 'Gatehouse';

/** What the public OpenAPI document (generated/openapi.json) makes. */
export function readSelfActions(document: object): readonly ImportedAction[] {
  return importOpenapi(document as JsonObject, {
    slug: SELF_SLUG,
    overrides: {
      // These steer the transport, not the operation.
      '*': { hidden_parameters:
        ['header.idempotency-key', 'header.last-event-id', 'header.if-none-match'] },
      'POST /actions/search': { effect: 'read' },
      // No grant is meant to give this to an agent: it would also delete what tells of its calls.
      'DELETE /sessions/{session_id}': { hidden: true },
    },
  }).actions;
}

/** `actions`: those of `readSelfActions`, which are not changed. */
export function createSelfSource(actions: readonly ImportedAction[], transport: SelfTransport,
): ActionSource<ActionDefinition> {
  return {
    integration: { slug: SELF_SLUG, title: TITLE },
    actions: actions.map((action) => ({
      ...action,
      perform: (call, caller, signal) => perform(action, transport, call, caller, signal),
      arrange: (input) => arrange(action.input_schema, input),
      essence,
      ...(action.paged && { turnTo }),
    })),
  };
}

/** Our own lists take their cursor in the query. */
function turnTo(input: JsonObject, cursor: string): TurnedInput {
  const turned = { ...input, query: { ...objectOf(input.query), cursor } };
  return { input: turned, described: turned };
}

async function perform(
  action: ImportedAction, transport: SelfTransport,
  { input, idempotency_key, departure }: PerformRequest, caller: Caller,
  signal: AbortSignal): Promise<Performed> {
  const built = buildRequest(action, input);
  if ('violations' in built) throw lacks(invalidInput(action.name, built));
  if (idempotency_key !== null) built.request.headers['idempotency-key'] = idempotency_key;
  departure.mark();
  const { status, body } = await transport(built.request, caller, signal);
  if (status < 200 || status > 299) throw answeredWith(status, body);
  return { result: body ?? null, source_cursor: nextCursor(body) };
}

/** The service's own message says what to do; it reaches the caller. */
function answeredWith(status: number, body: unknown): ActionFailure {
  const said = isObject(body) ? textOf(body.error) : undefined;
  return failure(said ?? `${TITLE} answered ${status} to this call.`, {
    details: { status, ...(status >= 500 ? {} : { body: body ?? null }) },
  });
}

function nextCursor(body: unknown): string | null {
  return isObject(body) && body.object === 'list' ? textOf(body.next_cursor) ?? null : null;
}
