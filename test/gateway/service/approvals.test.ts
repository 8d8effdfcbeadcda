/** Calls that an operator has to approve: exactly this call, once, in time. */
import t, { type Test } from 'tap';
import type { Client, Schemas } from '../../support/client.ts';
import { nextMillisecond } from '../../support/until.ts';
import { json } from '../upstream/support.ts';
import {
  agent, agentCall, grantTo, invoke, line, notesService, secondNode, type Failure, type Notes,
} from './support.ts';

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
  t.match(error!.message, /denied \(not on a Sunday\)/);
  t.match(await client.call('decideApproval', { path: { approval_id: gap.approval_id },
    body: { decision: 'approve' } }), { status: 409, body: { code: 'approval_decided' } });
  t.match(await decide(client, gap, 'deny'), { status: 'denied' }, 'the same again is no conflict');
  await sql`update approvals set expires_at = now() - interval '1 second'`;
  await nextMillisecond();
  const next = await askedFor(client);
  t.not(next.approval_id, gap.approval_id);
  t.equal(next.status, 'pending');
  t.equal(upstream.received.length, 0);
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
