/** What an Idempotency-Key does: a repeat makes nothing and is answered from what is stored. */
import type { Caller, Operator } from '../caller.ts';
import { canonicalSha256 } from '../canonicalJson.ts';
import type { Config } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import { inOwnTurn } from '../patience.ts';
import type { Sql, Transaction } from '../store/database.ts';
import {
  makeOnce, performOnce, type Conflict, type IdempotencyRequest, type IdempotentResponse,
  type OnceResult,
} from '../store/idempotencyKeys.ts';
import { locationOf } from './location.ts';

interface Context {
  caller: Caller | null;
  operator: Operator | null;
  params: { headers: { 'idempotency-key'?: string } };
  services: { sql: Sql; config: Config };
}

/** Stands where an operator has no workspace; no id of a workspace looks like this. */
const OPERATOR = '_operator';

/**
 * Has `make` make something once per key of the request; the key commits with it. `asked` is what
 * makes two requests the same, the operation first. If the `response` is known beforehand, `make`
 * is the last statement before the commit. Throws idempotency_key_reused for another request under
 * the same key, and idempotency_in_progress while the first one is in flight.
 */
export async function once<R extends IdempotentResponse>(
  context: Context, asked: readonly unknown[], make: (tx: Transaction) => Promise<R>,
  response?: IdempotentResponse): Promise<OnceResult<R>> {
  const { sql } = context.services;
  const request = await keyedRequest(context, asked);
  // What a caller makes is one statement, which needs no transaction of its own; that of somebody
  // in the dashboard has an entry in the audit log.
  if (!request && context.caller && !context.caller.operator) return { made: await make(sql) };
  return outcomeOf(await makeOnce(sql, request && { ...request, response }, make));
}

/** As `once`, for what leaves the database: after `lock_ms` a repeat may take the key over. */
export async function onceOutside<R extends IdempotentResponse>(
  context: Context, asked: readonly unknown[], lock_ms: number, perform: () => Promise<R>,
): Promise<OnceResult<R>> {
  const request = await keyedRequest(context, asked);
  if (!request) return { made: await perform() };
  return outcomeOf(await performOnce(context.services.sql, request, lock_ms, perform));
}

/**
 * Answers 201 with what is made once per key, and says that it is found below `path`. Throws
 * idempotency_key_reused for a repeat if it was deleted meanwhile.
 */
export async function createOnce<B extends { id: string }>(
  context: Context, asked: readonly unknown[], path: string,
  make: (tx: Transaction) => Promise<B>) {
  const outcome = await once(context, asked, async (tx) => {
    const body = await make(tx);
    return { resource_id: body.id, status: 201, body };
  });
  const { resource_id, body } = 'made' in outcome ? outcome.made : outcome.stored;
  // What is deleted takes along the answer that showed it (deleteSessionRow).
  if (body === null) {
    throw new GatehouseError('idempotency_key_reused', `This Idempotency-Key was used for`
      + ` ${resource_id}, which was deleted since. Use a new key to make another one.`,
    { param: 'idempotency-key' });
  }
  const headers = {
    ...locationOf(context.services.config, `${path}/${resource_id}`), ...replayHeaders(outcome),
  };
  return { status: 201 as const, body: body as B, headers };
}

/**
 * What is made once per key of the request, with a secret that its first answer alone shows: it is
 * stored nowhere. Throws already_exists for a repeat, which names what was made by `id_name`.
 */
export async function showOnce<Made extends { id: string }>(
  context: Context, asked: readonly unknown[], secret: 'key' | 'token', id_name: string,
  make: (tx: Transaction) => Promise<Made>): Promise<Made> {
  const outcome = await once(context, asked, async (tx) => {
    const shown = await make(tx);
    return { resource_id: shown.id, status: 201, body: null, shown };
  });
  if ('made' in outcome) return outcome.made.shown;
  const id = outcome.stored.resource_id;
  throw new GatehouseError('already_exists', `This request has created ${id} already; the ${secret}`
    + ' itself was in that answer alone. If nobody got it, revoke it, and create another one with'
    + ' another Idempotency-Key.', { param: 'idempotency-key', details: { [id_name]: id } });
}

/** The header of an answer about what a request before it has made; none for a first answer. */
export function replayHeaders(outcome: OnceResult<unknown>): Record<string, string> {
  return 'stored' in outcome ? { 'Idempotent-Replayed': 'true' } : {};
}

async function keyedRequest(
  context: Context, asked: readonly unknown[]): Promise<IdempotencyRequest | null> {
  const key = context.params.headers['idempotency-key'];
  if (key === undefined) return null;
  const workspace_id = context.caller?.workspace_id ?? OPERATOR;
  // A megabyte takes as long to be hashed so as to be parsed.
  const request_sha256 = await inOwnTurn(() => canonicalSha256(asked));
  return { workspace_id, asker: askerOf(context), key, request_sha256 };
}

/** Whose key it is. People in the dashboard share the dashboard key of a workspace. */
function askerOf({ caller, operator }: Context): string {
  const actor = caller ? caller.operator?.actor : operator?.actor;
  const person = actor && `${actor.type}:${actor.id ?? ''}`;
  return [caller?.api_key_id, person].filter((part) => part !== undefined).join(' ');
}

function outcomeOf<R>(outcome: OnceResult<R> | Conflict): OnceResult<R> {
  if (typeof outcome === 'string') throw conflictOf(outcome);
  return outcome;
}

/** Why a request under an Idempotency-Key is not carried out. */
export function conflictOf(conflict: Conflict): GatehouseError {
  const param = 'idempotency-key';
  return conflict === 'reused'
    ? new GatehouseError('idempotency_key_reused', 'This Idempotency-Key was used for a different'
      + ' request. Use a new key for a new request.', { param })
    : new GatehouseError('idempotency_in_progress', 'A request with this Idempotency-Key is in'
      + ' flight. Repeat it in a moment.', { param, retry_after_s: 1 });
}
