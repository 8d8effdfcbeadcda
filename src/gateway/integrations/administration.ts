/** Adding, changing and refreshing integrations: what an operator does. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { AuditLog, type AuditEvent, type Author } from '../../audit/audit.ts';
import { GatehouseError, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { expireApprovals } from '../../store/approvals.ts';
import {
  actionsOf, deleteIntegration, getIntegration, insertIntegration, readDocuments,
  replaceIntegration, touchIntegrations, writeActions, type Documents, type IntegrationRow,
  type NewIntegration, type StoredAction,
} from '../../store/integrations.ts';
import { isUnknownName, UpstreamUnreachable } from '../egress/unreachable.ts';
import { environmentPlace, processFolder, SERVICE } from '../mcp/mcpServers.ts';
import type { FreshImports } from '../openapi/freshImports.ts';
import { acceptedTools } from './acceptedTools.ts';
import {
  checkRequest, isSameServer, isTrustAlone, requireAllowedCommand, requireWorkspaces,
  type IntegrationRequest,
} from './checkRequest.ts';
import {
  importDraft, type Accepted, type Draft, type Import, type ImportDependencies,
} from './imports.ts';
import { asRefusal, noAddress, requireReachable } from './reachable.ts';
import { toolChanges } from './toolChanges.ts';

/** Who does it, for the audit log. */
export type Actor = Author & { signal: AbortSignal };

export interface AdministrationOptions extends ImportDependencies {
  /** Slugs that are taken by what is built in. */
  builtin: readonly string[];
  /** Takes the import of a document once it is written. */
  fresh: Pick<FreshImports, 'put'>;
}

/** An integration as it was read. It is written anew only if nobody else wrote it meanwhile. */
interface Before {
  row: IntegrationRow & Documents;
  stored: StoredAction[];
}

/** What an operator accepts: what was set aside, as it was shown, or the document that he gives. */
type Acceptance = 'nothing' | 'shown' | 'document';

const REFRESH_ATTEMPTS = 3;
const NAMES_SHOWN = 20;
const IMPORT_LIMIT_MS = 120_000;

export class Administration {
  readonly #options: AdministrationOptions;

  constructor(options: AdministrationOptions) {
    this.#options = options;
  }

  async create(
    slug: string, kind: 'openapi' | 'mcp', request: IntegrationRequest, by: Actor,
  ): Promise<IntegrationRow> {
    const { sql, builtin } = this.#options;
    if (builtin.includes(slug) || await getIntegration(sql, slug)) throw alreadyExists(slug);
    checkRequest(kind, request);
    const empty: Draft = {
      id: newId('int'), slug, kind, title: slug, base_url: null, document: null,
      document_url: null, mcp: null, mcp_env: null, egress_allow: [], insecure_http: false,
      own_redirect: true, overrides: {}, workspace_ids: null,
    };
    const draft = await changed(this.#options, empty, request, by.signal);
    try {
      const imported = await importDraft(
        this.#options, draft, { stored: [], document: null }, 'operator', by.signal);
      const made = await this.#write(
        { ...draft, title: request.title ?? imported.title }, null, imported, by);
      if (!made) throw alreadyExists(slug);
      return made;
    } catch (error) {
      await this.#removeFolder(draft.id);
      throw error;
    }
  }

  async update(slug: string, request: IntegrationRequest, by: Actor): Promise<IntegrationRow> {
    const before = await this.#find(slug);
    checkRequest(before.row.kind, request, true);
    // A document that is in the request comes from the operator, who accepts it by that.
    const own = request.document !== undefined;
    const made = await this.#rewrite(before, request, own ? 'document' : 'nothing', by);
    if (!made) throw changedMeanwhile(slug);
    return made;
  }

  /**
   * Asks the source again, and sets aside what has changed. `accept`: what was set aside before is
   * accepted as it was shown then, whatever the source says now.
   */
  async refresh(slug: string, accept: boolean, by: Actor): Promise<IntegrationRow> {
    // The service may refresh the integration at the same time: see `follow`.
    for (let attempt = 1; attempt <= REFRESH_ATTEMPTS; attempt++) {
      const before = await this.#find(slug);
      const { document_url } = before.row;
      const made = await this.#rewrite(before, document_url === null ? {} : { document_url },
        accept ? 'shown' : 'nothing', by);
      if (made) return made;
    }
    throw changedMeanwhile(slug);
  }

