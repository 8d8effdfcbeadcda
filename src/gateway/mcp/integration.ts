/** An MCP server as the operator describes it, and what this room needs from the others. */
import type { JsonObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import type { ActionDescription, Effect } from '../action/action.ts';
import type { GuardedFetch } from '../egress/guardedFetch.ts';
import type { AllowedCommands } from './allowedCommands.ts';
import type { Shortener } from './shortener.ts';

/** Over Streamable HTTP, or a process of this machine. */
export type McpServer = McpHttpServer | McpProcess;

interface Trust {
  /** Whether `readOnlyHint: true` of this server is believed. A server may claim anything. */
  trust_hints?: boolean;
}

export interface McpHttpServer extends Trust {
  url: string;
}

/**
 * A process with the rights of the service, so it must be among the commands that the service's own
 * configuration allows. It is started without a shell, in a folder of its own that is its HOME, and
 * sees nothing of the environment but `env`, PATH and LANG.
 */
export interface McpProcess extends Trust {
  command: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface McpIntegration {
  /** First segment of every name, and the integration of every action. */
  slug: string;
  title: string;
  auth_methods?: readonly string[];
  mcp: McpServer;
  /** The operator's corrections of rule and hint, by the tool's name or a pattern of names. */
  overrides?: Readonly<Record<string, { effect?: Effect }>>;
}

/** An action made of a tool. */
export interface McpAction extends ActionDescription {
  /** A hash of the schemas and hints that were accepted; a tool with another hash is not called. */
  schema_hash: string;
  /** What the server says of its effect. */
  hints: JsonObject;
}

/** The part of the service's own environment that a process sees. */
export type ProcessEnvironment = { [name in 'PATH' | 'LANG']?: string | undefined };

export interface McpDeps {
  log: Log;
  /** The version of the service, by which it introduces itself. */
  version: string;
  /** A fetch that passes the egress guard, and honours `redirect: 'manual'`. */
  fetch: GuardedFetch;
  environment: ProcessEnvironment;
  /** The commands that may be started. */
  commands: AllowedCommands;
  /** Where the server's process is at home; made when it is first started. */
  folder: string;
  /**
   * The server of an integration says, or was found, to have other tools than were imported. Calls
   * already refuse tools that differ.
   */
  onToolsChanged(slug: string): void;
  /** Reads large answers. */
  shortener: Shortener;
  /** How much is kept of a result. */
  result_limit_bytes: number;
  limits?: Partial<McpLimits>;
  /** Milliseconds that only grow; tests set the clock. */
  now?: () => number;
}

export const DEFAULT_LIMITS = {
  /** Largest message, answer or event stream of one call that is read. */
  message_limit_bytes: 8 * 1_048_576,
  /** Time for connecting: starting the process or reaching the server, and the handshake. */
  connect_timeout_ms: 30_000,
  /** Time for reading all pages of the tools. */
  list_timeout_ms: 30_000,
  pages_limit: 100,
  tools_limit: 2_000,
  /** Of all tools together: reading them takes half a second of the process for a million. */
  list_limit_chars: 4 * 1_048_576,
  /** Base64 of an image, a sound or a file that is longer is left out of the result. */
  base64_limit_chars: 262_144,
  /** A session over HTTP that nobody used for this long is closed. */
  idle_ms: 300_000,
  /** Sessions over HTTP with one server, at most: one for each connection in use. */
  sessions_limit: 100,
  /** How long a list of tools counts as fresh if the server announces no change. */
  tools_fresh_ms: 300_000,
  /** A server that kept a caller waiting must answer a ping within this time, or is given up. */
  ping_timeout_ms: 30_000,
  /** Time a process gets to end by itself, and again after SIGTERM. */
  stop_grace_ms: 1_000,
};

export type McpLimits = Readonly<typeof DEFAULT_LIMITS>;

export function isProcess(server: McpServer): server is McpProcess {
  return 'command' in server;
}

/** What of a server's environment must not be seen: a process may repeat it in any answer. */
export function environmentSecrets({ mcp }: McpIntegration): string[] {
  return isProcess(mcp) ? Object.values(mcp.env ?? {}).flatMap(withLines) : [];
}

/**
 * A private key has many lines, or writes their ends as `\n`. A process says them one at a time,
 * trimmed, or with other ends.
 */
function withLines(secret: string): string[] {
  const lines = secret.split(/\\r|\\n|\r|\n/).map((line) => line.trim());
  return lines.length === 1 ? [secret] : [secret, ...lines.filter((line) => !MARK.test(line))];
}

/** Says what a key is, and stands in what others say as well. */
const MARK = /^-----(BEGIN|END) [^-]*-----$/;
