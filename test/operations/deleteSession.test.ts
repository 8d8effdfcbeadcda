/** DELETE /sessions/{session_id} */
import t from 'tap';
import { lowestId, newId } from '../../src/ids.ts';
import { insertInvocation } from '../../src/store/actionInvocations.ts';
import { requestApproval } from '../../src/store/approvals.ts';
import { foldStorage, storageOf } from '../../src/store/storage.ts';
import { addTokensOfDeleted, addUncommittedTokens, tokensToday } from '../../src/store/tokens.ts';
import { recordUnknownWrites } from '../../src/store/writeIntents.ts';
import { prompt } from '../support/client.ts';
import { signedIn } from '../support/dashboard.ts';
import { soundLogs } from '../support/log.ts';
import { hold } from '../support/openTransaction.ts';
import {
  completeRun, endlessRun, newSession, OFFLINE, queueRun, untilEvent,
} from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { untilLocked } from '../support/until.ts';

/** Stands in everything that a session is given. */
const MARK = 'verlorener-text';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const stranger = await otherWorkspace(server);
const remove = (session_id: string, asker = client) =>
  asker.call('deleteSession', { path: { session_id } });
const [key] = await sql<{ id: string }[]>`select id from api_keys where workspace_id =
  ${workspace_id} and not dashboard`;

/** The tables that hold the text, with how many of their rows. */
async function tablesWith(text: string): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`select table_name as name
    from information_schema.tables where table_schema = 'public' order by 1`;
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe(`select count(*)::int as rows from ${name} one
      where strpos(one::text, '${text}') > 0`) as unknown as { rows: number }[];
    if (row!.rows > 0) found[name] = row!.rows;
  }
  return found;
}

/** The entries of the audit log about a session, the newest first. */
const entriesOf = async (session_id: string) => (await client.expect(200, 'listAuditEntries',
  { query: { target: session_id } })).data;

/** A search, a reading of the session by a call within a call, and one that needs an approval. */
const commands = (session_id: string) => [
  `call gateway.actions.search {"query": "${MARK}"}`,
  `call gatehouse.action_invocations.create ${JSON.stringify({
    body: { action: 'gatehouse.sessions.get', input: { path: { session_id } } } })}`,
  `call gatehouse.sessions.create {"body": {"title": "${MARK}"}}`].join('\n');

