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

t.test('only those with words in their title, or with the beginning of an id', async (t) => {
  const titled = async (title: string) => {
    await nextMillisecond();
    return await newSession(client, title);
  };
  const weekly = await titled('Weekly REPORT of 100% growth');
  const report = await titled('A report: Größe_1');
  const find = async (query: string, more = {}) =>
    (await readPages(client, 'listSessions', { query, limit: 1, ...more })).flat();
  t.strictSame(await find('report'), [report, weekly]);
  t.strictSame(await find('report', { order: 'asc' }), [weekly, report]);
  t.strictSame(await find('  growth week '), [weekly], 'every word, in any order');
  t.strictSame(await find('report', { status: 'archived' }), []);
  t.strictSame(await find('Größe'), [report]);
  t.strictSame([await find('theirs'), await find(theirs)], [[], []], 'another workspace has those');
  t.strictSame(await find('%'), [weekly], 'what a pattern is made of is text');
  t.strictSame(await find('e_1'), [report]);
  t.strictSame(await find('\\'), []);
  t.strictSame(await find(report), [report]);
  t.strictSame((await find(`ses_${report.slice(4, 10)}`)).slice(0, 2), [report, weekly]);
  t.strictSame(await find('ses_zzz'), []);
  t.strictSame((await find('ses_')).length, (await find(' ')).length);
  t.match(await client.expect(400, 'listSessions', { query: { query: 'a'.repeat(201) } }),
    { code: 'invalid_request', param: 'query' });
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
