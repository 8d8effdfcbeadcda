import { listInvocations } from '../store/actionInvocations.ts';
import type { Operation } from './operation.ts';
import { presentInvocationSummary } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /action_invocations */
export const listActionInvocations: Operation<'listActionInvocations'> = listOperation(
  'action_invocations',
  ({ scope, params: { query }, services: { sql } }, page) =>
    listInvocations(sql, scope, query, page),
  presentInvocationSummary);
