import type { components } from '../../generated/types.ts';
import { createWorkspace as makeWorkspace } from '../accounts/accounts.ts';
import { AuditLog } from '../audit/audit.ts';
import { sanitizeJson } from '../sanitize.ts';
import { byAdmin } from './audited.ts';
import { onceForOperator, requestHash } from './idempotency.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';

type Workspace = components['schemas']['Workspace'];

/** POST /admin/workspaces */
export const createWorkspace: Operation<'createWorkspace'> = async (context) => {
  const { params, body, services: { sql, models, builtin_integrations } } = context;
  const outcome = await onceForOperator(sql, params.headers['idempotency-key'],
    requestHash('createWorkspace', body), async (tx) => {
      // Only for a new one: what is allowed may have changed since the one that is repeated.
      if (typeof body.model === 'string') models.check(body.model, body.allowed_models);
      const made = await makeWorkspace(tx, sanitizeJson(body), builtin_integrations);
      const { id, name } = made;
      await AuditLog.within(tx,
        byAdmin(context, 'workspace.created', { id, workspace_id: id }, { name }));
      return { resource_id: id, status: 201, body: presentWorkspace(made) };
    });
  const workspace = 'made' in outcome ? outcome.made.body : outcome.stored.body as Workspace;
  const headers = { Location: `/v1/admin/workspaces/${workspace.id}` };
  return { status: 201, body: workspace, headers };
};
