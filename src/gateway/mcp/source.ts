/** Any MCP server as a source of actions. */
import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../caller.ts';
import { objectOf } from '../../json.ts';
import type {
  ActionDefinition, Integration, OpenSource, Performed, PerformRequest,
} from '../action/action.ts';
import type { Credentials } from '../action/credentials.ts';
import { authorizedAccount, failure, lacks, type AuthorizedAccount } from '../action/failure.ts';
import { answerRequired } from '../action/missing.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import { Departure } from '../egress/departure.ts';
import { withExactNumbers } from '../schema/exactNumbers.ts';
import { beginningOf, type Scrub } from './beginningOf.ts';
import { createPool, limitsOf, sessionOptions } from './connect.ts';
import type { Departing } from './departing.ts';
import { isSessionGone, ServerFault, toFailure, type McpFailureContext } from './failure.ts';
import {
  environmentSecrets, isProcess, type McpAction, type McpDeps, type McpIntegration,
} from './integration.ts';
import type { SessionKey, SessionPool } from './pool.ts';
import { QuestionsAsked } from './questions.ts';
import { READ_RESOURCE } from './resources.ts';
import { textsIn, toContents, toResult } from './result.ts';
import { openSession, type Session } from './session.ts';
import type { AnswerReading } from './shortenerWorker.ts';
import { toActions, type KnownNames } from './toActions.ts';
import type { SkippedTool } from './tools.ts';

export interface McpImport {
  actions: McpAction[];
  /** `cut`: there were more tools than are taken. */
  report: { skipped: SkippedTool[], cut: boolean, server: Session['server'] };
}

/**
 * Asks the server for its tools, in a session of its own, and makes actions of them. `credentials`
 * are for the listing alone, and `scrub` takes them out. Throws ActionFailure, or Unauthorized, if
 * that cannot be done.
 */
export async function importMcpTools(
  integration: McpIntegration, deps: McpDeps,
  options: { credentials: Credentials, scrub: Scrub, names?: KnownNames, signal: AbortSignal },
): Promise<McpImport> {
  const { credentials, scrub, names, signal } = options;
  let session: Session | undefined;
  try {
    session = await openSession(sessionOptions(integration, deps, credentials), signal);
    const { tools, cut } = await session.list(signal);
    const { actions, skipped } = toActions(integration, tools, scrub, names, session);
    const { name, protocol } = session.server;
    return { actions, report: { skipped, cut, server: {
      name: name && beginningOf(name, SERVER_LIMIT_CHARS, scrub), protocol } } };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toFailure(error, { title: integration.title, scrub, may_have_changed: false });
  } finally {
    await session?.close();
  }
}

const SERVER_LIMIT_CHARS = 200;

/** Everybody shares a process: it has no accounts, and is its operator's, as its `env` is. */
const OF_A_PROCESS: SessionKey = { owner: '', credentials: { type: 'none' } };

export interface McpSourceOptions {
  integration: McpIntegration;
  /** What makes two servers the same one: what is behind its sessions, or started for them. */
  identity: { id: string, server: object, egress_allow: readonly string[] };
  /** As they were accepted. */
  actions: readonly McpAction[];
  deps: McpDeps;
  workspace_ids?: readonly string[] | null;
  /** The source that this one replaces. Its sessions go on here if the server is the same. */
  before?: OpenSource | undefined;
  /** Called when the source has ended. */
  onEnd?(): void;
}

/** The tools of an MCP server as they were accepted, and the sessions with it. */
export class McpSource implements OpenSource {
  readonly integration: Integration;
  readonly actions: ActionDefinition[];
  /** Without `before`: each source would keep the one that it replaces in memory, and so all. */
  readonly #options: Omit<McpSourceOptions, 'before'>;
  readonly #pool: SessionPool;
  #handed_over = false;

