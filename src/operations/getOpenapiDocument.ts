import { readFileSync } from 'node:fs';
import { entityTag, isCurrent } from '../entityTag.ts';
import type { Operation } from './operation.ts';

/** The forms of the public document that are generated (docs/clients.md). */
export const VIEWS = [
  'openapi.json', 'openapi.3.0.json', 'openapi.3.2.json', 'openapi.codegen.json',
] as const;
type DocumentView = typeof VIEWS[number];

const served = new Map<string, { text: string; etag: string }>();

/** GET /openapi.json */
export const getOpenapiDocument: Operation<'getOpenapiDocument'> = async ({ params, services }) => {
  const { text, etag } = servedDocument(services.config.public_url);
  const current = isCurrent(params.headers['if-none-match'], etag);
  const headers = { ETag: etag };
  return current ? { status: 304, headers } : { status: 200, raw: text, headers };
};

/**
 * The public document as JSON text, and its ETag: generated, so it is what the validators and the
 * types came from. Its server is where clients reach this service: below `public_url`, or without
 * one as seen from the document, which is below /v1 or /docs: so any prefix of a proxy will do.
 */
export function servedDocument(
  public_url: string | null, view: DocumentView = 'openapi.json'): { text: string; etag: string } {
  const key = `${view} ${public_url ?? ''}`;
  const made = served.get(key);
  if (made) return made;
  const document = readFileSync(new URL(`../../generated/${view}`, import.meta.url), 'utf8');
  const servers = [{ url: `${public_url?.replace(/\/+$/, '') ?? '..'}/v1` }];
  const text = JSON.stringify({ ...JSON.parse(document), servers }, null, 1) + '\n';
  const etag = entityTag(text);
  served.set(key, { text, etag });
  return { text, etag };
}
