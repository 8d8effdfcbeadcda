import type { Operation } from './operation.ts';
import { listOf, readCursor } from './pages.ts';

/** GET /actions */
export const listActions: Operation<'listActions'> = async ({
  caller, params: { query }, services: { gateway },
}) => {
  const { limit, cursor, integration, read_only } = query;
  const { workspace_id } = caller;
  const after = cursor === undefined ? '' : readCursor('actions', workspace_id, cursor);
  const actions = await gateway.listActions(caller, { integration, read_only });
  const rest = actions.filter((action) => action.name > after);
  const body = listOf(
    'actions', workspace_id, limit, rest, (action) => action.name, (action) => action);
  return { status: 200, body };
};
