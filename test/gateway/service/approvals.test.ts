/** Calls that an operator has to approve: exactly this call, once, in time. */
import t, { type Test } from 'tap';
import type { Client, Schemas } from '../../support/client.ts';
import { nextMillisecond } from '../../support/until.ts';
import { json, serve } from '../egress/support.ts';
import { fakeServer, json as answer, result } from '../mcp/httpServer.ts';
import { fakeTools, tool } from './mcpTools.ts';
import {
  addIntegration, addNotes, agent, agentCall, connectAccount, gatewayServer, grantTo, invoke, line,
  notesDocument, notesService, secondNode, type Failure, type Notes,
} from './support.ts';
import { soundness } from '../../support/soundness.ts';

soundness(t, 'a permission exceeded');

const HI = { body: { text: 'hi' } };
const CREATE = 'acme.notes.create';

/** The notes, whose writes need an approval. */
async function approvedNotes(t: Test): Promise<Notes> {
  const made = await notesService(t, ({ method }, response) => json(response, { method }));
  await grantTo(made.server, 'require_approval', 'acme.notes.create');
  return made;
}

type Gap = { approval_id: string; status: string; expires_at: string } & Record<string, unknown>;

/** The approval that the failure asks for. */
function asked(error: Failure | null): Gap {
  const [gap] = error?.missing ?? [];
  if (gap?.code !== 'approval_required') throw new Error(`not asked: ${JSON.stringify(error)}`);
  return gap as unknown as Gap;
}

async function askedFor(client: Client, input: object = HI): Promise<Gap> {
  return asked((await agentCall(client, CREATE, input)).error);
}

function decide(
  client: Client, { approval_id }: Gap, decision: 'approve' | 'deny', reason?: string,
): Promise<Schemas['Approval']> {
  return client.expect(200, 'decideApproval', { path: { approval_id },
    body: { decision, ...(reason && { reason }) } });
}

t.test('the report says exactly what is to be approved', async (t) => {
  const { server: { client }, upstream, connection_id } = await approvedNotes(t);
  const gap = await askedFor(client);
  t.match(gap, { code: 'approval_required', action: CREATE, effect: 'write', status: 'pending',
    who_can_approve: 'operator' });
  t.strictSame(gap.call, { action: CREATE, connection_id, input: HI });
  t.strictSame(gap.read_only_alternatives, ['acme.notes.get', 'acme.notes.list']);
  const in_s = (Date.parse(gap.expires_at) - Date.now()) / 1_000;
  t.ok(in_s > 86_000 && in_s <= 86_500, 'a day from now');
  const { data } = await client.expect(200, 'listApprovals', { query: { status: 'pending' } });
  t.equal(data.length, 1);
  t.match(data[0], { id: gap.approval_id, action: CREATE, connection_id, input: HI,
    api_key_id: String, run_id: /^run_/, decided_at: null });
  t.equal((await askedFor(client)).approval_id, gap.approval_id, 'asked again, it is the same');
  t.equal(upstream.received.length, 0);
});

t.test('approved: the next identical call goes through, once', async (t) => {
  const { server: { client }, upstream } = await approvedNotes(t);
  const gap = await askedFor(client, { body: { text: 'hi', more: { a: 1, b: 2 } } });
  t.match(await decide(client, gap, 'approve'), { status: 'approved' });
  const other = await askedFor(client, { body: { text: 'hello' } });
  t.not(other.approval_id, gap.approval_id, 'another input is another call');
  t.equal(upstream.received.length, 0);
  // Members in another order are the same input.
  const [done] = (await agent(client,
    line(CREATE, { body: { more: { b: 2, a: 1 }, text: 'hi' } }))).ends;
  t.match(done, { type: 'tool_call.completed', data: { result: { ok: true } } });
  t.match(await client.expect(200, 'getApproval', { path: { approval_id: gap.approval_id } }),
    { status: 'used' });
  const again = await askedFor(client, { body: { text: 'hi', more: { a: 1, b: 2 } } });
  t.not(again.approval_id, gap.approval_id, 'it is used up, and the next has to be approved anew');
  t.equal(upstream.received.length, 1);
});

