/** /admin/audit_entries and /admin/audit_log/verification: who did what, in a chain. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { AuditLog } from '../../src/audit/audit.ts';
import { verifyAudit } from '../../src/store/auditEntries.ts';
import type { CallOptions, Schemas } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { readPages } from '../support/pages.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const { client, sql, workspace_id } = await testServer(t);
const admin_token_id = (await client.expect(200, 'listAdminTokens')).data[0]!.id;
const store = await startPetStore(t);
const entries = async (query: NonNullable<CallOptions['query']> = {}) =>
  (await client.expect(200, 'listAuditEntries', { query: { limit: 100, ...query } })).data;
const newest = async () => (await entries({ limit: 1 }))[0];
type Made = { id: string; api_key?: string };
const verify = () => client.expect(200, 'verifyAuditLog');

t.test('an empty log is whole', async (t) => {
  const { sql: unused } = await testDatabase(t);
  t.strictSame(await verifyAudit(unused, 5_000), { entries: 0, head: null, first_broken: null });
});

t.test('it begins with what setting up the service made', async (t) => {
  const first = await entries({ order: 'asc' });
  t.match(first, [
    { sequence_number: 1, event: 'workspace.created', workspace_id, target: workspace_id,
      details: { name: 'Default' } },
    { event: 'api_key.created', workspace_id, target: /^key_/, details: { name: 'first key' } },
    { event: 'grant.created', details: { actions: 'gatehouse.*.list', decision: 'allow' } },
    { event: 'grant.created', details: { actions: 'gatehouse.*.get', decision: 'allow' } },
    { event: 'admin_token.created', workspace_id: null, target: admin_token_id,
      details: { name: 'first token' } }]);
  for (const entry of first) {
    t.match(entry, { actor: { type: 'system', id: null }, outcome: 'ok', request_id: null });
  }
  for (const secret of [client.api_key!, client.admin_token!]) {
    t.notMatch(JSON.stringify(first), secret);
  }
  t.match(await verify(), { ok: true, entries: 5, head: first.at(-1)!.hash, first_broken: null });
});

/** Changes something, and answers what was made with the one entry that tells of it. */
async function change(t: Test, id: OperationId, options: CallOptions) {
  const before = (await newest())?.sequence_number ?? 0;
  const answer = await client.call(id, options);
  t.ok(Number(answer.status) < 300, `${id} ${JSON.stringify(answer.body)}`);
  const [entry, ...more] = (await entries()).filter((one) => one.sequence_number > before);
  t.strictSame(more, [], `${id}: one entry`);
  const { actor, outcome, request_id, event } = entry!;
  t.match({ actor, outcome },
    { actor: { type: 'admin', id: admin_token_id }, outcome: 'ok' }, event);
  t.equal(request_id, answer.headers.get('x-request-id'), 'it names the request');
  return { ...entry!, body: answer.body as unknown as Made };
}