t.test('it is gone with all it held, and nothing of its content is left anywhere', async (t) => {
  for (const [actions, decision] of [['gatehouse.sessions.create', 'require_approval'],
    ['gatehouse.action_invocations.create', 'allow']] as const) {
    await client.expect(201, 'createGrant', { body: { workspace_id, actions, decision } });
  }
  const headers = { 'idempotency-key': 'made once' };
  const body = { title: MARK, metadata: { about: MARK } };
  const { id: session_id } = await client.expect(201, 'createSession', { headers, body });
  const path = { session_id };
  await client.expect(200, 'updateSession', { path, body: { metadata: { now: MARK } } });
  const asked = prompt(commands(session_id),
    { ...OFFLINE, instructions: MARK, metadata: { about: MARK } });
  const keyed = { path, headers: { 'idempotency-key': 'run once' }, body: asked };
  const run = await client.expect(202, 'createRun', keyed);
  await untilEvent(client, run.id, 'run.completed');
  const { data: calls } = await client.expect(200, 'listActionInvocations',
    { query: { run_id: run.id } });
  t.strictSame(calls.map(({ action, source, error }) => [action, source, error?.code]),
    [['gatehouse.sessions.create', 'run', 'approval_required'],
      ['gatehouse.sessions.get', 'run', undefined],
      ['gatehouse.action_invocations.create', 'run', undefined],
      ['gateway.actions.search', 'run', undefined]]);
  const long = await completeRun(client, session_id, `${MARK} `.repeat(1_000), OFFLINE);
  // A write of which nobody has learnt what came of it.
  await sql`insert into write_intents (workspace_id, run_id, tool_call_id, invocation_id, action,
      connection_id, api_key_id, input)
    values (${workspace_id}, ${run.id}, 'call_x', 'inv_unsettled', 'lab.item.create', 'con_x',
      ${key!.id}, ${JSON.stringify({ text: MARK })}::text::json)`;
  t.match(Object.keys(await tablesWith(MARK)), ['action_invocations', 'approvals',
    'idempotency_keys', 'messages', 'metadata_pairs', 'run_events', /^run_events_/, 'runs',
    'sessions', 'write_intents']);

  t.match(await remove(session_id, stranger), { status: 404, body: { code: 'not_found' } },
    'another workspace has no such session');
  const gone = await remove(session_id);
  t.match(gone, { status: 204, body: undefined });
  t.strictSame(await tablesWith(MARK), {});
  t.strictSame(Object.keys(await tablesWith(run.id)), ['audit_entries', 'idempotency_keys']);
  for (const [id, of] of [['getSession', path], ['listSessionMessages', path],
    ['updateSession', path], ['createRun', path], ['getRun', { run_id: run.id }],
    ['cancelRun', { run_id: run.id }], ['streamRunEvents', { run_id: long.id }],
    ['getActionInvocation', { invocation_id: calls[0]!.invocation_id }], ['deleteSession', path],
  ] as const) {
    const given = { createRun: prompt('x'), updateSession: { title: 'x' } };
    const { status, body: refused } = await client.call(id,
      { path: of, body: given[id as keyof typeof given] });
    t.match([status, refused], [404, { code: 'not_found' }], id);
  }
  for (const more of [{}, { wait: true }, { stream: true }]) {
    t.match(await client.call('createRun', { ...keyed, body: { ...asked, ...more } }),
      { status: 404, body: { code: 'not_found' } }, 'the repeat of a run that is gone');
  }
  t.match(await client.call('createSession', { headers, body }),
    { status: 409, body: { code: 'idempotency_key_reused', error: new RegExp(session_id) } },
    'nor is the session made a second time');
  t.match(await client.call('streamRunEvents',
    { path: { run_id: run.id }, headers: { accept: 'text/event-stream', 'last-event-id': '3' } }),
  { status: 404 });

  t.match(await entriesOf(session_id), [{ event: 'session.deleted', workspace_id,
    actor: { type: 'api_key', id: key!.id }, outcome: 'ok', details: { runs: 2 },
    request_id: gone.headers.get('x-request-id') }]);
  const { data: [unknown] } = await client.expect(200, 'listAuditEntries',
    { query: { event: 'action.called', actor: run.id } });
  t.match(unknown, { outcome: 'unknown', target: 'lab.item.create',
    details: { invocation_id: 'inv_unsettled' } }, 'the write is told of');
  t.match(await client.expect(200, 'verifyAuditLog'), { ok: true });
});

t.test('what was denied stays denied until that is over, without the content', async (t) => {
  const session_id = await newSession(client);
  const run = await completeRun(client, session_id, '@rehearsal words=1');
  const ask = (id: string, status: string, lasts: string) => sql`
    insert into approvals (workspace_id, id, api_key_id, run_id, action, effect, connection_id,
      input, input_sha256, input_bytes, status, decided_at, reason, expires_at)
    values (${workspace_id}, ${newId('apr')}, ${id}, ${run.id}, 'lab.item.create', 'write', 'con_x',
      ${JSON.stringify({ text: MARK })}::text::json, ${'\\x00'}::bytea, 9, ${status}, now(),
      ${MARK}, now() + ${lasts}::interval)`;
  await ask('key_denied', 'denied', '1 hour');
  await ask('key_over', 'denied', '-1 second');
  await ask('key_approved', 'approved', '1 hour');
  // By a node whose clock is wrong by years.
  await sql`update approvals set id = ${lowestId('apr', 0)} where api_key_id = 'key_approved'`;
  t.match(await remove(session_id), { status: 204 });
  t.match(await sql`select api_key_id, run_id, input, reason from approvals
    where action = 'lab.item.create'`,
  [{ api_key_id: 'key_denied', run_id: null, input: {}, reason: null }]);
  t.strictSame(await tablesWith(MARK), {});
});

