/** An MCP server of ours as an integration `tools`, and what it lists. */
import type { FakeServer } from '../mcp/httpServer.ts';
import type { CreateIntegration } from './support.ts';

export function fakeTools(
  { url }: FakeServer, mcp: Partial<CreateIntegration['mcp']> = {}): CreateIntegration {
  return { slug: 'tools', kind: 'mcp', egress_allow: [new URL(url).host],
    mcp: { url, trust_hints: true, ...mcp } };
}

export const reads = { annotations: { readOnlyHint: true } };

export const tool = (name: string, rest: object = {}) =>
  ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...rest });