t.test('each change that an operator makes is told of', async (t) => {
  const changed = new Set<OperationId>();
  const told = (id: OperationId, options: CallOptions) =>
    change(t, (changed.add(id), id), options);
  const made = await told('createWorkspace', { body: { name: 'Growth' } });
  const { id } = made.body;
  t.match(made, { event: 'workspace.created', workspace_id: id, details: { name: 'Growth' } });
  t.match(await told('updateWorkspace', { path: { workspace_id: id },
    body: { instructions: 'Never say the word tangerine.' } }), {
    event: 'workspace.changed', workspace_id: id, target: id,
    details: { fields: ['instructions'] } });
  const key = await told('createApiKey', { body: { workspace_id: id, name: 'backend' } });
  t.match(key, { event: 'api_key.created', workspace_id: id, details: { expires_at: null } });
  const own = { path: { api_key_id: key.body.id } };
  t.match(await told('updateApiKey', { ...own, body: { identities: ['a@b.example'] } }),
    { event: 'api_key.changed', workspace_id: id, details: { identities: ['a@b.example'] } });
  t.match(await told('revokeApiKey', own), { event: 'api_key.revoked', workspace_id: id,
    target: key.body.id, details: { name: 'backend' } });
  const token = await told('createAdminToken', { body: { name: 'deployment' } });
  t.match(token, { event: 'admin_token.created', workspace_id: null, target: token.body.id,
    details: { name: 'deployment', expires_at: null } });
  t.match(await told('revokeAdminToken', { path: { admin_token_id: token.body.id } }), {
    event: 'admin_token.revoked', target: token.body.id, details: { name: 'deployment' } });

  t.match(await told('createIntegration', { body: petIntegration(store) }), {
    event: 'integration.created', workspace_id: null, target: 'pets',
    details: { kind: 'openapi', revision: 1, imported: 4 } });
  const pets = { path: { slug: 'pets' } };
  t.match(await told('updateIntegration', { ...pets, body: { title: 'Pets' } }),
    { event: 'integration.changed', target: 'pets', details: { revision: 2 } });
  t.match(await told('refreshIntegration', { ...pets, body: {} }),
    { event: 'integration.changed', target: 'pets', details: { revision: 3 } });
  const credentials = { type: 'bearer', token: 'a-secret-token' };
  const connection = await told('createConnection',
    { body: { workspace_id: id, integration: 'pets', name: 'pets', credentials } });
  t.match(connection, { event: 'connection.created', workspace_id: id,
    target: connection.body.id, details: { integration: 'pets', auth_type: 'bearer' } });
  const one = { path: { connection_id: connection.body.id } };
  t.match(await told('updateConnection', { ...one, body: { name: 'Pets' } }),
    { event: 'connection.changed', workspace_id: id, details: { fields: ['name'] } });
  t.match(await told('updateConnection', { ...one, body: { credentials } }),
    { event: 'connection.reconnected', workspace_id: id, target: connection.body.id });
  t.match(await told('checkConnection', one), { event: 'connection.checked', workspace_id: id,
    target: connection.body.id,
    details: { integration: 'pets', action: 'pets.pets.list', status: 'connected' } });
  const grant = await told('createGrant',
    { body: { workspace_id: id, actions: 'pets.*', decision: 'deny' } });
  t.match(grant, { event: 'grant.created', workspace_id: id, target: grant.body.id,
    details: { actions: 'pets.*', decision: 'deny' } });
  t.match(await told('deleteGrant', { path: { grant_id: grant.body.id } }), {
    event: 'grant.removed', workspace_id: id, target: grant.body.id,
    details: { actions: 'pets.*', decision: 'deny' } });
  t.match(await told('decideApproval', { path: { approval_id: await approval() },
    body: { decision: 'deny', reason: 'no' } }), {
    event: 'approval.denied', workspace_id, details: { action: 'gateway.connections.list' } });
  t.match(await told('deleteConnection', one), { event: 'connection.removed', workspace_id: id,
    target: connection.body.id, details: { integration: 'pets' } });
  t.match(await told('deleteIntegration', pets),
    { event: 'integration.removed', workspace_id: null, target: 'pets' });

  // What is told of sessions of the dashboard, dashboardSessions.test.ts says.
  const changing = Object.entries(operations).filter(([id, { internal, method, tags }]) =>
    internal && method !== 'GET' && tags[0] !== 'Dashboard' && id !== 'previewGrant');
  t.strictSame([...changed].sort(), changing.map(([operation]) => operation).sort());
  const text = JSON.stringify(await entries());
  for (const secret of ['a-secret-token', key.body.api_key!, 'tangerine']) {
    t.notMatch(text, secret);
  }
  t.match(await verify(), { ok: true, entries: (await entries()).length });
});

