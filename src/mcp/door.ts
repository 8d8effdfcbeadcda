/**
 * The gateway as an MCP server: a door beside the runs and the operations. It decides nothing and
 * keeps nothing between requests: every call goes the way of an agent's call through the gateway.
 */
import {
  createMcpHandler, inputRequired, ProtocolError, ProtocolErrorCode, Server,
  type CallToolRequest, type CallToolResult, type InputRequiredResult, type McpRequestContext,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { firstOf, untilAborted } from '../deadline.ts';
import { GatehouseError, hasNoRoom, NO_ROOM, shareUsedUp } from '../errors.ts';
import type { Gateway } from '../gateway/face.ts';
import { roundedIn } from '../json.ts';
import type { Log } from '../log.ts';
import { answerOf, pendingApproval } from './answers.ts';
import { withAllVersions } from './versions.ts';
import { chosenPatterns } from './chosenActions.ts';
import { callOf, inTermsOf, toolsFor } from './tools.ts';

export interface McpDoorOptions {
  gateway: Gateway;
  config: Pick<Config, 'version' | 'tool_result_limit_chars'>;
  log: Log;
  /** Where browsers find this service, without a slash at the end. */
  publicUrl(): string;
  isUnavailable(error: unknown): boolean;
  /** Whether others of the same workspace had the database meanwhile. */
  isShareUsedUp(error: unknown): boolean;
  /** Throws storage_full if the workspace may store no more. */
  checkStorage(workspace_id: string): Promise<void>;
  /** Aborts as the caller's key is revoked. */
  whileValid(caller: Caller): { signal: AbortSignal; release(): void };
}

/** A request whose key is known and whose body is JSON. */
export interface McpRequest {
  /** Whose key it came with. */
  caller: Caller;
  headers: Record<string, string>;
  /** The query string without its question mark. */
  search: string;
  body: unknown;
  request_id: string;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

export interface McpAnswer {
  status: number;
  /** Undefined if there is no content. */
  type: string | undefined;
  content: Buffer;
}

export type McpDoor = (request: McpRequest) => Promise<McpAnswer>;

const APPROVAL = 'approval';
const INSTRUCTIONS = 'Find actions with search_actions, read what one takes with describe_action,'
  + ' and call it with call_action. The answer is its result, or a report of what is missing and'
  + ' who can supply it. A call that waits for an approval goes through once a person has approved'
  + ' it and it is repeated as it was.';

/** The address is made up: the package reads the method and the headers alone. */
const ADDRESS = 'http://gateway/mcp';

export function createMcpDoor(options: McpDoorOptions): McpDoor {
  return async (request) => {
    const patterns = chosenPatterns(request.search);
    refuseBatch(request.body);
    const key = options.whileValid(request.caller);
    const signal = firstOf(request.signal, key.signal);
    try {
      const asked = { ...request, caller: clientOf(request.caller), patterns, signal };
      // One for each request: nothing of one is ever seen by another.
      const handler = createMcpHandler((context) => serverFor(options, asked, context), {
        // Nothing here changes without being asked for: who would listen is told so, and let go.
        maxSubscriptions: 1, keepAliveMs: 0,
        onerror: (err) => options.log.debug({ err, request_id: request.request_id }, 'MCP'),
      });
      const { headers, body } = request;
      const message = new Request(ADDRESS, { method: 'POST', headers, signal });
      // Once nobody waits, or may, for the answer, the call goes on by itself to its record.
      return await untilAborted(
        read(handler.fetch(message, { parsedBody: body })), signal);
    } finally {
      key.release();
    }
  };
}

/** Read whole: an answer is one message, as long as a result may be. */
async function read(answering: Promise<Response>): Promise<McpAnswer> {
  const response = await answering;
  const content = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status, type: response.headers.get('content-type') ?? undefined,
    content: response.status === 400 ? withAllVersions(content) : content,
  };
}

/** A batch could hold thousands of calls, and count as one request. */
function refuseBatch(body: unknown): void {
  if (!Array.isArray(body)) return;
  throw new GatehouseError('invalid_request',
    'Send one message at a time: the protocol has no batches any more.');
}

/** An agent that is in no run: its reading is confined as an agent's is. */
function clientOf(caller: Caller): Caller {
  return { ...caller, agent: { run: null, confined: true } };
}

interface Asked extends McpRequest { patterns: readonly string[] }

function serverFor(
  options: McpDoorOptions, asked: Asked, { era }: McpRequestContext): Server {
  const { gateway, config } = options;
  const { caller, patterns } = asked;
  const server = new Server({ name: 'gatehouse', title: 'Gatehouse', version: config.version }, {
    capabilities: { tools: {} }, instructions: INSTRUCTIONS, inputRequired: { legacyShim: false },
  });
  server.setRequestHandler('tools/list', () =>
    told(options, asked, async () => ({ tools: await toolsFor(gateway, caller, patterns) })));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    // Of earlier versions a request does not say what its client can do.
    const opens_pages = era === 'modern'
      && server.getClientCapabilities()?.elicitation?.url !== undefined;
    return told(options, asked, () => call(options, asked, params, context, opens_pages));
  });
  return server;
}

/**
 * Performs the call that a tool stands for. Where it waits for an approval, a client that can opens
 * its page and asks again with the same call, which then goes through, or is told what is missing.
 */
async function call(
  { gateway, config, publicUrl, checkStorage }: McpDoorOptions, asked: Asked,
  params: CallToolRequest['params'], { mcpReq }: ServerContext, opens_pages: boolean,
): Promise<CallToolResult | InputRequiredResult> {
  const { caller, patterns, request_id, signal } = asked;
  // Of the body itself: the package hands on a copy.
  const rounded = roundedIn(asked.body, ['params', 'arguments']);
  if (rounded) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams,
      `${rounded.path} ${rounded.message}. Nothing was called.`);
  }
  const action = await callOf(gateway, caller, patterns, params);
  if (action === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams,
      `There is no tool ${JSON.stringify(params.name)}. tools/list has those that there are.`);
  }
  await checkStorage(caller.workspace_id);
  const outcome = await gateway.perform(caller, action, {
    source: 'mcp', request_id, read_only_only: false, signal,
  });
  const pending = pendingApproval(outcome, (id) =>
    `${publicUrl()}/dashboard/w/${caller.workspace_id}/approvals/${id}`);
  if (pending !== undefined && opens_pages && mcpReq.inputResponses?.[APPROVAL] === undefined) {
    return inputRequired({ inputRequests: { [APPROVAL]: inputRequired.elicitUrl(pending) } });
  }
  return answerOf(inTermsOf(params.name, outcome), config.tool_result_limit_chars, pending?.url);
}

/** What the package would tell as it is, and must not: faults are logged and kept secret. */
async function told<T>(
  { log, isUnavailable, isShareUsedUp }: McpDoorOptions, { request_id }: Asked,
  answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const known = isShareUsedUp(error) ? shareUsedUp(error) : error;
    if (known instanceof GatehouseError) {
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, known.message,
        { code: known.code });
    }
    if (isUnavailable(error)) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, hasNoRoom(error) ? NO_ROOM
        : 'The service cannot reach its database just now: try again.', { code: 'unavailable' });
    }
    log.error({ err: error, request_id }, 'an MCP request failed by a fault of ours');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong in the service.'
      + ` Report it with the request id ${request_id}.`, { code: 'internal_error' });
  }
}
