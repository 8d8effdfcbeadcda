import { createAdminToken as makeAdminToken } from '../accounts/adminTokens.ts';
import { GatehouseError } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { once } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentAdminToken } from './present.ts';

/** POST /admin/admin_tokens */
export const createAdminToken: Operation<'createAdminToken'> = async (context) => {
  const request = sanitizeJson(context.body);
  const outcome = await once(context, ['createAdminToken', context.body], async (tx) => {
    const expires_at = laterInstant(request.expires_at, '/expires_at');
    const token = await makeAdminToken(tx, { ...request, expires_at }, operatorOf(context));
    // The answer is not stored: it holds the token.
    return { resource_id: token.id, status: 201, body: null, token };
  });
  if ('stored' in outcome) throw alreadyShown(outcome.stored.resource_id);
  const { token } = outcome.made;
  return { status: 201, body: { ...presentAdminToken(token), admin_token: token.admin_token } };
};

function alreadyShown(id: string): GatehouseError {
  return new GatehouseError('already_exists', `This request has created ${id} already; the token`
    + ' itself was in that answer alone. If nobody got it, revoke it, and create another one with'
    + ' another Idempotency-Key.', { param: 'idempotency-key', details: { admin_token_id: id } });
}