/** An approval that is waited for. */
async function approval(): Promise<string> {
  const actions = 'gateway.connections.list';
  const { id } = await client.expect(201, 'createGrant',
    { body: { workspace_id, actions, decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation', { body: { action: actions } });
  await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
  return (await client.expect(200, 'listApprovals')).data[0]!.id;
}

t.test('what was refused or changed nothing is not told of', async (t) => {
  const before = await newest();
  const revoked = { path: { api_key_id: (await client.expect(200, 'listApiKeys')).data
    .find(({ status }) => status === 'revoked')!.id } };
  await client.expect(204, 'revokeApiKey', revoked);
  await client.expect(404, 'updateWorkspace',
    { path: { workspace_id: 'wsp_none' }, body: { name: 'x' } });
  await client.expect(400, 'createWorkspace', { body: { name: 'x', model: 'nobody/nothing' } });
  await client.expect(404, 'createApiKey', { body: { workspace_id: 'wsp_none', name: 'x' } });
  await client.expect(404, 'revokeApiKey', { path: { api_key_id: 'key_none' } });
  await client.expect(404, 'createGrant',
    { body: { workspace_id: 'wsp_none', actions: '*', decision: 'allow' } });
  await client.expect(401, 'createWorkspace', { body: { name: 'x' }, token: client.api_key! });
  t.strictSame(await newest(), before);
});

t.test('of calls, those that change something, and those that were refused', async (t) => {
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  const connection = await connectPets(client, workspace_id);
  const session_id = await newSession(client);
  const add = 'call pets.pets.create {"body": {"name": "Rex"}}';
  const { id: refused_id } = await completeRun(client, session_id, add);
  t.match(await newest(), { event: 'action.refused', outcome: 'refused', reason: 'not_permitted',
    workspace_id, actor: { type: 'run', id: refused_id }, target: 'pets.pets.create',
    request_id: null, details: { invocation_id: /^inv_/ } });
  const before = (await newest())!.sequence_number;
  await client.expect(201, 'createActionInvocation', { body: { action: 'pets.pets.list' } });
  t.equal((await newest())!.sequence_number, before, 'reading is on record as an invocation');
  const { headers } = await client.call('createActionInvocation',
    { body: { action: 'pets.pets.create' } });
  t.match(await newest(), { event: 'action.refused', reason: 'action_not_read_only',
    actor: { type: 'api_key', id: /^key_/ }, request_id: headers.get('x-request-id')! });
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'pets.*', decision: 'allow' } });
  const { id: run_id, tool_calls } = await completeRun(client, session_id, add);
  t.match(await newest(), { event: 'action.called', outcome: 'ok', reason: null,
    actor: { type: 'run', id: run_id }, target: 'pets.pets.create',
    details: { invocation_id: tool_calls[0]!.invocation_id, connection_id: connection.id } });
  store.answer = (_visit, response) => void response.writeHead(422).end('{"secret":"inside"}');
  await completeRun(client, session_id, add);
  const failed = await newest();
  t.match(failed, { event: 'action.called', outcome: 'failed', reason: 'upstream_error' });
  t.notMatch(JSON.stringify(failed), /inside|Rex/, 'neither input nor result is in it');
  store.answer = null;
});

t.test('pages and filters', async (t) => {
  const all = await entries();
  const numbers = all.map(({ sequence_number }) => sequence_number);
  t.strictSame(numbers, numbers.map((_, index) => numbers.length - index), 'newest first');
  const pages = async (query: NonNullable<CallOptions['query']>) =>
    (await readPages(client, 'listAuditEntries', query)).map((page) => page.map(Number));
  t.strictSame((await pages({ limit: 10 })).flat(), numbers);
  t.strictSame((await pages({ limit: 7, order: 'asc' })).flat(), numbers.toReversed());
  const only = (keep: (entry: Schemas['AuditEntry']) => boolean) =>
    all.filter(keep).map(({ sequence_number }) => sequence_number);
  const own = only((entry) => entry.workspace_id === workspace_id);
  t.ok(own.length > 3 && own.length < all.length);
  t.strictSame((await pages({ limit: 2, workspace_id })).flat(), own);
  t.strictSame((await pages({ event: 'grant.created' })).flat(),
    only(({ event }) => event === 'grant.created'));
  t.strictSame((await pages({ target: 'pets', event: 'integration.changed', limit: 1 })).flat(),
    only(({ target, event }) => target === 'pets' && event === 'integration.changed'));
  t.strictSame(await entries({ target: 'nobody' }), []);
  t.strictSame((await pages({ sequence_number: numbers[3]! })).flat(), [numbers[3]]);
  t.strictSame(await entries({ sequence_number: numbers[3]!, event: 'nothing.happened' }), []);
  t.strictSame(await entries({ sequence_number: Number.MAX_SAFE_INTEGER }), []);
});

