/** An MCP server over Streamable HTTP that does what a test says, and writes down what it gets. */
import { randomUUID } from 'node:crypto';
import {
  createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse,
} from 'node:http';
import type { Test } from 'tap';
import { listen } from '../../support/listen.ts';

export interface Message {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown> & { name?: string, cursor?: string };
}

export interface Received {
  verb: string;
  headers: IncomingHttpHeaders;
  message: Message;
  /** The message as it came. */
  text: string;
}

export type Answer = (
  message: Message, response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export interface FakeServer {
  url: string;
  /** Everything received so far, in order. */
  received: Received[];
  /** Sessions that it knows; a test may take some away. */
  sessions: Set<string>;
  /** By method of the message, or by verb of the request (`GET`, `DELETE`). */
  answers: Record<string, Answer>;
  /** Methods and verbs of what was received. */
  methods(): string[];
}

export const RESULT = { content: [{ type: 'text', text: 'done' }] };
export const TOOLS = [{ name: 'act', inputSchema: { type: 'object' } }];

export function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function result(message: Message, value: unknown): object {
  return { jsonrpc: '2.0', id: message.id, result: value };
}

/** Starts an event stream; what is sent on it is up to the test. */
export function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

export const event = (message: object, id?: string) =>
  `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;

/** What a server of the protocol without sessions answers. */
export function withoutSessions(): Record<string, Answer> {
  const meta = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  return {
    initialize: (message, response) => json(response,
      { jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'no such method' } }),
    'server/discover': (message, response) => json(response, result(message, {
      ...meta, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })),
    'tools/list': (message, response) => json(response, result(message, {
      ...meta, tools: TOOLS })),
    'tools/call': (message, response) => json(response, result(message, { ...meta, ...RESULT })),
  };
}

export async function fakeServer(
  t: Pick<Test, 'teardown'>, answers: Record<string, Answer> = {}): Promise<FakeServer> {
  const fake: FakeServer = {
    url: '', received: [], sessions: new Set(), answers: { ...wellBehaved(), ...answers },
    methods: () => fake.received.map(({ verb, message }) => message.method ?? verb),
  };
  const server = createServer((request, response) => {
    void handle(fake, request, response);
  });
  fake.url = `http://127.0.0.1:${await listen(t, server)}/mcp`;
  return fake;

  function wellBehaved(): Record<string, Answer> {
    return {
      initialize: (message, response) => {
        const session_id = randomUUID();
        fake.sessions.add(session_id);
        json(response, result(message, {
          protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'fake', version: '1' },
        }), 200, { 'mcp-session-id': session_id });
      },
      'tools/list': (message, response) => json(response, result(message, { tools: TOOLS })),
      'tools/call': (message, response) => json(response, result(message, RESULT)),
      ping: (message, response) => json(response, result(message, {})),
      GET: (_message, response) => void response.writeHead(405).end(),
      DELETE: (_message, response) => void response.writeHead(200).end(),
    };
  }
}

async function handle(
  fake: FakeServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method: verb = '', headers } = request;
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const message = body === '' ? {} : JSON.parse(body) as Message;
  fake.received.push({ verb, headers, message, text: body });
  response.on('error', () => {});
  const session_id = headers['mcp-session-id'];
  if (typeof session_id === 'string' && !fake.sessions.has(session_id)) {
    return void response.writeHead(404).end();
  }
  const answer = fake.answers[message.method ?? verb];
  if (answer === undefined) return void response.writeHead(202).end();
  await answer(message, response, request);
}
