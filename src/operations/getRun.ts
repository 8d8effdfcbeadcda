import type { Operation } from './operation.ts';
import { presentRun } from './present.ts';

/** GET /runs/{run_id} */
export const getRun: Operation<'getRun'> = async ({
  scope, params: { path: { run_id } }, services: { runs },
}) => ({ status: 200, body: presentRun(await runs.get(scope, run_id)) });
