/** `/mcp`: who asks, how often and how much, before a message reaches the MCP door. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Request } from 'polka';
import type { Caller } from '../caller.ts';
import { whenAborted } from '../deadline.ts';
import { GatehouseError, methodNotAllowed } from '../errors.ts';
import { hasMoreValues, isObject, objectOf } from '../json.ts';
import type { McpAnswer, McpDoor } from '../mcp/door.ts';
import type { Services } from '../operations/services.ts';
import { isSameOrigin } from '../origin.ts';
import { Patience, patience } from '../patience.ts';
import { weighAccept } from './accept.ts';
import { bearerToken, isDoubtful } from './authenticate.ts';
import { ClientGone, readRequestBody, requireJson } from './body.ts';
import { stoppedBefore } from './dispatch.ts';
import { requestId } from './exchange.ts';
import type { HeldBody, HeldBytes } from './heldBytes.ts';
import { parseBody } from './json.ts';
import { challenging, MCP_PATH } from './mcpResource.ts';
import type { Admission, Limits } from './limits.ts';
import { giveBack, type Responder } from './responder.ts';
import type { LoopTurns } from './turns.ts';

/** With many groups in them they are long; a request's headers may have 16 KiB together. */
const ACCESS_TOKEN_CHARS = 12_288;
/**
 * The official package takes 4 to 10 µs for each value of a message: 0.5 to 1.2 s for one of a
 * megabyte with 100,000 members. Nobody needs many beside the arguments of a call.
 */
const MESSAGE_VALUES = 1_000;
const ARGUMENTS_VALUES = 20_000;
/** In the log and in the metrics, where operations have their ids. */
const NAME = 'mcp';

export interface McpEndpointOptions {
  door: McpDoor;
  services: Services;
  limits: Limits;
  turns: LoopTurns;
  held: HeldBytes;
  respond: Responder;
  over: AbortSignal;
}

/** What a request takes until its answer has been taken. */
interface Kept {
  /** It had a good credential. */
  is_known?: true;
  admission?: Admission;
  held?: HeldBody;
}

/** Answers one message. Nothing is kept from one to the next, so that any node answers any. */
export function mcpEndpoint(options: McpEndpointOptions) {
  const { respond, services: { log } } = options;
  return async (req: Request, res: ServerResponse): Promise<void> => {
    const started_ms = performance.now();
    const request_id = requestId(req.headers);
    const kept: Kept = {};
    const own = new Patience(NAME);
    let status: number;
    try {
      const answer = await own.during(() => answerMessage(options, req, res, request_id, kept));
      status = answer.status;
      send(res, answer, request_id, respond.closing(kept.admission!.fields)!);
    } catch (error) {
      const told = challenging(error, options.services);
      status = respond.sendError(req, res,
        kept.is_known ? told : await respond.refusalOf(req, told),
        request_id, kept.admission?.fields);
    } finally {
      own.end();
      giveBack(kept, res);
    }
    const duration_ms = performance.now() - started_ms;
    respond.count(NAME, status, duration_ms);
    log.info({ method: req.method, path: MCP_PATH, operation_id: NAME, status,
      duration_ms: Math.round(duration_ms * 10) / 10, request_id }, 'request');
  };
}

async function answerMessage(
  { door, services, limits, turns, held, over }: McpEndpointOptions,
  req: Request, res: ServerResponse, request_id: string, kept: Kept): Promise<McpAnswer> {
  const { config } = services;
  refuseForeign(req.headers, services.publicUrl());
  const origin = { peer_address: req.socket.remoteAddress, headers: req.headers };
  const recognise = () => limits.guarded(origin, (beforeLookup) =>
    callerOf(services, req, beforeLookup));
  const since_ms = performance.now();
  const caller = await recognise();
  kept.is_known = true;
  kept.admission = limits.admit(caller);
  // Not before: clients that are refused try the former transport's GET, and show what it says.
  if (req.method !== 'POST') throw methodNotAllowed(req.method!, ['POST']);
  const share = caller.workspace_id;
  await turns.take(share);
  stopIfGone(res);
  const own = patience()!;
  own.share = share;
  requireJson(req.headers);
  kept.held = held.begin(share);
  const bytes = await readRequestBody(req, res, config.body_limit_bytes, kept.held);
  own.inTurn = turns.of(share);
  own.bytes = bytes.length;
  const body = await turns.withFirstBody(share, bytes.length, () => {
    stopIfGone(res);
    return parseBody(bytes, config);
  });
  refuseWide(body);
  const asker = isDoubtful(since_ms) ? await recognise() : caller;
  stopIfGone(res);
  return await door({
    caller: asker, request_id, search: req.search.slice(1), headers: messageHeaders(req.headers),
    body, signal: goneSignal(res, over),
  });
}

