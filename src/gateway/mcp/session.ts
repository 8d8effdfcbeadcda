/** One session with a server: the handshake, its tools, calls of them. */
import {
  Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport, type ClientCapabilities,
  type StandardSchemaV1, type Transport,
} from '@modelcontextprotocol/client';
import { deadline, untilAborted, within } from '../../deadline.ts';
import { isObject, jsonChars, objectOf, textOf, type JsonObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import type { Scrub } from './beginningOf.ts';
import { departing, type Departing } from './departing.ts';
import {
  asServerFault, isDisagreement, isEnd, refusesInitialize, ServerFault,
} from './failure.ts';
import type { McpLimits } from './integration.ts';
import { mirroredHeaders } from './mirrored.ts';
import { ProcessTransport } from './process.ts';
import {
  CAPABILITIES, EARLIER_CAPABILITIES, INPUT_REQUIRED, Questions,
} from './questions.ts';
import { READ_RESOURCE } from './resources.ts';
import { listedTools, type ListedTool } from './tools.ts';

export interface SessionOptions {
  /**
   * Makes a transport that was not started yet; asked again for another attempt. `onHeardAgain`:
   * the server could not tell for a while that its tools have changed, and can again.
   */
  createTransport(onHeardAgain: () => void): Transport;
  version: string;
  log: Log;
  limits: McpLimits;
  now(): number;
  /**
   * The server says that its tools have changed since it listed them in this session. A server may
   * say so as often as it likes.
   */
  onToolsChanged(): void;
  /** Called once when a session that had begun ends, on either side; with how, of a process. */
  onEnd?(last_words: string | null): void;
}

/** The longest that a call may be configured to take; each caller sets a shorter limit itself. */
const CALL_LIMIT_MS = 600_000;
const CLOSE_LIMIT_MS = 2_000;
/** The version of the protocol that has no `initialize`. */
const SESSIONLESS_VERSION = '2026-07-28';

/** Accepts any answer. This room checks tool by tool, so that a bad one does not spoil a list. */
const ANYTHING: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'gatehouse', validate: (value) => ({ value }) },
};

