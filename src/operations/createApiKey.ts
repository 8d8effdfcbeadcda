import { createApiKey as makeApiKey } from '../accounts/accounts.ts';
import { AuditLog } from '../audit/audit.ts';
import { GatehouseError } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { byAdmin } from './audited.ts';
import { onceForOperator, requestHash } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentApiKey } from './present.ts';

/** POST /admin/api_keys */
export const createApiKey: Operation<'createApiKey'> = async (context) => {
  const { expires_at, ...request } = sanitizeJson(context.body);
  const { params, services: { sql } } = context;
  const outcome = await onceForOperator(sql, params.headers['idempotency-key'],
    requestHash('createApiKey', context.body), async (tx) => {
      // Only for a new one: the time of the one that is repeated may have come.
      const key = await makeApiKey(tx, { ...request, ...(typeof expires_at === 'string'
        && { expires_at: laterInstant(expires_at, '/expires_at') }) });
      const { id, name, hint } = key;
      await AuditLog.within(tx, byAdmin(context, 'api_key.created', key,
        { name, hint, expires_at: key.expires_at }));
      // The answer is not stored: it holds the key.
      return { resource_id: id, status: 201, body: null, key };
    });
  if ('stored' in outcome) throw alreadyShown(outcome.stored.resource_id);
  const { key } = outcome.made;
  return { status: 201, body: { ...presentApiKey(key), api_key: key.api_key } };
};

function alreadyShown(id: string): GatehouseError {
  return new GatehouseError('already_exists', `This request has created ${id} already; the key`
    + ' itself was in that answer alone. If nobody got it, revoke it, and create another one with'
    + ' another Idempotency-Key.', { param: 'idempotency-key', details: { api_key_id: id } });
}