/** Whose api key it came with, or for whom one stands that an access token names. */
async function callerOf(
  { accessTokens, authenticate }: Services, req: Request, beforeLookup: () => void,
): Promise<Caller> {
  const { authorization } = req.headers;
  const token = bearerToken(authorization, accessTokens ? ACCESS_TOKEN_CHARS : undefined);
  if (accessTokens === null) return await authenticate(token, beforeLookup);
  if (!accessTokens.isOne(token)) {
    return await authenticate(token, beforeLookup).catch((error: unknown) => {
      // What the provider has just given somebody is no mistyped key to them.
      const isOurs = /^gt[ah]_/.test(token);
      throw !isOurs && error instanceof GatehouseError && error.code === 'invalid_api_key'
        ? new GatehouseError('invalid_api_key', 'This is neither a valid api key nor an access'
          + ' token that can be read: the identity provider has to give one that is a JWT, for'
          + ' this service.', { cause: error }) : error;
    });
  }
  const api_key_id = new URLSearchParams(req.search).get('api_key_id');
  return await accessTokens.authenticate(token, api_key_id, beforeLookup);
}

/**
 * Refuses requests that a page of another origin makes through its reader's browser. The origin is
 * compared with the service's own address and not with `Host`, which the page decides: it may have
 * a name of its own lead to this machine (DNS rebinding).
 */
function refuseForeign({ origin }: IncomingHttpHeaders, public_url: string): void {
  if (origin === undefined || isSameOrigin(origin, public_url)) return;
  throw new GatehouseError('not_permitted', 'A page of another origin asks for this. MCP clients'
    + ' that are programs of their own send no Origin.');
}

/** Those that the protocol reads; no credential is among them. */
function messageHeaders({ accept, ...headers }: IncomingHttpHeaders): Record<string, string> {
  const read = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string'
      && (entry[0].startsWith('mcp-') || entry[0] === 'content-type'));
  // The package looks for both names in the text, where HTTP lets a client say the same otherwise.
  // In its earlier versions, which ask for them, the protocol is answered by streams.
  const taken = weighAccept(accept, ['text/event-stream']).any
    ? 'application/json, text/event-stream' : accept!;
  return { ...Object.fromEntries(read), accept: taken };
}

/** What nobody waits for any more is not worked off. */
function stopIfGone(res: ServerResponse): void {
  if (res.destroyed) throw new ClientGone();
}

function refuseWide(body: unknown): void {
  const message = objectOf(body);
  const params = objectOf(message.params);
  const rest = { ...message, params: { ...params, arguments: null } };
  if (!hasMoreValues(params.arguments, ARGUMENTS_VALUES)
    && !hasMoreValues(isObject(body) ? rest : body, MESSAGE_VALUES)) return;
  throw new GatehouseError('invalid_request', 'This message has too many members for MCP: the'
    + ` arguments of a call may have ${ARGUMENTS_VALUES.toLocaleString('en')} values, all else`
    + ` ${MESSAGE_VALUES.toLocaleString('en')}. Send less at a time.`);
}

/** Aborts when the client goes away before it has its answer, or can wait no longer for it. */
function goneSignal(res: ServerResponse, over: AbortSignal): AbortSignal {
  const gone = new AbortController();
  const release = whenAborted(over, () => gone.abort(stoppedBefore('POST')));
  const onClose = () => {
    release();
    if (!res.writableFinished) gone.abort();
  };
  if (res.closed) onClose();
  else res.once('close', onClose);
  return gone.signal;
}

function send(
  res: ServerResponse, { status, type, content }: McpAnswer, request_id: string,
  fields: Readonly<Record<string, string>>): void {
  if (res.destroyed) return;
  res.writeHead(status, {
    'X-Request-Id': request_id, 'Content-Length': content.length, 'Cache-Control': 'no-store',
    ...(type !== undefined && { 'Content-Type': type }), ...fields,
  });
  res.end(content);
}