  /**
   * Refreshes an MCP integration whose server says that its tools have changed. New tools are
   * offered, missing ones are not, and changed ones are set aside until an operator accepts them.
   * Writes nothing if nothing is different, or if somebody else wrote meanwhile (`overtaken`).
   */
  async follow(slug: string, signal: AbortSignal): Promise<'done' | 'overtaken'> {
    const { sql, log } = this.#options;
    const row = await getIntegration(sql, slug);
    if (row?.kind !== 'mcp') return 'done';
    const draft = { ...row, document: null };
    const stored = await actionsOf(sql, slug);
    const imported = await importDraft(
      this.#options, draft, { stored, document: null }, 'service', signal);
    const changes = toolChanges(imported.rows, stored);
    const shown = Object.fromEntries(Object.entries(changes)
      .filter(([, names]) => names.length > 0)
      .map(([kind, names]: [string, string[]]) => [kind, names.slice(0, NAMES_SHOWN)]));
    if (Object.keys(shown).length === 0) return 'done';
    const made = await this.#write(draft, row, imported, {
      actor: { type: 'system', id: null },
      reason: 'The server has changed its tools.', details: shown,
    });
    if (!made) return 'overtaken';
    log.info({ integration: slug, revision: made.revision, ...shown },
      'an integration was refreshed, for its tools have changed');
    return 'done';
  }

  async remove(slug: string, by: Actor): Promise<void> {
    const id = await this.#options.sql.begin(async (tx) => {
      const row = await getIntegration(tx, slug);
      const outcome = await deleteIntegration(tx, slug);
      if (outcome === 'not_found') throw notFound('integration', slug);
      if (outcome === 'in_use') {
        throw new GatehouseError('integration_in_use', `Workspaces have connections to ${slug}.`
          + ` Remove them first; \`gatehouse connections list --integration ${slug}\` lists them.`,
        { param: 'slug' });
      }
      await touchIntegrations(tx);
      await AuditLog.within(tx, {
        ...by, workspace_id: null, target: slug, event: 'integration.removed' });
      return row!.id;
    });
    await this.#removeFolder(id);
  }

  /** Removes what the process of an integration has kept on this node. */
  async #removeFolder(id: string): Promise<void> {
    const { data_dir, log } = this.#options;
    const folder = processFolder(data_dir, id);
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      log.warn({ err: error, folder }, 'the folder of an MCP server could not be removed'));
  }

  async #rewrite(
    before: Before, request: IntegrationRequest, acceptance: Acceptance, by: Actor,
  ): Promise<IntegrationRow | undefined> {
    const changes = await changed(this.#options, before.row, request, by.signal);
    const draft = { ...changes, title: request.title ?? changes.title };
    const imported = await importDraft(
      this.#options, draft, acceptedOf(before, acceptance), 'operator', by.signal);
    const { changes: waited = [] } = before.row.report;
    const names = waited.slice(0, NAMES_SHOWN).map(({ action }) => action);
    const accepts = acceptance !== 'nothing' && names.length > 0;
    // Who approved a call approved what it did then, at the address of then.
    const is_other = accepts || acceptance === 'document' || request.base_url !== undefined;
    return await this.#write(draft, before.row, imported,
      accepts ? { ...by, details: { accepted: names } } : by, is_other);
  }

  /**
   * Writes what was made of a draft, as new or in the place of `before`; undefined if somebody else
   * did so meanwhile. `is_other`: approvals that are open or unused expire.
   */
  async #write(
    draft: Draft, before: IntegrationRow | null, imported: Import,
    audited: Author & Pick<AuditEvent, 'reason' | 'details'>, is_other = false,
  ): Promise<IntegrationRow | undefined> {
    const row: NewIntegration = {
      ...draft, base_url: draft.base_url ?? imported.base_url, report: imported.report,
      accepted_document: imported.accepted_document, auth_methods: imported.auth_methods,
      document_sha256: draft.document === null ? null
        : createHash('sha256').update(draft.document).digest('hex'),
    };
    const written = await this.#options.sql.begin(async (tx) => {
      const made = before ? await replaceIntegration(tx, row, before.revision)
        : await insertIntegration(tx, row);
      if (!made) return undefined;
      await writeActions(tx, row.slug, imported.rows);
      if (is_other) await expireApprovals(tx, row.slug);
      await touchIntegrations(tx);
      await AuditLog.within(tx, {
        ...audited, workspace_id: null, target: row.slug,
        event: before ? 'integration.changed' : 'integration.created',
        details: { kind: row.kind, revision: made.revision, imported: imported.report.imported,
          ...(imported.waiting.length > 0 && { waiting: imported.waiting.length }),
          ...audited.details },
      });
      return made;
    }, { limit_ms: IMPORT_LIMIT_MS });
    if (written && imported.actions) this.#options.fresh.put(written, imported.actions);
    return written;
  }

  async #find(slug: string): Promise<Before> {
    const { sql } = this.#options;
    const row = await getIntegration(sql, slug);
    if (!row) throw notFound('integration', slug);
    const documents = await readDocuments(sql, slug);
    return { row: { ...row, ...documents }, stored: await actionsOf(sql, slug) };
  }
}

