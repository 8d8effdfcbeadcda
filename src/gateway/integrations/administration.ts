/** Adding, changing and refreshing integrations: what an operator does. */
import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { AuditLog, type AuditEvent, type Author } from '../../audit/audit.ts';
import { grantEvent } from '../../audit/grantEvent.ts';
import { GatehouseError, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { expireApprovals } from '../../store/approvals.ts';
import { followRenames, grantsNaming, holdGrants } from '../../store/grants.ts';
import {
  actionsOf, deleteIntegrationRow, getIntegrationRow, insertIntegration, readDocuments,
  replaceIntegration, touchIntegrations, writeActions, type Documents, type IntegrationRow,
  type NewIntegration, type StoredAction,
} from '../../store/integrations.ts';
import { textOfBytes } from '../../textOfBytes.ts';
import { isUnknownName, UpstreamUnreachable } from '../egress/unreachable.ts';
import type { Upstream } from '../egress/upstream.ts';
import { processFolder, sealEnvironment } from '../mcp/mcpServers.ts';
import { packActions, type Definitions } from '../openapi/definitions.ts';
import { acceptedTools } from './acceptedTools.ts';
import {
  checkRequest, isSameServer, isTrustAlone, requireAllowedCommand, requireWorkspaces,
  type IntegrationRequest,
} from './checkRequest.ts';
import type { Accepted, Draft, Import } from './draft.ts';
import { importDraft } from './imports.ts';
import { ACCEPTED, withFetchedFiles, withGivenFiles } from './givenDocument.ts';
import { followingOverrides } from './operationRows.ts';
import { asRefusal, noAddress, originsOf, requireReachable } from './reachable.ts';
import { toolChanges } from './toolChanges.ts';
import type { ListingOptions } from './toolListing.ts';

/** Who does it, for the audit log. */
export type Actor = Author & { signal: AbortSignal };

export interface AdministrationOptions extends ListingOptions {
  /** Slugs that are taken by what is built in. */
  builtin: readonly string[];
  /** Fetches documents, and the files that they refer to, within the limit of a document. */
  documents: Pick<Upstream, 'send' | 'fetchFor'>;
  /** Stores the import of a document. */
  definitions: Pick<Definitions, 'write'>;
}

/** An integration as it was read. It is written anew only if nobody else wrote it meanwhile. */
interface Before {
  row: IntegrationRow & Documents;
  stored: StoredAction[];
}

/** What an operator accepts: what was set aside, as it was shown, or the document that he gives. */
type Acceptance = 'nothing' | 'shown' | 'document';

export interface Refresh {
  accept: boolean;
  rename?: Accepted['rename'];
}

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
    if (builtin.includes(slug) || await getIntegrationRow(sql, slug)) throw alreadyExists(slug);
    checkRequest(kind, request);
    const empty: Draft = {
      id: newId('int'), slug, kind, title: slug, base_url: null, document: null,
      document_url: null, mcp: null, mcp_env: null, auth_methods: [], egress_allow: [],
      insecure_http: false, other_origins: [], new_actions: 'wait', own_redirect: true,
      overrides: {}, workspace_ids: null,
    };
    const draft = await changeDraft(this.#options, empty, request, by.signal);
    try {
      const imported = await importDraft(this.#options, draft,
        { stored: [], document: null, at_document: true }, 'operator', by.signal);
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
   * accepted as it was shown then, whatever the source says now. `rename`: reports which actions
   * today's rule would name otherwise, or renames them.
   */
  async refresh(
    slug: string, { accept, rename }: Refresh, by: Actor): Promise<IntegrationRow> {
    // The service may refresh the integration at the same time: see `follow`.
    for (let attempt = 1; attempt <= REFRESH_ATTEMPTS; attempt++) {
      const before = await this.#find(slug);
      const { document_url } = before.row;
      const made = await this.#rewrite(before, document_url === null ? {} : { document_url },
        accept ? 'shown' : 'nothing', by, rename);
      if (made) return made;
    }
    throw changedMeanwhile(slug);
  }

  /**
   * Refreshes an MCP integration whose server says that its tools have changed, or whose tools an
   * account that was just connected makes known. New tools are offered, missing ones are not, and
   * changed ones are set aside until an operator accepts them. Writes nothing if nothing is
   * different, or if somebody else wrote meanwhile (`overtaken`).
   */
  async follow(slug: string, signal: AbortSignal): Promise<'done' | 'overtaken'> {
    const { sql, log } = this.#options;
    const row = await getIntegrationRow(sql, slug);
    if (row?.kind !== 'mcp') return 'done';
    const stored = await actionsOf(sql, slug);
    const imported = await importDraft(
      this.#options, { ...row, document: null }, { stored, document: null }, 'service', signal);
    // It has no title yet if it was added before the server said anything. Later, what the server
    // calls itself is not for models to read: nobody has accepted it.
    const draft = { ...row, document: null,
      title: stored.length === 0 && row.title === slug ? imported.title : row.title };
    const changes = toolChanges(imported.rows.filter(({ hidden }) => !hidden), stored);
    const shown = Object.fromEntries(Object.entries(changes)
      .filter(([, names]) => names.length > 0)
      .map(([kind, names]: [string, string[]]) => [kind, names.slice(0, NAMES_SHOWN)]));
    if (Object.keys(shown).length === 0) return 'done';
    const made = await this.#write(draft, row, imported, {
      actor: { type: 'system', id: null },
      reason: stored.length === 0 ? 'The server lists its tools, now that an account is connected.'
        : 'The server has changed its tools.', details: shown,
    });
    if (!made) return 'overtaken';
    log.info({ integration: slug, revision: made.revision, ...shown },
      'an integration was refreshed, for its tools have changed');
    return 'done';
  }

  async remove(slug: string, by: Actor): Promise<void> {
    const id = await this.#options.sql.begin(async (tx) => {
      const row = await getIntegrationRow(tx, slug);
      const outcome = await deleteIntegrationRow(tx, slug);
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
    rename?: Accepted['rename']): Promise<IntegrationRow | undefined> {
    const changes = await changeDraft(this.#options, before.row, request, by.signal);
    const draft = { ...changes, title: request.title ?? changes.title };
    const imported = await importDraft(
      this.#options, draft, { ...acceptedOf(before, acceptance), rename,
        at_document: request.base_url === null }, 'operator', by.signal);
    const { changes: waited = [] } = before.row.report;
    const names = waited.slice(0, NAMES_SHOWN).map(({ action }) => action);
    const accepts = acceptance !== 'nothing' && names.length > 0;
    // Approvals were given for what the action did before, at the address that it had before.
    const expires_all = accepts || acceptance === 'document' || request.base_url !== undefined
      || rename === 'apply' || (request.mcp !== undefined && !isTrustAlone(request.mcp))
      || !isDeepStrictEqual(before.row.other_origins, draft.other_origins)
      || !isDeepStrictEqual(setBy(before.row.overrides), setBy(draft.overrides));
    return await this.#write(draft, before.row, imported,
      accepts ? { ...by, details: { accepted: names } } : by,
      { expiring: expires_all ? null : alteredBy(imported, before),
        is_accepted: acceptance !== 'nothing' });
  }

  /**
   * Writes what was made of a draft, as new or in the place of `before`; undefined if somebody else
   * did so meanwhile, or if actions are renamed and there are other grants now.
   * `expiring`: the actions of which approvals expire that are open or not used yet; null: all.
   * `is_accepted`: the operator accepts that those actions are gone which were missing before.
   */
  async #write(
    draft: Draft, before: IntegrationRow | null, imported: Import,
    audited: Author & Pick<AuditEvent, 'reason' | 'details'>,
    { expiring, is_accepted }: { expiring: readonly string[] | null; is_accepted: boolean }
    = { expiring: [], is_accepted: false },
  ): Promise<IntegrationRow | undefined> {
    const { renames } = imported;
    const overrides = renames?.overrides ?? draft.overrides;
    const rows = imported.rows.map((one) =>
      ({ ...one, name: renames?.names.get(one.name) ?? one.name }));
    const row: NewIntegration = {
      ...draft, overrides: followingOverrides(overrides, rows),
      base_url: draft.base_url ?? imported.base_url, report: imported.report,
      accepted_document: imported.accepted_document, auth_methods: imported.auth_methods,
      document_sha256: draft.document === null ? null
        : hash('sha256', draft.document, 'hex'),
    };
    // Those of an import that renames have their old names: they are made when they are needed.
    const definitions = imported.actions === undefined || renames !== undefined ? []
      : await packActions(imported.actions);
    return await this.#options.sql.begin(async (tx) => {
      if (renames && renames.names.size > 0) {
        await holdGrants(tx);
        const now = new Set((await grantsNaming(tx, row.slug)).map(({ id }) => id));
        if (now.symmetricDifference(renames.considered).size > 0) return undefined;
      }
      const made = before ? await replaceIntegration(tx, row, before.revision)
        : await insertIntegration(tx, row);
      if (!made) return undefined;
      await writeActions(tx, row.slug, rows, is_accepted);
      if (definitions.length > 0) await this.#options.definitions.write(tx, made, definitions);
      const grants = renames && await followRenames(tx, renames.names, renames.grants);
      await expireApprovals(tx, row.slug, expiring);
      await touchIntegrations(tx);
      await AuditLog.within(tx, {
        ...audited, workspace_id: null, target: row.slug,
        event: before ? 'integration.changed' : 'integration.created',
        details: { kind: row.kind, revision: made.revision, imported: imported.report.imported,
          ...(imported.waiting.length > 0 && { waiting: imported.waiting.length }),
          ...(renames && renames.names.size > 0 && { renamed: renames.names.size,
            grants_added: renames.grants.length }),
          ...audited.details },
      }, ...(grants?.changed ?? []).map((one) => grantEvent('grant.changed', one, audited)),
      ...(grants?.added ?? []).map((one) => grantEvent('grant.created', one, audited)));
      return made;
    }, { limit_ms: IMPORT_LIMIT_MS });
  }

  async #find(slug: string): Promise<Before> {
    const { sql } = this.#options;
    const row = await getIntegrationRow(sql, slug);
    if (!row) throw notFound('integration', slug);
    const documents = await readDocuments(sql, slug);
    return { row: { ...row, ...documents }, stored: await actionsOf(sql, slug) };
  }
}