t.test('denied: it says so until it expires, and does not go through', async (t) => {
  const { server: { client, sql }, upstream } = await approvedNotes(t);
  const gap = await askedFor(client);
  await decide(client, gap, 'deny', 'not on a Sunday');
  const { error } = await agentCall(client, CREATE, HI);
  t.match(asked(error), { approval_id: gap.approval_id, status: 'denied' });
  t.match(error!.message, `was denied (not on a Sunday). That stands until ${gap.expires_at}. `);
  t.match(await client.call('decideApproval', { path: { approval_id: gap.approval_id },
    body: { decision: 'approve' } }), { status: 409, body: { code: 'approval_decided',
    error: `This approval is denied and can no longer be decided. Until ${gap.expires_at}, the same`
      + ' call is denied; from then on, it can be asked for again.' } });
  t.match(await decide(client, gap, 'deny'), { status: 'denied' }, 'the same again is no conflict');
  await sql`update approvals set expires_at = now() - interval '1 second'`;
  await nextMillisecond();
  const next = await askedFor(client);
  t.not(next.approval_id, gap.approval_id);
  t.equal(next.status, 'pending');
  t.equal(upstream.received.length, 0);
});

t.test('denied: however the same call is written', async (t) => {
  const { server } = await approvedNotes(t);
  await grantTo(server, 'require_approval', 'gatehouse.sessions.list');
  const gapOf = async (input: object) => {
    const { body } = await invoke(server.client, 'gatehouse.sessions.list', input);
    return (body as { details: { missing: Gap[] } }).details.missing[0]!;
  };
  const { id: approval_id } = await decide(server.client, await gapOf({}), 'deny');
  t.match(await gapOf({ query: {} }), { approval_id, status: 'denied' });
  const other = await gapOf({ query: { limit: 1 } });
  t.equal(other.status, 'pending');
  t.not(other.approval_id, approval_id);
});

t.test('expired: neither decided nor used any more', async (t) => {
  const { server: { client, sql }, upstream } = await approvedNotes(t);
  const expire = () => sql`update approvals set expires_at = now() - interval '1 second'`;
  const first = await askedFor(client);
  await expire();
  t.match(await client.call('decideApproval', { path: { approval_id: first.approval_id },
    body: { decision: 'approve' } }), { status: 409, body: { code: 'approval_decided' } });
  t.match(await client.expect(200, 'getApproval', { path: { approval_id: first.approval_id } }),
    { status: 'expired' });
  const second = await askedFor(client);
  t.not(second.approval_id, first.approval_id);
  await decide(client, second, 'approve');
  await expire();
  const third = await askedFor(client);
  t.notOk([first, second].some(({ approval_id }) => approval_id === third.approval_id));
  t.equal(upstream.received.length, 0);
});

/** Another key of the workspace, as a client. */
async function anotherKey({ server: { client, workspace_id } }: Notes): Promise<Client> {
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'another' } });
  return client.as(api_key);
}

t.test('an approval is used by the key that asked for it, and by no other', async (t) => {
  const made = await approvedNotes(t);
  const { server: { client }, upstream } = made;
  const other = await anotherKey(made);
  const mine = await askedFor(client);
  t.match(await decide(client, mine, 'approve'), { scope: 'api_key', status: 'approved' });
  const theirs = await askedFor(other);
  t.not(theirs.approval_id, mine.approval_id, 'another key asks for its own');
  const { data } = await client.expect(200, 'listApprovals', { query: { order: 'asc' } });
  t.equal(new Set(data.map(({ api_key_id }) => api_key_id)).size, 2, 'which names it');
  await decide(client, theirs, 'deny', 'not you');
  t.match(asked((await agentCall(other, CREATE, HI)).error), { status: 'denied' });
  t.equal(upstream.received.length, 0);
  t.match(await agentCall(client, CREATE, HI), { result: { ok: true } }, 'they alone are denied');
  t.equal(upstream.received.length, 1);
});

