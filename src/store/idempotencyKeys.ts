import type { Sql, Transaction } from './database.ts';

/** A day, as the contract promises. */
export const IDEMPOTENCY_HOURS = 24;

export interface IdempotencyRequest {
  workspace_id: string;
  key: string;
  request_sha256: Buffer;
  /** In flight at most this long before another may take over; 0: within this transaction. */
  lock_ms: number;
  /** Stored with the key, where what is to be answered is known before it is made. */
  response?: IdempotentResponse;
}

export interface IdempotentResponse {
  resource_id: string;
  status: number;
  body: unknown;
}

export type IdempotencyClaim =
  | { state: 'new' }
  | { state: 'reused' }
  | { state: 'in_progress' }
  | { state: 'done'; resource_id: string | null; status: number; body: unknown };

/**
 * Takes a key for a request, or answers what became of the request that has it. In a transaction
 * the key commits with what the request creates. An advisory lock answers "in progress" at once
 * where the unique index would have us wait for the other transaction.
 */
export async function claimIdempotencyKey(
  tx: Transaction, request: IdempotencyRequest): Promise<IdempotencyClaim> {
  const { workspace_id, key, request_sha256, lock_ms, response } = request;
  const [lock] = await tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(${workspace_id + ' ' + key}, 1)) as taken`;
  if (!lock!.taken) return { state: 'in_progress' };
  const taken = await tx`
    insert into idempotency_keys (workspace_id, key, request_sha256, locked_until, expires_at,
      resource_id, status, body)
    values (${workspace_id}, ${key}, ${request_sha256},
      now() + ${lock_ms} * interval '1 millisecond',
      now() + ${IDEMPOTENCY_HOURS} * interval '1 hour',
      ${response?.resource_id ?? null}, ${response?.status ?? null},
      ${response ? JSON.stringify(response.body) : null}::text::json)
    on conflict (workspace_id, key) do update set
      request_sha256 = excluded.request_sha256, locked_until = excluded.locked_until,
      expires_at = excluded.expires_at, created_at = now(), resource_id = excluded.resource_id,
      status = excluded.status, body = excluded.body
    where idempotency_keys.expires_at <= now() or (
      idempotency_keys.status is null and idempotency_keys.locked_until <= now()
      and idempotency_keys.request_sha256 = excluded.request_sha256)
    returning key`;
  if (taken.length > 0) return { state: 'new' };
  const [row] = await tx<
    { same: boolean; resource_id: string | null; status: number | null; body: unknown }[]>`
    select request_sha256 = ${request_sha256} as same, resource_id, status, body
    from idempotency_keys where workspace_id = ${workspace_id} and key = ${key}`;
  if (!row!.same) return { state: 'reused' };
  if (row!.status === null) return { state: 'in_progress' };
  return { state: 'done', resource_id: row!.resource_id, status: row!.status, body: row!.body };
}

/** Stores the response under the key, in the transaction that created the resource. */
export async function completeIdempotencyKey(
  sql: Sql | Transaction, workspace_id: string, key: string,
  response: IdempotentResponse): Promise<void> {
  await sql`
    update idempotency_keys set resource_id = ${response.resource_id},
      status = ${response.status}, body = ${JSON.stringify(response.body)}::text::json
    where workspace_id = ${workspace_id} and key = ${key}`;
}

/** Gives the key back: the request came to nothing and may be repeated under it. */
export async function releaseIdempotencyKey(
  sql: Sql, workspace_id: string, key: string): Promise<void> {
  await sql`
    delete from idempotency_keys
    where workspace_id = ${workspace_id} and key = ${key} and status is null`;
}
