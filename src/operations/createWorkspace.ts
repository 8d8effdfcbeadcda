import { addWorkspace } from '../accounts/accounts.ts';
import { sanitizeJson } from '../sanitize.ts';
import { createOnce } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentWorkspace } from './present.ts';

/** POST /admin/workspaces */
export const createWorkspace: Operation<'createWorkspace'> = async (context) => {
  const { body, services: { models, config } } = context;
  return await createOnce(context, ['createWorkspace', body], 'admin/workspaces', async (tx) => {
    // Only for a new workspace: when the request is repeated, other models may be allowed.
    if (typeof body.model === 'string') models.check(body.model, body.allowed_models);
    const workspace = await addWorkspace(tx, sanitizeJson(body), operatorOf(context));
    return presentWorkspace(workspace, config);
  });
};