/** What a new import is compared with. */
function acceptedOf({ row, stored }: Before, acceptance: Acceptance): Accepted {
  const { kind, document, accepted_document } = row;
  if (acceptance === 'nothing') return { stored, document: accepted_document ?? document };
  if (kind === 'mcp') return { stored: acceptedTools(stored), document: null };
  return {
    stored: stored.map((one) => ({ ...one, quarantined_at: null })),
    document: acceptance === 'shown' ? document : null,
  };
}

/** The draft with what a request changes; a document is fetched, an environment sealed. */
async function changed(
  options: AdministrationOptions, draft: Draft, request: IntegrationRequest, signal: AbortSignal,
): Promise<Draft> {
  const { mcp, document_url, document, title: _, ...rest } = request;
  const next: Draft = { ...draft, ...rest };
  await requireWorkspaces(options.sql, request.workspace_ids ?? []);
  if (next.base_url !== null) requireReachable(next.base_url, next.egress_allow, '/base_url');
  if (document_url !== undefined) {
    requireReachable(document_url, next.egress_allow, '/document_url');
    const is_new = document_url !== draft.document_url;
    next.document = await fetchDocument(options, { ...next, document_url, is_new }, signal);
    next.document_url = document_url;
  } else if (document !== undefined) {
    next.document = document;
    next.document_url = null;
  }
  if (mcp !== undefined) {
    const { env = {}, ...server } = mcp;
    // Trust in one server does not extend to another.
    const trust_hints = mcp.trust_hints
      ?? (draft.mcp?.trust_hints === true && isSameServer(server, draft.mcp));
    if (isTrustAlone(mcp) && draft.mcp !== null) {
      next.mcp = { ...draft.mcp, trust_hints };
    } else {
      if (server.url !== undefined) requireReachable(server.url, next.egress_allow, '/mcp/url');
      const env_names = Object.keys(env);
      next.mcp = { ...server, trust_hints, env_names };
      next.mcp_env = env_names.length === 0 ? null
        : await options.secrets.seal(SERVICE, environmentPlace(next.slug), env);
    }
  }
  // Whatever is changed, the import starts it.
  requireAllowedCommand(options.commands, next.mcp);
  return next;
}

/**
 * Throws `egress_refused`, `upstream_error` if the document cannot be fetched, and
 * `invalid_request` if nothing has the name of a new address.
 */
async function fetchDocument(
  { upstream }: AdministrationOptions, { document_url, egress_allow, is_new }: {
    document_url: string; egress_allow: readonly string[]; is_new: boolean;
  }, signal: AbortSignal): Promise<string> {
  const param = '/document_url';
  const failed = (why: string, cause?: unknown) => new GatehouseError('upstream_error',
    `The document could not be fetched: ${why}.`, { param, cause });
  try {
    const { status, body, cut, url } = await upstream.send({
      method: 'GET', url: new URL(document_url), egress_allow,
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
    }, signal);
    if (status !== 200) throw failed(`${new URL(url).host} answered ${status}`);
    if (cut) throw failed('it is larger than GATEHOUSE_DOCUMENT_LIMIT_BYTES');
    return body.toString('utf8').replaceAll('\0', '');
  } catch (error) {
    if (error instanceof UpstreamUnreachable && isUnknownName(error) && is_new) {
      throw noAddress(param, 'must be an address whose name resolves', error);
    }
    if (error instanceof UpstreamUnreachable) throw failed(error.message, error);
    throw asRefusal(error, param);
  }
}

function alreadyExists(slug: string): GatehouseError {
  return new GatehouseError('already_exists', `There is an integration ${JSON.stringify(slug)}`
    + ' already. Change that one, or choose another slug.', { param: '/slug' });
}

function changedMeanwhile(slug: string): GatehouseError {
  return new GatehouseError('already_exists', `${slug} was changed by somebody else meanwhile.`
    + ' Nothing was written; look at it, and try again.', { param: 'slug' });
}
