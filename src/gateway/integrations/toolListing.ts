/** Asking an MCP server for its tools: by an account that is connected, if there is one. */
import { anyConnection, type ConnectionRow } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import { failure } from '../action/failure.ts';
import type { Issued } from '../credentials/connectionCredentials.ts';
import { NeedsReconnect } from '../credentials/credentialStore.ts';
import { TokenRequestFailed } from '../credentials/oauthClient.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { renewedOnce } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import { reachOf } from '../egress/egress.ts';
import { environmentSecrets } from '../mcp/integration.ts';
import { mcpDeps, mcpIntegration, type McpDependencies, type McpRow } from '../mcp/mcpServers.ts';
import { READ_RESOURCE } from '../mcp/resources.ts';
import type { McpImport } from '../mcp/source.ts';
import type { KnownNames } from '../mcp/toActions.ts';

export interface ListingOptions extends McpDependencies {
  sql: Sql;
}

/** A connection whose account the server is asked by. */
type AskingAccount = Pick<ConnectionRow, 'workspace_id' | 'id'>;

/** The server does not list its tools to the account of this connection. */
export class AccountRefused extends Error {
  readonly connection_id: string;
  /** Sentences for an operator. */
  readonly reason: string;

  constructor(connection_id: string, reason: string) {
    super(reason);
    this.name = 'AccountRefused';
    this.connection_id = connection_id;
    this.reason = reason;
  }
}

/** Each account that is refused is marked so, and a server may be out of order for all of them. */
const ACCOUNTS_TRIED = 3;
const NO_CREDENTIALS = { credentials: { type: 'none' as const }, secrets: [] };

export interface ToolListing {
  /** Those of the tools that are known. */
  names: KnownNames;
  /**
   * Whether a connection whose account is refused counts as broken. Not where the server alone has
   * the tools listed anew: calls go on in the sessions that there are.
   */
  judges: boolean;
  signal: AbortSignal;
}

/**
 * The tools that the server lists, to the first account that it accepts. Throws AccountRefused if
 * it accepts none, Unauthorized if there is none and it wants one, or if nobody judges, else
 * ActionFailure.
 */
export async function listTools(
  options: ListingOptions, row: McpRow, listing: ToolListing): Promise<McpImport> {
  let refused: AccountRefused | undefined;
  for (let tried = 1; ; tried++) {
    const found = row.mcp?.url === undefined ? undefined
      : await anyConnection(options.sql, row.slug);
    const account = found?.status === 'connected' && found.id !== refused?.connection_id
      ? found : undefined;
    if (account === undefined && refused !== undefined) throw refused;
    try {
      return await toolsBy(options, row, account, listing);
    } catch (error) {
      if (error instanceof AccountRefused && tried < ACCOUNTS_TRIED) refused = error;
      else if (!(error instanceof Unauthorized) || account !== undefined || !found) throw error;
      // It was refused before. Nobody is asked by it again, for that may use up what it has.
      else throw unusable(found.id, found.status_reason ?? 'It was found not to work.');
    }
  }
}

/** How many tools the server lists to the account. Throws ActionFailure. */
export async function countTools(
  options: ListingOptions, row: McpRow, account: AskingAccount, signal: AbortSignal,
): Promise<number> {
  try {
    const { actions } =
      await toolsBy(options, row, account, { names: new Map(), judges: true, signal });
    return actions.filter(({ source_key }) => source_key !== READ_RESOURCE).length;
  } catch (error) {
    throw error instanceof AccountRefused ? failure(error.reason) : error;
  }
}

async function toolsBy(
  options: ListingOptions, row: McpRow, account: AskingAccount | undefined,
  { names, judges, signal }: ToolListing): Promise<McpImport> {
  const integration = await mcpIntegration(options, row);
  const { importMcpTools } = await import('../mcp/source.ts');
  const ask = ({ credentials, secrets }: Pick<Issued, 'credentials' | 'secrets'>) =>
    withoutSecrets([...environmentSecrets(integration), ...secrets], (scrub) => importMcpTools(
      integration, mcpDeps(options, row), { credentials, scrub, signal, names }));
  if (account === undefined) return await ask(NO_CREDENTIALS);
  const target = { workspace_id: account.workspace_id, connection_id: account.id,
    egress_allow: reachOf(row), action: null };
  const ofAlone = () => new AccountRefused(account.id, `${row.slug} asks for credentials before it`
    + ` lists its tools, and the connection ${account.id} has none that it accepts.${
      reconnecting(account.id)}`);
  const { credentials } = options;
  try {
    return judges ? await renewedOnce(credentials, target, ask, ofAlone, signal)
      : await ask(await credentials.for(target, signal));
  } catch (error) {
    if (error instanceof TokenRequestFailed) throw failure(error.message);
    throw error instanceof NeedsReconnect ? unusable(account.id, error.reason) : error;
  }
}

function unusable(id: string, reason: string): AccountRefused {
  return new AccountRefused(id,
    `The credentials of the connection ${id} cannot be used: ${reason}${reconnecting(id)}`);
}

function reconnecting(id: string): string {
  return ` Reconnect it: \`gatehouse connections reconnect ${id}\`.`;
}
