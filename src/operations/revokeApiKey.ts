import { revokeApiKey as revoke } from '../accounts/accounts.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/api_keys/{api_key_id} */
export const revokeApiKey: Operation<'revokeApiKey'> = async (context) => {
  const { params: { path: { api_key_id } }, services } = context;
  await revoke(services.sql, api_key_id, operatorOf(context));
  services.announceRevoked(api_key_id);
  return { status: 204 };
};