t.test('unless the grants of both keys say that it is for the workspace', async (t) => {
  const made = await notesService(t, ({ method }, response) => json(response, { method }));
  const { server, upstream } = made;
  const { client } = server;
  const other = await anotherKey(made);
  const ofAll = await grantTo(server, 'require_approval', CREATE, { approval_scope: 'workspace' });
  t.equal(ofAll.approval_scope, 'workspace');
  const first = await askedFor(client);
  t.equal((await askedFor(other)).approval_id, first.approval_id, 'they ask for one');
  t.match(await decide(client, first, 'approve'), { scope: 'workspace' });
  t.match(await agentCall(other, CREATE, HI), { result: { ok: true } });
  t.equal(upstream.received.length, 1);
  const second = await askedFor(client);
  await decide(client, second, 'approve');
  // One grant that says nothing of it keeps approvals with their keys.
  const stricter = await grantTo(server, 'require_approval', 'acme.*');
  t.equal(stricter.approval_scope, 'api_key');
  t.not((await askedFor(other)).approval_id, second.approval_id, 'what is used now counts');
  await client.expect(204, 'deleteGrant', { path: { grant_id: ofAll.id } });
  const third = await askedFor(client, { body: { text: 'third' } });
  await decide(client, third, 'approve');
  await client.expect(204, 'deleteGrant', { path: { grant_id: stricter.id } });
  await grantTo(server, 'require_approval', CREATE, { approval_scope: 'workspace' });
  t.not((await askedFor(other, { body: { text: 'third' } })).approval_id, third.approval_id,
    'and so does what was asked for');
  t.match(await agentCall(client, CREATE, { body: { text: 'third' } }), { result: { ok: true } });
});

t.test('a hundred identical calls, on two nodes, ask once and use one approval', async (t) => {
  const { server, upstream } = await approvedNotes(t);
  const node = await secondNode(t, server);
  const clients = [server.client, node.client];
  const calls = Array.from({ length: 50 }, () => line(CREATE, HI)).join(' & ');
  const both = async () => (await Promise.all(clients.map((client) => agent(client, calls))))
    .flatMap(({ ends }) => ends);
  const first = await both();
  t.equal(first.length, 100);
  const ids = new Set(first.map((end) =>
    asked((end.data as unknown as { error: Failure }).error).approval_id));
  t.equal(ids.size, 1);
  // Decided on one node, it holds on the other.
  await decide(node.client, { approval_id: [...ids][0]! } as Gap, 'approve');
  const second = await both();
  t.equal(second.filter(({ type }) => type === 'tool_call.completed').length, 1);
  t.equal(upstream.received.length, 1);
  const later = new Set(second.flatMap((end) => (end.type === 'tool_call.failed'
    ? [asked(end.data.error as Failure).approval_id] : [])));
  t.equal(later.size, 1, 'the others ask for one more');
  t.notOk(ids.has([...later][0]!));
});

t.test('reading that has to be approved waits in the direct call, too', async (t) => {
  const { server, upstream } = await approvedNotes(t);
  const { client } = server;
  await grantTo(server, 'require_approval', 'acme.notes.list');
  const refused = await invoke(client, 'acme.notes.list');
  t.match(refused, { status: 403, body: { code: 'approval_required' } });
  const { missing } = (refused.body as { details: { missing: Gap[] } }).details;
  t.strictSame(missing[0]!.read_only_alternatives, ['acme.notes.get']);
  await decide(client, missing[0]!, 'approve');
  t.match(await invoke(client, 'acme.notes.list'), { status: 201 });
  t.match(await invoke(client, 'acme.notes.list'), { status: 403 });
  t.equal(upstream.received.length, 1);
});

t.test('what is invalid is not asked for', async (t) => {
  const { server: { client } } = await approvedNotes(t);
  const { error } = await agentCall(client, CREATE, { nonsense: 1 });
  t.match(error, { code: 'invalid_input' });
  const { data } = await client.expect(200, 'listApprovals', {});
  t.strictSame(data, []);
});

const NOWHERE = { base_url: 'http://127.0.0.1:1', egress_allow: ['127.0.0.1:1'] };

