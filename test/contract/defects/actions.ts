/** Actions that are found, called, refused or recorded otherwise than they should. */
import type { PublicId } from '../../../src/contract/calls.ts';
import type { Answered, Asked, Defect, World } from './defect.ts';

const TOPICS: Defect['topics'] = ['actions'];

function says(
  name: string, does: string, id: PublicId,
  change: (body: any, answered: Answered, asked: Asked, world: World) => void | Promise<void>,
): Defect {
  return { name: `actions.${name}`, does, topics: TOPICS, async answer(answered, asked, world) {
    if (asked.id === id && answered.body) await change(answered.body, answered, asked, world);
  } };
}

export const ACTION_DEFECTS: Defect[] = [
  says('read_only_wrong', 'says of reading actions that they write', 'listActions',
    (body) => { for (const action of body.data ?? []) action.read_only = false; }),
  says('effect_wrong', 'says of every action that it reads', 'listActions', (body) => {
    for (const action of body.data ?? []) {
      Object.assign(action, { effect: 'read', read_only: true });
    }
  }),
  says('no_connections', 'lists actions without their connections', 'listActions',
    (body) => { for (const action of body.data ?? []) action.connections = []; }),
  says('empty_schemas', 'lists actions without what they take', 'listActions',
    (body) => { for (const action of body.data ?? []) action.input_schema = {}; }),
  says('action_not_listed', 'leaves gatehouse.sessions.get out', 'listActions', (body) => {
    body.data = (body.data ?? []).filter(({ name }: any) => name !== 'gatehouse.sessions.get');
  }),
  says('worst_first', 'finds the worst first', 'searchActions', (body) => body.data?.reverse()),
  says('finds_twice', 'finds the best twice', 'searchActions',
    (body) => { if (body.data?.[0]) body.data.splice(1, 0, body.data[0]); }),
  says('finds_nothing', 'finds nothing', 'searchActions',
    (body) => { if (body.data) body.data = []; }),
  says('score_above_1', 'scores above 1', 'searchActions',
    (body) => { for (const action of body.data ?? []) action.score *= 100; }),
  says('search_has_more', 'says of a search that there are more', 'searchActions',
    (body) => { if (body.data) body.has_more = true; }),
  { name: 'actions.search_limit_ignored', does: 'finds more than asked for', topics: TOPICS,
    request({ id, json }) { if (id === 'searchActions') delete json?.limit; } },
  { name: 'actions.search_read_only_ignored', does: 'finds writing actions by read_only',
    topics: TOPICS, request({ id, json }) {
      if (id === 'searchActions') delete json?.read_only;
    } },
  { name: 'actions.fields_ignored', does: 'answers with all fields', topics: TOPICS,
    request({ id, json }) { if (id === 'createActionInvocation') delete json?.fields; } },
  says('result_lost', 'forgets results', 'getActionInvocation',
    (body) => { if (body.status === 'completed') body.result = null; }),
  says('result_of_another', 'answers with the result of another call', 'createActionInvocation',
    (body) => { if (body.result?.title) body.result.title = 'of another'; }),
  says('source_wrong', 'says that a run has made a direct call', 'createActionInvocation',
    (body) => { if (body.source) body.source = 'run'; }),
  says('duration_differs', 'records another duration', 'getActionInvocation',
    (body) => { if (body.duration_ms !== undefined) body.duration_ms += 1; }),
  says('not_recorded', 'records no refused call', 'getActionInvocation',
    (body, answered, { headers }) => {
      if (body.status !== 'failed') return;
      Object.assign(answered, { status: 404, body: { error: 'There is none.', code: 'not_found',
        param: null, request_id: headers['x-request-id'] } });
    }),
  says('refused_as_completed', 'records a refused call as completed', 'getActionInvocation',
    (body) => { if (body.status === 'failed') body.status = 'completed'; }),
  says('not_listed', 'lists no direct calls', 'listActionInvocations',
    (body, _answered, { query }) => { if (query.get('source') === 'api') body.data = []; }),
  says('writes_in_secret', 'refuses an action that writes, and executes it',
    'createActionInvocation', async (body, _answered, asked, world) => {
      if (body.code !== 'action_not_read_only') return;
      await world.ask({ ...asked, path: '/sessions', json: asked.json.input.body });
    }),
  says('writes', 'executes an action that writes', 'createActionInvocation',
    (body, answered, { headers }) => {
      if (body.code !== 'action_not_read_only') return;
      Object.assign(answered, { status: 400, body: { ...body, code: 'invalid_input',
        request_id: headers['x-request-id'] } });
    }),
  says('refused_as_not_permitted', 'calls a refused action not permitted',
    'createActionInvocation',
    (body) => { if (body.code === 'action_not_read_only') body.code = 'not_permitted'; }),
  says('no_suggestions', 'suggests nothing', 'createActionInvocation',
    (body) => { if (body.details?.suggestions) body.details.suggestions = []; }),
  says('no_violations', 'lists no violation of the input', 'createActionInvocation',
    (body) => { for (const gap of body.details?.missing ?? []) delete gap.violations; }),
  says('no_record_named', 'does not name the record of a refused call', 'createActionInvocation',
    (body) => { if (body.details) delete body.details.invocation_id; }),
];
