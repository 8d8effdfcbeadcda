import { createWorkspace as makeWorkspace } from '../accounts/accounts.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';

/** POST /admin/workspaces */
export const createWorkspace: Operation<'createWorkspace'> = async ({ body, services }) => {
  const row = await makeWorkspace(
    services.sql, sanitizeJson(body), services.builtin_integrations);
  const headers = { Location: `/v1/admin/workspaces/${row.id}` };
  return { status: 201, body: presentWorkspace(row), headers };
};