/** The actions that are called otherwise now: what reads changes before anybody accepts it. */
function alteredBy({ rows }: Import, { stored }: Before): string[] {
  const known = new Map(stored.map((one) => [one.name, one.schema_hash]));
  return rows.filter(({ name, schema_hash }) => known.has(name) && known.get(name) !== schema_hash)
    .map(({ name }) => name);
}

/** What every call sends, by the keys of the overrides. */
function setBy(overrides: IntegrationRow['overrides']): [string, object][] {
  return Object.entries(overrides).flatMap(([key, { parameters, path_slashes, media_type }]) =>
    (parameters ?? path_slashes ?? media_type) === undefined ? []
      : [[key, { parameters, path_slashes, media_type }]]);
}

/** What a new import is compared with. */
function acceptedOf({ row, stored }: Before, acceptance: Acceptance): Accepted {
  const { kind, document, accepted_document } = row;
  if (acceptance === 'nothing') return { stored, document: accepted_document ?? document };
  const seen = stored.map((one) => ({ ...one, missing_since: null }));
  if (kind === 'mcp') return { stored: acceptedTools(seen), document: null };
  return {
    stored: seen.map((one) => ({ ...one, quarantined_at: null })),
    ...(acceptance === 'shown' ? { document }
      : { document: null, former: accepted_document ?? document }),
  };
}

