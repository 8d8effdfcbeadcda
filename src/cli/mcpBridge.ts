/** Between an MCP client that speaks to processes and the service, which speaks HTTP. */
import { createParser } from 'eventsource-parser';
import { refusedCertificate } from '../certificates.ts';
import { isObject, objectOf, parseJson, textOf, type JsonObject } from '../json.ts';
import { meaningOf } from '../proxyAnswers.ts';
import { foreignAnswer, isApiError } from './answers.ts';
import { linesOf } from './lines.ts';
import { LONG_ANSWER_MS, waitingFor } from './longAnswer.ts';
import { redirection } from './redirect.ts';
import { escapedInJson } from './terminal.ts';

export interface BridgeOptions {
  /** Of the service's MCP server. */
  url: string;
  api_key: string;
  input: NodeJS.ReadableStream;
  /** Takes a whole line. */
  write(line: string): void;
}

/** Stands for the whole of the service in the errors of JSON-RPC. */
const SERVER_ERROR = -32_000;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Far above what a service takes at once, so that it is the service that refuses what is long. */
const LINE_LIMIT_CHARS = 16 * 1_048_576;
/** With these nothing has been sent. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT']);
const PERHAPS_DONE =
  'What was asked for may have taken effect: find out before you repeat it.';
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Passes messages on until there are no more, and all that were asked for are answered. */
export async function bridge({ input, ...options }: BridgeOptions): Promise<void> {
  const passing = new Passing(options);
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(input, LINE_LIMIT_CHARS)) {
    if (line?.trim() === '') continue;
    const answering = passing.pass(line).finally(() => open.delete(answering));
    open.add(answering);
  }
  await Promise.all(open);
}

class Passing {
  readonly #options: Omit<BridgeOptions, 'input'>;
  /** One for all: it keeps their connections. */
  readonly #patience = waitingFor(LONG_ANSWER_MS);
  /** Requests that are not answered yet, by the JSON of their ids. */
  readonly #open = new Map<string, AbortController>();
  /** Of protocols that agree on it once: what the service answered then. */
  #version: string | undefined;

  constructor(options: Omit<BridgeOptions, 'input'>) {
    this.#options = options;
  }

