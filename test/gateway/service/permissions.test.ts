/** Who sees and may call what, through the running service. */
import t from 'tap';
import type { Client } from '../../support/client.ts';
import { otherWorkspace } from '../../support/server.ts';
import { json } from '../egress/support.ts';
import { serve, type Handler } from '../egress/support.ts';
import {
  addNotes, agent, agentCall, connectAccount, gatewayServer, grantTo, invoke, line, notesService,
} from './support.ts';
import { soundness } from '../../support/soundness.ts';

soundness(t, 'a permission exceeded');

const notes: Handler = ({ method, target }, response) => json(response, { method, target });

/** Every way to find out that an action exists, and what each of them says. */
async function traces(client: Client, name: string): Promise<Record<string, boolean>> {
  const { data: listed } = await client.expect(200, 'listActions', { query: { limit: 100 } });
  const { data: found } = await client.expect(200, 'searchActions',
    { body: { query: name.replaceAll('.', ' '), limit: 50 } });
  const called = await invoke(client, name, { path: { id: '1' } });
  const misspelt = await invoke(client, `${name}s`);
  const told = await agent(client,
    line('gateway.actions.search', { query: name.replaceAll('.', ' '), limit: 5 }),
    line('gateway.actions.describe', { name }),
    line('gateway.actions.describe', { name: `${name}s` }),
    line(name, { path: { id: '1' } }));
  const [search, described, similar, call] = told.ends;
  const says = (value: unknown) => JSON.stringify(value).includes(`"${name}"`);
  const unknown = (end: (typeof told.ends)[number]) =>
    end.type === 'tool_call.failed' && end.data.error.code === 'unknown_action';
  return {
    listed: says(listed), found: says(found),
    called: called.status !== 404,
    suggested: says((misspelt.body as { details: { suggestions: string[] } })
      .details.suggestions),
    found_by_agent: says(search!.data), described: !unknown(described!),
    suggested_to_agent: says((similar!.data as { error: { missing: object } }).error.missing),
    called_by_agent: !unknown(call!),
  };
}

const everywhere = (yes: boolean) => Object.fromEntries(['listed', 'found', 'called', 'suggested',
  'found_by_agent', 'described', 'suggested_to_agent', 'called_by_agent'].map((at) => [at, yes]));

