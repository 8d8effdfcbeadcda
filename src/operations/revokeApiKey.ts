import { AuditLog } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { revokeApiKey as revoke } from '../store/apiKeys.ts';
import { byAdmin } from './audited.ts';
import type { Operation } from './operation.ts';

/** DELETE /admin/api_keys/{api_key_id} */
export const revokeApiKey: Operation<'revokeApiKey'> = async (context) => {
  const { params: { path: { api_key_id } }, services: { sql } } = context;
  await sql.begin(async (tx) => {
    const revoked = await revoke(tx, api_key_id);
    if (!revoked) throw notFound('api key', api_key_id);
    const { name, newly } = revoked;
    // Again is fine, and changes nothing that could be told of.
    if (newly) await AuditLog.within(tx, byAdmin(context, 'api_key.revoked', revoked, { name }));
  });
  return { status: 204 };
};
