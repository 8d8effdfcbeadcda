/** What an agent sees of the service itself: its own session, and more only by a grant. */
import t from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { agent, agentCall, grantTo, invoke, line } from '../gateway/service/support.ts';
import { prompt, type Client } from '../support/client.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

const CANARY = 'canary-of-the-neighbour';
const server = await testServer(t);

/** A workspace as an operator makes one, without any grant, and a session in it that is secret. */
async function workspace() {
  const { id: workspace_id } = await server.client.expect(201, 'createWorkspace',
    { body: { name: 'apart' } });
  const { api_key } = await server.client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'backend' } });
  const client = server.client.as(api_key);
  const session_id = await newSession(client, CANARY);
  const { id: run_id } = await completeRun(client, session_id,
    `call gateway.actions.search {"query": "${CANARY}"}`, OFFLINE);
  const { data: [own] } = await client.expect(200, 'listActionInvocations', { query: { run_id } });
  const { invocation_id: direct_id } = await client.expect(201, 'createActionInvocation',
    { body: { action: 'gateway.actions.search', input: { query: CANARY } } });
  return { client, workspace_id, session_id, run_id, direct_id,
    invocation_id: own!.invocation_id };
}

interface Door {
  action: string;
  /** The input that asks for what is the neighbour's, and the same for an unknown id. */
  input(ids: { session_id: string; run_id: string; invocation_id: string }): object;
  /** What the agent gets without a grant. */
  closed: 'not_permitted' | 'unknown_action' | 'not_found' | 'empty' | 'nothing of sessions';
}

const none = () => ({});
/** Every public operation: a new one has to say what an agent gets of it. */
const DOORS: Record<string, Door | null> = {
  createSession: { action: 'sessions.create', closed: 'not_permitted',
    input: () => ({ body: { title: 'x' } }) },
  listSessions: { action: 'sessions.list', closed: 'empty', input: none },
  getSession: { action: 'sessions.get', closed: 'not_found',
    input: ({ session_id }) => ({ path: { session_id } }) },
  listSessionMessages: { action: 'sessions.list_messages', closed: 'not_found',
    input: ({ session_id }) => ({ path: { session_id } }) },
  updateSession: { action: 'sessions.update', closed: 'not_permitted',
    input: ({ session_id }) => ({ path: { session_id }, body: { title: CANARY } }) },
  // There is no such action, whatever is granted.
  deleteSession: { action: 'sessions.delete', closed: 'unknown_action',
    input: ({ session_id }) => ({ path: { session_id } }) },
  createRun: { action: 'runs.create', closed: 'not_permitted',
    input: ({ session_id }) => ({ path: { session_id }, body: prompt('x') }) },
  listRuns: { action: 'runs.list', closed: 'empty',
    input: ({ session_id }) => ({ query: { session_id } }) },
  getRun: { action: 'runs.get', closed: 'not_found',
    input: ({ run_id }) => ({ path: { run_id } }) },
  cancelRun: { action: 'runs.cancel', closed: 'not_permitted',
    input: ({ run_id }) => ({ path: { run_id } }) },
  streamRunEvents: { action: 'runs.stream_events', closed: 'not_found',
    input: ({ run_id }) => ({ path: { run_id } }) },
  listActions: { action: 'actions.list', closed: 'nothing of sessions', input: none },
  getAction: { action: 'actions.get', closed: 'nothing of sessions',
    input: () => ({ path: { action: 'gatehouse.runs.list' } }) },
  searchActions: { action: 'actions.search', closed: 'nothing of sessions',
    input: () => ({ body: { query: 'list my sessions' } }) },
  createActionInvocation: { action: 'action_invocations.create', closed: 'not_permitted',
    input: ({ session_id }) =>
      ({ body: { action: 'gatehouse.sessions.get', input: { path: { session_id } } } }) },
  listActionInvocations: { action: 'action_invocations.list', closed: 'empty',
    input: ({ run_id }) => ({ query: { run_id } }) },
  getActionInvocation: { action: 'action_invocations.get', closed: 'not_found',
    input: ({ invocation_id }) => ({ path: { invocation_id } }) },
  getOpenapiDocument: { action: 'description.get_openapi_document', input: none,
    closed: 'nothing of sessions' },
};

const UNKNOWN = { session_id: 'ses_none', run_id: 'run_none', invocation_id: 'inv_none' };

/** What an error says, but for the id that was asked for. */
const saying = (text: string | undefined) => text?.replace(/"(ses|run|inv)_\w+"/, '"…"');

t.test('without a grant an agent sees its own session alone', async (t) => {
  const public_ids = (Object.keys(operations) as OperationId[])
    .filter((id) => !operations[id].internal);
  t.strictSame(Object.keys(DOORS).sort(), public_ids.sort(), 'every public operation is tried');
  const apart = await workspace();
  for (const [id, door] of Object.entries(DOORS)) {
    const { action, input, closed } = door!;
    const { result, error } = await agentCall(
      apart.client, `gatehouse.${action}`, input(apart));
    t.notMatch(JSON.stringify(result), CANARY, `${id} shows nothing of the neighbour`);
    if (closed === 'not_permitted' || closed === 'unknown_action') t.equal(error?.code, closed, id);
    if (closed === 'empty') {
      t.notMatch(JSON.stringify(result), apart.session_id, `${id} is of the own session`);
      t.notMatch(JSON.stringify(result), apart.run_id);
    }
    if (closed !== 'not_found') continue;
    const unknown = await agentCall(apart.client, `gatehouse.${action}`, input(UNKNOWN));
    t.match(error, { code: 'upstream_error', message: /^No .+ has the id/ }, id);
    t.equal(saying(error!.message), saying(unknown.error!.message), `${id}: as an unknown one`);
  }
  const direct = await agentCall(apart.client, 'gatehouse.action_invocations.get',
    { path: { invocation_id: apart.direct_id } });
  t.match(direct.error, { message: /^No action invocation/ }, 'nor direct calls of applications');
  const all = await agentCall(apart.client, 'gatehouse.action_invocations.list');
  t.strictSame((all.result as { result: { data: unknown[] } }).result.data, []);
});

