import { scopeOf } from '../caller.ts';
import type { Operation } from './operation.ts';
import { presentRun } from './present.ts';

/** GET /runs/{run_id} */
export const getRun: Operation<'getRun'> = async ({
  caller, params: { path: { run_id } }, services: { runs },
}) => ({ status: 200, body: presentRun(await runs.get(scopeOf(caller), run_id)) });