  constructor({ before, ...options }: McpSourceOptions) {
    const { integration, identity, actions, deps, workspace_ids = null } = options;
    const { slug, title, auth_methods } = integration;
    this.#options = options;
    const is_same = before instanceof McpSource
      && isDeepStrictEqual(before.#options.identity, identity);
    this.#pool = is_same ? before.#handOver() : createPool(integration, deps);
    this.integration = { slug, title, workspace_ids, egress_allow: identity.egress_allow,
      ...(auth_methods && { auth_methods }) };
    const rules = new OverrideRules(integration.overrides ?? {});
    this.actions = actions.map((action) => ({
      ...action,
      said_to_read: action.effect !== 'read' && action.hints.readOnlyHint === true
        && integration.mcp.trust_hints !== true
        && rules.of({ ...action, source_keys: [action.source_key] }).override.effect === undefined,
      spares_all: integration.mcp.trust_hints === true && action.hints.destructiveHint === false,
      preview: (input) => ({
        type: 'mcp_tool', server: addressOf(integration), tool: action.source_key, arguments: input,
      }),
      perform: (request, caller, signal) => withoutSecrets(environmentSecrets(integration),
        (scrub) => this.#perform(action, {
          ...request, scrub: (value) => scrub(request.scrub(value)),
        }, caller, signal)),
    }));
  }

  /** Ends sessions and processes as soon as no call uses them; resolves when all have ended. */
  async drain(): Promise<void> {
    if (!this.#handed_over) await this.#pool.drain();
    this.#options.onEnd?.();
  }

  /** Ends all sessions and processes, with the calls in them. */
  async close(): Promise<void> {
    if (!this.#handed_over) await this.#pool.close();
    this.#options.onEnd?.();
  }

  /**
   * Gives the sessions to the source that replaces this one, which then ends them. Calls that are
   * under way here go on in them. Each session lists the tools anew before its next call, because
   * its list may be older than what was accepted. (With new sessions, a process would lose what it
   * keeps in memory, and a server that often announces changes would be started as often.)
   */
  #handOver(): SessionPool {
    this.#handed_over = true;
    this.#pool.forgetTools();
    return this.#pool;
  }

  async #perform(
    action: McpAction, { connection, credentials, ...request }: PerformRequest, caller: Caller,
    signal: AbortSignal): Promise<Performed> {
    const { integration, deps } = this.#options;
    const key: SessionKey = isProcess(integration.mcp) ? OF_A_PROCESS
      : { owner: `${caller.workspace_id} ${connection.id}`, credentials };
    const { base64_limit_chars } = limitsOf(deps);
    const reads_resource = action.source_key === READ_RESOURCE;
    const reading: AnswerReading = {
      share: caller.workspace_id, title: integration.title, fields: request.fields ?? null,
      secrets: [...environmentSecrets(integration), ...request.secrets],
      limit_bytes: deps.result_limit_bytes, base64_limit_chars, reads_resource,
    };
    const authorized = authorizedAccount(connection, credentials);
    const call = () => this.#pool.use(key, signal, (session) =>
      this.#call(action, key, session, { ...request, reading, authorized }, signal));
    try {
      // Null: the server has forgotten the session, and has done nothing. The call is made once
      // more, in a new session.
      const performed = await call() ?? await call();
      if (performed === null) throw new ServerFault('forgets its sessions.');
      return performed;
    } catch (error) {
      throw this.#failureOf(error, signal,
        { scrub: request.scrub, authorized, may_have_changed: false });
    }
  }

  /** Null: the server does not know the session, which is dropped. */
  async #call(
    action: McpAction, key: SessionKey, session: Session,
    { input, departure, scrub, reading, authorized }:
    Pick<PerformRequest, 'input' | 'departure' | 'scrub'>
    & { reading: AnswerReading, authorized: AuthorizedAccount | null },
    signal: AbortSignal,
  ): Promise<Performed | null> {
    // A server that has forgotten the session did nothing. So what is told of a failure depends on
    // what has left in this session, and not on what had left in the one before.
    const sent = new Departure(departure);
    try {
      const mirrored = await this.#checkUnchanged(action, session, signal);
      // The session may have taken its time to begin.
      await sent.grant();
      const { input_schema } = action;
      const { answer, questions } = await session.call(action.source_key,
        objectOf(withExactNumbers(input_schema, input_schema, input)), scrub,
        { departure: sent, reading, mirrored }, signal);
      if (questions.length === 0) return this.#read(answer, reading, scrub);
      const went_on = objectOf(answer).isError !== true;
      throw new QuestionsAsked(questions, textsIn(answer, scrub), went_on);
    } catch (error) {
      if (error instanceof QuestionsAsked) {
        const { integration: { title } } = this.#options;
        throw lacks(answerRequired(action, title, error));
      }
      if (!session.has_id || !isSessionGone(error)) {
        throw this.#failureOf(error, signal,
          { scrub, authorized, may_have_changed: sent.left && action.effect !== 'read' });
      }
      this.#pool.drop(key, session);
      return null;
    }
  }

  /** Throws ServerFault if the answer is no result, and ActionFailure if it says that it failed. */
  #read(answer: unknown, reading: AnswerReading, scrub: Scrub): Performed {
    const { title, base64_limit_chars, reads_resource } = reading;
    const kept = this.#options.deps.shortener.keptIn(answer);
    if (kept) return { ...kept, is_kept: true, source_cursor: null };
    const read = reads_resource ? toContents(answer, base64_limit_chars)
      : toResult(answer, title, base64_limit_chars, scrub);
    if (read === null) {
      throw new ServerFault(`gave an answer that is no ${
        reads_resource ? 'content of a resource' : 'result of a tool'}.`);
    }
    return { ...read, source_cursor: null };
  }

  #failureOf(
    error: unknown, signal: AbortSignal, context: Omit<McpFailureContext, 'title'>): unknown {
    const { integration: { title } } = this.#options;
    return signal.aborted ? signal.reason : toFailure(error, { title, ...context });
  }

  /**
   * The tool is the one that was accepted: a server may show one thing to the operator and another
   * afterwards. Asked once per session, and again when the server says that something has changed.
   * Answers with the arguments that go into headers as well.
   */
  async #checkUnchanged(
    action: McpAction, session: Session, signal: AbortSignal): Promise<Departing['mirrored']> {
    const { integration, deps } = this.#options;
    if (action.source_key === READ_RESOURCE && session.has_resources) return [];
    const listed = (await session.listedTools(signal)).get(action.source_key);
    if (listed?.schema_hash === action.schema_hash) return listed.mirrored;
    deps.onToolsChanged(integration.slug);
    throw failure(listed === undefined
      ? `${integration.title} does not offer ${action.name} any more.`
      : `${action.name} has changed since it was accepted, and is set aside until an operator`
        + ` refreshes ${integration.slug} and accepts the change.`);
  }
}

function addressOf({ mcp }: McpIntegration): string {
  return isProcess(mcp) ? [mcp.command, ...mcp.args ?? []].join(' ') : mcp.url;
}
