/** The actions of an OpenAPI integration, as a node has them in memory. */
import type { JsonObject } from '../../json.ts';
import type { Documents, IntegrationRow, StoredAction } from '../../store/integrations.ts';
import type { OpenSource } from '../action/action.ts';
import { failure } from '../action/failure.ts';
import { reachOf } from '../egress/egress.ts';
import type { Upstream } from '../egress/upstream.ts';
import { inUse } from './acceptedDocument.ts';
import { callOperation } from './callOperation.ts';
import type { FreshImports } from './freshImports.ts';
import { importDocument } from './importDocument.ts';
import type { ImportedAction } from './openapi.ts';
import { turnTo } from './pageCursor.ts';

export interface OpenapiDependencies {
  upstream: Upstream;
  result_limit_bytes: number;
  /** What this process has imported itself. */
  fresh: Pick<FreshImports, 'take'>;
  /** Reads the documents of an integration. */
  documents(slug: string): Promise<Documents>;
}

/**
 * Imports the document again, unless this process has just done so: what comes of it is a function
 * of the document, its options and the names.
 */
export async function openapiSource(
  deps: OpenapiDependencies, row: IntegrationRow, stored: readonly StoredAction[],
): Promise<OpenSource> {
  const { slug, title, auth_methods, workspace_ids, base_url } = row;
  const egress_allow = reachOf(row);
  const actions = deps.fresh.take(row) ?? await imported(deps, row, stored);
  const offered = new Set(stored
    .filter(({ removed_at, quarantined_at }) => removed_at === null && quarantined_at === null)
    .map(({ source_key }) => source_key));
  return {
    integration: { slug, title, auth_methods, workspace_ids, egress_allow },
    actions: actions.filter(({ source_key }) => offered.has(source_key)).map((action) => ({
      ...action,
      ...(action.paged && { turnTo: (input: JsonObject, cursor: string) =>
        turnTo(action, input, cursor) }),
      perform: async (request, _caller, signal) => {
        const server = base_url ?? action.servers[0];
        if (server === undefined) {
          throw failure(`The document of ${title} does not say where it is. Its operator can give`
            + ' the integration a base_url.');
        }
        const target = { base_url: server, egress_allow };
        return await callOperation(deps, action, target, request, signal);
      },
    })),
  };
}

async function imported(
  deps: OpenapiDependencies, { slug, overrides, document_url }: IntegrationRow,
  stored: readonly StoredAction[]): Promise<readonly ImportedAction[]> {
  const { document, accepted_document } = await deps.documents(slug);
  const importOf = async (source: string) => (await importDocument({
    source,
    options: {
      slug, overrides, names: new Map(stored.map((one) => [one.source_key, one.name])),
      ...(document_url !== null && { document_url }),
    },
  })).actions;
  const actions = await importOf(document!);
  return accepted_document === null ? actions
    : inUse(actions, await importOf(accepted_document)).actions;
}
