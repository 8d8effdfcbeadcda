import type { Check } from '../check.ts';
import { holds, same, sameFields } from '../expect.ts';
import { GET_SESSION, need } from '../need.ts';

const CREATE_SESSION = 'gatehouse.sessions.create';

export const actionChecks: Check[] = [{
  name: 'actions.listed',
  shows: 'an action says what it does, to what, and what it takes',
  async run(ground) {
    const { wire } = ground;
    await need(wire, GET_SESSION);
    const { data } = await wire.expect(200, 'listActions', { query: { limit: 100 } });
    for (const { name, integration, read_only, effect, connections } of data) {
      same(read_only, effect === 'read', `read_only of ${name}, whose effect is ${effect},`);
      same(name.startsWith(`${integration}.`), true, `whether ${name} begins with ${integration}`);
      holds(connections.length > 0, `${name} has no connection, and is listed`);
    }
    const own = await wire.expect(200, 'listActions',
      { query: { integration: 'gatehouse', include_schemas: true, limit: 100 } });
    same([...new Set(own.data.map(({ integration }) => integration))], ['gatehouse'],
      'the integrations of the actions of gatehouse');
    const get = own.data.find(({ name }) => name === GET_SESSION);
    sameFields(get ?? {}, { object: 'action', read_only: true, effect: 'read' }, GET_SESSION);
    const { properties } = get!.input_schema as { properties?: { path?: object } };
    holds(properties?.path, `the input_schema of ${GET_SESSION} has no path`);
    same(await wire.expect(200, 'getAction', { path: { action: GET_SESSION } }), get,
      `${GET_SESSION} by its name`);
    const create = own.data.find(({ name }) => name === CREATE_SESSION);
    if (create) sameFields(create, { read_only: false, effect: 'write' }, CREATE_SESSION);
    const reading = await wire.expect(200, 'listActions', { query: { read_only: true } });
    same(reading.data.filter(({ read_only }) => !read_only), [], 'writing actions by read_only');
  },
}, {
  name: 'actions.searched',
  shows: 'a search finds the best first, and as many as asked for',
  async run(ground) {
    const { wire } = ground;
    await need(wire, 'gatehouse.sessions.list');
    const search = (body: object) => wire.expect(200, 'searchActions', { body });
    const { data, has_more, next_cursor } =
      await search({ query: 'list my sessions', integration: 'gatehouse' });
    same(data[0]?.name, 'gatehouse.sessions.list', 'the best for "list my sessions"');
    same([has_more, next_cursor], [false, null], 'has_more and next_cursor of a search');
    const scores = data.map(({ score }) => score);
    same(scores, scores.toSorted((one, other) => other - one), 'the scores');
    holds(data.length > 2 && data.length <= 10, `a search finds ${data.length}, of 10 at most`);
    same((await search({ query: 'list my sessions', integration: 'gatehouse', limit: 2 })).data,
      data.slice(0, 2), 'the best two');
    same(new Set(data.map(({ name }) => name)).size, data.length, 'how many different are found');
    const reading = await search({ query: 'create a session', read_only: true });
    same(reading.data.filter(({ read_only }) => !read_only), [], 'writing actions by read_only');
  },
}, {
  name: 'actions.called',
  shows: 'an action that only reads is performed, recorded, and found again',
  async run(ground) {
    const { wire } = ground;
    await need(wire, GET_SESSION);
    const session_id = await ground.session();
    const title = ground.unique();
    await wire.expect(200, 'updateSession', { path: { session_id }, body: { title } });
    const body = { action: GET_SESSION, input: { path: { session_id } } };
    const whole = await wire.expect(201, 'createActionInvocation', { body });
    sameFields(whole, { object: 'action_invocation', action: GET_SESSION, status: 'completed',
      error: null, source: 'api', run_id: null, truncated: false }, 'the invocation');
    sameFields(whole.result as object, { id: session_id, title }, 'its result');
    const made = await wire.expect(201, 'createActionInvocation',
      { body: { ...body, fields: ['title'] } });
    same(made.result, { title }, 'the result, of which the title was asked for');
    holds(made.invocation_id !== whole.invocation_id, 'two calls have one invocation_id');
    for (const one of [whole, made]) {
      same(await wire.expect(200, 'getActionInvocation',
        { path: { invocation_id: one.invocation_id } }), one, 'the invocation, asked for');
    }
    const { result: _, ...summary } = made;
    const { data } = await wire.expect(200, 'listActionInvocations',
      { query: { action: GET_SESSION, source: 'api', limit: 100 } });
    same(data.find(({ invocation_id }) => invocation_id === made.invocation_id), summary,
      'the invocation in the list');
  },
}, {
  name: 'actions.writing_refused',
  shows: 'an action that changes something is refused to a direct call, recorded, and not executed',
  async run(ground) {
    const { wire } = ground;
    await need(wire, CREATE_SESSION);
    const title = ground.unique();
    const { param, details } = await wire.refused(403, 'action_not_read_only',
      'createActionInvocation',
      { body: { action: CREATE_SESSION, input: { body: { title, metadata: ground.marked() } } } },
      'an action that writes');
    same(param, '/action', 'param');
    const { invocation_id } = details as { invocation_id: string };
    const recorded = await wire.expect(200, 'getActionInvocation', { path: { invocation_id } });
    sameFields(recorded, { action: CREATE_SESSION, status: 'failed', result: null }, 'its record');
    same(recorded.error?.code, 'action_not_read_only', 'the error in the record');
    const { data } = await wire.expect(200, 'listSessions', { query: { limit: 100 } });
    same(data.filter((session) => session.title === title), [], 'sessions that it has made');
  },
}, {
  name: 'actions.impossible',
  shows: 'a call that cannot be made says why, and is recorded',
  async run(ground) {
    const { wire } = ground;
    await need(wire, GET_SESSION);
    const unknown = await wire.refused(404, 'unknown_action', 'createActionInvocation',
      { body: { action: 'gatehouse.session.get' } }, 'a name that is nearly right');
    const { suggestions, invocation_id } =
      unknown.details as { suggestions: string[]; invocation_id: string };
    holds(suggestions.includes(GET_SESSION), `it suggests ${suggestions}, not ${GET_SESSION}`);
    same((await wire.expect(200, 'getActionInvocation', { path: { invocation_id } })).status,
      'failed', 'the status of its record');
    const { details } = await wire.refused(400, 'invalid_input', 'createActionInvocation',
      { body: { action: GET_SESSION, input: { path: {} } } }, 'input that lacks something');
    const { missing } = details as { missing: { violations: unknown[] }[] };
    holds(missing[0]!.violations.length > 0, 'no violation of the input is listed');
  },
}];
