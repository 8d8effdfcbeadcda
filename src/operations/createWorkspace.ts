import { createWorkspace as makeWorkspace } from '../accounts/accounts.ts';
import { AuditLog } from '../gateway/audit.ts';
import { sanitizeJson } from '../sanitize.ts';
import { byAdmin } from './audited.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';

/** POST /admin/workspaces */
export const createWorkspace: Operation<'createWorkspace'> = async (context) => {
  const { body, services: { sql, builtin_integrations } } = context;
  const row = await sql.begin(async (tx) => {
    const made = await makeWorkspace(tx, sanitizeJson(body), builtin_integrations);
    const { id, name } = made;
    await AuditLog.within(tx,
      byAdmin(context, 'workspace.created', { id, workspace_id: id }, { name }));
    return made;
  });
  const headers = { Location: `/v1/admin/workspaces/${row.id}` };
  return { status: 201, body: presentWorkspace(row), headers };
};
