import { setTimeout as delay } from 'node:timers/promises';
import type { PublicId } from '../calls.ts';
import type { Check } from '../check.ts';
import { holds, same, sameFields } from '../expect.ts';
import { LIST_CONNECTIONS, need } from '../need.ts';
import type { CallOptions } from '../wire.ts';

export const sessionChecks: Check[] = [{
  name: 'sessions.kept',
  shows: 'a session is found as it was made, also without a title and with every letter',
  async run(ground) {
    const { wire } = ground;
    const title = `Bericht “7” — ñ 漢 🙂 \u2028 ${ground.unique()}`;
    const metadata = ground.marked({ team: 'growth', 'a key': '' });
    const made = await wire.expect(201, 'createSession', { body: { title, metadata } });
    sameFields(made, { object: 'session', status: 'active', title, metadata, active_run_id: null,
      updated_at: made.created_at }, 'the new session');
    const { messages, messages_next_cursor, ...found } =
      await wire.expect(200, 'getSession', { path: { session_id: made.id } });
    same(found, made, 'the session, asked for');
    same([messages, messages_next_cursor], [[], null], 'its messages');
    const untitled = await wire.expect(201, 'createSession',
      { body: { metadata: ground.marked() } });
    same(untitled.title, null, 'the title of a session without one');
    holds(untitled.id !== made.id, 'two sessions have the same id');
    holds(untitled.created_at >= made.created_at, 'the later session was created earlier');
  },
}, {
  name: 'sessions.changed',
  shows: 'what is given changes, and the rest stays',
  async run(ground) {
    const { wire } = ground;
    const { id } = await wire.expect(201, 'createSession',
      { body: { metadata: ground.marked({ before: 'yes' }) } });
    const path = { session_id: id };
    const { messages: _, messages_next_cursor: __, ...before } =
      await wire.expect(200, 'getSession', { path });
    const title = ground.unique();
    // Times are in milliseconds.
    await delay(5);
    const renamed = await wire.expect(200, 'updateSession', { path, body: { title } });
    same(renamed, { ...before, title, updated_at: renamed.updated_at }, 'the renamed session');
    holds(renamed.updated_at > before.updated_at, 'updated_at has not gone on');
    const metadata = ground.marked({ changed: 'yes' });
    const body = { title: null, metadata };
    const annotated = await wire.expect(200, 'updateSession', { path, body });
    sameFields(annotated, { ...body, id: before.id, status: 'active' }, 'the annotated session');
    sameFields(await wire.expect(200, 'getSession', { path }), annotated, 'the session after it');
    await wire.refused(400, 'invalid_request', 'updateSession', { path, body: {} }, 'nothing');
  },
}, {
  name: 'sessions.archived',
  shows: 'an archived session takes no runs until it is active again',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const statusIs = async (status: 'active' | 'archived') => {
      sameFields(await wire.expect(200, 'updateSession', { path, body: { status } }), { status },
        'the answer of updateSession');
      sameFields(await wire.expect(200, 'getSession', { path }), { status }, 'the session then');
    };
    await statusIs('archived');
    await wire.refused(409, 'session_archived', 'createRun', { path, body: ground.shortRun() },
      'an archived session');
    same((await wire.expect(200, 'listRuns', { query: path })).data, [], 'its runs');
    await statusIs('active');
    const run = await ground.finish(path.session_id, ground.shortRun());
    same(run.status, 'completed', 'the run of the session that is active again');
  },
}, {
  name: 'sessions.active_run',
  shows: 'a session names the run that is being executed',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const active = async () => (await wire.expect(200, 'getSession', { path })).active_run_id;
    const run = await ground.endless(path.session_id);
    same(await active(), run.id, 'active_run_id while a run is executed');
    await ground.cancel(run.id);
    same(await active(), null, 'active_run_id once it has ended');
  },
}, {
  name: 'sessions.transcript',
  shows: 'what was asked, said, called and returned is in the transcript, in order',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    await need(wire, LIST_CONNECTIONS);
    const session_id = await ground.session();
    const text = 'call gateway.connections.list';
    const first = await ground.complete(session_id, text);
    const second = await ground.complete(session_id, '@rehearsal words=2');
    const path = { session_id };
    const { messages } = await wire.expect(200, 'getSession', { path });
    same(messages.map(({ role, run_id }) => [role, run_id]), [
      ...['user', 'assistant', 'tool', 'assistant'].map((role) => [role, first.id]),
      ...['user', 'assistant'].map((role) => [role, second.id]),
    ], 'the roles and runs of the messages');
    same(messages[0]!.content, first.input[0]!.content, 'what was asked');
    same(messages[5]!.content, second.output[0]!.content, 'what was said last');
    const [call] = messages[1]!.content as { tool_call_id?: string; name?: string }[];
    const [result] = messages[2]!.content as { tool_call_id?: string; name?: string }[];
    sameFields(call!, { type: 'tool_call', name: 'gateway.connections.list' }, 'the call');
    sameFields(result!, { type: 'tool_result', name: 'gateway.connections.list',
      tool_call_id: call!.tool_call_id }, 'its result');
    const { data } = await wire.expect(200, 'listSessionMessages', { path });
    same(data.toReversed(), messages, 'the messages as a list, newest first');
  },
}, {
  name: 'sessions.deleted',
  shows: 'a session goes with its runs, and is not found any more',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const kept = await ground.session();
    const { id: run_id } = await ground.finish(path.session_id, ground.shortRun());
    await wire.expect(204, 'deleteSession', { path });
    const gone = (id: PublicId, options: CallOptions, what: string) =>
      wire.refused(404, 'not_found', id, options, `${what} of a session that was deleted`);
    await gone('getSession', { path }, 'the id');
    await gone('listSessionMessages', { path }, 'the messages');
    await gone('createRun', { path, body: ground.shortRun() }, 'a new run');
    await gone('getRun', { path: { run_id } }, 'a run');
    await gone('streamRunEvents', { path: { run_id } }, 'the events');
    await gone('deleteSession', { path }, 'the id, deleted again,');
    same((await wire.expect(200, 'listRuns', { query: path })).data, [], 'its runs');
    await wire.expect(200, 'getSession', { path: { session_id: kept } });
  },
}, {
  name: 'sessions.busy',
  shows: 'a session with an open run is not deleted',
  needs: 'offline',
  async run(ground) {
    const { wire } = ground;
    const path = { session_id: await ground.session() };
    const run = await ground.endless(path.session_id);
    await wire.refused(409, 'session_busy', 'deleteSession', { path }, 'an open run');
    const { status } = await wire.expect(200, 'getRun', { path: { run_id: run.id } });
    same(status, 'running', 'the run of the session that was not deleted');
    await ground.cancel(run.id);
    await wire.expect(204, 'deleteSession', { path });
  },
}];