  /** Null: the line was too long to be kept. */
  async pass(line: string | null): Promise<void> {
    const message = line === null ? undefined : parseJson(line);
    if (line === null || message === undefined) {
      this.#fail(null, PARSE_ERROR, line === null
        ? `A line has at most ${LINE_LIMIT_CHARS} characters.` : 'A line has to be JSON.');
      return;
    }
    if (!isObject(message) || !isMessage(message)) {
      this.#fail(idOf(message), INVALID_REQUEST, Array.isArray(message)
        ? 'Send one message at a time: the protocol has no batches any more.'
        : 'This is no message of JSON-RPC 2.0.');
      return;
    }
    const { id, method } = message;
    if (method === 'notifications/cancelled') {
      // Over HTTP a request is cancelled by hanging up.
      this.#open.get(JSON.stringify(objectOf(message.params).requestId))?.abort();
      return;
    }
    // Nobody waits for an answer to a notification, nor to what is an answer itself.
    if (id === undefined || method === undefined) await this.#tell(line, message);
    else await this.#answer(line, message);
  }

  async #tell(line: string, message: JsonObject): Promise<void> {
    await this.#ask(line, message, new AbortController().signal).catch(() => {});
  }

  async #answer(line: string, message: JsonObject): Promise<void> {
    const { id, method } = message;
    const stop = new AbortController();
    const name = JSON.stringify(id);
    this.#open.set(name, stop);
    try {
      const answers = (await this.#ask(line, message, stop.signal)).map((one) =>
        // What could not even be read as a request names none.
        one.error !== undefined && (one.id ?? null) === null ? { ...one, id } : one);
      if (!answers.some((one) => JSON.stringify(one.id) === name)) {
        throw new Error(`The service gave no answer to this request. ${PERHAPS_DONE}`);
      }
      for (const answer of answers) {
        if (method === 'initialize') {
          this.#version = textOf(objectOf(answer.result).protocolVersion);
        }
        this.#write(answer);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.#fail(id, SERVER_ERROR, (error as Error).message);
    } finally {
      if (this.#open.get(name) === stop) this.#open.delete(name);
    }
  }

  #fail(id: unknown, code: number, message: string): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  /** Clients of some languages take these characters for the end of a line. */
  #write(message: JsonObject): void {
    const line = JSON.stringify(message).replaceAll(/[\x85\u2028\u2029]/g, escapedInJson);
    this.#options.write(`${line}\n`);
  }

  /** The messages of the answer. Throws an Error that says why there are none. */
  async #ask(line: string, message: JsonObject, signal: AbortSignal): Promise<JsonObject[]> {
    const { url, api_key } = this.#options;
    const unanswered = (error: Error) => {
      const refused = refusedCertificate(url, error);
      throw signal.aborted ? error : new Error(
        refused !== undefined ? `Nothing was sent: ${refused.said}. ${refused.advice}`
        : !wasSent(error) ? `The service cannot be reached at ${url}.`
        : `The connection to ${url} ended before the answer. ${PERHAPS_DONE}`);
    };
    const response = await fetch(url, {
      method: 'POST', body: line, signal, redirect: 'manual', ...this.#patience,
      headers: {
        'Content-Type': 'application/json', Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${api_key}`, ...this.#headersOf(message),
      },
    }).catch(unanswered);
    const elsewhere = redirection(response, url.replace(/\/mcp$/, ''));
    if (elsewhere !== undefined) throw new Error(elsewhere);
    const text = await response.text().catch(unanswered);
    const is_stream = /^text\/event-stream\b/.test(response.headers.get('content-type') ?? '');
    if (response.ok && is_stream) return messagesOf(text);
    const body = parseJson(text);
    if (isObject(body) && body.jsonrpc === '2.0') return [body];
    // So a notification is answered.
    if (response.status === 202) return [];
    if (response.status === 404) throw new Error(noDoorAt(url));
    if (isApiError(body)) throw new Error(body.error);
    throw new Error(response.ok ? foreignAnswer(url, 'no message of MCP')
      : withoutWords(url, response.status));
  }

  /** What the protocol wants said in the head as well. */
  #headersOf({ method, params }: JsonObject): Record<string, string> {
    const { _meta, name, uri } = objectOf(params);
    const own = textOf(objectOf(_meta)[META_VERSION]);
    const version = own ?? this.#version;
    const named = textOf(name) ?? textOf(uri);
    return {
      ...(version !== undefined && { 'MCP-Protocol-Version': inHeader(version) }),
      ...(own !== undefined && typeof method === 'string' && { 'Mcp-Method': inHeader(method) }),
      ...(own !== undefined && named !== undefined && { 'Mcp-Name': inHeader(named) }),
    };
  }
}

/** A service that runs, and has nothing at this address. */
export function noDoorAt(url: string): string {
  return `There is no MCP server at ${url}. Either the service has it switched off`
    + ' (GATEHOUSE_MCP_SERVER=off), or the service is at another address; its operator knows.';
}

/** Of an answer that is none of the service. */
function withoutWords(url: string, status: number): string {
  // A proxy has passed it on, and has got no answer.
  const perhaps = status === 502 || status === 504 ? ` ${PERHAPS_DONE}` : '';
  return `${url} answered ${status}. ${
    meaningOf(status) ?? 'Is it the address of a Gatehouse service?'}${perhaps}`;
}

/** As the protocol has it for what is no plain text. */
function inHeader(value: string): string {
  const is_plain = /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !value.startsWith('=?base64?');
  return is_plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function isMessage({ jsonrpc, id, method, result, error }: JsonObject): boolean {
  const is_named = id === undefined || typeof id === 'string' || typeof id === 'number';
  return jsonrpc === '2.0' && is_named && (typeof method === 'string'
    || (method === undefined && id !== undefined && (result !== undefined || error !== undefined)));
}

/** Of what is no message, if it has one: whoever waits for its answer gets that. */
function idOf(value: unknown): string | number | null {
  const { id, result, error } = objectOf(value);
  const is_answer = result !== undefined || error !== undefined;
  return !is_answer && (typeof id === 'string' || typeof id === 'number') ? id : null;
}

/** Errors of a connection have a code; what is refused before there is one has none. */
function wasSent({ cause }: Error): boolean {
  const { code, errors = [] } = objectOf(cause) as { code?: string; errors?: { code?: string }[] };
  const codes = [code, ...errors.map((one) => one.code)].filter((one) => one !== undefined);
  return codes.length > 0 && !codes.some((one) => NOT_SENT.has(one));
}

function messagesOf(text: string): JsonObject[] {
  const messages: JsonObject[] = [];
  const parser = createParser({ onEvent: ({ data }) => {
    const message = parseJson(data);
    if (isObject(message)) messages.push(message);
  } });
  parser.feed(text);
  return messages;
}
