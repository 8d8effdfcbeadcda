/** From what an operator gives to the actions that are stored. */
import { GatehouseError } from '../../errors.ts';
import { grantsNaming, type Grant } from '../../store/grants.ts';
import type { StoredAction } from '../../store/integrations.ts';
import { ActionFailure, failure, toOperator } from '../action/failure.ts';
import { OverrideRules } from '../action/overrideRules.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { checkUpstreamUrl, EgressRefused, reachOf } from '../egress/egress.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import type { McpAction } from '../mcp/integration.ts';
import { READ_RESOURCE } from '../mcp/resources.ts';
import { inUse } from '../openapi/acceptedDocument.ts';
import { DocumentError } from '../openapi/documentError.ts';
import type { KnownOperation } from '../openapi/identity.ts';
import { importDocument } from '../openapi/importDocument.ts';
import type { ImportedAction } from '../openapi/openapi.ts';
import { knownOperations } from '../openapi/openapiSource.ts';
import {
  allowing, commonServer, elsewhere, originOfDocument, tellOfOrigin, tellOfPath, withoutSlash,
} from '../openapi/servers.ts';
import { toolRows, waitingTools } from './acceptedTools.ts';
import type { WaitingChange } from './changes.ts';
import type { Accepted, Draft, Import, ImportAuthor } from './draft.ts';
import { leftBehind } from './leftBehind.ts';
import { operationRows } from './operationRows.ts';
import { renamesOf } from './renames.ts';
import { reachedIn } from './restrictedAddresses.ts';
import { reportImport, type MadeImport } from './reported.ts';
import { AccountRefused, listTools, type ListingOptions } from './toolListing.ts';
import { importUnlisted, type Ways } from './unlisted.ts';

const SKIPPED_SHOWN = 100;
const ERRORS_SHOWN = 3;
const ORIGINS_SHOWN = 20;
const KEYS_SHOWN = 5;
const WAYS_SHOWN = 20;
/**
 * A server that starts may have no tool yet. Meanwhile each call is refused by the list of its
 * session; if all of them counted as gone, what writes would wait for an operator afterwards.
 */
const NOTHING_LISTED = 'The server lists no tool at all. Tools are gone once you refresh it.';
const SERVER_METHODS = ['bearer', 'api_key', 'oauth2', 'none'];

/** Throws `invalid_document`, or `upstream_error` if an MCP server does not list its tools. */
export async function importDraft(
  options: ListingOptions, draft: Draft, accepted: Accepted, importer: ImportAuthor,
  signal: AbortSignal): Promise<Import> {
  const grants = await grantsNaming(options.sql, draft.slug);
  return reportImport(draft, await (draft.kind === 'openapi'
    ? importOpenapiDraft(draft, accepted, grants, signal)
    : importMcpDraft(options, draft, { stored: accepted.stored, grants, importer }, signal)));
}

