import { withdrawAdminToken } from '../accounts/adminTokens.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/admin_tokens/{admin_token_id} */
export const revokeAdminToken: Operation<'revokeAdminToken'> = async (context) => {
  const { params: { path: { admin_token_id } }, services } = context;
  await withdrawAdminToken(services.sql, admin_token_id, operatorOf(context));
  services.announceRevoked(admin_token_id);
  return { status: 204 };
};
