/** Calls that change something: what the upstream gets, what is kept, and what the log says. */
import t from 'tap';
import type { Schemas } from '../../support/client.ts';
import { newSession, OFFLINE, queueRun, untilEvent } from '../../support/runs.ts';
import { until } from '../../support/until.ts';
import { json, type Handler } from '../egress/support.ts';
import { agent, agentCall, grantTo, invoke, line, notesService, type Notes } from './support.ts';

const CREATE = 'acme.notes.create';

/** The notes, to which an agent may write. */
async function writableNotes(
  t: Parameters<typeof notesService>[0], handler: Handler, config = {}): Promise<Notes> {
  const made = await notesService(t, handler, { config });
  await grantTo(made.server, 'allow', 'acme.*');
  return made;
}

/** The audit log's entries on calls, oldest first, with what is not theirs to decide left out. */
async function callsOnRecord({ server: { client } }: Notes): Promise<Schemas['AuditEntry'][]> {
  const { data } = await client.expect(200, 'listAuditEntries',
    { query: { order: 'asc', limit: 100 } });
  return data.filter(({ event }) => event.startsWith('action.'));
}

t.test('the intent is written down before the call leaves, with the key that goes along',
  async (t) => {
    const kept: unknown[] = [];
    const made: Notes = await writableNotes(t, async ({ headers }, response) => {
      const { sql } = made.server;
      kept.push(...await sql`
        select tool_call_id, action, (select count(*)::int from action_invocations i
          where i.id = w.invocation_id) as recorded
        from write_intents w where tool_call_id = ${String(headers['idempotency-key'])}`);
      json(response, { done: true });
    });
    const { server: { client }, upstream } = made;
    const { run_id, events, ends: [end] } = await agent(client,
      line('acme.notes.list'), line(CREATE, { body: { text: 'hi' } }));
    const started = events.flatMap((event) =>
      (event.type === 'tool_call.started' ? [event.data.tool_call_id] : []));
    t.equal(end!.type, 'tool_call.completed');
    t.strictSame(kept, [{ tool_call_id: started[1], action: CREATE, recorded: 0 }]);
    t.strictSame(upstream.received.map(({ headers }) => headers['idempotency-key']),
      [undefined, started[1]], 'a read has none');
    t.match(await client.expect(200, 'listActionInvocations', { query: { run_id } }),
      { data: [{ action: CREATE, status: 'completed' }, { action: 'acme.notes.list' }] });
  });

const lost: Record<string, Handler> = {
  'an answer that is lost': (_request, response) => void response.destroy(),
  'a proxy that gave up waiting': (_request, response) => json(response, 'Gateway Timeout', 504),
};

for (const [name, handler] of Object.entries(lost)) {
  t.test(`${name}: nobody knows, and it is not sent again`, async (t) => {
    const made = await writableNotes(t, (request, response) =>
      (request.method === 'GET' ? json(response, []) : handler(request, response)));
    const { server: { client }, upstream } = made;
    const { error } = await agentCall(client, CREATE, { body: {} });
    t.match(error, { code: 'outcome_unknown', message: /may have taken effect/ });
    t.equal(upstream.received.length, 1);
    const { data } = await client.expect(200, 'listActionInvocations', {});
    t.match(data[0], { action: CREATE, status: 'failed', error: { code: 'outcome_unknown' } });
    t.match(await callsOnRecord(made), [{ event: 'action.called', outcome: 'unknown' }]);
  });
}

t.test('one that never got there has failed, and may be repeated', async (t) => {
  const made = await writableNotes(t, (_request, response) => json(response, {}));
  const { client } = made.server;
  // Port 1 refuses connections.
  await client.expect(200, 'updateIntegration', { path: { slug: 'acme' },
    body: { base_url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] } });
  t.match(await agentCall(client, CREATE, { body: {} }),
    { error: { code: 'upstream_error', message: /refuses connections/ } });
  t.match(await callsOnRecord(made), [{ outcome: 'failed', reason: 'upstream_error' }]);
});

t.test('no answer in time: it may have taken effect', async (t) => {
  const made = await writableNotes(t, () => {}, { action_timeout_ms: 3_000 });
  const { error } = await agentCall(made.server.client, CREATE, { body: {} });
  t.match(error, { code: 'upstream_timeout', message: /may have taken effect/ });
  t.match(await callsOnRecord(made), [{ outcome: 'unknown', reason: 'upstream_timeout' }]);
});

