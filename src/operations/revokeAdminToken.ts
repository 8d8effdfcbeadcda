import { revokeAdminToken as revoke } from '../accounts/adminTokens.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/admin_tokens/{admin_token_id} */
export const revokeAdminToken: Operation<'revokeAdminToken'> = async (context) => {
  await revoke(context.services.sql, context.params.path.admin_token_id, operatorOf(context));
  return { status: 204 };
};