t.test('with an open run it stays as it is', async (t) => {
  const session_id = await newSession(client);
  const done = await completeRun(client, session_id, '@rehearsal words=1');
  const open = await endlessRun(client, session_id);
  const next = await queueRun(client, session_id, '@rehearsal words=1');
  t.match(await remove(session_id), { status: 409, body: { code: 'session_busy',
    error: new RegExp(`^The session has an open run, ${open.id}: cancel it, or wait`) } });
  t.equal((await client.expect(200, 'getRun', { path: { run_id: done.id } })).status, 'completed');
  await client.expect(200, 'cancelRun', { path: { run_id: next.id } });
  await client.expect(200, 'cancelRun', { path: { run_id: open.id } });
  t.match(await remove(session_id), { status: 204 });
  t.match(await entriesOf(session_id), [{ details: { runs: 3 } }]);
});

t.test('people in the dashboard: operators do, viewers do not', async (t) => {
  const session_id = await newSession(client);
  t.match(await remove(session_id, await signedIn(server, 'viewer')), { status: 403 });
  t.match(await remove(session_id, await signedIn(server, 'operator')), { status: 204 });
  t.match(await entriesOf(session_id),
    [{ event: 'session.deleted', actor: { type: 'person', id: 'operator@example.com' } }]);
});

t.test('an archived session, and one without runs', async (t) => {
  const session_id = await newSession(client);
  await client.expect(200, 'updateSession',
    { path: { session_id }, body: { status: 'archived' } });
  t.match(await remove(session_id), { status: 204 });
  t.match(await entriesOf(session_id), [{ details: { runs: 0, tokens_today: 0 } }]);
});

/** The record of a call of a run that has succeeded. */
const callOf = (run_id: string) => ({
  workspace_id, id: newId('inv'), action: 'lab.echo.get', connection_id: null,
  source: 'run' as const, api_key_id: key!.id, run_id, tool_call_id: 'call_1', input: {},
  result: {}, error: null, truncated: false, duration_ms: 1,
});

/** The same of a write, which the audit log tells of. */
function withAudit(call: ReturnType<typeof callOf>) {
  const record = { workspace_id, actor: { type: 'run' as const, id: call.run_id },
    event: 'action.called' as const, target: call.action, outcome: 'ok' as const, reason: null,
    request_id: null, details: { invocation_id: call.id } };
  return { ...call, audit: { record, api_key_id: key!.id, late: record, is_known: true } };
}

t.test('what is recorded of a run after it was deleted is not stored', async (t) => {
  const session_id = await newSession(client);
  const { id: run_id } = await completeRun(client, session_id, '@rehearsal words=1');
  const call = callOf(run_id);
  const approval = () => requestApproval(sql, { workspace_id, id: newId('apr'), run_id,
    api_key_id: key!.id, scope: 'api_key', action: 'lab.echo.get', connection_id: 'con_x',
    effect: 'write', input: {}, input_sha256: Buffer.from(newId('req')), lifetime_ms: 60_000 }, []);
  t.equal(await insertInvocation(sql, call), true);
  t.match(await approval(), { approval: { run_id } });
  await client.expect(204, 'deleteSession', { path: { session_id } });
  t.equal(await insertInvocation(sql, { ...call, id: newId('inv') }), false);
  t.equal(await approval(), 'run_deleted');
  t.strictSame(Object.keys(await tablesWith(run_id)), []);
});

t.test('what came of a write after its run was deleted is in the audit log', async (t) => {
  const session_id = await newSession(client);
  const { id: run_id } = await completeRun(client, session_id, '@rehearsal words=1');
  await client.expect(204, 'deleteSession', { path: { session_id } });
  const call = callOf(run_id);
  t.equal(await insertInvocation(sql, withAudit(call)), false);
  t.match(await client.expect(200, 'listAuditEntries', { query: { actor: run_id } }),
    { data: [{ outcome: 'ok', details: { invocation_id: call.id } }] });
});

t.test('what is recorded twice, because an answer was lost, is told of once', async (t) => {
  const session_id = await newSession(client);
  const { id: run_id } = await completeRun(client, session_id, '@rehearsal words=1');
  const written = withAudit(callOf(run_id));
  t.equal(await insertInvocation(sql, written), true);
  t.equal(await insertInvocation(sql, written), false);
  const { data } = await client.expect(200, 'listAuditEntries', { query: { actor: run_id } });
  t.equal(data.length, 1);
});

