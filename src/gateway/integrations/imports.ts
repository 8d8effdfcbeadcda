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
import { environmentSecrets } from '../mcp/integration.ts';
import { mcpDeps, mcpIntegration, type McpDependencies } from '../mcp/mcpServers.ts';
import { importMcpTools } from '../mcp/source.ts';
import { DocumentError } from '../openapi/document.ts';
import { importDocument } from '../openapi/importDocument.ts';
import type { ImportedAction } from '../openapi/openapi.ts';

export interface ImportDependencies extends McpDependencies {
  sql: Sql;
}

const SKIPPED_SHOWN = 100;
const NO_CREDENTIALS = { credentials: { type: 'none' as const }, secrets: [] };

/** An integration, before what its import makes of it. */
export type Draft = Omit<NewIntegration, 'report' | 'auth_methods' | 'document_sha256'>;

/**
 * Who asks for the import: an operator, who may accept changed tools, or the service itself,
 * because a server says that its tools have changed.
 */
export type Importer = 'operator' | 'accepting_operator' | 'service';

/** What an import makes of a draft. */
export interface Import {
  title: string;
  rows: ImportedRow[];
  /** Of a document. */
  actions?: readonly ImportedAction[];
  report: ImportReport;
  auth_methods: string[];
  base_url: string | null;
}

/** Throws `invalid_document`, or `upstream_error` if an MCP server does not list its tools. */
export async function importDraft(
  options: ImportDependencies, draft: Draft, stored: readonly StoredAction[], importer: Importer,
  signal: AbortSignal): Promise<Import> {
  return overridden(draft, await (draft.kind === 'openapi'
    ? importOpenapiDraft(draft, stored, signal)
    : importMcpDraft(options, draft, stored, importer, signal)));
}

async function importOpenapiDraft(
  { slug, document, document_url, base_url, overrides }: Draft, stored: readonly StoredAction[],
  signal: AbortSignal): Promise<Import> {
  const param = document_url === null ? '/document' : '/document_url';
  try {
    const { actions, report } = await importDocument({
      source: document!,
      options: {
        slug, overrides, names: new Map(stored.map((one) => [one.source_key, one.name])),
        ...(document_url !== null && { document_url }), ...(base_url !== null && { base_url }),
      },
    }, signal);
    if (actions.length === 0) {
      throw new DocumentError('The document has no operation that could become an action.');
    }
    return {
      title: report.title,
      actions,
      rows: actions.map(({ source_key, name, effect, schema_hash }) =>
        ({ source_key, name, effect, schema_hash, definition: null, quarantined: false })),
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
  // Only an operator brings back a tool that was set aside, even if it is again as it was accepted.
  const aside = new Set(importer !== 'service' ? []
    : stored.filter((one) => one.quarantined_at !== null).map(({ source_key }) => source_key));
  const row = { ...draft, auth_methods: [] } as unknown as IntegrationRow;
  const nothing = (warning: string): Import => ({
    title, base_url: null, auth_methods: ['bearer', 'api_key', 'oauth2', 'none'],
    rows: stored.filter(({ removed_at }) => removed_at === null)
      .map((one) => ({ ...one, quarantined: one.quarantined_at !== null })),
    report: { operations: 0, imported: 0, skipped: [], warnings: [warning] },
  });
  try {
    const any = mcp!.url === undefined ? undefined : await anyConnection(options.sql, slug);
    const { credentials, secrets } = any === undefined ? NO_CREDENTIALS
      : await options.credentials.for({
        workspace_id: any.workspace_id, connection_id: any.id, egress_allow: draft.egress_allow,
      }, signal);
    const integration = await mcpIntegration(options, row);
    const { actions, report } = await withoutSecrets(
      [...environmentSecrets(integration), ...secrets], (scrub) => importMcpTools(
        integration, { ...mcpDeps(options, row), scrub }, {
          credentials, signal, accept: importer === 'accepting_operator',
          known: new Map(stored.map(({ source_key, name, schema_hash }) =>
            [source_key, { name, schema_hash }])),
        }));
    return {
      title: report.server.name ?? title, base_url: null,
      auth_methods: mcp!.url === undefined ? ['none'] : ['bearer', 'api_key', 'oauth2', 'none'],
      rows: actions.map((action) => ({
        source_key: action.source_key, name: action.name, effect: action.effect,
        schema_hash: action.schema_hash, definition: action,
        quarantined: action.quarantined || aside.has(action.source_key),
      })),
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

/** Hides tools and names misprints; the importer of documents hides operations itself. */
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
  return {
    ...made, rows,
    report: {
      ...made.report, imported: imported - hidden.length, skipped: all,
      warnings: [...unmatched.map((key) => `The override of ${JSON.stringify(key)} changes nothing:`
        + ` no ${kind === 'mcp' ? 'tool' : 'operation'} is called that.`), ...made.report.warnings],
    },
  };
}
