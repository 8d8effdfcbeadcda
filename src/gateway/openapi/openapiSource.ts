/** The actions of an OpenAPI integration, as a node has them in memory. */
import type { Caller } from '../../caller.ts';
import type { IntegrationRow, StoredAction } from '../../store/integrations.ts';
import {
  ActionFailure, type OpenSource, type Performed, type PerformRequest,
} from '../action/action.ts';
import type { ConnectionCredentials } from '../credentials/connectionCredentials.ts';
import { withCredentials } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import type { Upstream } from '../egress/upstream.ts';
import { callOperation } from './callOperation.ts';
import type { FreshImports } from './freshImports.ts';
import { importDocument } from './importDocument.ts';
import type { ImportedAction } from './openapi.ts';

export interface OpenapiDependencies {
  upstream: Upstream;
  credentials: ConnectionCredentials;
  result_limit_bytes: number;
  /** What this process has imported itself. */
  fresh: Pick<FreshImports, 'take'>;
  /** Reads the document of an integration. */
  document(slug: string): Promise<string>;
}

/**
 * Imports the document again, unless this process has just done so: what comes of it is a function
 * of the document, its options and the names.
 */
export async function openapiSource(
  deps: OpenapiDependencies, row: IntegrationRow, stored: readonly StoredAction[],
): Promise<OpenSource> {
  const { slug, kind, title, auth_methods, workspace_ids } = row;
  const actions = deps.fresh.take(row) ?? await imported(deps, row, stored);
  const offered = new Set(stored
    .filter(({ removed_at, quarantined_at }) => removed_at === null && quarantined_at === null)
    .map(({ source_key }) => source_key));
  return {
    integration: { slug, kind, title, auth_methods, workspace_ids },
    actions: actions.filter(({ source_key }) => offered.has(source_key)).map((action) => ({
      ...action,
      perform: (request, caller, signal) => perform(deps, row, action, request, caller, signal),
    })),
  };
}

async function imported(
  deps: OpenapiDependencies, { slug, overrides, document_url }: IntegrationRow,
  stored: readonly StoredAction[]): Promise<readonly ImportedAction[]> {
  const { actions } = await importDocument({
    source: await deps.document(slug),
    options: {
      slug, overrides, names: new Map(stored.map((one) => [one.source_key, one.name])),
      ...(document_url !== null && { document_url }),
    },
  });
  return actions;
}

async function perform(
  deps: OpenapiDependencies, { base_url, egress_allow, title }: IntegrationRow,
  action: ImportedAction, request: PerformRequest, caller: Caller, signal: AbortSignal,
): Promise<Performed> {
  if (base_url === null && action.servers.length === 0) {
    throw new ActionFailure(`The document of ${title} does not say where it is. Its operator can`
      + ' give the integration a base_url.', { sent: false });
  }
  const { workspace_id } = caller;
  const target = { workspace_id, connection_id: request.connection.id, egress_allow };
  return await withCredentials(deps.credentials, target, request.connection,
    ({ credentials, secrets }) => withoutSecrets(secrets, (scrub) =>
      callOperation({ ...deps, scrub }, action,
        { base_url: base_url ?? action.servers[0]!, egress_allow, credentials }, request, signal)),
    signal);
}
