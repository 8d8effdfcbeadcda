import { createApiKey as makeApiKey } from '../accounts/accounts.ts';
import type { Operation } from './operation.ts';
import { presentApiKey } from './present.ts';

/** POST /admin/api_keys */
export const createApiKey: Operation<'createApiKey'> = async ({ body, services: { sql } }) => {
  const made = await makeApiKey(sql, body);
  return { status: 201, body: { ...presentApiKey(made), api_key: made.api_key } };
};
