/** GET /sessions */
import t from 'tap';
import { otherWorkspace, testServer } from '../support/server.ts';
import { readPage, readPages } from '../support/pages.ts';
import { newSession } from '../support/runs.ts';
import { nextMillisecond } from '../support/until.ts';

const server = await testServer(t);
const { client } = server;
const other = await otherWorkspace(server);
const theirs = await newSession(other, 'theirs');
const empty = await readPage(client, 'listSessions');
const ids: string[] = [];
for (let i = 0; i < 7; i++) {
  await nextMillisecond();
  ids.push(await newSession(client, `number ${i}`));
}
const newest = ids.toReversed();

t.test('an empty list', async (t) => {
  t.strictSame([empty.ids, empty.has_more, empty.next_cursor], [[], false, null]);
});

t.test('newest first, or oldest first', async (t) => {
  t.strictSame((await readPage(client, 'listSessions')).ids, newest);
  t.strictSame((await readPage(client, 'listSessions', { order: 'desc' })).ids, newest);
  t.strictSame((await readPage(client, 'listSessions', { order: 'asc' })).ids, ids);
});

t.test('pages hold everything once, in either order', async (t) => {
  t.strictSame(await readPages(client, 'listSessions', { limit: 3 }),
    [newest.slice(0, 3), newest.slice(3, 6), newest.slice(6)]);
  t.strictSame(await readPages(client, 'listSessions', { limit: 3, order: 'asc' }),
    [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  t.strictSame(await readPages(client, 'listSessions', { limit: 7 }), [newest],
    'a page that is just full is the last one');
});

t.test('what comes meanwhile moves nothing', async (t) => {
  const first = await readPage(client, 'listSessions', { limit: 3 });
  await nextMillisecond();
  const late = await newSession(client, 'late');
  const second = await readPage(client, 'listSessions', { limit: 3, cursor: first.next_cursor! });
  t.strictSame(second.ids, newest.slice(3, 6));
  ids.push(late);
  newest.unshift(late);
});

t.test('only those with a status', async (t) => {
  const [archived] = ids;
  await client.expect(200, 'updateSession',
    { path: { session_id: archived! }, body: { status: 'archived' } });
  t.strictSame((await readPage(client, 'listSessions', { status: 'archived' })).ids, [archived]);
  t.strictSame(await readPages(client, 'listSessions', { status: 'active', limit: 4 }),
    [newest.slice(0, 4), newest.slice(4, 7)]);
});

t.test('sessions are those of the workspace, without their messages', async (t) => {
  t.strictSame((await readPage(other, 'listSessions')).ids, [theirs]);
  const { data } = await client.expect(200, 'listSessions', { query: { limit: 1 } });
  t.notOk('messages' in data[0]!);
});

t.test('a cursor of anything else is refused', async (t) => {
  const mine = (await readPage(client, 'listSessions', { limit: 1 })).next_cursor!;
  const workspaces = (await client.expect(200, 'listWorkspaces', { query: { limit: 1 } }))
    .next_cursor!;
  t.ok(workspaces);
  const forged = Buffer.from(JSON.stringify(['sessions', server.workspace_id, '\0']))
    .toString('base64url');
  const bad = [
    'garbage', 'W10', workspaces, `${mine}x`, mine.slice(0, -1), forged, 'a'.repeat(512),
  ];
  for (const cursor of bad) {
    const answer = await client.call('listSessions', { query: { cursor } });
    t.equal(answer.status, 400, cursor.slice(0, 40));
    t.match(answer.body, { code: 'invalid_cursor', param: 'cursor' });
  }
  const answer = await other.call('listSessions', { query: { cursor: mine } });
  t.match([answer.status, answer.body], [400, { code: 'invalid_cursor', param: 'cursor' }]);
});

t.test('parameters that are no parameters are refused', async (t) => {
  const bad: [query: Record<string, string>, param: string][] = [
    [{ limit: '0' }, 'limit'], [{ limit: '101' }, 'limit'], [{ limit: 'all' }, 'limit'],
    [{ order: 'up' }, 'order'], [{ status: 'closed' }, 'status'], [{ cursor: '' }, 'cursor'],
    [{ page: '2' }, 'page'],
  ];
  for (const [query, param] of bad) {
    const answer = await client.call('listSessions', { query });
    t.equal(answer.status, 400, JSON.stringify(query));
    t.match(answer.body, { code: 'invalid_request', param });
  }
});
