import { listInvocations } from '../store/actionInvocations.ts';
import type { Operation } from './operation.ts';
import { presentInvocationSummary } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /action_invocations */
export const listActionInvocations: Operation<'listActionInvocations'> = listOperation(
  'action_invocations',
  ({ caller: { workspace_id }, params: { query }, services: { sql } }, page) =>
    listInvocations(sql, workspace_id, query, page),
  presentInvocationSummary);
