/** What an operator changes commits together with its entry in the audit log, or not at all. */
import t from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import type { CallOptions } from '../support/client.ts';
import { signedIn } from '../support/dashboard.ts';
import { petIntegration, startPetStore } from '../support/petStore.ts';
import { ENDLESS } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const browser = await signedIn(server, 'admin');
const store = await startPetStore(t);
await sql.unsafe(`create function refuse() returns trigger language plpgsql as
  $$ begin raise exception 'refused by the test'; end $$`);

/** Everything that operators change, and the log of it. */
const CHANGED = ['workspaces', 'grants', 'approvals', 'connections', 'connection_secrets',
  'integrations', 'integration_actions', 'integrations_version', 'idempotency_keys',
  'audit_entries', '(select id, name, identities, revoked_at from api_keys)',
  '(select id, revoked_at from admin_tokens)', '(select id, revoked_at from dashboard_sessions)',
  'dashboard_tickets', 'sessions', '(select id, status from runs)'];
async function state(): Promise<unknown[]> {
  return await Promise.all(CHANGED.map(async (table) => {
    const [row] = await sql.unsafe(
      `select string_agg(one::text, chr(10) order by one::text) as rows from ${table} one`);
    return [table, row];
  }));
}

/**
 * Who asks for it: an operator, or somebody who is signed in where that makes a difference. Who is
 * signed in would be signed out by signing in.
 */
const by = (id: OperationId) =>
  (['adminToken', null].includes(operations[id].security) ? client : browser);

/** The status and the body of a call while the database refuses this on a table. */
async function whileRefused(
  what: string, table: string, id: OperationId, options: CallOptions): Promise<unknown> {
  await sql.unsafe(`create trigger refuse before ${what} on ${table}
    for each row execute function refuse()`);
  const { status, body } = await by(id).call(id, options);
  await sql.unsafe(`drop trigger refuse on ${table}`);
  return { status, body };
}

const tried = new Set<OperationId>();

/** The change without its entry fails and leaves everything as it was; with it, it is made. */
async function change(id: OperationId, options: CallOptions): Promise<{ id: string }> {
  tried.add(id);
  const before = await state();
  t.match(await whileRefused('insert', 'audit_entries', id, options),
    { status: 500, body: { code: 'internal_error' } }, `${id} without its entry`);
  t.strictSame(await state(), before, `${id} has changed nothing`);
  const { status, body } = await by(id).call(id, options);
  t.ok(Number(status) < 300, `${id} with its entry: ${status}`);
  t.notSame(await state(), before, `${id} has changed something`);
  return body as unknown as { id: string };
}

/** An approval that is waited for. */
async function approval(): Promise<string> {
  const actions = 'gateway.connections.list';
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions, decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation', { body: { action: actions } });
  return (await client.expect(200, 'listApprovals')).data[0]!.id;
}

t.test('without its entry nothing is changed', async (t) => {
  const key = { 'idempotency-key': 'one' };
  const made = await change('createWorkspace', { headers: key, body: { name: 'Growth' } });
  await change('updateWorkspace', { path: { workspace_id: made.id }, body: { name: 'Sales' } });
  const apiKey = await change('createApiKey', { body: { workspace_id, name: 'backend' } });
  await change('updateApiKey',
    { path: { api_key_id: apiKey.id }, body: { identities: ['ada@example.com'] } });
  await change('revokeApiKey', { path: { api_key_id: apiKey.id } });
  const token = await change('createAdminToken', { body: { name: 'deployment' } });
  await change('revokeAdminToken', { path: { admin_token_id: token.id } });
  const grant = await change('createGrant',
    { body: { workspace_id, actions: 'pets.*', decision: 'deny' } });
  await change('deleteGrant', { path: { grant_id: grant.id } });
  await change('decideApproval',
    { path: { approval_id: await approval() }, body: { decision: 'approve' } });
  await change('createIntegration', { body: petIntegration(store) });
  const pets = { path: { slug: 'pets' } };
  await change('updateIntegration', { ...pets, body: { title: 'Pets' } });
  await change('refreshIntegration', { ...pets, body: {} });
  const credentials = { type: 'bearer', token: 'a-secret-token' };
  const connection = await change('createConnection',
    { body: { workspace_id, integration: 'pets', name: 'pets', credentials } });
  const one = { path: { connection_id: connection.id } };
  const { id: other } = await change('createDashboardSession',
    { body: { admin_token: client.admin_token } });
  await change('revokeDashboardSession', { path: { dashboard_session_id: other } });
  const { ticket } = await change('createDashboardTicket', {}) as unknown as { ticket: string };
  await change('createDashboardSession', { body: { ticket } });
  await change('updateConnection', { ...one, body: { credentials } });
  await change('deleteConnection', one);
  await change('deleteIntegration', pets);
  // The dashboard's key is there already.
  await browser.expect(200, 'listSessions');
  const session = await change('createSession', { body: {} });
  const path = { session_id: session.id };
  await change('updateSession', { path, body: { title: 'x' } });
  const input = [{ role: 'user', content: [{ type: 'input_text', text: ENDLESS }] }];
  const run = await change('createRun', { path, body: { input } });
  const run_path = { run_id: run.id };
  await untilSeen('the run is running', () => browser.expect(200, 'getRun', { path: run_path }),
    ({ status }) => status === 'running');
  await change('cancelRun', { path: run_path });
  await change('deleteSession', { path });
  await change('endDashboardSession', {});
  // A check uses a connection: its entry is appended once the call has been answered. A preview
  // changes nothing.
  const others = ['checkConnection', 'previewGrant'];
  const changing = Object.entries(operations).filter(([id, { internal, method }]) =>
    internal && method !== 'GET' && !others.includes(id));
  t.strictSame([...tried].sort(), [...changing.map(([id]) => id),
    'createSession', 'updateSession', 'createRun', 'cancelRun', 'deleteSession'].sort());
});

t.test('what could not be stored under its key is not made, nor told of', async (t) => {
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  const bodies = {
    createWorkspace: { name: 'one' },
    createApiKey: { workspace_id, name: 'one' },
    createAdminToken: { name: 'one' },
    createGrant: { workspace_id, actions: 'pets.*', decision: 'allow' },
    createConnection: { workspace_id, integration: 'pets', name: 'one',
      credentials: { type: 'none' } },
  };
  for (const [id, body] of Object.entries(bodies) as [keyof typeof bodies, object][]) {
    const before = await state();
    const options = { headers: { 'idempotency-key': `stored ${id}` }, body };
    t.match(await whileRefused('update', 'idempotency_keys', id, options), { status: 500 }, id);
    t.strictSame(await state(), before, id);
    await client.expect(201, id, options);
  }
});