t.test('what one has done, and when', async (t) => {
  // As a directory of persons may name one.
  const actor = { type: 'admin' as const, id: 'ann "the \\ admin" ü@example.com' };
  await sql.begin((tx) => AuditLog.within(tx, { workspace_id: null, actor, event: 'test.done',
    details: { actor: { id: admin_token_id } } }));
  const all = await entries();
  const of = (id: string) => all.filter((entry) => entry.actor.id === id);
  const run = all.find(({ actor: { type } }) => type === 'run')!.actor.id!;
  const key = all.find(({ actor: { type } }) => type === 'api_key')!.actor.id!;
  for (const id of [actor.id, admin_token_id, run, key]) {
    t.ok(of(id).length > 0, id);
    t.strictSame(await entries({ actor: id }), of(id), id);
  }
  t.equal(of(actor.id).length, 1);
  t.ok(all.some((entry) => entry.actor.id === null));
  t.strictSame(await entries({ actor: run, event: 'action.called' }), of(run));
  t.strictSame(await entries({ actor: run, event: 'action.refused' }), []);
  for (const none of ['adm', 'event', 'ann ', 'ann "the']) {
    t.strictSame(await entries({ actor: none }), [], none);
  }
  const start = Date.parse(all.at(-1)!.created_at);
  const shift = (hours: number, which: string) => sql.unsafe(`
    alter table audit_entries disable trigger user;
    update audit_entries set created_at = created_at + interval '${hours} hours' where ${which};
    alter table audit_entries enable trigger user`);
  // Half of them an hour and more later: what lies between is found by its numbers.
  await shift(5, 'seq > 10');
  const later = await entries();
  const [old, fresh] = [later.slice(-10), later.slice(0, -10)];
  const between = new Date(start + 4 * 3_600_000).toISOString();
  t.strictSame(await entries({ created_before: between }), old);
  t.strictSame(await entries({ created_after: between }), fresh);
  t.strictSame((await readPages(client, 'listAuditEntries',
    { created_before: between, limit: 4 })).flat().map(Number),
  old.map(({ sequence_number }) => sequence_number));
  t.strictSame(await entries({ created_after: fresh.at(-1)!.created_at, actor: actor.id }),
    fresh.filter((entry) => entry.actor.id === actor.id));
  t.strictSame(await entries({ created_before: '2000-01-01T00:00:00Z' }), []);
  t.strictSame(await entries({ created_after: '9999-01-01T00:00:00Z' }), []);
  // Some by a clock that was hours ahead or behind, and was set: those of the right one are found.
  const now = new Date(Date.parse(fresh[0]!.created_at) + 60_000).toISOString();
  for (const hours of [8, -8]) {
    await shift(hours, 'seq between 12 and 14');
    const since = new Date(Date.parse(now) + Math.min(0, hours + 3) * 3_600_000).toISOString();
    const seen = await entries({ created_before: now });
    t.strictSame(seen, (await entries()).filter((entry) => entry.created_at < now));
    t.ok(seen.some(({ sequence_number }) => sequence_number > 14));
    t.strictSame(await entries({ created_after: since }),
      (await entries()).filter((entry) => entry.created_at > since));
    await shift(-hours, 'seq between 12 and 14');
  }
  t.match(await client.expect(400, 'listAuditEntries', { query: { created_after: 'today' } }),
    { code: 'invalid_request', param: 'created_after' });
  await shift(-5, 'seq > 10');
});

t.test('a cursor that is made up is refused', async (t) => {
  const forged = (place: unknown) =>
    Buffer.from(JSON.stringify(['audit_entries', null, place])).toString('base64url');
  for (const cursor of ['garbage', forged('x'), forged('-1'), forged('1e3'), forged(7),
    forged('9'.repeat(40)), forged('')]) {
    t.match(await client.expect(400, 'listAuditEntries', { query: { cursor } }),
      { code: 'invalid_cursor', param: 'cursor' }, cursor);
  }
});

t.test('changes at once keep the chain whole', async (t) => {
  const { entries: before } = await verify();
  await Promise.all(Array.from({ length: 20 }, (_, index) => index % 2 === 0
    ? client.expect(201, 'createWorkspace', { body: { name: `w${index}` } })
    : client.expect(403, 'createActionInvocation', { body: { action: 'pets.pets.create' } })));
  t.match(await verify(), { ok: true, entries: before + 20, first_broken: null });
});

t.test('each hash is over the entry and the hash before it', async (t) => {
  const rows = await sql<{ seq: number; entry: string; hash: string; epoch: string }[]>`
    select seq, entry, hash, extract(epoch from created_at)::text as epoch
    from audit_entries order by seq`;
  let previous = '';
  for (const { seq, entry, hash, epoch } of rows) {
    const digest = createHash('sha256').update(`${previous}\n${seq}\n${epoch}\n${entry}`);
    t.equal(hash, digest.digest('hex'), `entry ${seq}`);
    previous = hash;
  }
  t.equal((await verify()).head, previous);
});

