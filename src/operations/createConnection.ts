import { sanitizeJson } from '../sanitize.ts';
import { adminOf } from './audited.ts';
import type { Operation } from './operation.ts';
import { presentConnection } from './presentGateway.ts';

/** POST /admin/connections */
export const createConnection: Operation<'createConnection'> = async (context) => {
  const { body, services: { connections } } = context;
  const row = await connections.create(sanitizeJson(body), adminOf(context));
  return {
    status: 201, body: presentConnection(row),
    headers: { Location: `/v1/admin/connections/${row.id}` },
  };
};
