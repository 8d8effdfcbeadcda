import { AuditLog } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { deleteGrant as remove } from '../store/grants.ts';
import { byAdmin } from './audited.ts';
import type { Operation } from './operation.ts';

/** DELETE /admin/grants/{grant_id} */
export const deleteGrant: Operation<'deleteGrant'> = async (context) => {
  const { params: { path: { grant_id } }, services: { sql } } = context;
  await sql.begin(async (tx) => {
    const gone = await remove(tx, grant_id);
    if (!gone) throw notFound('grant', grant_id);
    const { actions, decision } = gone;
    await AuditLog.within(tx, byAdmin(context, 'grant.removed', gone, { actions, decision }));
  });
  return { status: 204 };
};