/** Connects. Rejects, with nothing left behind, if that fails or takes too long. */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<Session> {
  const limit = deadline(options.limits.connect_timeout_ms, signal);
  try {
    return await attempt(options, 'legacy', limit.signal).catch(async (error: unknown) => {
      // The protocol with sessions is tried first: most servers speak it, and some end if they are
      // sent anything else before.
      if (limit.signal.aborted || !refusesInitialize(error, SESSIONLESS_VERSION)) throw error;
      return await attempt(options, { pin: SESSIONLESS_VERSION }, limit.signal)
        .catch(async (other: unknown) => {
          if (!isDisagreement(other) || error instanceof ServerFault) throw other;
          // It is no server of that one either. Those made with the Java SDK before 0.18 refuse a
          // client that says in which ways it can be asked; they see three requests each time.
          return await attempt(options, 'legacy', limit.signal, EARLIER_CAPABILITIES)
            .catch(() => {
              throw error; // What it said first is why.
            });
        });
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    limit.end();
  }
}

async function attempt(
  options: SessionOptions, mode: 'legacy' | { pin: string }, signal: AbortSignal,
  capabilities: ClientCapabilities = CAPABILITIES,
): Promise<Session> {
  const session = new Session(options, mode, capabilities);
  try {
    await session.connect(signal);
    return session;
  } catch (error) {
    const told = signal.aborted ? session.silence(lateFor('handshake')) : error;
    await session.close();
    throw told;
  }
}

function lateFor(what: string): SdkError {
  return new SdkError(SdkErrorCode.RequestTimeout, `no ${what} in time`);
}

/** A result that does not say its type is complete: the protocol has clients take it so. */
function completeResult(message: object): void {
  const { result } = message as { result?: JsonObject };
  if (isObject(result)) result.resultType ??= 'complete';
}

export class Session {
  readonly #options: SessionOptions;
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #questions: Questions;
  readonly #closing = new AbortController();
  #listed: { seen_ms: number, found: Promise<ReadonlyMap<string, ListedTool>> } | null = null;
  /** Whether its tools were asked for, ever. */
  #asked = false;
  #stopping: Promise<void> | undefined;
  #connected = false;
  #ended = false;
  #probing = false;

  /** Use openSession. */
  constructor(options: SessionOptions, mode: 'legacy' | { pin: string },
    capabilities: ClientCapabilities) {
    this.#options = options;
    this.#transport = options.createTransport(() => this.#forgetTools());
    // The library hands each message to what is set before, and refuses a result without its type.
    if (mode !== 'legacy') this.#transport.onmessage = completeResult;
    this.#client = new Client({ name: 'gatehouse', version: options.version }, {
      capabilities,
      inputRequired: INPUT_REQUIRED,
      versionNegotiation: { mode },
      listChanged: { tools: {
        autoRefresh: false, debounceMs: 0, onChanged: () => this.#forgetTools(),
      } },
      // Results are not checked by the schemas of the server that gives them.
      jsonSchemaValidator: { getValidator: () => () => {
        throw new Error('no schema of a server is compiled');
      } },
    });
    this.#questions = new Questions(this.#client, options.log);
    this.#client.onerror = (error) => {
      // Its message may quote what was sent or received.
      const { code } = error as { code?: unknown };
      options.log.debug({ error: error.name, code }, 'an MCP session reports a fault');
    };
    this.#client.onclose = () => this.#end();
  }

  get is_open(): boolean {
    return !this.#closing.signal.aborted;
  }

  /** Whether the server keeps something under an id for this session. */
  get has_id(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** What the server says of itself. */
  get server(): { name: string | null, protocol: string | null } {
    const { name } = objectOf(this.#client.getServerVersion());
    return {
      name: textOf(name) ?? null, protocol: this.#client.getNegotiatedProtocolVersion() ?? null,
    };
  }

  get has_resources(): boolean {
    return this.#client.getServerCapabilities()?.resources !== undefined;
  }

  /** Whether the protocol has what is asked for by headers as well. */
  get mirrors_arguments(): boolean {
    return this.#is_modern && !(this.#transport instanceof ProcessTransport);
  }

  /** Whether it is of the protocol without sessions. */
  get #is_modern(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  async connect(signal: AbortSignal): Promise<void> {
    // The library heeds its signal and timeout only for the first part of the handshake.
    const connecting = this.#client.connect(this.#transport,
      { signal, timeout: this.#options.limits.connect_timeout_ms });
    await untilAborted(connecting, signal).catch((error: unknown) => {
      throw signal.aborted ? error : this.#reasonOf(error);
    });
    this.#connected = true;
  }

  /** All tools that the server lists, unchanged; `cut`: there were more than are taken. */
  async list(signal: AbortSignal): Promise<{ tools: unknown[], cut: boolean }> {
    const { limits } = this.#options;
    const limit = deadline(limits.list_timeout_ms, signal, this.#closing.signal);
    const tools: unknown[] = [];
    const cursors = new Set<string>();
    let chars = 0;
    try {
      for (let cursor: string | undefined; ;) {
        const page = objectOf(await this.#request('tools/list',
          cursor === undefined ? {} : { cursor }, limit.signal));
        const { tools: listed, ...rest } = page;
        if (!Array.isArray(listed)) throw new ServerFault('gave no list of its tools.');
        // Pages without tools may be as large.
        chars += jsonChars(rest, limits.list_limit_chars);
        if (chars > limits.list_limit_chars) return { tools, cut: true };
        for (const tool of listed) {
          chars += JSON.stringify(tool).length;
          if (tools.length === limits.tools_limit || chars > limits.list_limit_chars) {
            return { tools, cut: true };
          }
          tools.push(tool);
        }
        cursor = textOf(page.nextCursor);
        // Not before the protocol without sessions was an empty one said to be a cursor: until then
        // servers end their lists by it.
        if (cursor === undefined || (cursor === '' && !this.#is_modern)) {
          return { tools, cut: false };
        }
        if (cursors.has(cursor) || cursors.size + 1 === limits.pages_limit) break;
        cursors.add(cursor);
      }
    } catch (error) {
      throw limit.is_over ? this.silence(lateFor('list')) : error;
    } finally {
      limit.end();
    }
    return { tools, cut: true };
  }

  /** The tools by name, as the server listed them not long ago. */
  async listedTools(signal: AbortSignal): Promise<ReadonlyMap<string, ListedTool>> {
    this.#asked = true;
    const now_ms = this.#options.now();
    if (this.#listed === null
      || now_ms - this.#listed.seen_ms > this.#options.limits.tools_fresh_ms) {
      // All callers share one list, so none of them may abort it.
      const found = this.list(this.#closing.signal).then(({ tools }) => listedTools(tools));
      const listed = this.#listed = { seen_ms: now_ms, found };
      found.catch(() => {
        if (this.#listed === listed) this.#listed = null;
      });
    }
    return await untilAborted(this.#listed.found, signal);
  }

  /**
   * Calls a tool and answers with what the server did, and what it asked meanwhile; tells the
   * server when `signal` aborts. The departure is marked once the transport sends the call. The
   * tool READ_RESOURCE is none: it reads the resource that the input names.
   */
  call(
    tool: string, input: JsonObject, scrub: Scrub, sent: Departing, signal: AbortSignal,
  ): ReturnType<Questions['during']> {
    const [method, params] = tool === READ_RESOURCE ? [READ_RESOURCE, { uri: input.uri }]
      : ['tools/call', { name: tool, arguments: input }];
    const headers = this.mirrors_arguments ? mirroredHeaders(sent.mirrored, input) : {};
    return this.#questions.during(scrub, () => departing.run(sent, () =>
      this.#request(method, params, signal, headers)));
  }

  /** Says goodbye to the server, and ends. Never rejects. */
  close(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#closing.abort(new SdkError(SdkErrorCode.ConnectionClosed, 'closed'));
    if (this.#transport instanceof StreamableHTTPClientTransport && !this.#ended) {
      await within(CLOSE_LIMIT_MS, this.#transport.terminateSession(), () => {}).catch(() => {});
    }
    await this.#client.close().catch(() => {});
    await this.#transport.close().catch(() => {}); // the client forgets one that failed to start
    this.#end();
  }

  async #request(
    method: string, params: JsonObject, signal: AbortSignal, headers: Record<string, string> = {},
  ): Promise<unknown> {
    signal.throwIfAborted();
    const cancel = new AbortController();
    // The library sends the reason to the server, so it gets one that tells nothing.
    const onAbort = () => cancel.abort('the caller wants it no more');
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.#client.request(
        { method, params }, ANYTHING, { signal: cancel.signal, timeout: CALL_LIMIT_MS, headers });
    } catch (error) {
      if (!signal.aborted) throw this.#reasonOf(error);
      this.#probe();
      throw signal.reason;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** The transport may know why, where the library only sees a closed connection. */
  #reasonOf(error: unknown): unknown {
    if (!(this.#transport instanceof ProcessTransport)) return asServerFault(error);
    const { fault, last_words } = this.#transport;
    if (fault !== null) return fault;
    return last_words !== null && isEnd(error)
      ? new ServerFault('ended before it answered.', error, last_words) : asServerFault(error);
  }

  /** That it said nothing in time, with what its process said instead, if that says anything. */
  silence(error: unknown): unknown {
    const { said = null } = this.#transport as Partial<ProcessTransport>;
    return said === null ? error
      : new ServerFault('did not answer in time.', error, `Its process said ${said}`);
  }

  /** Pings the server after a caller gave up waiting; closes the session if none is answered. */
  #probe(): void {
    if (this.#probing || this.#ended) return;
    this.#probing = true;
    const { ping_timeout_ms } = this.#options.limits;
    // It is sent for nobody: a call that was given up before it left must not count as left by it.
    departing.run(undefined, () => this.#client.ping({ timeout: ping_timeout_ms })
      .catch((error: unknown) => {
        if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
          this.#options.log.warn('an MCP server does not answer any more; its session is closed');
          return this.close();
        }
      }).finally(() => {
        this.#probing = false;
      }));
  }

  /** Forgets the tools, so that the next call lists them again. */
  lookAgain(): void {
    this.#listed = null;
  }

  /** Some servers also announce a change at their start, when nobody has seen their tools yet. */
  #forgetTools(): void {
    if (!this.#asked) return;
    // Announced even if nothing is remembered: somebody may have listed the tools in between.
    this.lookAgain();
    this.#options.onToolsChanged();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#closing.abort(new SdkError(SdkErrorCode.ConnectionClosed, 'closed'));
    if (!this.#connected) return;
    const { last_words } = this.#transport as Partial<ProcessTransport>;
    this.#options.onEnd?.(last_words ?? null);
  }
}
