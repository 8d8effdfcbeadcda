/** Grants, as operators add and remove them. */
import type { Schemas } from '../../../generated/types.ts';
import { AuditLog, type Author } from '../../audit/audit.ts';
import { grantEvent } from '../../audit/grantEvent.ts';
import { GatehouseError, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { deleteGrantRow, insertGrant, type Grant } from '../../store/grants.ts';

/**
 * Throws not_found for a workspace, an api key or a connection that is not there, and
 * invalid_request for a scope of approvals that nobody will ask for.
 */
export async function addGrant(
  tx: Transaction, request: Schemas['CreateGrantRequest'], by: Author): Promise<Grant> {
  if (request.approval_scope !== undefined && request.decision !== 'require_approval') {
    throw new GatehouseError('invalid_request', 'approval_scope says who may use an approval, and'
      + ` this grant asks for none: its decision is ${request.decision}. Leave it out, or make the`
      + ' decision require_approval.', { param: '/approval_scope' });
  }
  const made = await insertGrant(tx, {
    api_key_id: null, connection_id: null, expires_at: null, approval_scope: 'api_key', ...request,
    id: newId('grt'),
  });
  if ('missing' in made) throw notFound(made.missing.what, made.missing.id);
  await AuditLog.within(tx, grantEvent('grant.created', made, by));
  return made;
}

/** Throws not_found. */
export async function removeGrant(sql: Sql, id: string, by: Author): Promise<void> {
  await sql.begin(async (tx) => {
    const gone = await deleteGrantRow(tx, id);
    if (!gone) throw notFound('grant', id);
    await AuditLog.within(tx, grantEvent('grant.removed', gone, by));
  });
}
