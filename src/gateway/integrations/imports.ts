/** From what an operator gives to the actions that are stored. */
import { GatehouseError } from '../../errors.ts';
import { anyConnection } from '../../store/connections.ts';
import type { Sql } from '../../store/database.ts';
import type {
  ImportReport, ImportedRow, IntegrationRow, NewIntegration, StoredAction,
} from '../../store/integrations.ts';
import { ActionFailure } from '../action/failure.ts';
import { NeedsReconnect } from '../credentials/credentialStore.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import { reachOf } from '../egress/egress.ts';
import { environmentSecrets } from '../mcp/integration.ts';
import { mcpDeps, mcpIntegration, type McpDependencies } from '../mcp/mcpServers.ts';
import { importMcpTools } from '../mcp/source.ts';
import { inUse } from '../openapi/acceptedDocument.ts';
import { DocumentError } from '../openapi/document.ts';
import { importDocument } from '../openapi/importDocument.ts';
import type { ImportedAction } from '../openapi/openapi.ts';
import { toolRows, waitingTools } from './acceptedTools.ts';
import { reportOf, type WaitingChange } from './changes.ts';
import { operationRows } from './operationRows.ts';

export interface ImportDependencies extends McpDependencies {
  sql: Sql;
}

const SKIPPED_SHOWN = 100;
const NO_CREDENTIALS = { credentials: { type: 'none' as const }, secrets: [] };

/** An integration, before what its import makes of it. */
export type Draft =
  Omit<NewIntegration, 'report' | 'auth_methods' | 'document_sha256' | 'accepted_document'>;

/** Who asks for the import: an operator, or the service, for a server says that it has changed. */
export type Importer = 'operator' | 'service';

/** What is in use of an integration: what an import makes is compared with it. */
export interface Accepted {
  stored: readonly StoredAction[];
  /** The document that its operations were accepted of; null: that of the draft is accepted. */
  document: string | null;
}

/** What an import makes of a draft. */
export interface Import {
  title: string;
  rows: ImportedRow[];
  /** Of a document: what is in use. */
  actions?: readonly ImportedAction[];
  /** The document that was accepted, if the draft's changes what waits for that. */
  accepted_document: string | null;
  /** What waits for an operator. */
  waiting: WaitingChange[];
  report: ImportReport;
  auth_methods: string[];
  base_url: string | null;
}

/** Throws `invalid_document`, or `upstream_error` if an MCP server does not list its tools. */
export async function importDraft(
  options: ImportDependencies, draft: Draft, accepted: Accepted, importer: Importer,
  signal: AbortSignal): Promise<Import> {
  return overridden(draft, await (draft.kind === 'openapi'
    ? importOpenapiDraft(draft, accepted, signal)
    : importMcpDraft(options, draft, accepted.stored, importer, signal)));
}

async function importOpenapiDraft(
  draft: Draft, { stored, document: accepted_document }: Accepted, signal: AbortSignal,
): Promise<Import> {
  const { slug, document, document_url, base_url, overrides } = draft;
  const param = document_url === null ? '/document' : '/document_url';
  const importOf = async (source: string) => await importDocument({
    source,
    options: {
      slug, overrides, names: new Map(stored.map((one) => [one.source_key, one.name])),
      ...(document_url !== null && { document_url }), ...(base_url !== null && { base_url }),
    },
  }, signal);
  try {
    const { actions, report } = await importOf(document!);
    if (actions.length === 0) {
      throw new DocumentError('The document has no operation that could become an action.');
    }
    const before = accepted_document === null || accepted_document === document ? null
      : (await importOf(accepted_document)).actions;
    const used = inUse(actions, before ?? []);
    const { rows, waiting } = operationRows(used, before, stored);
    return {
      title: report.title,
      actions: used.actions,
      accepted_document: used.held.length > 0 ? accepted_document : null,
      rows, waiting,
      report: { ...shownReport(report), security_schemes: report.security_schemes },
      auth_methods: report.auth_methods,
      base_url: report.servers.find((url) => /^https?:/.test(url)) ?? null,
    };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new GatehouseError('invalid_document', error.message, { param });
  }
}

