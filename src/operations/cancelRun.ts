import type { Operation } from './operation.ts';
import { presentRun } from './present.ts';

/** POST /runs/{run_id}/cancel */
export const cancelRun: Operation<'cancelRun'> = async ({
  caller: { workspace_id }, params: { path: { run_id } }, services: { runs },
}) => {
  await runs.cancel(workspace_id, run_id, 'requested');
  return { status: 200, body: presentRun(await runs.get(workspace_id, run_id)) };
};
