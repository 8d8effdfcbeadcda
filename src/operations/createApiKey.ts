import { createApiKey as makeApiKey } from '../accounts/accounts.ts';
import { AuditLog } from '../gateway/audit.ts';
import { sanitizeJson } from '../sanitize.ts';
import { byAdmin } from './audited.ts';
import { instant } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentApiKey } from './present.ts';

/** POST /admin/api_keys */
export const createApiKey: Operation<'createApiKey'> = async (context) => {
  const { expires_at, ...request } = sanitizeJson(context.body);
  const asked = {
    ...request,
    ...(typeof expires_at === 'string' && { expires_at: instant(expires_at, '/expires_at') }),
  };
  const made = await context.services.sql.begin(async (tx) => {
    const key = await makeApiKey(tx, asked);
    const { name, hint } = key;
    await AuditLog.within(tx, byAdmin(context, 'api_key.created', key,
      { name, hint, expires_at: key.expires_at }));
    return key;
  });
  return { status: 201, body: { ...presentApiKey(made), api_key: made.api_key } };
};
