/** A proxy in front of a service that plants one defect. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { operations } from '../../../generated/operations.ts';
import { isStream, PUBLIC_IDS } from '../../../src/contract/calls.ts';
import { portOf } from '../../support/listen.ts';
import { block, Cut, type Answered, type Asked, type Defect, type Message, type World }
  from './defect.ts';

export interface ProxyTarget {
  base_url: string;
  api_key: string;
  other_api_key: string;
}

export interface DefectProxy {
  base_url: string;
  close(): Promise<void>;
}

const PATTERNS = PUBLIC_IDS.map((id) => ({
  id, method: operations[id].method,
  pattern: new RegExp(`^${operations[id].path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}));
/** What belongs to one connection, and is not passed on. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length',
  'content-encoding', 'host', 'date', 'accept-encoding']);

export async function startDefectProxy(
  target: ProxyTarget, defect: Defect): Promise<DefectProxy> {
  const world = worldOf(target);
  const server = createServer((incoming, response) => {
    void handle(target, defect, world, incoming, response).catch(() => response.destroy());
  });
  return {
    base_url: `http://127.0.0.1:${await portOf(server)}/v1`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Own extends World { gone: Map<Asked, (() => void)[]> }

function worldOf(target: ProxyTarget): Own {
  const gone: Own['gone'] = new Map();
  return {
    memory: new Map(), gone,
    ask: async (asked) => await answerOf(await forward(target, asked)),
    asOther: (asked) => {
      const { authorization = '' } = asked.headers;
      const other = authorization.endsWith(target.api_key) ? target.other_api_key : target.api_key;
      return { ...asked, headers: { ...asked.headers, authorization: `Bearer ${other}` } };
    },
    onGone: (asked, work) => void gone.set(asked, [...gone.get(asked) ?? [], work]),
  };
}

async function handle(
  target: ProxyTarget, defect: Defect, world: Own, incoming: IncomingMessage,
  response: ServerResponse): Promise<void> {
  const asked = askedOf(incoming, await textOf(incoming));
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
    for (const work of world.gone.get(asked) ?? []) work();
    world.gone.delete(asked);
  });
  const own = await defect.request?.(asked, world);
  if (own) return send(response, own);
  const upstream = await forward(target, asked, gone.signal);
  if (!isStream(upstream)) {
    const answered = await answerOf(upstream);
    await defect.answer?.(answered, asked, world);
    return send(response, answered);
  }
  const head: Answered = { status: upstream.status, headers: headersOf(upstream),
    body: undefined, stream: true };
  await defect.answer?.(head, asked, world);
  if (!head.stream) return send(response, head);
  response.writeHead(head.status, head.headers).flushHeaders();
  response.write(defect.beginning ?? 'retry: 1000\n');
  const messages = messagesOf(upstream);
  try {
    for await (const message of defect.stream?.(messages, asked, world) ?? messages) {
      response.write(typeof message === 'string' ? message : block(message));
    }
    response.end();
  } catch (error) {
    if (!(error instanceof Cut)) return void response.destroy();
    // Later, so that what was written arrives.
    setTimeout(() => response.destroy(), 30);
  }
}

function askedOf(incoming: IncomingMessage, text: string): Asked {
  const url = new URL(incoming.url!, 'http://proxy');
  const path = url.pathname.replace(/^\/v1/, '');
  const found = PATTERNS.find(({ method, pattern }) =>
    method === incoming.method && pattern.test(path));
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch { /* it is none */ }
  const headers = Object.fromEntries(Object.entries(incoming.headers)
    .filter(([name]) => !HOP_BY_HOP.has(name)).map(([name, value]) => [name, String(value)]));
  return {
    id: found?.id ?? null, method: incoming.method!, path, query: url.searchParams, headers, text,
    json, params: found ? found.pattern.exec(path)!.slice(1) : [],
  };
}

/** Sends a request on; one whose JSON was changed, as that JSON. */
async function forward(
  { base_url }: ProxyTarget, asked: Asked, signal?: AbortSignal): Promise<Response> {
  const { method, path, query, headers, text, json } = asked;
  const search = query.size === 0 ? '' : `?${query}`;
  const changed = json !== undefined && JSON.stringify(JSON.parse(text || 'null'))
    !== JSON.stringify(json);
  const body = changed ? JSON.stringify(json) : text;
  return await fetch(`${base_url}${path}${search}`, {
    method, headers: { accept: '*/*', ...headers }, redirect: 'manual',
    ...(body !== '' && method !== 'GET' && { body }), ...(signal && { signal }),
  });
}

function headersOf(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
}

async function answerOf(response: Response): Promise<Answered> {
  const text = await response.text();
  return { status: response.status, headers: headersOf(response), stream: false,
    body: text === '' ? undefined : JSON.parse(text) };
}

async function* messagesOf(response: Response): AsyncGenerator<Message> {
  const parsed = response.body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of parsed) yield { id, event, data: JSON.parse(data) };
}

function send(response: ServerResponse, { status, headers, body, text }: Answered): void {
  const out = text ?? (body === undefined ? '' : JSON.stringify(body));
  response.writeHead(status, { ...headers,
    ...(status !== 204 && status !== 304 && { 'content-length': Buffer.byteLength(out) }) });
  response.end(out);
}
