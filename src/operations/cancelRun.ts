import { scopeOf } from '../caller.ts';
import type { Operation } from './operation.ts';
import { presentRun } from './present.ts';

/** POST /runs/{run_id}/cancel */
export const cancelRun: Operation<'cancelRun'> = async ({
  caller, params: { path: { run_id } }, services: { runs },
}) => {
  await runs.cancel(caller.workspace_id, run_id, 'requested');
  return { status: 200, body: presentRun(await runs.get(scopeOf(caller), run_id)) };
};
