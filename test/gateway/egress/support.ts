/** Upstreams of our own, and a way to them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Test } from 'tap';
import type { PerformRequest } from '../../../src/gateway/action/action.ts';
import type { Credentials } from '../../../src/gateway/action/credentials.ts';
import type { Departure } from '../../../src/gateway/egress/departure.ts';
import {
  createUpstream, type Upstream, type UpstreamOptions,
} from '../../../src/gateway/egress/upstream.ts';
import { AnswerReader } from '../../../src/gateway/openapi/answerReader.ts';
import { callOperation, type CallTarget } from '../../../src/gateway/openapi/callOperation.ts';
import { importOpenapi, type ImportedAction } from '../../../src/gateway/openapi/openapi.ts';
import { turnTo } from '../../../src/gateway/openapi/pageCursor.ts';
import type { JsonObject } from '../../../src/json.ts';
import { plainJson } from '../../../src/jsonText.ts';
import { listen } from '../../support/listen.ts';
import { performRequest, told } from '../support.ts';

type Teardown = Pick<Test, 'teardown'>;

/** A request as it came in. */
export interface Received {
  method: string;
  /** Path and query, as they were on the wire. */
  target: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export interface TestUpstream {
  url: string;
  port: number;
  /** What lets a call reach it, for it is at no public address. */
  egress_allow: string[];
  received: Received[];
}

export type Handler = (request: Received, response: ServerResponse) => void;

/** Starts it at a free port of `host`; all its connections are closed at teardown. */
export async function serve(
  t: Teardown, handler: Handler, host = '127.0.0.1'): Promise<TestUpstream> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // the caller went away
    }
    const { method = '', url = '', headers } = request;
    const entry = { method, target: url, headers, body: Buffer.concat(chunks) };
    received.push(entry);
    handler(entry, response);
  });
  const port = await listen(t, server, 0, host);
  const address = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${address}:${port}`, port, egress_allow: [`${address}:${port}`], received };
}

/** Answers with this value as JSON. */
export function json(
  response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(value));
}

export function testUpstream(t: Teardown, options: Partial<UpstreamOptions> = {}): Upstream {
  const upstream = createUpstream({ response_limit_bytes: 1_000_000, ...options });
  t.teardown(() => upstream.close());
  return upstream;
}

/** Leads every name to these addresses, and counts how often it is asked. */
export function lookupTo(...addresses: string[]): LookupFunction & { names: string[] } {
  const names: string[] = [];
  const lookup: LookupFunction = (name, _options, callback) => {
    names.push(name);
    setImmediate(() => callback(null, addresses.map((address) =>
      ({ address, family: address.includes(':') ? 6 : 4 }))));
  };
  return Object.assign(lookup, { names });
}

export const never = new AbortController().signal;

/** What `promise` rejects with; of an ActionFailure also what its outcome says. */
export async function failure(promise: Promise<unknown>): Promise<Error & JsonObject> {
  return told(promise).then(
    () => { throw new Error('it did not fail'); }, (error) => error as Error & JsonObject);
}

/** The one action of a document. */
export function actionOf(
  document: JsonObject, options: Partial<Parameters<typeof importOpenapi>[1]> = {},
): ImportedAction {
  return importOpenapi(document, { slug: 'acme', ...options }).actions[0]!;
}

export interface TestCall {
  input?: JsonObject;
  /** `next_cursor` of the page before. */
  cursor?: string | null;
  credentials?: Credentials;
  idempotency_key?: string;
  scrub?: PerformRequest['scrub'];
  secrets?: readonly string[];
  fields?: string[];
  departure?: Departure;
  target?: Partial<CallTarget>;
}

const CALL_LIMITS = {
  result_limit_bytes: 100_000, choice_limit_bytes: 4_000_000, chosen_limit_bytes: 200_000,
};

/** Calls actions at `server`. */
export function callerOf(
  t: Teardown, server: TestUpstream, options: Partial<UpstreamOptions> = {},
  upstream = testUpstream(t, options)) {
  const answers = new AnswerReader();
  t.teardown(() => answers.close());
  return async (action: ImportedAction, call: TestCall = {}, signal = never) => {
    const { target, cursor = null, input = {}, ...given } = call;
    const turned = cursor === null ? { input } : turnTo(action, input, cursor);
    if (turned === null) throw new Error('the cursor is none of this action');
    const performed = await callOperation({ upstream, answers, ...CALL_LIMITS }, action,
      { base_url: server.url, other_origins: [], egress_allow: server.egress_allow,
        declared: {}, ...target },
      performRequest({ ...given, input: turned.input, source_cursor: cursor }),
      { workspace_id: 'wsp_1' }, signal);
    const { result } = performed;
    return { ...performed, result: plainJson(result) };
  };
}