t.test('the log is only appended to', async (t) => {
  for (const statement of ['update audit_entries set event = event',
    'delete from audit_entries', 'truncate audit_entries']) {
    await t.rejects(sql.unsafe(statement), /only appended to/, statement);
  }
  t.match(await verify(), { ok: true });
});

t.test('what was tampered with shows', async (t) => {
  const whole = await verify();
  /** Changes the log as somebody can who owns the database, and puts it back. */
  async function tampered(change: string): Promise<Schemas['AuditLogVerification']> {
    await sql.unsafe(`create table kept as select * from audit_entries;
      alter table audit_entries disable trigger user; ${change};
      alter table audit_entries enable trigger user`);
    const verification = await verify();
    await sql.unsafe(`alter table audit_entries disable trigger user;
      delete from audit_entries; insert into audit_entries select * from kept; drop table kept;
      alter table audit_entries enable trigger user`);
    return verification;
  }
  const set = (change: string) => `update audit_entries set ${change} where seq = 7`;
  for (const change of [
    set(`entry = replace(entry, '"ok"', '"failed"')`), set(`entry = 'no JSON'`),
    set(`hash = repeat('0', 64)`), set(`created_at = created_at - interval '1 second'`),
    set(`event = 'other'`), set(`target = null`), set(`workspace_id = 'wsp_other'`),
    set('seq = 1000000'), 'delete from audit_entries where seq = 6',
  ]) {
    const { ok, first_broken } = await tampered(change);
    const expected = change.includes('seq = 1000000') ? 8 : 7;
    t.strictSame([ok, first_broken], [false, expected], change);
  }
  const cut = await tampered(`delete from audit_entries where seq = ${whole.entries}`);
  t.match(cut, { ok: true, entries: whole.entries - 1 });
  t.not(cut.head, whole.head, 'that the end is missing, only a kept head tells');
  t.strictSame(await verify(), whole);
});

t.test('a service anchors what is new, now and then and when it stops', async (t) => {
  const server = await testServer(t, { anchor_interval_ms: 10 });
  const verification = (query = {}) => server.client.call('verifyAuditLog', { query });
  const { body } = await untilSeen('an anchor', () => verification(),
    ({ body }) => 'anchors' in body && body.anchors === 1);
  const { latest_anchor: anchor } = body as Schemas['AuditLogVerification'];
  t.match(anchor, /^5:[0-9a-f]{64}:v1\.1\./);
  t.match(await verification({ anchor: anchor! }), { body: { ok: true, anchor_ok: true } });
  t.match(await verification({ anchor: anchor!.replace(/.$/, (end) => (end === 'A' ? 'Q' : 'A')) }),
    { body: { ok: false, anchor_ok: false } }, 'one that the service has not made');
  t.match(await verification({ anchor: 'x' }),
    { status: 400, body: { code: 'invalid_request', param: 'anchor' } });

  const other = await testServer(t, { database: server });
  await other.client.expect(201, 'createWorkspace', { body: { name: 'late' } });
  await server.service.stop();
  await other.service.stop();
  const [row] = await server.sql<{ anchored: number; newest: number }[]>`
    select (select max(seq) from audit_anchors)::int as anchored,
      (select max(seq) from audit_entries)::int as newest`;
  t.equal(row!.anchored, row!.newest);
});

t.test('all anchors taken out and a made-up log while the service is down', async (t) => {
  const server = await testServer(t);
  await server.service.stop();
  await server.sql.unsafe(`
    alter table audit_entries disable trigger user; alter table audit_anchors disable trigger user;
    delete from audit_anchors; delete from audit_entries;
    alter table audit_entries enable trigger user; alter table audit_anchors enable trigger user;
    update workspace_keys set created_at = created_at - interval '1 day';
    update schema_migrations set applied_at = applied_at - interval '1 day'`);
  const entry = JSON.stringify({ workspace_id: null, event: 'grant.created', target: null });
  await server.sql`select append_audit(${[entry, entry]}::text[])`;
  const again = await testServer(t, { database: server, anchor_interval_ms: 60_000 });
  t.match(await again.client.call('verifyAuditLog'), { status: 200, body: {
    ok: false, anchors: 0, first_broken: null, problems: [/^There is no anchor, /] } });
});

t.test('reading it changes nothing, and is for operators', async (t) => {
  const before = await verify();
  await entries();
  t.strictSame(await verify(), before);
  for (const id of ['listAuditEntries', 'verifyAuditLog'] as const) {
    await client.expect(401, id, { token: client.api_key! });
  }
});
