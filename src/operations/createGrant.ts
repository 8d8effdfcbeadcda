import { addGrant } from '../gateway/face.ts';
import { sanitizeJson } from '../sanitize.ts';
import { createOnce } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentGrant } from './presentGateway.ts';

/** POST /admin/grants */
export const createGrant: Operation<'createGrant'> = async (context) => {
  const { body, services: { gateway: { catalogue } } } = context;
  const request = sanitizeJson(body);
  const { length: matches } = await catalogue.matching(request.workspace_id, request.actions);
  return await createOnce(context, ['createGrant', body], 'admin/grants', async (tx) => {
    // Only for a new grant: when the request is repeated, this time may have passed.
    const expires_at = laterInstant(request.expires_at);
    const grant = await addGrant(tx, { ...request, expires_at }, operatorOf(context));
    return { ...presentGrant(grant), matches };
  });
};