t.test('what fails before anything is sent does not use it', async (t) => {
  const { server, upstream } = await approvedNotes(t);
  const { client } = server;
  const change = (body: object) =>
    client.expect(200, 'updateIntegration', { path: { slug: 'acme' }, body });
  // One that was given for another address has expired.
  const changeAndApprove = async (body: object) => {
    await change(body);
    const gap = await askedFor(client);
    await decide(client, gap, 'approve');
    return async () => (await client.expect(200, 'getApproval',
      { path: { approval_id: gap.approval_id } })).status;
  };
  for (const [where, message, code] of [
    [NOWHERE, /refuses connections/, 'upstream_error'],
    [{ base_url: `http://localhost:${upstream.port}`, egress_allow: [] }, /may not be called so/,
      'egress_refused'],
    [{ base_url: 'https://nobody.invalid', egress_allow: [] }, /its name does not resolve/,
      'upstream_error'],
    [{ base_url: null, egress_allow: [] }, /does not say where it is/, 'egress_refused'],
  ] as const) {
    const status = await changeAndApprove(where);
    t.match(await agentCall(client, CREATE, HI), { error: { code, message } });
    t.equal(await status(), 'approved', String(message));
  }
  const status = await changeAndApprove(
    { base_url: upstream.url, egress_allow: upstream.egress_allow });
  t.equal(upstream.received.length, 0);
  t.match(await agentCall(client, CREATE, HI), { result: { ok: true } });
  t.equal(await status(), 'used');
});

t.test('nor does one for which there is no token', async (t) => {
  let answered: [status: number, body: object] = [503, {}];
  const tokens = await serve(t, (_request, response) => json(response, answered[1], answered[0]));
  const upstream = await serve(t, (_request, response) => json(response, {}, 401));
  const server = await gatewayServer(t);
  const { client } = server;
  await addNotes(server, upstream,
    { egress_allow: [...upstream.egress_allow, ...tokens.egress_allow] });
  await grantTo(server, 'require_approval', CREATE);
  const credentials = { type: 'oauth2', grant: 'client_credentials', client_id: 'client',
    client_secret: 'the-secret-of-the-client', token_url: `${tokens.url}/token` } as const;
  const { id } = await connectAccount(server, 'acme', credentials as never);
  let gap = await askedFor(client);
  await decide(client, gap, 'approve');
  const status = async () => (await client.expect(200, 'getApproval',
    { path: { approval_id: gap.approval_id } })).status;
  t.match(await agentCall(client, CREATE, HI), { error: { code: 'upstream_error' } });
  t.equal(await status(), 'approved', 'the token endpoint is away');
  answered = [400, { error: 'invalid_grant' }];
  t.match(await agentCall(client, CREATE, HI), { error: { code: 'needs_reconnect' } });
  t.equal(await status(), 'approved', 'it gives none any more');
  t.equal(upstream.received.length, 0);
  await client.expect(200, 'updateConnection', { path: { connection_id: id },
    body: { credentials: { type: 'bearer', token: 'not-the-right-one' } } });
  t.equal(await status(), 'expired', 'it was for the account of before');
  gap = await askedFor(client);
  await decide(client, gap, 'approve');
  t.match(await agentCall(client, CREATE, HI), { error: { code: 'needs_reconnect' } });
  t.strictSame(upstream.received.map(({ method }) => method), ['POST', 'GET']);
  t.equal(await status(), 'used', 'refused, but sent');
});

t.test('nor does a tool that has changed; one whose answer is lost does', async (t) => {
  const tools = [tool('act'), tool('lose')];
  const fake = await fakeServer(t, {
    'tools/list': (message, response) => answer(response, result(message, { tools })),
    'tools/call': (_message, response) => void response.destroy(),
  });
  const server = await gatewayServer(t);
  const { client } = server;
  await addIntegration(server, fakeTools(fake));
  await connectAccount(server, 'tools');
  await grantTo(server, 'require_approval', 'tools.*');
  const approved = async (action: string) => {
    const gap = asked((await agentCall(client, action)).error);
    await decide(client, gap, 'approve');
    return async () => (await client.expect(200, 'getApproval',
      { path: { approval_id: gap.approval_id } })).status;
  };
  const [act, lose] = [await approved('tools.tools.act'), await approved('tools.tools.lose')];
  tools[0] = tool('act', { inputSchema: { type: 'object', required: ['more'] } });
  t.match((await agentCall(client, 'tools.tools.act')).error, { message: /has changed/ });
  t.equal(await act(), 'approved');
  t.match((await agentCall(client, 'tools.tools.lose')).error, { code: 'outcome_unknown' });
  t.equal(await lose(), 'used');
});

