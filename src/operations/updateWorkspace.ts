import { notFound } from '../errors.ts';
import { resolveModel } from '../models/model.ts';
import { sanitizeJson } from '../sanitize.ts';
import { updateWorkspace as changeWorkspace } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';

/** PATCH /admin/workspaces/{workspace_id} */
export const updateWorkspace: Operation<'updateWorkspace'> = async ({
  params: { path: { workspace_id } }, body, services: { sql },
}) => {
  if (typeof body.model === 'string') resolveModel(body.model);
  const row = await changeWorkspace(sql, workspace_id, sanitizeJson(body));
  if (!row) throw notFound('workspace', workspace_id);
  return { status: 200, body: presentWorkspace(row) };
};
