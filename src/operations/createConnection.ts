import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalSha256 } from '../canonicalJson.ts';
import { notFound } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { getConnection } from '../store/connections.ts';
import { adminOf } from './audited.ts';
import { onceForOperator, requestHash } from './idempotency.ts';
import type { BodyOf, Operation } from './operation.ts';
import { presentConnection } from './presentGateway.ts';

const HASH_BYTES = 32;

/** POST /admin/connections */
export const createConnection: Operation<'createConnection'> = async (context) => {
  const { body, params, services: { connections, sql } } = context;
  const key = params.headers['idempotency-key'];
  const request_sha256 = await hashOf(body, key);
  const row = await connections.create(sanitizeJson(body), adminOf(context), async (make) => {
    const outcome = await onceForOperator(sql, key, request_sha256, async (tx) => {
      const made = await make(tx);
      return { resource_id: made.id, status: 201, body: null, made };
    });
    if ('made' in outcome) return outcome.made.made;
    // As it is by now: somebody may have consented meanwhile.
    const { resource_id } = outcome.stored;
    const found = await getConnection(sql, resource_id);
    if (!found) throw notFound('connection', resource_id);
    return found;
  });
  return {
    status: 201, body: presentConnection(row),
    headers: { Location: `/v1/admin/connections/${row.id}` },
  };
};

/**
 * The hash of the request, by which its repeat is known. It stands in the database for a day, where
 * a plain one would let its reader try passwords at a billion a second; this one takes its time.
 */
async function hashOf(
  { credentials, ...rest }: BodyOf<'createConnection'>, key: string | undefined): Promise<Buffer> {
  const secret = key === undefined ? ''
    : (await promisify(scrypt)(canonicalSha256(credentials), key, HASH_BYTES) as Buffer)
      .toString('hex');
  return requestHash('createConnection', rest, secret);
}
