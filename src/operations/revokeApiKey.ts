import { notFound } from '../errors.ts';
import { revokeApiKey as revoke } from '../store/apiKeys.ts';
import type { Operation } from './operation.ts';

/** DELETE /admin/api_keys/{api_key_id} */
export const revokeApiKey: Operation<'revokeApiKey'> = async ({
  params: { path: { api_key_id } }, services: { sql },
}) => {
  if (!await revoke(sql, api_key_id)) throw notFound('api key', api_key_id);
  return { status: 204 };
};
