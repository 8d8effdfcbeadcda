import { addApiKey } from '../accounts/accounts.ts';
import { sanitizeJson } from '../sanitize.ts';
import { showOnce } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentNewApiKey } from './present.ts';

/** POST /admin/api_keys */
export const createApiKey: Operation<'createApiKey'> = async (context) => {
  const request = sanitizeJson(context.body);
  const asked = ['createApiKey', context.body];
  const key = await showOnce(context, asked, 'key', 'api_key_id', (tx) => {
    // Only for a new key: when the request is repeated, this time may have passed.
    const expires_at = laterInstant(request.expires_at);
    return addApiKey(tx, { ...request, expires_at }, operatorOf(context));
  });
  return { status: 201, body: { ...presentNewApiKey(key), api_key: key.api_key } };
};