/** The draft with what a request changes; a document is fetched, an environment sealed. */
async function changeDraft(
  options: AdministrationOptions, draft: Draft, request: IntegrationRequest, signal: AbortSignal,
): Promise<Draft> {
  const { mcp, document_url, document, document_files = {}, title: _, ...rest } = request;
  const next: Draft = { ...draft, ...rest };
  await requireWorkspaces(options.sql, request.workspace_ids ?? []);
  if (next.base_url !== null) requireReachable(next.base_url, next.egress_allow, '/base_url');
  next.other_origins = originsOf(next);
  if (document_url !== undefined) {
    requireReachable(document_url, next.egress_allow, '/document_url');
    const is_new = document_url !== draft.document_url;
    next.document = await fetchDocument(options, { ...next, document_url, is_new }, signal);
    next.document_url = document_url;
  } else if (document !== undefined) {
    next.document = await withGivenFiles(document, document_files, signal);
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
      if (draft.mcp === null || !isSameServer(server, draft.mcp)) next.auth_methods = [];
      next.mcp_env = env_names.length === 0 ? null
        : await sealEnvironment(options, next.slug, env);
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
  { documents }: AdministrationOptions, { document_url, egress_allow, is_new }: {
    document_url: string; egress_allow: readonly string[]; is_new: boolean;
  }, signal: AbortSignal): Promise<string> {
  const param = '/document_url';
  const failed = (why: string, cause?: unknown) => new GatehouseError('upstream_error',
    `The document could not be fetched: ${why}.`, { param, cause });
  try {
    const { status, body, cut, url } = await documents.send({
      method: 'GET', url: new URL(document_url), egress_allow, headers: { accept: ACCEPTED },
    }, signal);
    if (status !== 200) {
      const asks = status === 401 || status === 403;
      throw failed(`${new URL(url).host} answered ${status}${asks ? ', and a document is fetched'
        + ' without credentials. Get it yourself, and give the file' : ''}`);
    }
    if (cut) {
      throw failed('it is larger than 32 times GATEHOUSE_BODY_LIMIT_BYTES (64 MiB are the most)');
    }
    const text = textOfBytes(body).replaceAll('\0', '');
    return await withFetchedFiles(text, url, documents.fetchFor({ egress_allow }), signal);
  } catch (error) {
    if (error instanceof GatehouseError) throw error;
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
