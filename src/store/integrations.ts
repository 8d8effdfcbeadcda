import type { Sql, Transaction } from './database.ts';
import {
  first, jsonText, keyset, only, some, tableOf, type Page, type RowOf, type Schemas,
} from './rows.ts';

/** `env_names` are those of the environment variables that are set; their values are sealed. */
export type McpServerShown = Schemas['McpServerShown'];

export type ImportReport = Schemas['ImportReport'];

/** An integration, without its document. */
export interface IntegrationRow extends RowOf<'Integration', 'actions' | 'report'> {
  id: string;
  mcp_env: string | null;
  report: ImportReport;
}

export type NewIntegration = Omit<IntegrationRow, 'revision' | 'created_at' | 'updated_at'>
  & Documents;

/** The OpenAPI document of an integration, as it came; null for an MCP server. */
export interface Documents {
  document: string | null;
  /** The one that an operator accepted, if `document` changes what waits for that; else null. */
  accepted_document: string | null;
}

/** An action as it is kept over imports. */
export interface StoredAction {
  integration: string;
  source_key: string;
  name: string;
  effect: Schemas['ActionEffect'];
  schema_hash: string;
  /** Of a tool: as it was accepted. Null if that is not known, and for an operation. */
  definition: unknown;
  /** Of a tool: as its server describes it now, if nobody has accepted that yet; else null. */
  proposed: unknown;
  quarantined_at: string | null;
  removed_at: string | null;
  operation_id: string | null;
  /** The operator does not offer it; then it also counts as removed. */
  hidden: boolean;
  /** Since when the source does not have it, until an operator accepts that. */
  missing_since: string | null;
  /** What it was called before it was renamed. */
  former_names: string[];
  /** Where its source had it before, by the keys it was stored under. */
  former_keys: string[];
}

export type ImportedRow = Pick<StoredAction, 'source_key' | 'name' | 'effect' | 'schema_hash'
  | 'definition' | 'proposed' | 'operation_id' | 'hidden'>
  & {
    quarantined: boolean;
    /** The key that it is stored under, if that is another one; null: it is the same, or new. */
    known_key: string | null;
  };

const columns = (sql: Sql | Transaction) => sql`
  slug, id, kind, title, base_url, document_url, document_sha256, mcp, mcp_env, auth_methods,
  egress_allow, insecure_http, other_origins, new_actions, own_redirect, overrides, workspace_ids,
  revision, report, created_at, updated_at`;

/** Undefined if the slug is taken. */
export async function insertIntegration(
  tx: Transaction, row: NewIntegration): Promise<IntegrationRow | undefined> {
  return await first(tx<IntegrationRow[]>`
    insert into integrations (slug, id, kind, title, base_url, document, document_url,
      document_sha256, mcp, mcp_env, auth_methods, egress_allow, insecure_http, other_origins,
      new_actions, own_redirect, overrides, workspace_ids, report)
    values (${row.slug}, ${row.id}, ${row.kind}, ${row.title}, ${row.base_url}, ${row.document},
      ${row.document_url}, ${row.document_sha256}, ${jsonText(row.mcp)}::text::json, ${row.mcp_env},
      ${jsonText(row.auth_methods)}::text::json, ${jsonText(row.egress_allow)}::text::json,
      ${row.insecure_http}, ${jsonText(row.other_origins)}::text::json, ${row.new_actions},
      ${row.own_redirect},
      ${jsonText(row.overrides)}::text::json, ${jsonText(row.workspace_ids)}::text::json,
      ${jsonText(row.report)}::text::json)
    on conflict (slug) do nothing
    returning ${columns(tx)}`);
}

/** Writes everything but the slug anew, if it still is of `revision`; else undefined. */
export async function replaceIntegration(
  tx: Transaction, row: NewIntegration, revision: number): Promise<IntegrationRow | undefined> {
  return await first(tx<IntegrationRow[]>`
    update integrations set title = ${row.title}, base_url = ${row.base_url},
      document = ${row.document}, accepted_document = ${row.accepted_document},
      document_url = ${row.document_url}, document_sha256 = ${row.document_sha256},
      mcp = ${jsonText(row.mcp)}::text::json, mcp_env = ${row.mcp_env},
      auth_methods = ${jsonText(row.auth_methods)}::text::json,
      egress_allow = ${jsonText(row.egress_allow)}::text::json,
      insecure_http = ${row.insecure_http},
      other_origins = ${jsonText(row.other_origins)}::text::json,
      new_actions = ${row.new_actions}, own_redirect = ${row.own_redirect},
      overrides = ${jsonText(row.overrides)}::text::json,
      workspace_ids = ${jsonText(row.workspace_ids)}::text::json,
      report = ${jsonText(row.report)}::text::json,
      revision = revision + 1, updated_at = now()
    where slug = ${row.slug} and revision = ${revision}
    returning ${columns(tx)}`);
}

/**
 * Replaces the actions of an integration; actions that are gone keep their names. `accepted`: an
 * operator accepts that those actions are gone which were missing before.
 */
