/** The HTTP room on its own: a server on a free port whose operations the test makes up. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Test } from 'tap';
import type { Caller } from '../../src/caller.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { GatehouseError } from '../../src/errors.ts';
import type { PageMaker } from '../../src/http/pages.ts';
import { createHttpServer, type HttpServer, type Timeouts } from '../../src/http/server.ts';
import type { LoopTurns } from '../../src/http/turns.ts';
import type { McpDoor } from '../../src/mcp/door.ts';
import type { OperationContext, Operations } from '../../src/operations/operation.ts';
import type { Services } from '../../src/operations/services.ts';

export const KEY = 'gth_test';
export const ADMIN = 'admin_test_token_of_32_characters';
export const CALLER: Caller = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };
export const AUTHORIZED = { authorization: `Bearer ${KEY}` };
export const JSON_BODY = { ...AUTHORIZED, 'content-type': 'application/json' };

/** What a made-up operation gets and may do: anything, as long as the test knows what it means. */
export type Handler = (context: OperationContext<'createRun'>) => unknown;

export interface RoomOptions {
  /** By operationId; an operation that is not here answers 200 with what it was given. */
  handlers?: Record<string, Handler>;
  config?: Partial<Config>;
  services?: Partial<Services>;
  timeouts?: Partial<Timeouts>;
  turns?: LoopTurns;
  mcp?: McpDoor;
  metrics?: PageMaker;
}

export interface Room {
  server: HttpServer;
  port: number;
  base_url: string;
  /** Every line that was logged. */
  logged: Record<string, unknown>[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends these bytes on a connection of their own and resolves with all that comes back. */
  raw(text: string | Buffer): Promise<string>;
  /** A connection that is destroyed at teardown. */
  socket(): Promise<Socket>;
}

/** Starts the room; it is drained at teardown. */
export async function room(t: Pick<Test, 'teardown'>, options: RoomOptions = {}): Promise<Room> {
  const config = readConfig({}, { port: 0, drain_ms: 200, ...options.config });
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  }));
  const services = {
    config, log,
    async authenticate(token: string) {
      if (token === KEY) return CALLER;
      throw new GatehouseError('invalid_api_key', 'This key is not valid.');
    },
    async authenticateAdmin(token: string) {
      if (token !== ADMIN) throw new GatehouseError('invalid_api_key', 'This key is not valid.');
      return null;
    },
    readiness: async () => [],
    isUnavailable: () => false,
    isInDoubt: () => false, isShareUsedUp: () => false,
    ...options.services,
  } as unknown as Services;
  const server = createHttpServer({
    config, services, operations: operationsOf(options.handlers ?? {}),
    timeouts: options.timeouts ?? {}, mcp: options.mcp,
    ...(options.turns && { turns: options.turns }),
    ...(options.metrics && { metrics: options.metrics }),
  });
  const { port, base_url } = await server.listen();
  t.teardown(() => server.drain());
  const socket = async () => {
    const opened = connect(port, '127.0.0.1');
    opened.on('error', () => undefined);
    t.teardown(() => opened.destroy());
    await once(opened, 'connect');
    return opened;
  };
  return {
    server, port, base_url, logged, socket,
    fetch: (path, init = {}) => fetch(`http://127.0.0.1:${port}${path}`, init),
    raw: async (text) => {
      const opened = await socket();
      opened.write(text);
      return await readAll(opened);
    },
  };
}

function operationsOf(handlers: Record<string, Handler>): Operations {
  const echo: Handler = async ({ caller, params, body, accepts }) =>
    ({ status: 200, body: { caller, params, body, accepts } });
  return new Proxy({}, {
    get: (_target, id: string) => async (context: never) => await (handlers[id] ?? echo)(context),
  }) as Operations;
}

/** Everything until the connection is closed; a reset that comes with it is an end, too. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

/** Reads until `text` has come, and resolves with all that has. */
export async function readUntil(socket: Socket, text: string): Promise<string> {
  let all = '';
  for (;;) {
    const [chunk] = await once(socket, 'data') as [Buffer];
    all += String(chunk);
    if (all.includes(text)) return all;
  }
}

export interface ErrorBody {
  error: string; code: string; param: string | null; request_id: string;
  details?: { path: string; message: string }[];
}

/** The error body of a response, checked for its shape. */
export async function errorOf(t: Test, response: Response): Promise<ErrorBody> {
  const body = await response.json() as ErrorBody;
  t.type(body.error, 'string');
  t.equal(body.request_id, response.headers.get('x-request-id'), 'the id is in head and body');
  t.equal(response.headers.get('cache-control'), 'no-store');
  t.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
  return body;
}

/** A promise and what settles it. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>();
}
