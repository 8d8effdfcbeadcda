import { operations } from '../../../generated/operations.ts';
import { PUBLIC_IDS, prompt, type PublicId } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same } from '../expect.ts';
import type { Ground } from '../ground.ts';
import { GET_SESSION, LIST_CONNECTIONS, need } from '../need.ts';
import type { Wire } from '../wire.ts';

type ListId = 'listSessions' | 'listRuns' | 'listActionInvocations';

const WITH_ID = PUBLIC_IDS.filter((id) => operations[id].path.includes('{'));

/** What another workspace has: a session, a run with a call if that can be had, and a call. */
async function foreign(ground: Ground) {
  const { other } = ground;
  await need(other, LIST_CONNECTIONS);
  const session_id = await ground.session(other);
  const run = await ground.finish(session_id, ground.otherCallingRun(), { wire: other });
  const { invocation_id } = await other.expect(201, 'createActionInvocation',
    { body: { action: LIST_CONNECTIONS } });
  return { session_id, run_id: run.id, invocation_id };
}

const BODIES: Partial<Record<PublicId, object>> = {
  updateSession: { title: 'not mine', status: 'archived' }, createRun: prompt('x'),
};

export const isolationChecks: Check[] = [{
  name: 'isolation.by_id',
  shows: 'what another workspace has is not found, in the words for what never was',
  needs: 'other',
  async run(ground) {
    const path = await foreign(ground);
    const { wire } = ground;
    for (const id of WITH_ID) {
      const answer = async (names: Record<string, string>) => {
        const { headers, request_id: _, ...body } = await wire.refused(404, 'not_found', id,
          { path: names, body: BODIES[id] }, 'the id of another workspace');
        const ids = new RegExp(Object.values(names).join('|'), 'g');
        return { names: [...headers.keys()].sort(),
          body: JSON.parse(JSON.stringify(body).replaceAll(ids, '<id>')) };
      };
      const never = Object.fromEntries(Object.entries(path).map(([name, value]) =>
        [name, `${value.slice(0, -6)}zzzzzz`]));
      same(await answer(path), await answer(never), `${id}: 404 of an id of another workspace`);
    }
    await wire.follow('streamRunEvents', { path: { run_id: path.run_id } }).then((stream) => {
      stream.close();
      holds(false, 'the events of a run of another workspace are streamed');
    }, () => undefined);
  },
}, {
  name: 'isolation.untouched',
  shows: 'what another workspace asks changes nothing',
  needs: 'other',
  async run(ground) {
    const { wire, other } = ground;
    const session_id = await ground.session(other);
    const before = await other.expect(200, 'getSession', { path: { session_id } });
    await wire.refused(404, 'not_found', 'updateSession',
      { path: { session_id }, body: BODIES.updateSession }, 'a session of another workspace');
    await wire.refused(404, 'not_found', 'createRun',
      { path: { session_id }, body: ground.shortRun() }, 'a session of another workspace');
    await wire.refused(404, 'not_found', 'deleteSession',
      { path: { session_id } }, 'a session of another workspace');
    same(await other.expect(200, 'getSession', { path: { session_id } }), before, 'the session');
    const { data } = await other.expect(200, 'listRuns', { query: { session_id } });
    same(data, [], 'its runs');
    const run = await other.expect(202, 'createRun', { path: { session_id },
      body: prompt('@rehearsal words=9 delay_ms=60000', ground.otherOffline) });
    const path = { run_id: run.id };
    await wire.refused(404, 'not_found', 'cancelRun', { path }, 'a run of another workspace');
    const { status } = await other.expect(200, 'getRun', { path });
    holds(status === 'queued' || status === 'running', `the run is ${status}`);
    await other.expect(200, 'cancelRun', { path });
  },
}, {
  name: 'isolation.lists',
  shows: 'no list shows what another workspace has',
  needs: 'other',
  async run(ground) {
    const { wire, other } = ground;
    const { session_id, run_id, invocation_id } = await foreign(ground);
    await ground.finish(await ground.session(), ground.shortRun());
    const idsOf = async (reader: Wire, id: ListId) => {
      const { data } = await reader.expect(200, id, { query: { limit: 100 } });
      return (data as { id?: string; invocation_id?: string }[])
        .map((item) => (item.id ?? item.invocation_id)!);
    };
    for (const [id, made] of [['listSessions', session_id], ['listRuns', run_id],
      ['listActionInvocations', invocation_id]] as const) {
      const mine = await idsOf(wire, id);
      const theirs = [...await idsOf(other, id), made];
      same(mine.filter((one) => theirs.includes(one)), [], `what both see in ${id}`);
    }
    for (const [id, query] of [['listRuns', { session_id }],
      ['listActionInvocations', { run_id }]] as const) {
      const { data } = await wire.expect(200, id, { query });
      same(data, [], `${id} by an id of another workspace`);
    }
  },
}, {
  name: 'isolation.cursors',
  shows: "a cursor of another workspace's list is refused",
  needs: 'other',
  async run(ground) {
    const { wire, other } = ground;
    await ground.session(other);
    await ground.session(other);
    const { next_cursor } = await other.expect(200, 'listSessions', { query: { limit: 1 } });
    holds(next_cursor !== null, 'a list of two sessions has no second page');
    await wire.refused(400, 'invalid_cursor', 'listSessions', { query: { cursor: next_cursor } },
      'a cursor of another workspace');
  },
}, {
  name: 'isolation.idempotency_keys',
  shows: 'the same Idempotency-Key names another request in another workspace',
  needs: 'other',
  async run(ground) {
    const { wire, other } = ground;
    const headers = { 'idempotency-key': ground.unique() };
    const body = { title: 'mine', metadata: ground.marked() };
    const mine = await wire.expect(201, 'createSession', { headers, body });
    const theirs = await other.expect(201, 'createSession',
      { headers, body: { ...body, title: 'theirs' } });
    holds(mine.id !== theirs.id, 'two workspaces have the same session');
    same((await wire.expect(201, 'createSession', { headers, body })).id, mine.id,
      'the session, repeated');
  },
}, {
  name: 'isolation.actions',
  shows: 'an action does not reach what another workspace has',
  needs: 'other',
  async run(ground) {
    await need(ground.wire, GET_SESSION);
    const session_id = await ground.session(ground.other);
    const { status } = await ground.wire.call('createActionInvocation', { body: {
      action: GET_SESSION, input: { path: { session_id } } } });
    holds(status !== 201, 'gatehouse.sessions.get gives a session of another workspace');
  },
}];
