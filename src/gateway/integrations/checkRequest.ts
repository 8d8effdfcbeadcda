/** What the schema of a request to add or change an integration cannot say. */
import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../../generated/types.ts';
import { GatehouseError } from '../../errors.ts';
import { toSegment } from '../../json.ts';
import type { Sql } from '../../store/database.ts';
import type { IntegrationRow, McpServerShown } from '../../store/integrations.ts';
import { unknownWorkspaces } from '../../store/workspaces.ts';
import { parseEgressAllow } from '../egress/egress.ts';
import { AllowedCommands } from '../mcp/allowedCommands.ts';
import { whyNotSet } from '../openapi/setParameters.ts';

/** What is given of an integration, its document as text. */
export type IntegrationRequest =
  Omit<Schemas['UpdateIntegrationRequest'], 'document'> & { document?: string };

/** What can be said of a tool; all else of an override is for operations of documents. */
const OF_TOOLS = ['effect', 'hidden', 'account_label'];

/** Throws `invalid_request`. `update`: fields that are left out keep their values. */
export function checkRequest(
  kind: 'openapi' | 'mcp', request: IntegrationRequest, update = false): void {
  const { document, document_url, mcp, egress_allow = [], overrides = {} } = request;
  if (document !== undefined && document_url !== undefined) {
    throw wrong('/document_url', 'Give document or document_url, not both.');
  }
  if (request.document_files !== undefined && document === undefined) {
    throw wrong('/document_files', 'Give the document that refers to these files, too.');
  }
  if (kind === 'openapi' && mcp !== undefined) {
    throw wrong('/mcp', 'mcp is for integrations of kind mcp.');
  }
  if (kind === 'mcp' && (request.other_origins ?? []).length > 0) {
    throw wrong('/other_origins', 'An MCP server has one address: no others are called.');
  }
  if (kind === 'mcp' && (document ?? document_url) !== undefined) {
    throw wrong('/document', 'An MCP server has no document; give mcp.');
  }
  if (!update && kind === 'openapi' && (document ?? document_url) === undefined) {
    throw wrong('/document', 'Give the OpenAPI document: document, or document_url.');
  }
  if (mcp === undefined ? kind === 'mcp' && !update
    : (mcp.url === undefined) === (mcp.command === undefined) && !(update && isTrustAlone(mcp))) {
    throw wrong('/mcp', 'Give the MCP server: mcp.url, or mcp.command.');
  }
  if (kind === 'mcp' && Object.values(overrides).flatMap(Object.keys)
    .some((field) => !OF_TOOLS.includes(field))) {
    throw wrong('/overrides', 'An override of a tool of an MCP server says its effect, and whether'
      + ' it is hidden; the rest is for operations of documents.');
  }
  requireSettable(overrides);
  for (const [index, entry] of egress_allow.entries()) {
    try {
      parseEgressAllow(entry);
    } catch (error) {
      throw wrong(`/egress_allow/${index}`, (error as Error).message);
    }
  }
}

function requireSettable(overrides: IntegrationRow['overrides']): void {
  for (const [key, { parameters = {} }] of Object.entries(overrides)) {
    for (const [name, value] of Object.entries(parameters)) {
      const why = whyNotSet(name, value);
      if (why === null) continue;
      throw wrong(`/overrides/${toSegment(key)}/parameters/${toSegment(name)}`,
        `The parameter ${JSON.stringify(name)} ${why}`);
    }
  }
}

/** Throws `invalid_request`: a misprint would take the integration away from everybody. */
export async function requireWorkspaces(sql: Sql, ids: readonly string[]): Promise<void> {
  const unknown = ids.length === 0 ? [] : await unknownWorkspaces(sql, ids);
  if (unknown.length === 0) return;
  throw wrong('/workspace_ids', `No workspace has the id ${unknown.join(', ')}. \`gatehouse`
    + ' workspaces list` shows those that there are.');
}

/** Throws `invalid_request` if the service may not start this server's command. */
export function requireAllowedCommand(
  commands: AllowedCommands, server: Partial<McpServerShown> | null): void {
  if (server?.command === undefined) return;
  const { command, args, env_names = [] } = server;
  const wanted = { command, args, env_names };
  if (commands.has(wanted)) return;
  throw wrong('/mcp/command', 'The service is not allowed to start this command with these'
    + ' arguments and environment variables. Who runs the service has to add it to'
    + ` GATEHOUSE_MCP_STDIO: ${AllowedCommands.entryFor(wanted)}`);
}

/** Whether a change concerns only the trust in the same server. */
export function isTrustAlone(mcp: NonNullable<IntegrationRequest['mcp']>): boolean {
  return mcp.trust_hints !== undefined && Object.keys(mcp).length === 1;
}

/** Whether the server is the same as before: the same address, or the same command. */
export function isSameServer(
  { url, command, args = [] }: Partial<McpServerShown>, before: Partial<McpServerShown>): boolean {
  return isDeepStrictEqual({ url, command, args },
    { url: before.url, command: before.command, args: before.args ?? [] });
}

function wrong(param: string, message: string): GatehouseError {
  return new GatehouseError('invalid_request', message, { param });
}
