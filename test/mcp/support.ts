/** MCP clients of several makers, at a service of our own. */
import {
  Client as McpClient, StreamableHTTPClientTransport, type CallToolResult, type ClientOptions,
} from '@modelcontextprotocol/client';
import type { Test } from 'tap';
import type { TestServer } from '../support/server.ts';

type Teardown = Pick<Test, 'teardown'>;

/** The versions of the protocol that clients begin with: the current one, and those before. */
export const ERAS = ['auto', 'legacy'] as const;

/** Where the door of a service is. */
export function doorOf({ service }: TestServer, search = ''): URL {
  return new URL(`/mcp${search}`, service.base_url);
}

export interface ConnectOptions {
  mode?: typeof ERAS[number];
  /** Instead of the workspace's first key. */
  api_key?: string;
  /** Behind the address: `?actions=acme.*`. */
  search?: string;
  capabilities?: ClientOptions['capabilities'];
}

/** The client of the official TypeScript package, connected; closed at teardown. */
export async function mcpClient(
  t: Teardown, server: TestServer,
  { mode = 'auto', api_key, search, capabilities = {} }: ConnectOptions = {}): Promise<McpClient> {
  const client = new McpClient({ name: 'a test', version: '1' },
    { capabilities, versionNegotiation: { mode } });
  const Authorization = `Bearer ${api_key ?? server.client.api_key}`;
  await client.connect(new StreamableHTTPClientTransport(doorOf(server, search),
    { requestInit: { headers: { Authorization } } }));
  t.teardown(() => client.close());
  return client;
}

/** What a call of an action came to. */
export async function callAction(
  client: McpClient, action: string, input: object = {}, rest: object = {},
): Promise<Report> {
  return reportOf(await client.callTool(
    { name: 'call_action', arguments: { action, input, ...rest } }) as CallToolResult);
}

export interface Report extends Record<string, unknown> {
  ok: boolean;
  invocation_id: string;
  code?: string;
  missing?: ({ code: string } & Record<string, unknown>)[];
  approval_url?: string;
  result?: unknown;
}

/** The structured content, which the text says as well. */
export function reportOf({ structuredContent, content, isError }: CallToolResult): Report {
  const report = structuredContent as unknown as Report;
  const texts = content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
  if (!texts.includes(JSON.stringify(report))) throw new Error(`said otherwise: ${texts.join()}`);
  if (report.ok !== !isError) throw new Error('neither a result nor an error');
  return report;
}

/** One message as it is on the wire. */
export async function post(
  url: URL, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, {
    method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers,
    },
  });
}
