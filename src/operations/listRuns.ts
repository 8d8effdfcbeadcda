import { listRunRows } from '../store/runs.ts';
import { createdBetween } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentRunSummary } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /runs */
export const listRuns: Operation<'listRuns'> = listOperation('runs',
  async ({ scope, params: { query }, services: { sql } }, page) => {
    const filter = { ...query, ...createdBetween(query) };
    return await listRunRows(sql, scope, filter, page);
  }, presentRunSummary);
