/** From what an MCP server lists to the rows of its tools. */
import { GatehouseError } from '../../errors.ts';
import type { Grant } from '../../store/grants.ts';
import type { StoredAction } from '../../store/integrations.ts';
import { ActionFailure, failure, toOperator } from '../action/failure.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { EgressRefused, reachOf } from '../egress/egress.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import type { McpAction } from '../mcp/integration.ts';
import { READ_RESOURCE } from '../mcp/resources.ts';
import { toolRows, waitingTools } from './acceptedTools.ts';
import type { Draft, ImportAuthor } from './draft.ts';
import { leftBehind } from './leftBehind.ts';
import type { MadeImport } from './reported.ts';
import { AccountRefused, listTools, type ListingOptions } from './toolListing.ts';
import { importUnlisted, type Ways } from './unlisted.ts';

/**
 * A server that starts may have no tool yet. Meanwhile each call is refused by the list of its
 * session; if all of them counted as gone, what writes would wait for an operator afterwards.
 */
const NOTHING_LISTED = 'The server lists no tool at all. Tools are gone once you refresh it.';
const SERVER_METHODS = ['bearer', 'api_key', 'oauth2', 'none'];

/** Who asks, and what there was before. */
interface ToolsBefore {
  stored: readonly StoredAction[];
  grants: readonly Grant[];
  importer: ImportAuthor;
}

/** Throws `upstream_error` if the server does not list its tools. */
export async function importTools(
  options: ListingOptions, draft: Draft, before: ToolsBefore, signal: AbortSignal,
): Promise<MadeImport> {
  const { title, mcp } = draft;
  const { stored, importer } = before;
  try {
    const { actions, report } = await listTools(options, draft, {
      names: new Map(stored.map(({ source_key, name }) => [source_key, name])),
      judges: importer === 'operator' || stored.length === 0, signal,
    });
    const tools = actions.filter(({ source_key }) => source_key !== READ_RESOURCE);
    if (importer === 'service' && tools.length + report.skipped.length === 0
      && stored.some(isOfferedTool)) throw failure(NOTHING_LISTED);
    const ruled = ruledTools(draft, actions, before);
    return {
      title: report.server.name ?? title, base_url: null,
      auth_methods: mcp!.url === undefined ? ['none']
        : draft.auth_methods.length > 0 ? draft.auth_methods : SERVER_METHODS,
      accepted_document: null,
      ...ruled,
      report: {
        operations: tools.length + report.skipped.length, imported: tools.length,
        has_resources: ruled.rows.some(({ source_key, hidden }) =>
          source_key === READ_RESOURCE && !hidden),
        skipped: report.skipped,
        warnings: [...report.cut ? [`The server lists more tools than are taken: only the first`
          + ` ${tools.length + report.skipped.length} are, and no others are offered.`] : [],
        ...mcp!.trust_hints === true ? trustForNothing(tools) : []],
      },
    };
  } catch (error) {
    if ((error instanceof Unauthorized || error instanceof AccountRefused)
      && importer !== 'service') {
      const ways = await waysOf(options, draft, stored.some(isOfferedTool), signal);
      return importUnlisted(draft, stored, ways,
        error instanceof AccountRefused ? error.reason : null);
    }
    if (!(error instanceof ActionFailure)) throw error;
    throw new GatehouseError('upstream_error', toOperator(error), { param: '/mcp', cause: error });
  }
}

/**
 * OAuth alone if the server says how it is authorized, else all that there may be; and why not, if
 * it says something of that. What is known is not asked for again, nor where an account has listed
 * tools by one of these ways.
 */
async function waysOf(
  { upstream }: ListingOptions, draft: Draft, was_listed: boolean, signal: AbortSignal,
): Promise<Ways> {
  const { mcp, auth_methods } = draft;
  if (auth_methods.length > 0
    && (was_listed || auth_methods.join() !== SERVER_METHODS.join())) {
    return { auth_methods, unknown: null };
  }
  const fetch = upstream.fetchFor({ egress_allow: reachOf(draft) });
  const { AuthorizationUnknown, AuthorizationUnsaid, discoverAuthorization }
    = await import('../mcp/authorization.ts');
  try {
    await discoverAuthorization(mcp!.url!, { fetch, signal });
    return { auth_methods: ['oauth2'], unknown: null };
  } catch (error) {
    signal.throwIfAborted();
    return { auth_methods: SERVER_METHODS, unknown: error instanceof AuthorizationUnsaid ? null
      : error instanceof AuthorizationUnknown ? `The server ${error.message}.`
        : error instanceof UpstreamUnreachable ? `What it names: ${error.message}.`
          : error instanceof EgressRefused ? error.message : null };
  }
}

/** Many servers give no hints at all, and trusting those would look as if it had failed. */
function trustForNothing(tools: readonly McpAction[]): string[] {
  const isHeeded = tools.some(({ effect, hints }) =>
    effect === 'read' || hints.readOnlyHint === true || hints.destructiveHint === false);
  return tools.length === 0 || isHeeded ? []
    : ['The server says of none of its tools that it only reads, so trusting it changes nothing.'
      + " Where you know that one does, say so: --effect '<tool>=read'"];
}

function isOfferedTool({ source_key, removed_at }: StoredAction): boolean {
  return removed_at === null && source_key !== READ_RESOURCE;
}

/** The rows of tools, with what the operator says of them. */
function ruledTools(
  draft: Draft, actions: readonly McpAction[], { stored, grants, importer }: ToolsBefore,
): Pick<MadeImport, 'rows' | 'waiting' | 'left' | 'rulings'> {
  const rules = new OverrideRules(draft.overrides);
  const rulings = new Map(actions.map(({ name, source_key }) =>
    [name, rules.of({ name, source_keys: [source_key] })]));
  const isHidden = ({ name }: { name: string }) => rulings.get(name)?.override.hidden === true;
  const left = leftBehind(draft, grants, stored, {
    offered: actions.filter((one) => !isHidden(one)).map(({ name }) => name),
    hidden: actions.filter(isHidden).map(({ name }) => name),
  });
  // When a server is first asked, the operator adds whatever tools it has. Later a new tool waits
  // if a pattern would make it a reading action, because the operator wrote that pattern for the
  // tools of then; and so does the action that reads resources, if nobody but the server asks.
  const isSetAside = ({ name, source_key }: McpAction) => left.is_restricted
    || (stored.length > 0 && (draft.new_actions === 'wait'
      || rulings.get(name)!.override.effect === 'read'
      || (source_key === READ_RESOURCE && importer === 'service')));
  // A tool that was set aside stays so, even if the server has it again as it was accepted, until
  // an operator imports anew.
  const rows = toolRows(actions, stored, importer === 'service', isSetAside)
    .map((row) => ({ ...row, hidden: isHidden(row) }));
  return { rows, left, rulings: [...rulings.values()],
    waiting: waitingTools(rows.filter(({ hidden }) => !hidden)) };
}
