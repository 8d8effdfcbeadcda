/** Errors that a request asks for by name: the service itself is brought to refuse it so. */
import type { IncomingMessage } from 'node:http';
import type { OperationEntry } from '../../generated/operations.ts';
import type { Config } from '../config.ts';
import { notFound, STATUS_OF_CODE, type ErrorCode } from '../errors.ts';
import { bodyTooLarge, requireJson } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseBody } from '../http/json.ts';
import { Limits } from '../http/limits.ts';
import { ROUTES } from '../http/routes.ts';
import { conflictOf } from '../operations/idempotency.ts';
import { invalidCursor } from '../operations/reads.ts';
import { refusal } from '../runs/lifecycle.ts';
import { eventsExpired } from '../runs/runEvents.ts';
import { hasOpenRun } from '../runs/sessions.ts';
import { NO_METERS } from '../telemetry/metrics.ts';
import { REFUSED_CALLS } from './integrations.ts';

const NO_OBJECT: Partial<Record<string, string>> = {
  session_id: 'session', run_id: 'run', invocation_id: 'action invocation',
};

/** The run that a session is said to have. */
const OPEN_RUN = 'run_01kagz4e6f1s3t5v7w9x1y3z5a';

/** A token that is refused; every other one is good. */
export const REFUSED_TOKEN = 'invalid';

/** Changes of a request, as it comes in, that the service refuses. */
const SPOILED: Partial<Record<ErrorCode, (req: IncomingMessage) => void>> = {
  missing_api_key(req) { delete req.headers.authorization; },
  invalid_api_key(req) { req.headers.authorization = `Bearer ${REFUSED_TOKEN}`; },
  not_acceptable(req) { req.headers.accept = 'image/png'; },
  unsupported_media_type(req) { req.headers['content-type'] = 'text/plain'; },
  invalid_request(req) { req.url += `${req.url!.includes('?') ? '&' : '?'}unknown=parameter`; },
};

const always = () => true;
const guarded = ({ security }: OperationEntry) => security !== null;
const withBody = ({ body }: OperationEntry) => body !== null;
const ofRuns = (_: OperationEntry, id: string) => id === 'createRun';
const ofBusy = (_: OperationEntry, id: string) => id === 'createRun' || id === 'deleteSession';
const ofStored = (_: OperationEntry, id: string) =>
  id === 'createRun' || id === 'createActionInvocation';
const withKey = ({ headers }: OperationEntry) => headers.includes('idempotency-key');

/** Which operations can be refused with what, of those that declare its status. */
const POSSIBLE: Partial<Record<ErrorCode, (entry: OperationEntry, id: string) => boolean>> = {
  invalid_json: withBody, invalid_request: always,
  invalid_cursor: (_, id) => id.startsWith('list'),
  missing_api_key: guarded, invalid_api_key: guarded,
  not_found: ({ path }) => path.includes('{'),
  not_acceptable: always,
  session_busy: ofBusy, session_archived: ofRuns, queue_full: ofRuns,
  storage_full: ofStored,
  idempotency_key_reused: withKey, idempotency_in_progress: withKey,
  events_expired: always, payload_too_large: always, unsupported_media_type: always,
  rate_limited: always, internal_error: always, unavailable: always,
};

export class ExampleRefusals {
  readonly #config: Config;
  /** By operation. */
  readonly #codes: ReadonlyMap<string, readonly ErrorCode[]>;

  constructor(config: Config) {
    this.#config = config;
    this.#codes = new Map(ROUTES.filter(({ entry }) => !entry.internal)
      .map(({ operation_id, entry }) => [operation_id, codesOf(operation_id, entry)]));
  }

  /** What each public operation can be refused with, by its name. */
  listed(): Record<string, readonly ErrorCode[]> {
    return Object.fromEntries(this.#codes);
  }

  /** The code that a name (a code, or a status) stands for here; undefined if none. */
  codeFor(operation_id: string, name: string): ErrorCode | undefined {
    const codes = this.#codes.get(operation_id) ?? [];
    // Who asks for 401 has a key, mostly.
    if (name === '401') return 'invalid_api_key';
    return codes.find((code) => code === name)
      ?? codes.find((code) => String(STATUS_OF_CODE[code]) === name);
  }

  /** Changes a request that is to be refused before its operation is called. */
  spoil(code: ErrorCode, req: IncomingMessage): void {
    SPOILED[code]?.(req);
  }

  /**
   * Has a valid request refused: changes what it asks for, or throws what its operation would
   * throw. What is thrown in its place becomes the answer in the same way.
   */
  refuse(operation_id: string, code: ErrorCode, exchange: Exchange): void {
    const action = REFUSED_CALLS[code];
    if (operation_id === 'createActionInvocation' && action !== undefined) {
      exchange.body = code === 'invalid_input' ? { action, input: { query: { limit: 0 } } }
        : { action };
      return;
    }
    if (operation_id === 'deleteSession' && code === 'session_busy') throw hasOpenRun(OPEN_RUN);
    const [name = '', id = ''] = Object.entries(exchange.path)[0] ?? [];
    switch (code) {
      case 'session_archived': case 'session_busy': case 'queue_full':
      case 'storage_full':
        throw refusal(code,
          { session_id: id, max_queued_runs: this.#config.workspace_queued_runs,
            max_storage_bytes: this.#config.workspace_storage_bytes });
      case 'not_found':
        if (name !== 'action') throw notFound(NO_OBJECT[name]!, id);
        exchange.params = { ...exchange.params!, path: { action: REFUSED_CALLS.unknown_action! } };
        return;
      case 'invalid_cursor': throw invalidCursor();
      case 'invalid_json': throw parseBody(Buffer.from('{"title": '), this.#config);
      // Spoiled without effect: the type of a body that need not be sent, and was not.
      case 'unsupported_media_type': return requireJson(exchange.headers);
      case 'payload_too_large': throw bodyTooLarge(this.#config.body_limit_bytes);
      case 'idempotency_key_reused': throw conflictOf('reused');
      case 'idempotency_in_progress': throw conflictOf('in_progress');
      case 'events_expired': throw eventsExpired(0, 101);
      case 'rate_limited': throw this.#askTooOften();
      // The database is starting.
      case 'unavailable': throw Object.assign(new Error(ASKED), { code: '57P03' });
      default: throw new Error(ASKED);
    }
  }

  /** Throws rate_limited, with the fields of the limits that this service has. */
  #askTooOften(): never {
    const limits = new Limits(this.#config, NO_METERS, { clock: () => 0 });
    for (;;) limits.admit({ workspace_id: 'mock', api_key_id: 'mock' }).release();
  }
}

const ASKED = 'asked for by a scenario';

/** In the order of the catalogue of errors. */
function codesOf(id: string, entry: OperationEntry): ErrorCode[] {
  return (Object.keys(STATUS_OF_CODE) as ErrorCode[])
    .filter((code) => STATUS_OF_CODE[code] in entry.responses)
    .filter((code) => POSSIBLE[code]?.(entry, id)
      ?? (id === 'createActionInvocation' && code in REFUSED_CALLS));
}
