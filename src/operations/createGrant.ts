import { notFound } from '../errors.ts';
import { AuditLog } from '../gateway/audit.ts';
import { newId } from '../ids.ts';
import { sanitizeJson } from '../sanitize.ts';
import { insertGrant } from '../store/grants.ts';
import { byAdmin } from './audited.ts';
import { instant } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentGrant } from './presentGateway.ts';

/** POST /admin/grants */
export const createGrant: Operation<'createGrant'> = async (context) => {
  const { expires_at, api_key_id = null, connection_id = null, ...asked } =
    sanitizeJson(context.body);
  const grant = {
    ...asked, id: newId('grt'), api_key_id, connection_id,
    expires_at: typeof expires_at === 'string' ? instant(expires_at, '/expires_at') : null,
  };
  const row = await context.services.sql.begin(async (tx) => {
    const made = await insertGrant(tx, grant);
    if ('missing' in made) throw notFound(made.missing.what, made.missing.id);
    const { actions, decision } = made;
    await AuditLog.within(tx, byAdmin(context, 'grant.created', made, { actions, decision }));
    return made;
  });
  return {
    status: 201, body: presentGrant(row), headers: { Location: `/v1/admin/grants/${row.id}` },
  };
};