t.test('an approval does not outlive the account that it was given for', async (t) => {
  const { server, connection_id } = await approvedNotes(t);
  const { client } = server;
  const { id: other } = await connectAccount(server, 'acme', undefined, { name: 'other' });
  const on = async (id: string, text: string) => asked((await agentCall(
    client, CREATE, { body: { text } }, `connection_id=${id}`)).error);
  const gaps = { pending: await on(connection_id, 'a'), approved: await on(connection_id, 'b'),
    denied: await on(connection_id, 'c'), other: await on(other, 'b') };
  await decide(client, gaps.approved, 'approve', 'said so');
  await decide(client, gaps.other, 'approve');
  await decide(client, gaps.denied, 'deny');
  const standing = async (gap: Gap) => {
    const { status, reason } = await client.expect(200, 'getApproval',
      { path: { approval_id: gap.approval_id } });
    return [status, reason];
  };
  const path = { connection_id };
  await client.expect(200, 'updateConnection', { path, body: { name: 'renamed' } });
  t.strictSame(await standing(gaps.pending), ['pending', null], 'a name is no account');
  await client.expect(200, 'updateConnection',
    { path, body: { credentials: { type: 'bearer', token: 'of-another-account' } } });
  t.strictSame(await standing(gaps.pending), ['expired', 'account_changed']);
  t.strictSame(await standing(gaps.approved), ['expired', 'said so']);
  t.strictSame(await standing(gaps.denied), ['denied', null]);
  t.strictSame(await standing(gaps.other), ['approved', null], 'that of another connection');
  t.not((await on(connection_id, 'b')).approval_id, gaps.approved.approval_id, 'it is asked anew');
});

t.test('an approval does not outlive the integration that it was given for', async (t) => {
  const { server: { client }, upstream } = await approvedNotes(t);
  const statuses = async () => (await client.expect(200, 'listApprovals', {})).data
    .map(({ status }) => status).sort();
  const update = (body: { title: string } | { base_url: string } | { document: object }) =>
    client.expect(200, 'updateIntegration', { path: { slug: 'acme' }, body });
  for (const [i, body] of [{ base_url: `${upstream.url}/admin` }, { document: notesDocument() }]
    .entries()) {
    await decide(client, await askedFor(client), 'approve');
    await askedFor(client, { body: { text: 'another' } });
    await update({ title: 'Notes of ours' });
    t.same((await statuses()).filter((one) => one !== 'expired'), ['approved', 'pending'],
      'a title changes nothing');
    await update(body);
    t.same(await statuses(), Array(2 * i + 2).fill('expired'));
  }
  await askedFor(client);
  t.equal(upstream.received.length, 0);
});

t.test('nor the MCP server that it was given for', async (t) => {
  const lists: Parameters<typeof fakeServer>[1] = { 'tools/list': (message, response) =>
    answer(response, result(message, { tools: [tool('act')] })) };
  const [fake, other] = [await fakeServer(t, lists), await fakeServer(t, lists)];
  const server = await gatewayServer(t);
  const { client } = server;
  await addIntegration(server, fakeTools(fake));
  await connectAccount(server, 'tools');
  await grantTo(server, 'require_approval', 'tools.*');
  const gap = asked((await agentCall(client, 'tools.tools.act')).error);
  await decide(client, gap, 'approve');
  const status = async () => (await client.expect(200, 'getApproval',
    { path: { approval_id: gap.approval_id } })).status;
  const update = (body: object) =>
    client.expect(200, 'updateIntegration', { path: { slug: 'tools' }, body });
  await update({ mcp: { trust_hints: false } });
  t.equal(await status(), 'approved', 'it is the same');
  await update({ mcp: { url: other.url }, egress_allow: [new URL(other.url).host] });
  t.equal(await status(), 'expired');
  t.not(asked((await agentCall(client, 'tools.tools.act')).error).approval_id, gap.approval_id);
});
