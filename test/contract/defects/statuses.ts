/** Answers with another status than they should have: one row each. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Asked, Defect } from './defect.ts';

type Row = [from: number, to: number, topics: Defect['topics'], id?: PublicId];

const ROWS: Row[] = [
  [201, 200, ['sessions'], 'createSession'],
  [201, 202, ['sessions'], 'createSession'],
  [202, 200, ['runs'], 'createRun'],
  [202, 201, ['runs'], 'createRun'],
  [201, 200, ['actions'], 'createActionInvocation'],
  [200, 202, ['wait'], 'createRun'],
  [200, 206, ['paging'], 'listRuns'],
  [200, 201, ['runs'], 'getRun'],
  [200, 202, ['cancellation'], 'cancelRun'],
  [200, 204, ['sessions'], 'updateSession'],
  [204, 200, ['sessions'], 'deleteSession'],
  [409, 204, ['sessions'], 'deleteSession'],
  [200, 500, ['sessions'], 'getSession'],
  [200, 503, ['actions'], 'searchActions'],
  [200, 404, ['runs'], 'getRun'],
  [304, 200, ['document']],
  [200, 304, ['document'], 'getOpenapiDocument'],
  [400, 422, ['errors']],
  [400, 200, ['errors'], 'listSessions'],
  [400, 500, ['errors']],
  [401, 403, ['auth']],
  [401, 404, ['auth']],
  [401, 200, ['auth'], 'listRuns'],
  [403, 401, ['actions']],
  [403, 404, ['actions']],
  [403, 201, ['actions']],
  [404, 400, ['errors']],
  [404, 403, ['errors']],
  [404, 410, ['errors']],
  [404, 200, ['errors'], 'getSession'],
  [405, 404, ['errors']],
  [405, 501, ['errors']],
  [406, 200, ['errors']],
  [406, 400, ['errors']],
  [409, 400, ['idempotency']],
  [409, 422, ['idempotency']],
  [409, 423, ['sessions', 'runs']],
  [413, 400, ['errors']],
  [413, 500, ['errors']],
  [415, 400, ['errors']],
];

export const STATUS_DEFECTS: Defect[] = ROWS.map(([from, to, topics, id]) => ({
  name: `status.${id ?? 'any'}_${from}_as_${to}`,
  does: `answers ${to} where ${from} belongs, ${id ?? 'everywhere'}`,
  topics,
  answer(answered, asked: Asked) {
    if (answered.status !== from || (id !== undefined && asked.id !== id)) return;
    answered.status = to;
    if (to === 204 || to === 304) answered.body = undefined;
  },
}));
