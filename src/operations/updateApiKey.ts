import { changeApiKey } from '../accounts/accounts.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentApiKey } from './present.ts';

/** PATCH /admin/api_keys/{api_key_id} */
export const updateApiKey: Operation<'updateApiKey'> = async (context) => {
  const { params: { path: { api_key_id } }, body, services } = context;
  const row = await changeApiKey(services.sql, api_key_id, sanitizeJson(body), operatorOf(context));
  return { status: 200, body: presentApiKey(row) };
};
