import { AuditLog } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { updateWorkspace as changeWorkspace } from '../store/workspaces.ts';
import { byAdmin } from './audited.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';

/** PATCH /admin/workspaces/{workspace_id} */
export const updateWorkspace: Operation<'updateWorkspace'> = async (context) => {
  const { params: { path: { workspace_id } }, body, services: { sql, models } } = context;
  const row = await sql.begin(async (tx) => {
    const changed = await changeWorkspace(tx, workspace_id, sanitizeJson(body));
    if (!changed) throw notFound('workspace', workspace_id);
    // Its model and what it allows have to agree, whichever of the two was changed.
    if (changed.model !== null && (body.model !== undefined || body.allowed_models !== undefined)) {
      models.check(changed.model, changed.allowed_models);
    }
    await AuditLog.within(tx, byAdmin(context, 'workspace.changed',
      { id: workspace_id, workspace_id }, { fields: Object.keys(body) }));
    return changed;
  });
  return { status: 200, body: presentWorkspace(row) };
};
