import type { components } from '../../generated/types.ts';
import { AuditLog } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { sanitizeJson } from '../sanitize.ts';
import { insertGrant } from '../store/grants.ts';
import { byAdmin } from './audited.ts';
import { onceForOperator, requestHash } from './idempotency.ts';
import { laterInstant } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentGrant } from './presentGateway.ts';

type Grant = components['schemas']['Grant'];

/** POST /admin/grants */
export const createGrant: Operation<'createGrant'> = async (context) => {
  const { expires_at, api_key_id = null, connection_id = null, ...asked } =
    sanitizeJson(context.body);
  const { params, services: { sql, gateway } } = context;
  const matches = await gateway.catalogue.matching(asked.workspace_id, asked.actions);
  const outcome = await onceForOperator(sql, params.headers['idempotency-key'],
    requestHash('createGrant', context.body), async (tx) => {
      const made = await insertGrant(tx, {
        ...asked, id: newId('grt'), api_key_id, connection_id,
        // Only for a new one: the time of the one that is repeated may have come.
        expires_at: typeof expires_at === 'string'
          ? laterInstant(expires_at, '/expires_at') : null,
      });
      if ('missing' in made) throw notFound(made.missing.what, made.missing.id);
      const { id, actions, decision } = made;
      await AuditLog.within(tx, byAdmin(context, 'grant.created', made, { actions, decision }));
      return { resource_id: id, status: 201, body: { ...presentGrant(made), matches } };
    });
  const body = 'made' in outcome ? outcome.made.body : outcome.stored.body as Grant;
  return { status: 201, body, headers: { Location: `/v1/admin/grants/${body.id}` } };
};
