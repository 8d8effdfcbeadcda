import type { Operation } from './operation.ts';
import { listOperation } from './reads.ts';

/** GET /actions */
export const listActions: Operation<'listActions'> = listOperation('actions',
  async ({ caller, params: { query }, services: { gateway } }, { after_id, limit }) =>
    (await gateway.catalogue.list(caller, query, after_id ?? '', limit + 1))
      .map((action) => ({ id: action.name, action })),
  ({ action }) => action);