t.test('a write that housekeeping settles while its run is deleted leaves no record', async (t) => {
  const session_id = await newSession(client);
  const { id: run_id } = await completeRun(client, session_id, '@rehearsal words=1');
  const intent = { workspace_id, run_id, tool_call_id: 'call_1' };
  await sql`
    insert into write_intents (workspace_id, run_id, tool_call_id, invocation_id, action,
      connection_id, api_key_id, input)
    values (${workspace_id}, ${run_id}, 'call_1', ${newId('inv')}, 'lab.item.create', 'con_x',
      ${key!.id}, '{}')`;
  const release = await hold(sql, async (tx) => {
    // As a deletion does, once it has settled the write itself.
    await tx`delete from write_intents where run_id = ${run_id}`;
    await tx`delete from runs where workspace_id = ${workspace_id} and id = ${run_id}`;
  });
  const settling = recordUnknownWrites(sql, [intent]);
  await untilLocked(sql);
  await release();
  t.strictSame([...await settling], []);
  t.strictSame((await tablesWith(run_id)).action_invocations, undefined);
});

t.test('what it took counts no more as stored', async (t) => {
  const { client: own, workspace_id: id } = await freshWorkspace();
  const stored = async () => {
    await foldStorage(sql);
    return (await storageOf(sql, id))!.bytes;
  };
  const session_id = await newSession(own);
  await completeRun(own, session_id, 'x'.repeat(100_000), OFFLINE);
  const before = await stored();
  t.ok(before > 100_000);
  await own.expect(204, 'deleteSession', { path: { session_id } });
  const after = await stored();
  t.ok(after >= 0 && after < before, `${after} of ${before}`);
});

t.test('the tokens of today are used all the same', async (t) => {
  const { client: own, workspace_id: id } = await freshWorkspace({ max_total_tokens_per_day: 20 });
  const session_id = await newSession(own);
  const run = await completeRun(own, session_id, '@rehearsal words=30', OFFLINE);
  const tokens_today = run.usage!.total_tokens;
  t.ok(tokens_today >= 20);
  await own.expect(204, 'deleteSession', { path: { session_id } });
  t.match(await entriesOf(session_id), [{ details: { tokens_today } }]);
  // Of itself: the worker knows the sum of before for a second.
  t.equal(await tokensToday(sql, id), tokens_today);
  await addUncommittedTokens(sql, { workspace_id: id, id: run.id }, 7);
  t.equal(await tokensToday(sql, id), tokens_today + 7, 'a step that ends when all is gone');
  const refused = await completeRun(own, await newSession(own), '@rehearsal words=1', OFFLINE);
  t.match(refused, { status: 'failed', error: { code: 'budget_exceeded' } });
});

async function freshWorkspace(limits = {}) {
  const made = await client.expect(201, 'createWorkspace', { body: { name: 'fresh', limits } });
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: made.id, name: 'own' } });
  return { client: client.as(api_key), workspace_id: made.id };
}

t.test('tokens of a day before count no more', async (t) => {
  const { client: own, workspace_id: id } = await freshWorkspace();
  await sql`insert into deleted_run_tokens (workspace_id, day, tokens)
    values (${id}, (now() at time zone 'utc')::date - 1, 1000)`;
  t.equal(await tokensToday(sql, id), 0);
  const session_id = await newSession(own);
  const run = await completeRun(own, session_id, '@rehearsal words=3', OFFLINE);
  await own.expect(204, 'deleteSession', { path: { session_id } });
  t.equal(await tokensToday(sql, id), run.usage!.total_tokens);
});

t.test('a deletion that began before midnight takes nothing from the next day', async (t) => {
  const { workspace_id: id } = await freshWorkspace();
  const set = (days: number) => sql`
    insert into deleted_run_tokens as d (workspace_id, day, tokens)
    values (${id}, (now() at time zone 'utc')::date + ${days}::int, 5)
    on conflict (workspace_id) do update set day = excluded.day, tokens = 5`;
  const add = () => sql.begin((tx) => addTokensOfDeleted(tx, id, 7));
  await set(1);
  await add();
  t.match(await sql`select tokens::int from deleted_run_tokens where workspace_id = ${id}`,
    [{ tokens: 5 }]);
  await set(365); // By a clock that was wrong.
  await add();
  t.equal(await tokensToday(sql, id), 7);
});

t.test('the logs of what is left are sound', (t) => soundLogs(t, sql));
