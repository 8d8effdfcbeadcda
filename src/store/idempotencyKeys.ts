import { jsonOrText, writeJson } from '../jsonText.ts';
import { patiently } from '../patience.ts';
import type { Sql, Transaction } from './database.ts';
import { IDEMPOTENCY_SEED, idempotencyLock } from './locks.ts';
import { first, only } from './rows.ts';
import { whileAway } from './whileAway.ts';

/** A day, as the contract promises. */
export const IDEMPOTENCY_HOURS = 24;
/** The last try ends so long before others may take the key over. */
const TAKEOVER_MARGIN_MS = 10_000;

export interface IdempotencyRequest {
  workspace_id: string;
  /** Whose key it is: the id of an api key, or of an operator. */
  asker: string;
  key: string;
  /** Hash of what makes two requests the same. */
  request_sha256: Buffer;
  /** The answer, if it is known before anything is made: then it is stored with the key at once. */
  response?: IdempotentResponse | undefined;
}

export interface IdempotentResponse {
  resource_id: string;
  status: number;
  /** The value, or a JsonText. */
  body: unknown;
}

/** What was made now, or how the request was answered that made it. */
export type OnceResult<R> = { made: R } | { stored: IdempotentResponse };
/** Where a key is stored: each who asks has keys of their own. */
type KeyId = Pick<IdempotencyRequest, 'workspace_id' | 'asker' | 'key'>;
/** A key that a request has taken. Of whoever takes it over `locked_until` is later. */
type TakenKey = KeyId & { locked_until: string };

/** Another request has the key, or the same one that has not ended. */
export type Conflict = 'reused' | 'in_progress';

/**
 * Has `make` make something once per key. The key commits with what is made; if its response is
 * known beforehand, nothing but the commit follows `make`. Without a request there is no key.
 */
export async function makeOnce<R extends IdempotentResponse>(
  sql: Sql, request: IdempotencyRequest | null, make: (tx: Transaction) => Promise<R>,
): Promise<OnceResult<R> | Conflict> {
  return await sql.begin(async (tx) => {
    const claim = request && await claimIdempotencyKey(tx, request, 0);
    if (claim && !isClaimed(claim)) return claim;
    const made = await make(tx);
    if (claim && !request?.response) await completeIdempotencyKey(tx, claim, made);
    return { made };
  });
}

/**
 * As `makeOnce`, for what leaves the database meanwhile: the key is taken in a transaction of its
 * own before it, completed after it, and given back if it fails. While the database is away that is
 * tried again, as long as nobody else can have taken the key over: after `lock_ms` without an end,
 * the same request may. Whoever asks waits for it no longer than a request may.
 */
export async function performOnce<R extends IdempotentResponse>(
  sql: Sql, request: IdempotencyRequest, lock_ms: number, perform: () => Promise<R>,
): Promise<OnceResult<R> | Conflict> {
  const until_ms = performance.now() + lock_ms - TAKEOVER_MARGIN_MS;
  const claim = await sql.begin((tx) => claimIdempotencyKey(tx, request, lock_ms));
  if (!isClaimed(claim)) return claim;
  const settle = (work: () => Promise<void>) =>
    patiently(whileAway(until_ms - performance.now(), work));
  let made: R;
  try {
    made = await perform();
  } catch (error) {
    // The first error is told, whatever comes of this.
    await settle(() => releaseIdempotencyKey(sql, claim)).catch(() => {});
    throw error;
  }
  await settle(() => completeIdempotencyKey(sql, claim, made));
  return { made };
}

type KeyClaim = TakenKey | { stored: IdempotentResponse } | Conflict;

const isClaimed = (claim: KeyClaim): claim is TakenKey =>
  typeof claim === 'object' && 'key' in claim;

/**
 * Takes a key for a request and answers where, or what became of the request that has it. The
 * advisory lock answers "in progress" at once, where the unique index would have us wait for the
 * other transaction.
 */
async function claimIdempotencyKey(
  tx: Transaction, request: IdempotencyRequest, lock_ms: number): Promise<KeyClaim> {
  const { workspace_id, asker, key, request_sha256, response } = request;
  const lock = await only(tx<{ taken: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended(
      ${idempotencyLock(workspace_id, asker, key)}, ${IDEMPOTENCY_SEED})) as taken`);
  if (!lock.taken) return 'in_progress';
  const taken = await first(tx<{ locked_until: string }[]>`
    insert into idempotency_keys (workspace_id, asker, key, request_sha256, locked_until,
      expires_at, resource_id, status, body)
    values (${workspace_id}, ${asker}, ${key}, ${request_sha256},
      now() + ${lock_ms} * interval '1 millisecond',
      now() + ${IDEMPOTENCY_HOURS} * interval '1 hour',
      ${response?.resource_id ?? null}, ${response?.status ?? null},
      ${response ? writeJson(response.body) : null}::text::json)
    on conflict (workspace_id, asker, key) do update set
      request_sha256 = excluded.request_sha256,
      locked_until = excluded.locked_until, expires_at = excluded.expires_at, created_at = now(),
      resource_id = excluded.resource_id, status = excluded.status, body = excluded.body
    where idempotency_keys.expires_at <= now() or (
      idempotency_keys.status is null and idempotency_keys.locked_until <= now()
      and idempotency_keys.request_sha256 = excluded.request_sha256)
    returning locked_until::text`);
  if (taken) return { workspace_id, asker, key, ...taken };
  const { same, ended, ...stored } = await only(tx<(IdempotentResponse & {
    same: boolean; ended: boolean; body: string | null;
  })[]>`
    select request_sha256 = ${request_sha256} as same, status is not null as ended, resource_id,
      status, body::text
    from idempotency_keys
    where workspace_id = ${workspace_id} and asker = ${asker} and key = ${key}`);
  if (!same) return 'reused';
  if (!ended) return 'in_progress';
  return { stored: { ...stored, body: stored.body === null ? null : jsonOrText(stored.body) } };
}

/** Does nothing where another request has taken the key over. */
async function completeIdempotencyKey(
  sql: Sql | Transaction, { workspace_id, asker, key, locked_until }: TakenKey,
  response: IdempotentResponse): Promise<void> {
  await sql`
    update idempotency_keys set resource_id = ${response.resource_id},
      status = ${response.status}, body = ${writeJson(response.body)}::text::json
    where workspace_id = ${workspace_id} and asker = ${asker} and key = ${key}
      and status is null and locked_until = ${locked_until}::text::timestamptz`;
}

/** Gives the key back: the request came to nothing, and may be repeated under it. */
async function releaseIdempotencyKey(
  sql: Sql, { workspace_id, asker, key, locked_until }: TakenKey): Promise<void> {
  await sql`
    delete from idempotency_keys
    where workspace_id = ${workspace_id} and asker = ${asker} and key = ${key}
      and status is null and locked_until = ${locked_until}::text::timestamptz`;
}
