import { createApiKey as makeApiKey } from '../accounts/accounts.ts';
import { sanitizeJson } from '../sanitize.ts';
import { instant } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentApiKey } from './present.ts';

/** POST /admin/api_keys */
export const createApiKey: Operation<'createApiKey'> = async ({ body, services: { sql } }) => {
  const { expires_at, ...request } = sanitizeJson(body);
  const made = await makeApiKey(sql, {
    ...request,
    ...(typeof expires_at === 'string' && { expires_at: instant(expires_at, '/expires_at') }),
  });
  return { status: 201, body: { ...presentApiKey(made), api_key: made.api_key } };
};
