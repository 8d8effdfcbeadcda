import { scopeOf } from '../caller.ts';
import { listRuns as readRuns } from '../store/runs.ts';
import { endOfMillisecond, instant } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentRunSummary } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /runs */
export const listRuns: Operation<'listRuns'> = listOperation('runs',
  async ({ caller, params: { query }, services: { sql } }, page) => {
    const { created_after: after, created_before: before } = query;
    return await readRuns(sql, scopeOf(caller), {
      ...query,
      created_after: after === undefined
        ? undefined : endOfMillisecond(after, 'created_after'),
      created_before: before === undefined ? undefined : instant(before, 'created_before'),
    }, page);
  }, presentRunSummary);