async function importOpenapiDraft(
  draft: Draft, accepted: Accepted, grants: readonly Grant[], signal: AbortSignal,
): Promise<MadeImport> {
  const { stored, document: accepted_document, rename, at_document = false } = accepted;
  const { slug, document, document_url, base_url, overrides } = draft;
  const param = document_url === null ? '/document' : '/document_url';
  const importOf = async (source: string, known: readonly KnownOperation[]) =>
    await importDocument({
      source,
      options: { slug, overrides, known, rename: rename !== undefined,
        ...(document_url !== null && { document_url }), ...(base_url !== null && { base_url }) },
    }, signal);
  try {
    const before = accepted_document === null || accepted_document === document ? null
      : await importOf(accepted_document, knownOperations(stored));
    const made = await importOf(document!, knownOperations(stored));
    const { actions, hidden, report } = made;
    if (actions.length === 0) {
      throw new DocumentError(['The document has no operation that could become an action.',
        ...report.errors.slice(0, ERRORS_SHOWN).map((line) => `${line}.`)].join(' '));
    }
    const used = inUse(actions, before?.actions ?? []);
    const left = leftBehind(draft, grants, stored,
      { offered: namesOf(actions), hidden: namesOf(hidden) });
    const named = report.servers.find((url) => /^https?:/.test(url)) ?? commonServer(actions);
    const origin = base_url === null && named === null && report.servers.length === 0
      ? originOfDocument(document_url) : null;
    const base = named ?? (at_document ? origin : null);
    // What is restricted may be called otherwise by the draft's own document.
    const was = before ?? (left.restricted.length === 0 || accepted.former == null ? null
      : await importOf(accepted.former, knownOperations(stored)));
    // If the document is the accepted one, all that it has is accepted, and reaches nothing new.
    const reached = accepted_document === document ? () => undefined
      : reachedIn(left.restricted, was?.actions ?? [], draft.base_url ?? base);
    const { rows, waiting } = operationRows({ used, hidden, stored,
      accepted: before?.actions ?? null,
      new_waits: left.is_restricted || (before !== null && draft.new_actions === 'wait'),
      reachesRestricted: (action) => reached(action) !== undefined });
    return {
      title: report.title,
      actions: used.actions,
      accepted_document: used.held.length > 0 ? accepted_document : null,
      rows, waiting, left,
      ...(rename !== undefined && {
        renames: renamesOf(actions, overrides, grants, rename === 'apply') }),
      rulings: [...actions, ...hidden].map(({ ruled_by }) => ({ keys: ruled_by })),
      report: { ...shownReport({ ...report, warnings: [
        ...(origin === null ? notCalled(draft, base)
          : [tellOfOrigin(slug, origin, at_document)]),
        ...tellOfPath(slug, base_url, report.servers),
        ...waysRound(actions, waiting, reached), ...awayOf(draft, used.actions, base),
        ...report.warnings] }),
        security_schemes: report.security_schemes,
        security_alternatives: report.security_alternatives },
      auth_methods: report.auth_methods,
      base_url: base,
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new GatehouseError('invalid_document', error.message, { param });
  }
}

/** A warning if nothing can be called at the address that the document says, or says not. */
function notCalled(draft: Draft, base: string | null): string[] {
  const url = draft.base_url ?? base;
  if (url === null) {
    return ['Not called: the document does not say where the API is. Say it with gatehouse'
      + ` integrations update ${draft.slug} --api-url <url>`];
  }
  try {
    checkUpstreamUrl(url, reachOf(draft));
    return [];
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    return [`Not called: ${withoutSlash(url)}. ${error.message}`];
  }
}

/** A warning for each action that waits because it reaches what an operator has restricted. */
function waysRound(
  actions: readonly ImportedAction[], waiting: readonly WaitingChange[],
  reached: (action: ImportedAction) => string | undefined): string[] {
  const waits = new Set(waiting.flatMap(({ name, offered }) => (offered ? [] : name)));
  return actions.filter(({ name }) => waits.has(name)).flatMap((action) => {
    const name = reached(action);
    return name === undefined ? [] : [`Set aside: ${action.source_key} can reach what you denied,`
      + ` hid or want to approve as ${name}, and is new or could not before. Deny or hide it, too,`
      + ' or accept it.'];
  }).slice(0, WAYS_SHOWN);
}

/** A warning for each origin whose actions cannot be called: credentials are not sent there. */
function awayOf(
  { slug, base_url, other_origins }: Draft, actions: readonly ImportedAction[],
  base: string | null): string[] {
  return [...elsewhere(actions, base_url ?? base, other_origins)].slice(0, ORIGINS_SHOWN)
    .map(([origin, keys]) => `Not called: ${keys.length} at ${origin}, where the integration does`
      + ` not send its credentials. Allow it with ${allowing(slug, origin)}: ${
        keys.slice(0, KEYS_SHOWN).join(', ')}${
        keys.length > KEYS_SHOWN ? ` and ${keys.length - KEYS_SHOWN} more` : ''}`);
}

const namesOf = (all: readonly { name: string }[]) => all.map(({ name }) => name);

/** Who asks, and what there was before. */
interface McpBefore {
  stored: readonly StoredAction[];
  grants: readonly Grant[];
  importer: ImportAuthor;
}

async function importMcpDraft(
  options: ListingOptions, draft: Draft, before: McpBefore, signal: AbortSignal,
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
      report: shownReport({
        operations: tools.length + report.skipped.length, imported: tools.length,
        has_resources: ruled.rows.some(({ source_key, hidden }) =>
          source_key === READ_RESOURCE && !hidden),
        skipped: report.skipped,
        warnings: [...report.cut ? [`The server lists more tools than are taken: only the first`
          + ` ${tools.length + report.skipped.length} are, and no others are offered.`] : [],
        ...mcp!.trust_hints === true ? trustForNothing(tools) : []],
      }),
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
  draft: Draft, actions: readonly McpAction[], { stored, grants, importer }: McpBefore,
): Pick<MadeImport, 'rows' | 'waiting' | 'left' | 'rulings'> {
  const rules = new OverrideRules(draft.overrides);
  const rulings = new Map(actions.map(({ name, source_key }) =>
    [name, rules.of({ name, source_keys: [source_key] })]));
  const isHidden = ({ name }: { name: string }) => rulings.get(name)?.override.hidden === true;
  const left = leftBehind(draft, grants, stored, {
    offered: namesOf(actions.filter((one) => !isHidden(one))),
    hidden: namesOf(actions.filter(isHidden)),
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

function shownReport(
  { operations, imported, has_resources, skipped, errors, warnings }: MadeImport['report'],
): MadeImport['report'] {
  return { operations, imported, ...(has_resources && { has_resources }),
    skipped: skipped.slice(0, SKIPPED_SHOWN),
    ...(errors !== undefined && errors.length > 0 && { errors }), warnings };
}
