import type { Operation } from './operation.ts';
import { signedInOf } from './operator.ts';
import { presentRun } from './present.ts';

/** POST /runs/{run_id}/cancel */
export const cancelRun: Operation<'cancelRun'> = async (context) => {
  const { scope, params: { path: { run_id } }, services: { runs } } = context;
  await runs.cancel(scope.workspace_id, run_id, 'requested', signedInOf(context));
  return { status: 200, body: presentRun(await runs.get(scope, run_id)) };
};
