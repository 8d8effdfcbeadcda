import { createApiKey as makeApiKey } from '../accounts/accounts.ts';
import { GatehouseError } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { once } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentNewApiKey } from './present.ts';

/** POST /admin/api_keys */
export const createApiKey: Operation<'createApiKey'> = async (context) => {
  const request = sanitizeJson(context.body);
  const outcome = await once(context, ['createApiKey', context.body], async (tx) => {
    // Only for a new key: when the request is repeated, this time may have passed.
    const expires_at = laterInstant(request.expires_at, '/expires_at');
    const key = await makeApiKey(tx, { ...request, expires_at }, operatorOf(context));
    // The answer is not stored: it holds the key.
    return { resource_id: key.id, status: 201, body: null, key };
  });
  if ('stored' in outcome) throw alreadyShown(outcome.stored.resource_id);
  const { key } = outcome.made;
  return { status: 201, body: { ...presentNewApiKey(key), api_key: key.api_key } };
};

function alreadyShown(id: string): GatehouseError {
  return new GatehouseError('already_exists', `This request has created ${id} already; the key`
    + ' itself was in that answer alone. If nobody got it, revoke it, and create another one with'
    + ' another Idempotency-Key.', { param: 'idempotency-key', details: { api_key_id: id } });
}
