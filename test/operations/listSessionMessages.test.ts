/** GET /sessions/{session_id}/messages, and the part of a transcript that comes with its session */
import t from 'tap';
import type { CallOptions } from '../support/client.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const other = await otherWorkspace(server);
const MIB = 1_048_576;

async function get(session_id: string) {
  return await client.expect(200, 'getSession', { path: { session_id } });
}

async function list(session_id: string, query: NonNullable<CallOptions['query']> = {}) {
  return await client.expect(200, 'listSessionMessages', { path: { session_id }, query });
}

/** All pages in turn. */
async function pages(session_id: string, query: NonNullable<CallOptions['query']> = {}) {
  const all: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list(session_id, { ...query, ...(cursor && { cursor }) });
    t.equal(page.has_more, page.next_cursor !== null);
    all.push(page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return all;
}

/** Adds messages of this many characters after the session's only run. */
async function lengthen(session_id: string, messages: number, chars: number): Promise<void> {
  await sql`
    insert into messages (workspace_id, session_id, run_seq, position, id, run_id, role, content)
    select workspace_id, session_id, seq, 1000 + nth, 'msg_' || nth || '_' || id, id, 'user',
      json_build_array(json_build_object('type', 'input_text', 'text', repeat('x', ${chars})))
    from runs, generate_series(1, ${messages}) nth
    where workspace_id = ${workspace_id} and session_id = ${session_id}`;
}

t.test('newest first or oldest first, each message once', async (t) => {
  const session_id = await newSession(client);
  t.strictSame(await list(session_id),
    { object: 'list', data: [], has_more: false, next_cursor: null });
  for (const words of [1, 2, 3]) await completeRun(client, session_id, `@rehearsal words=${words}`);
  const { messages, messages_next_cursor } = await get(session_id);
  t.equal(messages.length, 6);
  t.equal(messages_next_cursor, null, 'these are all');
  t.strictSame((await list(session_id)).data, messages.toReversed());
  const ids = messages.map(({ id }) => id);
  t.strictSame((await pages(session_id, { limit: 4, order: 'asc' })),
    [ids.slice(0, 4), ids.slice(4)]);
  t.strictSame((await pages(session_id, { limit: 3 })),
    [ids.slice(3).reverse(), ids.slice(0, 3).reverse()]);
});

t.test('a session comes with its newest messages, and the list with the others', async (t) => {
  const session_id = await newSession(client);
  await completeRun(client, session_id, '@rehearsal words=1');
  await lengthen(session_id, 148, 10);
  const { messages, messages_next_cursor } = await get(session_id);
  t.equal(messages.length, 100);
  const all = (await pages(session_id, { limit: 100, order: 'asc' })).flat();
  t.equal(new Set(all).size, 150);
  t.strictSame(messages.map(({ id }) => id), all.slice(50));
  const earlier = await list(session_id, { limit: 100, cursor: messages_next_cursor! });
  t.strictSame(earlier.data.map(({ id }) => id), all.slice(0, 50).reverse());
  t.equal(earlier.next_cursor, null);
});

t.test('of a session of 20 MB nobody gets more than a page', async (t) => {
  const session_id = await newSession(client);
  await completeRun(client, session_id, '@rehearsal words=1');
  await lengthen(session_id, 20, 1_000_000);
  const response = await client.fetch('getSession', { path: { session_id } });
  const { length } = await response.text();
  t.ok(length < 2.1 * MIB, `${length} characters`);
  const { messages } = await get(session_id);
  t.equal(messages.length, 2, 'it ends with the message that reaches the bound');
  const first = await list(session_id, { limit: 100 });
  t.equal(first.data.length, 2);
  t.equal(first.has_more, true);
  t.equal(new Set((await pages(session_id, { limit: 100 })).flat()).size, 22);
  const { result } = await client.expect(201, 'createActionInvocation',
    { body: { action: 'gatehouse.sessions.get', input: { path: { session_id } } } });
  t.ok(JSON.stringify(result).length < 2.1 * MIB, 'nor does an agent');
});

t.test('cursors of other lists, sessions and workspaces', async (t) => {
  const [mine, empty] = [await newSession(client), await newSession(client)];
  await completeRun(client, mine, '@rehearsal words=1');
  const { next_cursor: cursor } = await list(mine, { limit: 1 });
  t.notMatch(Buffer.from(cursor!, 'base64url').toString(), /,\d|"\d/,
    'no number that counts what others do');
  const theirs = await newSession(other);
  const { next_cursor: ofRuns } = await client.expect(200, 'listSessions', { query: { limit: 1 } });
  const forged = (place: string) =>
    Buffer.from(JSON.stringify(['messages', workspace_id, place])).toString('base64url');
  const wrong: [typeof client, string, string][] = [
    [client, empty, cursor!], [client, mine, ofRuns!], [other, theirs, cursor!],
    [client, mine, 'garbage'], [client, mine, forged('')], [client, mine, forged('run_x.1')],
    [client, mine, forged("x'.1")]];
  for (const [who, session_id, given] of wrong) {
    t.match(await who.expect(400, 'listSessionMessages',
      { path: { session_id }, query: { cursor: given } }), { code: 'invalid_cursor' });
  }
  t.match(await other.expect(404, 'listSessionMessages', { path: { session_id: mine } }),
    { code: 'not_found' });
});
