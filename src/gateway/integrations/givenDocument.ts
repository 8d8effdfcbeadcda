/** The document of an integration with the files that it refers to, as one. */
import { GatehouseError } from '../../errors.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { textOfBytes } from '../../textOfBytes.ts';
import { EgressRefused } from '../egress/egress.ts';
import { AnswerTooLarge, type GuardedFetch } from '../egress/guardedFetch.ts';
import { unreachable, UpstreamUnreachable } from '../egress/unreachable.ts';
import { HANDED_OVER } from '../openapi/bundleFiles.ts';
import { DocumentError } from '../openapi/documentError.ts';
import { inOneDocument, type DocumentFiles } from '../openapi/documentFiles.ts';

export const ACCEPTED = 'application/json, application/yaml, text/yaml, */*;q=0.5';

/** `files`: texts by their paths as seen from the document. Throws `invalid_document`. */
export async function withGivenFiles(
  document: string, files: Readonly<Record<string, string>>, signal: AbortSignal,
): Promise<string> {
  if (Object.keys(files).length === 0) return document;
  const given = new Map(Object.entries(files).map(([path, text]) =>
    [URL.parse(path, HANDED_OVER)?.href, text]));
  return await bundleWithin(document, {
    place: HANDED_OVER, load: async (address) => given.get(address) ?? null,
  }, '/document_files', signal);
}

/**
 * Files of the origin that the document came from, and nothing else: without redirects, for they
 * may lead anywhere. What is not there is left to the import's report. Throws `upstream_error` for
 * what may be there the next time: a refresh must not take operations away for that.
 */
export async function withFetchedFiles(
  document: string, place: string, fetch: GuardedFetch, signal: AbortSignal): Promise<string> {
  const { origin } = new URL(place);
  return await bundleWithin(document, {
    place,
    async load(address, clock) {
      if (new URL(address).origin !== origin) return null;
      try {
        const response = await fetch(address, {
          headers: { accept: ACCEPTED }, redirect: 'manual', signal: clock });
        if (response.status === 200) {
          return sanitizeJson(textOfBytes(new Uint8Array(await bodyOf(response, clock))));
        }
        await response.body?.cancel();
        if (response.status >= 500 || response.status === 429) {
          throw awayNow(address, `was answered with ${response.status}`);
        }
      } catch (error) {
        if (error instanceof EgressRefused || error instanceof AnswerTooLarge) return null;
        throw error instanceof UpstreamUnreachable
          ? awayNow(address, `could not be had: ${error.message}`, error) : error;
      }
      return null;
    },
  }, '/document_url', signal);
}

/** Throws UpstreamUnreachable if it breaks off. */
async function bodyOf(response: Response, signal: AbortSignal): Promise<ArrayBuffer> {
  return await response.arrayBuffer().catch((error: unknown) => {
    throw signal.aborted || error instanceof AnswerTooLarge ? error : unreachable(error, true);
  });
}

function awayNow(address: string, why: string, cause?: unknown): GatehouseError {
  return new GatehouseError('upstream_error', `The document refers to ${address}, which ${why}.`,
    { param: '/document_url', cause });
}

async function bundleWithin(
  document: string, files: DocumentFiles, param: string, signal: AbortSignal): Promise<string> {
  try {
    return await inOneDocument(document, files, signal);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new GatehouseError('invalid_document', error.message, { param });
  }
}
