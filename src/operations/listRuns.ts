import { scopeOf } from '../caller.ts';
import { listRunRows } from '../store/runs.ts';
import { createdBetween } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentRunSummary } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /runs */
export const listRuns: Operation<'listRuns'> = listOperation('runs',
  async ({ caller, params: { query }, services: { sql } }, page) => {
    const filter = { ...query, ...createdBetween(query) };
    return await listRunRows(sql, scopeOf(caller), filter, page);
  }, presentRunSummary);
