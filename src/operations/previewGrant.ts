import { notFound } from '../errors.ts';
import { getWorkspaceRow } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { pick } from './present.ts';

const SHOWN = 50;

/** POST /admin/grants/preview */
export const previewGrant: Operation<'previewGrant'> = async ({
  body: { workspace_id, actions: pattern }, services: { sql, gateway: { catalogue } },
}) => {
  if (!await getWorkspaceRow(sql, workspace_id)) throw notFound('workspace', workspace_id);
  const matching = await catalogue.matching(workspace_id, pattern);
  const effects = { read: 0, write: 0, destructive: 0 };
  for (const { effect } of matching) effects[effect] += 1;
  return { status: 200, body: {
    object: 'grant_preview', matches: matching.length, effects,
    actions: matching.slice(0, SHOWN)
      .map((action) => pick(action, 'name', 'integration', 'title', 'effect')),
  } };
};
