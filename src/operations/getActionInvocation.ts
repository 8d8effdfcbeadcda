import { getInvocation } from '../store/actionInvocations.ts';
import type { Operation } from './operation.ts';
import { presentInvocation } from './present.ts';
import { getOperation } from './reads.ts';

/** GET /action_invocations/{invocation_id} */
export const getActionInvocation: Operation<'getActionInvocation'> = getOperation(
  'action invocation',
  ({ scope, services: { sql } }, id) => getInvocation(sql, scope, id),
  presentInvocation);