export async function writeActions(
  tx: Transaction, integration: string, rows: readonly ImportedRow[], accepted: boolean,
): Promise<void> {
  const moved = rows.filter(({ known_key, source_key }) =>
    known_key !== null && known_key !== source_key);
  await tx`
    update integration_actions as a set source_key = m.source_key,
      former_keys = array_append(array_remove(a.former_keys, a.source_key), a.source_key)
    from ${tableOf(tx, 'm', moved, { known_key: 'text', source_key: 'text' })}
    where a.integration = ${integration} and a.source_key = m.known_key`;
  if (accepted) {
    await tx`
      update integration_actions set missing_since = null
      where integration = ${integration} and missing_since is not null`;
  }
  await tx`
    update integration_actions set removed_at = coalesce(removed_at, now()), missing_since = now(),
      hidden = false
    where integration = ${integration} and (removed_at is null or hidden)
      and source_key <> all (${rows.map((row) => row.source_key)}::text[])`;
  await tx`
    insert into integration_actions (integration, source_key, name, effect, schema_hash, definition,
      proposed, quarantined_at, operation_id, hidden, removed_at)
    select ${integration}, a.source_key, a.name, a.effect, a.schema_hash, a.definition, a.proposed,
      case when a.quarantined then now() end, a.operation_id, a.hidden,
      case when a.hidden then now() end
    from ${tableOf(tx, 'a', rows, {
      source_key: 'text', name: 'text', effect: 'text', schema_hash: 'text', definition: 'json',
      proposed: 'json', quarantined: 'boolean', operation_id: 'text', hidden: 'boolean' })}
    on conflict (integration, source_key) do update set name = excluded.name,
      former_names = case when integration_actions.name = excluded.name
        then integration_actions.former_names
        else integration_actions.former_names || integration_actions.name end,
      effect = excluded.effect, schema_hash = excluded.schema_hash,
      definition = excluded.definition, proposed = excluded.proposed,
      operation_id = excluded.operation_id, hidden = excluded.hidden,
      removed_at = excluded.removed_at, missing_since = null,
      quarantined_at = case when excluded.quarantined_at is null then null
        else coalesce(integration_actions.quarantined_at, excluded.quarantined_at) end`;
}

/**
 * Has every node load the integrations again; called in the transaction of the change. By the time,
 * so that no number is given again that a failover has lost, and that nodes have in memory.
 */
export async function touchIntegrations(tx: Transaction): Promise<void> {
  await tx`update integrations_version set version =
    greatest(version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`;
}

export async function integrationsVersion(sql: Sql | Transaction): Promise<number> {
  return (await only(sql<{ version: number }[]>`select version from integrations_version`)).version;
}

export async function getIntegrationRow(
  sql: Sql | Transaction, slug: string): Promise<IntegrationRow | undefined> {
  return await first(sql<IntegrationRow[]>`
    select ${columns(sql)} from integrations where slug = ${slug}`);
}

/** The documents of an integration that there is. */
export async function readDocuments(sql: Sql, slug: string): Promise<Documents> {
  return await first(sql<Documents[]>`
    select document, accepted_document from integrations where slug = ${slug}`)
    ?? { document: null, accepted_document: null };
}

export function allIntegrations(sql: Sql | Transaction): Promise<IntegrationRow[]> {
  return sql<IntegrationRow[]>`select ${columns(sql)} from integrations order by slug`;
}

/** All actions of an integration, also those that are gone: no other action gets their names. */
export function actionsOf(sql: Sql | Transaction, slug: string): Promise<StoredAction[]> {
  return sql<StoredAction[]>`
    select * from integration_actions where integration = ${slug} order by name`;
}

/** A page of integrations, one row more than its limit if there are more. */
export function listIntegrationRows(sql: Sql, page: Page): Promise<IntegrationRow[]> {
  return sql<IntegrationRow[]>`
    select ${columns(sql)} from integrations where true ${keyset(sql, page)}`;
}

export type ActionCounts = Schemas['Integration']['actions'];

/** How many actions the integrations have, by slug; those that are gone do not count. */
export async function countActions(
  sql: Sql | Transaction, slugs: readonly string[]): Promise<Map<string, ActionCounts>> {
  const rows = await sql<({ integration: string } & ActionCounts)[]>`
    select integration,
      count(*) filter (where effect = 'read' and quarantined_at is null)::int as read,
      count(*) filter (where effect = 'write' and quarantined_at is null)::int as write,
      count(*) filter (where effect = 'destructive' and quarantined_at is null)::int as destructive,
      count(*) filter (where quarantined_at is not null)::int as quarantined
    from integration_actions where removed_at is null and integration = any (${[...slugs]}::text[])
    group by integration`;
  return new Map(rows.map(({ integration, ...counts }) => [integration, counts]));
}

/** Whether the integration exists; if so, it cannot be removed before the transaction ends. */
export async function holdIntegration(tx: Transaction, slug: string): Promise<boolean> {
  return await some(tx`select 1 from integrations where slug = ${slug} for key share`);
}

/** 'in_use' while workspaces have connections to it, 'not_found' if there is none. */
export async function deleteIntegrationRow(
  tx: Transaction, slug: string): Promise<'deleted' | 'in_use' | 'not_found'> {
  const is_there = await some(tx`select from integrations where slug = ${slug} for update`);
  if (!is_there) return 'not_found';
  if (await some(tx`select from connections where integration = ${slug} limit 1`)) return 'in_use';
  await tx`delete from integrations where slug = ${slug}`;
  return 'deleted';
}
