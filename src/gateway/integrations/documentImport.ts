/** From the document of an integration to the rows of its operations. */
import { GatehouseError } from '../../errors.ts';
import type { Grant } from '../../store/grants.ts';
import { firstNamed } from '../../truncate.ts';
import { checkUpstreamUrl, EgressRefused, reachOf } from '../egress/egress.ts';
import { inUse } from '../openapi/acceptedDocument.ts';
import { DocumentError } from '../openapi/documentError.ts';
import { importDocument } from '../openapi/importDocument.ts';
import type { ImportedAction } from '../openapi/openapi.ts';
import { knownOperations } from '../openapi/openapiSource.ts';
import {
  allowing, commonServer, elsewhere, originOfDocument, tellOfOrigin, tellOfPath, withoutSlash,
} from '../openapi/servers.ts';
import type { WaitingChange } from './changes.ts';
import type { Accepted, Draft } from './draft.ts';
import { leftBehind } from './leftBehind.ts';
import { operationRows } from './operationRows.ts';
import { renamesOf } from './renames.ts';
import type { MadeImport } from './reported.ts';
import { reachedIn } from './restrictedAddresses.ts';

const ERRORS_SHOWN = 3;
const ORIGINS_SHOWN = 20;
const KEYS_SHOWN = 5;
const WAYS_SHOWN = 20;

/** Throws `invalid_document`. */
export async function importOperations(
  draft: Draft, accepted: Accepted, grants: readonly Grant[], signal: AbortSignal,
): Promise<MadeImport> {
  const { stored, document: accepted_document, rename, at_document = false } = accepted;
  const { slug, document, document_url, base_url, overrides } = draft;
  const param = document_url === null ? '/document' : '/document_url';
  const known = knownOperations(stored);
  const importOf = async (source: string) => await importDocument({
    source,
    options: { slug, overrides, known, rename: rename !== undefined,
      ...(document_url !== null && { document_url }), ...(base_url !== null && { base_url }) },
  }, signal);
  try {
    const before = accepted_document === null || accepted_document === document ? null
      : await importOf(accepted_document);
    const { actions, hidden, report } = await importOf(document!);
    if (actions.length === 0) {
      throw new DocumentError(['The document has no operation that could become an action.',
        ...report.errors.slice(0, ERRORS_SHOWN).map((line) => `${line}.`)].join(' '));
    }
    const used = inUse(actions, before?.actions ?? []);
    const left = leftBehind(draft, grants, stored, {
      offered: actions.map(({ name }) => name), hidden: hidden.map(({ name }) => name) });
    const named = report.servers.find((url) => /^https?:/.test(url)) ?? commonServer(actions);
    const origin = base_url === null && named === null && report.servers.length === 0
      ? originOfDocument(document_url) : null;
    const base = named ?? (at_document ? origin : null);
    // What is restricted may be called otherwise by the draft's own document.
    const was = before ?? (left.restricted.length === 0 || accepted.former == null ? null
      : await importOf(accepted.former));
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
      report: {
        operations: report.operations, imported: report.imported, skipped: report.skipped,
        errors: report.errors,
        warnings: [
          ...(origin === null ? notCalled(draft, base)
            : [tellOfOrigin(slug, origin, at_document)]),
          ...tellOfPath(slug, base_url, report.servers),
          ...waysRound(actions, waiting, reached), ...awayOf(draft, used.actions, base),
          ...report.warnings],
        security_schemes: report.security_schemes,
        security_alternatives: report.security_alternatives,
      },
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
      + ` not send its credentials. Allow it with ${allowing(slug, origin)}:`
      + ` ${firstNamed(keys, KEYS_SHOWN)}`);
}