t.test('its own session, runs, events and calls are open to it', async (t) => {
  const { client } = await workspace();
  const session_id = await newSession(client, 'mine');
  const { id: run_id } = await completeRun(client, session_id, 'call gateway.connections.list');
  const { tool_calls } = await completeRun(client, session_id, [
    line('gatehouse.sessions.get', { path: { session_id } }), line('gatehouse.sessions.list'),
    line('gatehouse.runs.get', { path: { run_id } }), line('gatehouse.runs.list'),
    line('gatehouse.runs.stream_events', { path: { run_id } }),
    line('gatehouse.action_invocations.list', { query: { run_id } }),
    line('gatehouse.action_invocations.get',
      { path: { invocation_id: '$last.data.0.invocation_id' } }),
  ].join('\n'), OFFLINE);
  t.strictSame(tool_calls.map(({ status }) => status), Array(7).fill('completed'));
  const { messages } = await client.expect(200, 'getSession', { path: { session_id } });
  t.match(JSON.stringify(messages), 'gateway.connections.list');
});

t.test('a grant opens the action that it names, and no other', async (t) => {
  const apart = await workspace();
  const given = { ...server, workspace_id: apart.workspace_id } as TestServer;
  const see = (action: string, input: object) => agentCall(apart.client, action, input);
  const { session_id, run_id } = apart;
  await grantTo(given, 'allow', 'gatehouse.sessions.*');
  t.match(JSON.stringify((await see('gatehouse.sessions.list', {})).result), CANARY);
  t.match(JSON.stringify((await see('gatehouse.sessions.get', { path: { session_id } })).result),
    CANARY);
  t.ok((await see('gatehouse.runs.get', { path: { run_id } })).error, 'runs are not sessions');
  t.match(await see('gatehouse.sessions.delete', { path: { session_id } }),
    { error: { code: 'unknown_action' } }, 'no agent deletes a session');

  // What the service performs for an agent is the agent's: no way round the grants.
  await grantTo(given, 'allow', 'gatehouse.action_invocations.create');
  const nested = (action: string, input: object) =>
    see('gatehouse.action_invocations.create', { body: { action, input } });
  t.match(await nested('gatehouse.runs.get', { path: { run_id } }),
    { error: { message: 'No run has the id' } });
  const { result } = await nested('gatehouse.runs.list', {});
  t.notMatch(JSON.stringify(result), run_id, 'nor by a list');
  const calls = await nested('gatehouse.action_invocations.list', {});
  t.notMatch(JSON.stringify(calls.result), run_id);
  const session = await nested('gatehouse.sessions.get', { path: { session_id } });
  t.match(JSON.stringify(session.result), CANARY, 'what is granted is granted there as well');

  await grantTo(given, 'require_approval', 'gatehouse.runs.get');
  t.match(await see('gatehouse.runs.get', { path: { run_id } }),
    { error: { code: 'approval_required' } });
  const { data: [approval] } = await server.client.expect(200, 'listApprovals',
    { query: { workspace_id: apart.workspace_id } });
  await server.client.expect(200, 'decideApproval',
    { path: { approval_id: approval!.id }, body: { decision: 'approve' } });
  t.match(JSON.stringify((await see('gatehouse.runs.get', { path: { run_id } })).result), CANARY);
});

t.test('applications see their workspace', async (t) => {
  const { client, session_id, run_id } = await workspace();
  t.match(await invoke(client, 'gatehouse.sessions.get', { path: { session_id } }),
    { status: 201, body: { result: { title: CANARY } } });
  t.match(await invoke(client, 'gatehouse.runs.list'),
    { status: 201, body: { result: { data: [{ id: run_id }] } } });
});

t.test('the first workspace has its grants where everybody sees them', async (t) => {
  const { workspace_id, client } = server;
  const { data } = await client.expect(200, 'listGrants', { query: { workspace_id } });
  t.strictSame(data.map(({ actions, decision }) => [actions, decision]).sort(),
    [['gatehouse.*.get', 'allow'], ['gatehouse.*.list', 'allow']]);
  const session_id = await newSession(client, CANARY);
  t.match(await sessionsSeenBy(client), CANARY);
  for (const { id: grant_id } of data) await client.call('deleteGrant', { path: { grant_id } });
  t.notMatch(await sessionsSeenBy(client), session_id, 'and the operator can take them back');
});

async function sessionsSeenBy(client: Client): Promise<string> {
  const { ends } = await agent(client, 'Which sessions do I have?');
  return JSON.stringify(ends.at(-1)!.data);
}
