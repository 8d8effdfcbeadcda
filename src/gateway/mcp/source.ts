/** Any MCP server as a source of actions. */
import type { Caller } from '../../caller.ts';
import type { Connection } from '../../store/connections.ts';
import {
  ActionFailure, type ActionSource, type Performed, type PerformRequest,
} from '../action/action.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import { createPool, limitsOf, sessionOptions, type SessionKey } from './connect.ts';
import { isSessionGone, ServerFault, toFailure } from './failure.ts';
import { isProcess, type McpAction, type McpDeps, type McpIntegration } from './integration.ts';
import type { SessionPool } from './pool.ts';
import { toResult } from './result.ts';
import { openSession, type Session } from './session.ts';
import { toActions, type ImportChoice, type McpReport } from './toActions.ts';

export interface McpImport {
  actions: McpAction[];
  report: McpReport & { server: Session['server'] };
}

/**
 * Asks the server for its tools, in a session of its own, and makes actions of them. `credentials`
 * are for the listing alone. Throws ActionFailure, or Unauthorized, if that cannot be done.
 */
export async function importMcpTools(
  integration: McpIntegration, deps: McpDeps,
  options: ImportChoice & { credentials: Credentials, signal: AbortSignal },
): Promise<McpImport> {
  const { credentials, signal, ...choice } = options;
  let session: Session | undefined;
  try {
    session = await openSession(sessionOptions(integration, deps, credentials), signal);
    const { tools, cut } = await session.list(signal);
    const { actions, report } = toActions(integration, tools, cut, choice);
    return { actions, report: { ...report, server: session.server } };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toFailure(error,
      { title: integration.title, scrub: deps.scrub, may_have_changed: false });
  } finally {
    await session?.close();
  }
}

export interface McpSource extends ActionSource {
  /**
   * What it holds open, for the source that takes its place with the same server. It uses that
   * still, but `drain` and `close` are the other's business then. Sessions look at the tools anew:
   * what they have seen of them may be older than what was accepted.
   */
  handOver(): SessionPool<SessionKey>;
  /** Ends sessions and processes as soon as no call uses them; resolves when all have ended. */
  drain(): Promise<void>;
  /** Ends all sessions and processes, with the calls in them. */
  close(): Promise<void>;
}

/**
 * `actions`: as they were imported; those that are quarantined are left out. `before`: a source of
 * the same server, at the same place, whose sessions are taken over.
 */
export function createMcpSource(
  integration: McpIntegration, actions: readonly McpAction[], deps: McpDeps, before?: McpSource,
): McpSource {
  const pool = before?.handOver() ?? createPool(integration, deps);
  let mine = true;
  const { slug, title, auth_methods } = integration;
  return {
    integration: { slug, kind: 'mcp', title, ...(auth_methods && { auth_methods }) },
    actions: actions.filter(({ quarantined }) => !quarantined).map((action) => ({
      ...action,
      perform: (request, caller, signal) =>
        perform({ integration, deps, pool, action }, request, caller, signal),
    })),
    handOver: () => {
      mine = false;
      pool.forgetTools();
      return pool;
    },
    drain: async () => (mine ? pool.drain() : undefined),
    close: async () => (mine ? pool.close() : undefined),
  };
}

interface Performing {
  integration: McpIntegration;
  deps: McpDeps;
  pool: SessionPool<SessionKey>;
  action: McpAction;
}

async function perform(
  performing: Performing, { input, connection }: PerformRequest, caller: Caller,
  signal: AbortSignal): Promise<Performed> {
  const { integration, deps, pool, action } = performing;
  let sent = false;
  let left = false; // and stays so, also if the server says that it did nothing
  const attempt = (key: SessionKey) => pool.use(key, signal, async (session) => {
    const before = left;
    try {
      await checkUnchanged(performing, session, signal);
      sent = left = true;
      return { answer: await session.call(action.source_key, input, signal) };
    } catch (error) {
      // The one thing that is known of a call that was begun: there was nobody to send it to.
      if (error instanceof UpstreamUnreachable && !error.reached) left = before;
      if (!session.has_id || !isSessionGone(error)) throw error;
      sent = false;
      pool.drop(key, session);
      return null;
    }
  });
  try {
    const key = {
      owner: `${caller.workspace_id} ${connection.id}`,
      credentials: await credentialsFor(performing, connection, caller),
    };
    // The server has forgotten the session and so did nothing: once more, in a new one.
    const answered = await attempt(key) ?? await attempt(key);
    if (answered === null) throw new ServerFault('forgets its sessions.');
    const { base64_limit_chars } = limitsOf(deps);
    const { result, truncated } = toResult(answered.answer, integration.title, base64_limit_chars);
    return { result, truncated, next_cursor: null };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw withSent(toFailure(error, { title: integration.title, scrub: deps.scrub,
      may_have_changed: sent && action.effect !== 'read' }), left);
  }
}

function withSent(failure: unknown, sent: boolean): unknown {
  if (failure instanceof Unauthorized) return new Unauthorized(failure.message, { sent });
  return failure instanceof ActionFailure ? failure.withSent(sent) : failure;
}

/** A process has no accounts: it is its operator's, and so are the credentials in its `env`. */
async function credentialsFor(
  { integration, deps }: Performing, connection: Connection, caller: Caller): Promise<Credentials> {
  return isProcess(integration.mcp) ? { type: 'none' } : deps.credentials(connection, caller);
}

/**
 * The tool is the one that was accepted: a server may show one thing to the operator and another
 * afterwards. Asked once per session, and again when the server says that something has changed.
 */
async function checkUnchanged(
  { integration, deps, action }: Performing, session: Session, signal: AbortSignal,
): Promise<void> {
  const hash = (await session.toolHashes(signal)).get(action.source_key);
  if (hash === action.schema_hash) return;
  deps.onToolsChanged({ integration: integration.slug, source_keys: [action.source_key] });
  throw new ActionFailure(hash === undefined
    ? `${integration.title} does not offer ${action.name} any more.`
    : `${action.name} has changed since it was accepted, and is set aside until an operator`
      + ` refreshes ${integration.slug} and accepts the change.`);
}