t.test('deny: the action is nowhere, and comes back when the grant goes', async (t) => {
  const { server, upstream } = await notesService(t, notes);
  const { client } = server;
  t.strictSame(await traces(client, 'acme.notes.get'), everywhere(true), 'it can be seen at all');
  const calls = upstream.received.length;
  const { id: grant_id } = await grantTo(server, 'deny', 'acme.*.get');
  t.strictSame(await traces(client, 'acme.notes.get'), everywhere(false));
  t.equal(upstream.received.length, calls, 'and nothing left');
  const same = await invoke(client, 'acme.notes.get');
  const never = await invoke(client, 'acme.notes.grt');
  t.equal(same.status, 404);
  // Suggestions differ with the words of the name.
  const shape = (body: unknown) => JSON.stringify(body).replaceAll(/(inv|req)_\w+/g, '')
    .replaceAll('notes.grt', 'notes.get').replaceAll(/"suggestions":\[.*?\]|Similar .*?"/g, '');
  t.equal(shape(same.body), shape(never.body), 'as one that never was');
  t.match(await agentCall(client, 'acme.notes.list'), { error: null }, 'the others stay');
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
  t.strictSame(await traces(client, 'acme.notes.get'), everywhere(true));
});

t.test('an integration of which all is denied has left no trace', async (t) => {
  const { server } = await notesService(t, notes);
  await grantTo(server, 'deny', 'acme.*');
  const { data } = await server.client.expect(200, 'listActions', { query: { limit: 100 } });
  t.notMatch(JSON.stringify(data), /acme/);
  t.strictSame(await traces(server.client, 'acme.notes.list'), everywhere(false));
});

t.test('a write: refused by itself, done by an agent with a grant, never directly', async (t) => {
  const { server, upstream } = await notesService(t, notes);
  const { client } = server;
  const refused = await agentCall(client, 'acme.notes.create', { body: { text: 'hi' } });
  t.match(refused.error, { code: 'not_permitted', missing: [{
    code: 'not_permitted', action: 'acme.notes.create', effect: 'write',
    grant_needed: { actions: 'acme.notes.create', decision: 'allow' }, who_can_grant: 'operator',
  }] });
  t.equal(upstream.received.length, 0);
  await grantTo(server, 'allow', 'acme.notes.create');
  const done = await agentCall(client, 'acme.notes.create', { body: { text: 'hi' } });
  t.match(done.result, { ok: true, result: { method: 'POST', target: '/notes' } });
  t.match(await invoke(client, 'acme.notes.create', { body: {} }),
    { status: 403, body: { code: 'action_not_read_only' } });
  t.match(await agentCall(client, 'acme.notes.delete', { path: { id: '1' } }),
    { error: { code: 'not_permitted' } }, 'the grant was for the other one');
  t.equal(upstream.received.length, 1);
  t.equal(upstream.received[0]!.headers.authorization, 'Bearer a-token-of-the-tests');
});

t.test('grants for a key, for a workspace, for a time', async (t) => {
  const { server } = await notesService(t, notes);
  const { client, workspace_id, sql } = server;
  const made = await client.expect(201, 'createApiKey', { body: { workspace_id, name: 'other' } });
  const other = client.as(made.api_key);
  const create = async (as: Client) => (await agentCall(as, 'acme.notes.create', { body: {} }));
  const { id: grant_id } = await grantTo(server, 'allow', 'acme.notes.*', { api_key_id: made.id });
  t.match(await create(other), { error: null });
  t.match(await create(client), { error: { code: 'not_permitted' } }, 'it is for the other key');
  // The agent acts for whoever created its run, so a grant taken away holds for the next call.
  await sql`update grants set expires_at = now() where id = ${grant_id}`;
  t.match(await create(other), { error: { code: 'not_permitted' } }, 'it has expired');
  t.match(await create(await otherWorkspace(server)), { error: { code: 'not_permitted' } });
});

t.test('several accounts', async (t) => {
  const { server, upstream, connection_id } = await notesService(t, notes);
  const { client } = server;
  const second = await connectAccount(server, 'acme', { type: 'bearer', token: 'second-token' },
    { account_label: 'two@acme.example' });
  const ambiguous = { code: 'connection_ambiguous', connections: [
    { connection_id, account_label: null },
    { connection_id: second.id, account_label: 'two@acme.example' }] };
  t.match(await invoke(client, 'acme.notes.list'), { status: 409, body: {
    code: 'connection_ambiguous', details: { missing: [ambiguous] } } });
  t.match((await agentCall(client, 'acme.notes.list')).error, { missing: [ambiguous] });
  const choice = `connection_id=${second.id}`;
  t.match((await agentCall(client, 'acme.notes.list', {}, choice)).result,
    { connection_id: second.id });
  t.equal(upstream.received.at(-1)!.headers.authorization, 'Bearer second-token');

  await grantTo(server, 'allow', 'acme.notes.create', { connection_id: second.id });
  t.strictSame((await agentCall(client, 'acme.notes.create')).error?.missing
    ?.map(({ code }) => code), ['connection_ambiguous'], 'one of them would be permitted');
  t.match(await agentCall(client, 'acme.notes.create', {}, choice), { error: null });
  const first = `connection_id=${connection_id}`;
  t.match((await agentCall(client, 'acme.notes.create', {}, first)).error,
    { code: 'not_permitted' });

  await grantTo(server, 'deny', 'acme.notes.list', { connection_id: second.id });
  t.match((await agentCall(client, 'acme.notes.list')).result, { connection_id },
    'the account that is denied is not there');
  t.match(await invoke(client, 'acme.notes.list', {}, { connection_id: second.id }),
    { status: 400, body: { code: 'invalid_input', param: '/connection_id' } });
});

t.test('workspace_ids: to the others the integration does not exist', async (t) => {
  const upstream = await serve(t, notes);
  const server = await gatewayServer(t);
  const { client, workspace_id } = server;
  await addNotes(server, upstream, { workspace_ids: [workspace_id] });
  const other = await otherWorkspace(server);
  t.match(await invoke(client, 'acme.notes.list'),
    { status: 409, body: { code: 'not_connected' } }, 'here it only is not connected');
  t.match(await invoke(other, 'acme.notes.list'),
    { status: 404, body: { code: 'unknown_action' } });
  await connectAccount(server, 'acme');
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
  t.strictSame(await traces(other, 'acme.notes.list'), everywhere(false));
  await client.expect(200, 'updateIntegration', {
    path: { slug: 'acme' }, body: { workspace_ids: [] } });
  t.match(await invoke(client, 'acme.notes.list'), { status: 404 }, 'from the next call on');
});

t.test('a 401: the connection needs a person, and works again with a new token', async (t) => {
  let accepted = 'a-token-of-the-tests';
  const { server, connection_id } = await notesService(t, (request, response) =>
    request.headers.authorization === `Bearer ${accepted}`
      ? json(response, []) : json(response, { message: 'bad credentials' }, 401));
  const { client } = server;
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
  accepted = 'the-new-token';
  const gap = { code: 'needs_reconnect', connection_id, who_can_reconnect: 'operator' };
  t.match(await invoke(client, 'acme.notes.list'),
    { status: 409, body: { code: 'needs_reconnect', details: { missing: [gap] } } });
  t.match(await client.expect(200, 'getConnection', { path: { connection_id } }),
    { status: 'needs_reconnect',
      status_reason: 'The integration refused its credentials in a call of acme.notes.list.' });
  t.match((await agentCall(client, 'acme.notes.list')).error, { missing: [gap] });
  t.match(await client.expect(200, 'updateConnection', { path: { connection_id },
    body: { credentials: { type: 'bearer', token: accepted } } }),
  { id: connection_id, status: 'connected', status_reason: null });
  t.match(await invoke(client, 'acme.notes.list'), { status: 201, body: { connection_id } });
});

t.test('a broken connection is permitted by the grant for it', async (t) => {
  const { server, connection_id } = await notesService(t, notes);
  await grantTo(server, 'allow', 'acme.notes.create', { connection_id });
  await server.sql`update connections set status = 'needs_reconnect' where id = ${connection_id}`;
  for (const rest of ['', `connection_id=${connection_id}`]) {
    t.strictSame((await agentCall(server.client, 'acme.notes.create', { body: {} }, rest)).error
      ?.missing?.map(({ code }) => code), ['needs_reconnect'], 'no grant is asked for');
  }
});
