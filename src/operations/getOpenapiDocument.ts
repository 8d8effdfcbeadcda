import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Operation } from './operation.ts';

/** The public document: generated, so it is what the validators and the types came from. */
const DOCUMENT = readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8');
const ETAG = `"${createHash('sha256').update(DOCUMENT).digest('hex').slice(0, 32)}"`;

/** GET /openapi.json */
export const getOpenapiDocument: Operation<'getOpenapiDocument'> = async ({ params }) => {
  const known = params.headers['if-none-match'] ?? '';
  // Weak comparison, as RFC 9110 asks of If-None-Match.
  const current = known.trim() === '*'
    || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === ETAG);
  const headers = { ETag: ETAG };
  return current ? { status: 304, headers } : { status: 200, raw: DOCUMENT, headers };
};
