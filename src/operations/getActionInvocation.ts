import { notFound } from '../errors.ts';
import { getInvocation } from '../store/actionInvocations.ts';
import type { Operation } from './operation.ts';
import { presentInvocation } from './present.ts';

/** GET /action_invocations/{invocation_id} */
export const getActionInvocation: Operation<'getActionInvocation'> = async ({
  caller: { workspace_id }, params: { path: { invocation_id } }, services: { sql },
}) => {
  const row = await getInvocation(sql, workspace_id, invocation_id);
  if (!row) throw notFound('action invocation', invocation_id);
  return { status: 200, body: presentInvocation(row) };
};
