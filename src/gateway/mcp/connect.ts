/** From an integration to sessions with its server. */
import { hash } from 'node:crypto';
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
import { SessionPool } from './pool.ts';
import { ProcessTransport } from './process.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

/** The connection that a session belongs to, and its credentials. */
export interface SessionKey {
  owner: string;
  credentials: Credentials;
}

/** Everybody shares the same process: it has no accounts. */
const PROCESS_OWNER = '';
const NONE: Credentials = { type: 'none' };

export function createPool(integration: McpIntegration, deps: McpDeps): SessionPool<SessionKey> {
  const limits = limitsOf(deps);
  const process = isProcess(integration.mcp);
  return new SessionPool<SessionKey>({
    open: process ? openProcess(integration, deps)
      : ({ credentials }, signal) =>
        openSession(sessionOptions(integration, deps, credentials), signal),
    ownerOf: ({ owner }) => (process ? PROCESS_OWNER : owner),
    identify: ({ credentials }) => (process ? '' : digest(credentials)),
    // A process is not ended when idle: it would lose what it keeps in memory.
    idle_ms: process ? null : limits.idle_ms,
    sessions_limit: limits.sessions_limit,
  });
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
    onToolsChanged: () => deps.onToolsChanged({ integration: slug, source_keys: [] }),
  };
}

export function limitsOf({ limits }: McpDeps): McpLimits {
  return { ...DEFAULT_LIMITS, ...limits };
}

function clockOf({ now }: McpDeps): () => number {
  return now ?? (() => performance.now());
}

function openProcess(
  integration: McpIntegration, deps: McpDeps,
): (key: SessionKey, signal: AbortSignal) => Promise<Session> {
  const now = clockOf(deps);
  const process = integration.mcp as McpProcess;
  const backoff = new Backoff(integration.title, now);
  return async (_key, signal) => {
    requireAllowed(process, deps);
    backoff.check();
    const started_ms = now();
    const onEnd = (last_words: string | null) => backoff.ended(started_ms, last_words);
    try {
      return await openSession({ ...sessionOptions(integration, deps, NONE), onEnd }, signal);
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
    scrub: scrubOf(environmentSecrets(integration).flatMap(inLines)), log,
    shortener: deps.shortener,
  });
}

/** What a process says is seen a line at a time, and a private key has many. */
function inLines(secret: string): string[] {
  return [secret, ...secret.split(/\r?\n/)];
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

/** Keys of a Map are not the place for credentials. */
function digest(credentials: Credentials): string {
  const entries = Object.entries(credentials).sort();
  return hash('sha256', JSON.stringify(entries), 'hex');
}