async function importMcpDraft(
  options: ImportDependencies, draft: Draft, stored: readonly StoredAction[], importer: Importer,
  signal: AbortSignal): Promise<Import> {
  const { slug, title, mcp } = draft;
  const row = { ...draft, auth_methods: [] } as unknown as IntegrationRow;
  const nothing = (warning: string): Import => ({
    title, base_url: null, auth_methods: ['bearer', 'api_key', 'oauth2', 'none'],
    accepted_document: null, waiting: [],
    rows: stored.filter(({ removed_at }) => removed_at === null)
      .map((one) => ({ ...one, quarantined: one.quarantined_at !== null })),
    report: { operations: 0, imported: 0, skipped: [], warnings: [warning] },
  });
  try {
    const any = mcp!.url === undefined ? undefined : await anyConnection(options.sql, slug);
    const { credentials, secrets } = any === undefined ? NO_CREDENTIALS
      : await options.credentials.for({
        workspace_id: any.workspace_id, connection_id: any.id, egress_allow: reachOf(draft),
      }, signal);
    const integration = await mcpIntegration(options, row);
    const { actions, report } = await withoutSecrets(
      [...environmentSecrets(integration), ...secrets], (scrub) => importMcpTools(
        integration, { ...mcpDeps(options, row), scrub }, {
          credentials, signal,
          names: new Map(stored.map(({ source_key, name }) => [source_key, name])),
        }));
    return {
      title: report.server.name ?? title, base_url: null,
      auth_methods: mcp!.url === undefined ? ['none'] : ['bearer', 'api_key', 'oauth2', 'none'],
      accepted_document: null, waiting: [],
      // Only an operator brings back what was set aside, even if it is again as it was accepted.
      rows: toolRows(actions, stored, importer === 'service'),
      report: shownReport({
        operations: actions.length + report.skipped.length, imported: actions.length,
        skipped: report.skipped.map((one) => ({ source_key: one.source_key, reason: one.reason })),
        warnings: report.cut ? [`The server lists more tools than are taken: only the first`
          + ` ${actions.length + report.skipped.length} are, and no others are offered.`] : [],
      }),
    };
  } catch (error) {
    if ((error instanceof Unauthorized || error instanceof NeedsReconnect)
      && importer !== 'service') {
      return nothing('The server lists its tools only to who has an account. Connect one, and then'
        + ' refresh the integration.');
    }
    if (!(error instanceof ActionFailure)) throw error;
    throw new GatehouseError('upstream_error', error.message, { param: '/mcp', cause: error });
  }
}

function shownReport({ operations, imported, skipped, warnings }: ImportReport): ImportReport {
  return { operations, imported, skipped: skipped.slice(0, SKIPPED_SHOWN), warnings };
}

/**
 * Hides tools, names misprints, and tells what waits; the importer of documents hides operations
 * itself.
 */
function overridden(draft: Draft, made: Import): Import {
  const { kind, overrides } = draft;
  const isHidden = ({ source_key }: { source_key: string }) =>
    Object.hasOwn(overrides, source_key) && overrides[source_key]!.hidden === true;
  const rows = made.rows.filter((row) => !isHidden(row));
  const hidden = made.rows.filter(isHidden)
    .map(({ source_key }) => ({ source_key, reason: 'hidden' }));
  const { operations, imported, skipped } = made.report;
  const all = [...hidden, ...skipped];
  const known = new Set([...rows, ...all].map(({ source_key }) => source_key));
  if (kind === 'openapi') known.add('*');
  // If the report does not name all that was left out, a key may belong to something unnamed.
  const unmatched = imported + skipped.length < operations ? []
    : Object.keys(overrides).filter((key) => !known.has(key));
  const waiting = kind === 'mcp' ? waitingTools(rows) : made.waiting;
  return {
    ...made, rows, waiting,
    report: {
      ...made.report, ...reportOf(waiting), imported: imported - hidden.length, skipped: all,
      warnings: [...unmatched.map((key) => `The override of ${JSON.stringify(key)} changes nothing:`
        + ` no ${kind === 'mcp' ? 'tool' : 'operation'} is called that.`), ...made.report.warnings],
    },
  };
}
