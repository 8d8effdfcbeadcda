import { addAdminToken } from '../accounts/adminTokens.ts';
import { sanitizeJson } from '../sanitize.ts';
import { showOnce } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentAdminToken } from './present.ts';

/** POST /admin/admin_tokens */
export const createAdminToken: Operation<'createAdminToken'> = async (context) => {
  const request = sanitizeJson(context.body);
  const asked = ['createAdminToken', context.body];
  const token = await showOnce(context, asked, 'token', 'admin_token_id', (tx) => {
    const expires_at = laterInstant(request.expires_at);
    return addAdminToken(tx, { ...request, expires_at }, operatorOf(context));
  });
  return { status: 201, body: { ...presentAdminToken(token), admin_token: token.admin_token } };
};
