/**
 * A client that trusts nothing: every response is held against openapi.yaml before a test sees it.
 * It speaks HTTP only and imports nothing of the service, so that it serves the mock as well.
 */
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { operations, type OperationEntry, type OperationId } from '../../generated/operations.ts';
import * as validators from '../../generated/responses.js';
import type { Validate } from '../../generated/validators.js';
import {
  isStream, prompt, requestOf,
  type Answer, type CallInput, type JsonOf, type Responses, type Schemas,
} from '../../src/contract/calls.ts';
import { headerFaults } from './headers.ts';

export { prompt, type Answer, type Schemas };
export type RunEvent = Schemas['RunEvent'];

export interface CallOptions extends CallInput {
  /** Instead of the client's credential for this operation; null sends none. */
  token?: string | null;
  signal?: AbortSignal;
}

/** A response that breaks the document: the test fails, whatever it was about. */
export class ContractViolation extends Error {}

export interface ClientOptions {
  /** With the version segment: http://127.0.0.1:3000/v1. */
  base_url: string;
  api_key?: string;
  admin_token?: string;
  /** Sent with each request: a browser's, for instance. */
  headers?: Record<string, string>;
  /** Answers, other than events, are not held against the document: that of a former version. */
  unchecked?: boolean;
}

export class Client {
  readonly base_url: string;
  readonly api_key: string | undefined;
  readonly admin_token: string | undefined;
  readonly headers: Record<string, string>;
  readonly unchecked: boolean;
  /** Called with every operation and status seen. */
  on_answer: (id: OperationId, status: number) => void = () => {};

  constructor(
    { base_url, api_key, admin_token, headers = {}, unchecked = false }: ClientOptions) {
    this.base_url = base_url;
    this.unchecked = unchecked;
    this.api_key = api_key;
    this.admin_token = admin_token;
    this.headers = headers;
  }

  /** The same service, as another key. */
  as(api_key: string): Client {
    const other = new Client({ ...this, api_key });
    other.on_answer = this.on_answer;
    return other;
  }

  /** Calls an operation; answers what the document allows, or throws ContractViolation. */
  async call<O extends OperationId>(id: O, options: CallOptions = {}): Promise<Answer<O>> {
    return await this.#answerOf(id, await this.fetch(id, options));
  }

  /** Checks an answer, and each event of a stream, whose body is undefined here. */
  async receive(id: OperationId, response: Response): Promise<{ status: number; body: unknown }> {
    if (!isStream(response)) {
      const { body } = await this.#answerOf(id, response);
      return { status: response.status, body };
    }
    this.#checkHeaders(id, response);
    for await (const event of eventsOf(response)) void event;
    this.on_answer(id, response.status);
    return { status: response.status, body: undefined };
  }

  /** The credential that an operation asks for. */
  credentialOf(id: OperationId): string | undefined {
    const { security } = operations[id];
    if (security === 'adminToken') return this.admin_token;
    return security === 'apiKey' ? this.api_key : undefined;
  }

  async #answerOf<O extends OperationId>(id: O, response: Response): Promise<Answer<O>> {
    const text = await response.text();
    const body = text === '' ? undefined : parse(id, response, text);
    this.#check(id, response, body);
    return { status: response.status, headers: response.headers, body } as Answer<O>;
  }

  /** As `call`, for one expected status; throws an Error that shows the answer if it is another. */
  async expect<O extends OperationId, S extends keyof Responses<O> & number>(
    status: S, id: O, options: CallOptions = {}): Promise<JsonOf<Responses<O>[S]>> {
    const answer = await this.call(id, options);
    if (answer.status !== status) {
      throw new Error(`${id} answered ${String(answer.status)} where ${status} was expected: `
        + JSON.stringify(answer.body));
    }
    return answer.body as JsonOf<Responses<O>[S]>;
  }

  /** The events of createRun (with `stream: true`) or streamRunEvents, each checked. */
  async *events(
    id: 'createRun' | 'streamRunEvents', options: CallOptions = {}): AsyncGenerator<RunEvent> {
    const headers = { accept: 'text/event-stream', ...options.headers };
    const response = await this.fetch(id, { ...options, headers });
    if (response.status !== 200 || !isStream(response)) {
      throw new Error(`${id} answered ${response.status}: ${await response.text()}`);
    }
    this.#checkHeaders(id, response);
    this.on_answer(id, 200);
    yield* eventsOf(response);
  }

  /** The bare response; nothing about it is checked. */
  async fetch(id: OperationId, options: CallOptions = {}): Promise<Response> {
    const token = options.token === undefined ? this.credentialOf(id) : options.token;
    const { url, ...init } = requestOf(this.base_url, id, options,
      { ...(typeof token === 'string' && { authorization: `Bearer ${token}` }), ...this.headers });
    return await fetch(url, { ...init, ...(options.signal && { signal: options.signal }) });
  }

  #check(id: OperationId, response: Response, body: unknown): void {
    if (this.unchecked) return;
    const { status } = response;
    const { responses }: OperationEntry = operations[id];
    const declared = responses[status];
    const says = JSON.stringify(body)?.slice(0, 2_000);
    if (!declared) throw new ContractViolation(`${id}: ${status} is not declared. ${says}`);
    const validate = declared.json === null ? null : responseValidator(declared.json);
    if (validate && !validate(body)) {
      throw new ContractViolation(`${id} ${status}: the body breaks the document: `
        + `${JSON.stringify(validate.errors)}\n${says}`);
    }
    if (!validate && body !== undefined) {
      throw new ContractViolation(`${id} ${status}: a body where none is declared. ${says}`);
    }
    this.#checkHeaders(id, response);
    this.on_answer(id, status);
  }

  #checkHeaders(id: OperationId, { status, headers }: Response): void {
    if (this.unchecked) return;
    const faults = headerFaults(id, status, headers);
    if (faults.length > 0) throw new ContractViolation(`${id} ${status}: ${faults.join('; ')}`);
  }
}

/** The validator of a response that the table of operations names. */
export function responseValidator(name: string): Validate<unknown> {
  return validators[name as keyof typeof validators];
}

function parse(id: OperationId, response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ContractViolation(
      `${id} ${response.status}: the body is not JSON: ${text.slice(0, 500)}`);
  }
}

async function* eventsOf(response: Response): AsyncGenerator<RunEvent> {
  const messages = response.body!
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const message of messages) yield checkedEvent(message);
}

function checkedEvent(
  message: { id?: string | undefined; event?: string | undefined; data: string }): RunEvent {
  const event: unknown = JSON.parse(message.data);
  if (!validators.RunEvent(event)) {
    throw new ContractViolation(`the event breaks the document: `
      + `${JSON.stringify(validators.RunEvent.errors)}\n${message.data.slice(0, 2_000)}`);
  }
  if (message.id !== String(event.sequence_number) || message.event !== event.type) {
    throw new ContractViolation(`id and event of the message are not those of its data: `
      + `${message.id} ${message.event}\n${message.data.slice(0, 2_000)}`);
  }
  return event;
}

/** All that an async iterable yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
