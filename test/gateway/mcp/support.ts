/** Integrations with MCP servers for tests: real ones and a process that misbehaves. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { execPath, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { Test } from 'tap';
import type { Credentials } from '../../../src/gateway/action/credentials.ts';
import { scrubOf } from '../../../src/gateway/credentials/withoutSecrets.ts';
import { Departure } from '../../../src/gateway/egress/departure.ts';
import { createUpstream } from '../../../src/gateway/egress/upstream.ts';
import { AllowedCommands } from '../../../src/gateway/mcp/allowedCommands.ts';
import type {
  McpAction, McpDeps, McpIntegration, McpLimits, McpServer,
} from '../../../src/gateway/mcp/integration.ts';
import { importMcpTools, McpSource, type McpImport } from '../../../src/gateway/mcp/source.ts';
import { Shortener } from '../../../src/gateway/mcp/shortener.ts';
import { DATA_DIR, SERVER_COMMANDS } from '../../support/mcpProcesses.ts';
import { plainJson } from '../../../src/jsonText.ts';
import { caller, connection, performRequest, told } from '../support.ts';

const require = createRequire(import.meta.url);

/** Programs of servers from the npm registry. */
export const PROGRAMS = {
  everything: require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: require.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
};

export function integrationOf(mcp: McpServer, slug = 'server'): McpIntegration {
  return { slug, title: 'The server', mcp };
}

/** A process that does what `mode` says (see misbehaving.ts). */
export function misbehaving(mode: string, env: Record<string, string> = {}): McpIntegration {
  const file = fileURLToPath(new URL('./misbehaving.ts', import.meta.url));
  return integrationOf({ command: execPath, args: ['--no-warnings', file, mode], env });
}

const upstream = createUpstream({ response_limit_bytes: 100_000_000 });
// What the pool keeps alive must not keep the process of a test alive: connections are unrefed.
const loopbackFetch: McpDeps['fetch'] = (input, init) => {
  const { host } = new URL(input instanceof Request ? input.url : input);
  return upstream.fetchFor({ egress_allow: [host] })(input, init);
};

const shortener = new Shortener();

export interface Lab {
  deps: McpDeps;
  /** What was logged, as objects. */
  logged: Record<string, unknown>[];
  /** What onToolsChanged was told. */
  changes: string[];
  /** What the next calls authenticate with. */
  credentials: Credentials;
}

export function lab(limits: Partial<McpLimits> = {}, more: Partial<McpDeps> = {}): Lab {
  const logged: Record<string, unknown>[] = [];
  const changes: string[] = [];
  const made: Lab = { logged, changes, credentials: { type: 'none' }, deps: {
    log: pino({ level: 'debug', base: null }, { write: (line: string) => {
      logged.push(JSON.parse(line) as Record<string, unknown>);
    } }),
    version: '1.2.3',
    fetch: loopbackFetch,
    environment: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    commands: new AllowedCommands(SERVER_COMMANDS),
    folder: join(DATA_DIR, 'mcp', 'int_1'),
    onToolsChanged: (slug) => changes.push(slug),
    shortener,
    result_limit_bytes: 1_048_576,
    limits,
    ...more,
  } };
  return made;
}

export function importFrom(
  integration: McpIntegration, { deps, credentials }: Lab,
  options: Partial<Parameters<typeof importMcpTools>[2]> = {}): Promise<McpImport> {
  return importMcpTools(integration, deps,
    { credentials, scrub: (text) => text, signal: new AbortController().signal, ...options });
}

export interface Imported extends McpImport {
  source: McpSource;
  /** Calls the tool and answers with the result. */
  call(tool: string, input?: object, options?: CallOptions): Promise<unknown>;
}

export interface CallOptions {
  signal?: AbortSignal;
  connection_id?: string;
  departure?: Departure;
  fields?: string[];
  secrets?: string[];
}

/** Imports, and makes a source that is closed at the end of the test. */
export async function connect(
  t: Pick<Test, 'teardown'>, integration: McpIntegration, made: Lab): Promise<Imported> {
  const found = await importFrom(integration, made);
  return { ...found, ...sourceOf(t, integration, found.actions, made) };
}

export function sourceOf(
  t: Pick<Test, 'teardown'>, integration: McpIntegration, actions: McpAction[], made: Lab,
): Pick<Imported, 'source' | 'call'> {
  const identity = { id: 'int_1', server: integration.mcp, egress_allow: [] };
  const source = new McpSource({ integration, actions, identity, deps: made.deps });
  t.teardown(() => source.close());
  return { source, call: async (tool, input = {}, options = {}) => {
    const action = source.actions.find(({ source_key }) => source_key === tool);
    const { secrets = [] } = options;
    if (action === undefined) throw new Error(`there is no action for ${tool}`);
    const { result } = await told(action.perform(performRequest({
      input: input as Record<string, unknown>, credentials: made.credentials,
      connection: connection({ id: options.connection_id ?? 'con_1' }),
      departure: options.departure ?? new Departure(),
      fields: options.fields ?? null, secrets, scrub: scrubOf(secrets),
    }), caller, options.signal ?? new AbortController().signal));
    return plainJson(result);
  } };
}

/** A process that has ended counts as such also while nobody has taken note of it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
