import { withdrawApiKey } from '../accounts/accounts.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/api_keys/{api_key_id} */
export const revokeApiKey: Operation<'revokeApiKey'> = async (context) => {
  const { params: { path: { api_key_id } }, services } = context;
  await withdrawApiKey(services.sql, api_key_id, operatorOf(context));
  services.announceRevoked(api_key_id);
  return { status: 204 };
};
