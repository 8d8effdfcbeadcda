import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalSha256 } from '../canonicalJson.ts';
import { notFound } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { getConnectionRow } from '../store/connections.ts';
import { once, replayHeaders } from './idempotency.ts';
import { locationOf } from './location.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentConnection } from './presentGateway.ts';

const HASH_BYTES = 32;

/** POST /admin/connections */
export const createConnection: Operation<'createConnection'> = async (context) => {
  const { body, params, services: { config, connections, sql } } = context;
  const { credentials, ...rest } = body;
  const secret = await slowHash(credentials, params.headers['idempotency-key']);
  const asked = ['createConnection', rest, secret];
  let headers: Record<string, string> = {};
  const row = await connections.create(sanitizeJson(body), operatorOf(context), async (make) => {
    const outcome = await once(context, asked, async (tx) => {
      const made = await make(tx);
      return { resource_id: made.id, status: 201, body: null, made };
    });
    headers = replayHeaders(outcome);
    if ('made' in outcome) return outcome.made.made;
    // Answer it as it is now: somebody may have consented meanwhile.
    const { resource_id } = outcome.stored;
    const found = await getConnectionRow(sql, resource_id);
    if (!found) throw notFound('connection', resource_id);
    return found;
  });
  return {
    status: 201, body: presentConnection(row),
    headers: { ...locationOf(config, `admin/connections/${row.id}`), ...headers },
  };
};

/**
 * A hash of credentials, by which a repeated request is known. It stands in the database for a day.
 * Whoever reads a plain hash there can try a billion passwords a second; this one is slow to make.
 */
async function slowHash(credentials: unknown, key: string | undefined): Promise<string> {
  if (key === undefined) return '';
  const hash = await promisify(scrypt)(canonicalSha256(credentials), key, HASH_BYTES) as Buffer;
  return hash.toString('hex');
}
