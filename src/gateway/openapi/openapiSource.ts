/** The actions of an OpenAPI integration, as a node has them in memory. */
import type { JsonObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import type { Documents, IntegrationRow, StoredAction } from '../../store/integrations.ts';
import type { ActionDefinition, KeptAction, OpenSource } from '../action/action.ts';
import { notSent } from '../action/failure.ts';
import { reachOf } from '../egress/egress.ts';
import { inUse } from './acceptedDocument.ts';
import { arrange, essence } from './arrange.ts';
import { callOperation, previewOperation, type CallDependencies } from './callOperation.ts';
import type { Definitions } from './definitions.ts';
import type { KnownOperation } from './identity.ts';
import { importDocument } from './importDocument.ts';
import type { ImportedAction } from './openapi.ts';
import { neededTogether } from './security.ts';
import { turnTo } from './pageCursor.ts';

export interface OpenapiDependencies extends CallDependencies {
  definitions: Definitions;
  log: Log;
  /** Reads the documents of an integration. */
  documents(slug: string): Promise<Documents>;
}

const NAMED_LOST = 10;

/**
 * The operations as they are stored. If they are not, the document is imported again: what comes of
 * it is a function of the document, its options and the names.
 */
export async function openapiSource(
  deps: OpenapiDependencies, row: IntegrationRow, stored: readonly StoredAction[],
): Promise<OpenSource> {
  const { slug, title, auth_methods, workspace_ids, base_url, document_url, other_origins } = row;
  const egress_allow = reachOf(row);
  const { id, revision, updated_at } = row;
  const summaries = await deps.definitions.summaries(row, () => importStored(deps, row, stored));
  const offered = new Set(stored
    .filter(({ removed_at, quarantined_at }) => removed_at === null && quarantined_at === null)
    .map(({ name }) => name));
  const made = new Set(summaries.map(({ name }) => name));
  const lost = [...offered].filter((name) => !made.has(name));
  if (lost.length > 0) {
    deps.log.warn({ integration: slug, count: lost.length, actions: lost.slice(0, NAMED_LOST) },
      'actions are not made of their document any more, and are not offered; a refresh of the'
      + ' integration says why. Where something else signs what is sent, signed_elsewhere has them'
      + ' offered again');
  }
  const targetOf = (action: ImportedAction) => {
    const [own] = action.servers;
    const server = base_url ?? (own && URL.parse(own, document_url ?? undefined)?.href);
    return server === undefined ? null
      : { base_url: server, egress_allow, other_origins, declared: row.report };
  };
  const definitionOf = (action: ImportedAction): ActionDefinition => ({
    ...action,
    ...(action.paged && { turnTo: (input: JsonObject, cursor: string) =>
      turnTo(action, input, cursor) }),
    arrange: (input) => arrange(action.input_schema, input),
    essence,
    preview: (input) => {
      const target = targetOf(action);
      return target && previewOperation(action, target, input);
    },
    perform: async (request, caller, signal) => {
      const target = targetOf(action);
      if (target === null) {
        throw notSent(`The document of ${title} does not say where it is. Its operator can give`
          + ' the integration a base_url.');
      }
      return await callOperation(deps, action, target, request, caller, signal);
    },
  });
  return {
    integration: { slug, title, auth_methods, workspace_ids, egress_allow,
      needed_together: neededTogether(row.report) },
    actions: summaries.filter(({ name }) => offered.has(name)).map((summary): KeptAction => ({
      ...summary, integration: slug,
      open: async () =>
        definitionOf(await deps.definitions.open({ id, revision, updated_at }, slug, summary)),
    })),
  };
}

async function importStored(
  deps: OpenapiDependencies, { slug, overrides, document_url }: IntegrationRow,
  stored: readonly StoredAction[]): Promise<readonly ImportedAction[]> {
  const { document, accepted_document } = await deps.documents(slug);
  const importOf = async (source: string) => (await importDocument({
    source,
    options: {
      slug, overrides, known: knownOperations(stored),
      ...(document_url !== null && { document_url }),
    },
  })).actions;
  const actions = await importOf(document!);
  return accepted_document === null ? actions
    : inUse(actions, await importOf(accepted_document)).actions;
}

/** What earlier imports know, as the importer takes it. */
export function knownOperations(stored: readonly StoredAction[]): KnownOperation[] {
  return stored.map(({ removed_at, missing_since, hidden, ...one }) => ({
    source_key: one.source_key, name: one.name, operation_id: one.operation_id,
    former_names: one.former_names, former_keys: one.former_keys,
    removed: removed_at !== null && missing_since === null && !hidden }));
}