t.test('a run that is cancelled in the middle of a write', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const made = await writableNotes(t, () => arrived.resolve());
  const { server: { client }, upstream } = made;
  const session_id = await newSession(client);
  const { id: run_id } = await queueRun(client, session_id, line(CREATE, { body: {} }), OFFLINE);
  await arrived.promise;
  await client.expect(200, 'cancelRun', { path: { run_id } });
  await untilEvent(client, run_id, 'run.cancelled');
  let recorded: Schemas['ActionInvocationSummary'][] = [];
  await until(async () => {
    recorded = (await client.expect(200, 'listActionInvocations', { query: { run_id } })).data;
    return recorded.length > 0;
  });
  t.match(recorded, [{ action: CREATE, error: { code: 'outcome_unknown' } }]);
  await until(async () => (await callsOnRecord(made)).length > 0);
  t.match(await callsOnRecord(made), [{ outcome: 'unknown' }]);
  t.equal(upstream.received.length, 1);
});

t.test('the audit log: every write and every refusal, nothing else, and it verifies', async (t) => {
  const made = await notesService(t, ({ method }, response) =>
    json(response, { method }, method === 'DELETE' ? 422 : 200));
  const { server, connection_id } = made;
  const { client, sql } = server;
  const runs: string[] = [];
  const perform = async (action: string, input: object = {}) =>
    runs.push((await agent(client, line(action, input))).run_id);
  await perform('acme.notes.list');
  await perform(CREATE, { body: { text: 'private words' } });
  await grantTo(server, 'allow', 'acme.*');
  await perform(CREATE, { body: { text: 'private words' } });
  await perform('acme.notes.delete', { path: { id: '1' } });
  await invoke(client, 'acme.notes.list');
  await invoke(client, CREATE, { body: {} });
  await grantTo(server, 'require_approval', CREATE);
  await perform(CREATE, { body: { text: 'private words' } });
  await invoke(client, 'acme.notes.nothing');
  const by = (index: number) => ({ type: 'run', id: runs[index]! });
  const entries = await callsOnRecord(made);
  t.match(entries, [
    { event: 'action.refused', target: CREATE, outcome: 'refused', reason: 'not_permitted',
      actor: by(1) },
    { event: 'action.called', target: CREATE, outcome: 'ok', reason: null, actor: by(2),
      details: { invocation_id: /^inv_/, connection_id, api_key_id: /^key_/ } },
    { event: 'action.called', target: 'acme.notes.delete', outcome: 'failed',
      reason: 'upstream_error', actor: by(3) },
    { event: 'action.refused', reason: 'action_not_read_only', actor: { type: 'api_key' } },
    { event: 'action.refused', reason: 'approval_required', actor: by(4) },
  ]);
  t.equal(entries.length, 5);
  t.notMatch(JSON.stringify(entries), /private words/);
  for (const { actor, request_id } of entries) {
    t.equal(request_id !== null, actor.type === 'api_key', 'what came by a request names it');
  }
  const { data } = await client.expect(200, 'listAuditEntries', { query: { order: 'asc' } });
  t.strictSame(data.map(({ event }) => event).slice(0, 7), ['workspace.created',
    'api_key.created', 'grant.created', 'grant.created', 'admin_token.created',
    'integration.created', 'connection.created']);
  t.match(await client.expect(200, 'verifyAuditLog', {}),
    { ok: true, entries: data.length, first_broken: null, head: data.at(-1)!.hash });

  await t.rejects(sql`delete from audit_entries`, { message: /only appended/ });
  await t.rejects(sql`update audit_entries set entry = '{}'`, { message: /only appended/ });
  await t.rejects(sql`truncate audit_entries`, { message: /only appended/ });
  // Whoever owns the database can switch that off; then the chain tells.
  await sql`alter table audit_entries disable trigger audit_entries_append_only`;
  await sql`update audit_entries set entry = replace(entry, 'refused', 'ok') where seq = (
    select min(seq) from audit_entries where event = 'action.refused')`;
  const after = await client.expect(200, 'verifyAuditLog', {});
  t.match(after, { ok: false, first_broken: entries[0]!.sequence_number });
});
