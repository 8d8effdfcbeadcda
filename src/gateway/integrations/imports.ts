/** From what an operator gives to the actions that are stored. */
import { grantsNaming } from '../../store/grants.ts';
import { importOperations } from './documentImport.ts';
import type { Accepted, Draft, Import, ImportAuthor } from './draft.ts';
import { reportImport } from './reported.ts';
import { importTools } from './toolImport.ts';
import type { ListingOptions } from './toolListing.ts';

/** Throws `invalid_document`, or `upstream_error` if an MCP server does not list its tools. */
export async function importDraft(
  options: ListingOptions, draft: Draft, accepted: Accepted, importer: ImportAuthor,
  signal: AbortSignal): Promise<Import> {
  const grants = await grantsNaming(options.sql, draft.slug);
  return reportImport(draft, await (draft.kind === 'openapi'
    ? importOperations(draft, accepted, grants, signal)
    : importTools(options, draft, { stored: accepted.stored, grants, importer }, signal)));
}
