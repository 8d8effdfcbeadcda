import { canonicalSha256 } from '../canonicalJson.ts';
import { GatehouseError } from '../errors.ts';
import type { Sql, Transaction } from '../store/database.ts';
import {
  claimIdempotencyKey, completeIdempotencyKey, type IdempotencyClaim, type IdempotentResponse,
} from '../store/idempotencyKeys.ts';

/** What is stored under a key: the resource that was made and how its request was answered. */
export type StoredResponse = IdempotentResponse;

export interface KeyedRequest {
  workspace_id: string;
  key: string;
  /** Hash of what makes two requests the same; see `requestHash`. */
  request_sha256: Buffer;
  /** If it is known beforehand: `make` then is the last statement before the commit. */
  response?: StoredResponse;
}

/** The hash of an operation and what it was asked: equal for equal JSON, whatever its key order. */
export function requestHash(operation: string, ...asked: unknown[]): Buffer {
  return canonicalSha256([operation, ...asked]);
}

/**
 * Has `make` make something once per key: its rows and the key's commit together, and a repeated
 * request is answered from what is stored. Throws idempotency_key_reused for another request under
 * the same key, idempotency_in_progress while the first is in flight.
 */
export async function once<R extends StoredResponse>(
  sql: Sql, request: KeyedRequest, make: (tx: Transaction) => Promise<R>,
): Promise<{ made: R } | { stored: StoredResponse }> {
  return await sql.begin(async (tx): Promise<{ made: R } | { stored: StoredResponse }> => {
    const stored = storedResponse(await claimIdempotencyKey(tx, { ...request, lock_ms: 0 }));
    if (stored) return { stored };
    const made = await make(tx);
    if (!request.response) {
      await completeIdempotencyKey(tx, request.workspace_id, request.key, made);
    }
    return { made };
  }) as { made: R } | { stored: StoredResponse };
}

/** In the place of a workspace, which an operator does not have; no id of one looks like this. */
const OPERATOR = '_operator';

/** As `once`, for an operation of the operator; without a key the work is done in any case. */
export async function onceForOperator<R extends StoredResponse>(
  sql: Sql, key: string | undefined, request_sha256: Buffer,
  make: (tx: Transaction) => Promise<R>): Promise<{ made: R } | { stored: StoredResponse }> {
  if (key === undefined) return { made: await sql.begin(make) as R };
  return await once(sql, { workspace_id: OPERATOR, key, request_sha256 }, make);
}

/** The stored response of a claim, or null if the key is new and ours. Throws as `once` does. */
export function storedResponse(claim: IdempotencyClaim): StoredResponse | null {
  switch (claim.state) {
    case 'new': return null;
    case 'done': return {
      resource_id: claim.resource_id ?? '', status: claim.status, body: claim.body };
    case 'reused': throw new GatehouseError('idempotency_key_reused',
      'This Idempotency-Key was used for a different request. Use a new key for a new request.',
      { param: 'idempotency-key' });
    case 'in_progress': throw new GatehouseError('idempotency_in_progress',
      'A request with this Idempotency-Key is in flight. Repeat it in a moment.',
      { param: 'idempotency-key', retry_after_s: 1 });
  }
}
