import { changeWorkspace } from '../accounts/accounts.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentWorkspace } from './present.ts';

/** PATCH /admin/workspaces/{workspace_id} */
export const updateWorkspace: Operation<'updateWorkspace'> = async (context) => {
  const { params: { path: { workspace_id } }, body, services } = context;
  const row = await changeWorkspace(
    services.sql, workspace_id, sanitizeJson(body), operatorOf(context),
    (model, allowed) => services.models.check(model, allowed));
  if (body.status === 'archived') services.announceRevoked(workspace_id);
  return { status: 200, body: presentWorkspace(row, services.config) };
};
