import { revokeApiKey as revoke } from '../accounts/accounts.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';

/** DELETE /admin/api_keys/{api_key_id} */
export const revokeApiKey: Operation<'revokeApiKey'> = async (context) => {
  await revoke(context.services.sql, context.params.path.api_key_id, operatorOf(context));
  return { status: 204 };
};
