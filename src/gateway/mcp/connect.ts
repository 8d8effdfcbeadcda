/** From an integration to sessions with its server. */
import type { Log } from '../../log.ts';
import type { Credentials } from '../action/credentials.ts';
import { failure } from '../action/failure.ts';
import { scrubOf } from '../credentials/withoutSecrets.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import { Backoff } from './backoff.ts';
import { ServerFault } from './failure.ts';
import { createHttpTransport } from './http.ts';
import {
  DEFAULT_LIMITS, environmentSecrets, isProcess, type McpDeps, type McpHttpServer,
  type McpIntegration, type McpLimits, type McpProcess,
} from './integration.ts';
import { SessionPool, type PoolOptions } from './pool.ts';
import { ProcessTransport } from './process.ts';
import { openSession, type SessionOptions } from './session.ts';

export function createPool(integration: McpIntegration, deps: McpDeps): SessionPool {
  const { idle_ms, sessions_limit } = limitsOf(deps);
  // A process is not ended when idle: it would lose what it keeps in memory.
  return new SessionPool(isProcess(integration.mcp)
    ? { open: openProcess(integration, deps), idle_ms: null, sessions_limit }
    : { open: (credentials, signal) =>
      openSession(sessionOptions(integration, deps, credentials), signal),
    idle_ms, sessions_limit });
}

/** The options of a session that is not shared; `credentials` are for a server over HTTP. */
export function sessionOptions(
  integration: McpIntegration, deps: McpDeps, credentials: Credentials): SessionOptions {
  const { mcp, slug } = integration;
  const log: Log = deps.log.child({ integration: slug });
  const limits = limitsOf(deps);
  return {
    createTransport: isProcess(mcp) ? () => processTransport(integration, deps, limits, log)
      : (onHeardAgain) => createHttpTransport({ url: urlOf(mcp), credentials, fetch: deps.fetch,
        message_limit_bytes: limits.message_limit_bytes, shortener: deps.shortener, onHeardAgain }),
    version: deps.version,
    log,
    limits,
    now: clockOf(deps),
    onToolsChanged: () => deps.onToolsChanged(slug),
  };
}

export function limitsOf({ limits }: McpDeps): McpLimits {
  return { ...DEFAULT_LIMITS, ...limits };
}

function clockOf({ now }: McpDeps): () => number {
  return now ?? (() => performance.now());
}

function openProcess(integration: McpIntegration, deps: McpDeps): PoolOptions['open'] {
  const now = clockOf(deps);
  const process = integration.mcp as McpProcess;
  const backoff = new Backoff(integration.title, now);
  return async (credentials, signal) => {
    requireAllowed(process, deps);
    backoff.check();
    const started_ms = now();
    const onEnd = (last_words: string | null) => backoff.ended(started_ms, last_words);
    try {
      return await openSession(
        { ...sessionOptions(integration, deps, credentials), onEnd }, signal);
    } catch (error) {
      onEnd(error instanceof ServerFault ? error.last_words : null);
      throw error;
    }
  };
}

function processTransport(
  integration: McpIntegration, deps: McpDeps, limits: McpLimits, log: Log,
): ProcessTransport {
  const process = integration.mcp as McpProcess;
  requireAllowed(process, deps);
  const { command, args = [], env } = process;
  const { folder } = deps;
  return new ProcessTransport({
    command, args, folder, env: { ...deps.environment, HOME: folder, ...env },
    message_limit_bytes: limits.message_limit_bytes, stop_grace_ms: limits.stop_grace_ms,
    scrub: scrubOf(environmentSecrets(integration)), log,
    shortener: deps.shortener,
  });
}

/**
 * The setting may have become another one since the integration was added. Throws
 * UpstreamUnreachable.
 */
function requireAllowed({ command, args, env = {} }: McpProcess, { commands }: McpDeps): void {
  if (commands.has({ command, args, env_names: Object.keys(env) })) return;
  throw new UpstreamUnreachable('the service is not allowed to start its command.'
    + ' GATEHOUSE_MCP_STDIO has to name it; `gatehouse doctor` says how');
}

function urlOf({ url }: McpHttpServer): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.username !== ''
    || parsed.password !== '') {
    throw failure('The address of the MCP server is not an http or https URL.');
  }
  return parsed;
}
