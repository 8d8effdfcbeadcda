/** GET /admin/workspaces */
import t from 'tap';
import { readPage, readPages } from '../support/pages.ts';
import { newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { nextMillisecond } from '../support/until.ts';

const server = await testServer(t);
const { client } = server;
const ids = [server.workspace_id];
for (const name of ['one', 'two', 'three', 'four']) {
  await nextMillisecond();
  ids.push((await client.expect(201, 'createWorkspace', { body: { name } })).id);
}
const newest = ids.toReversed();

t.test('all of them, newest first or oldest first', async (t) => {
  t.strictSame((await readPage(client, 'listWorkspaces')).ids, newest);
  t.strictSame((await readPage(client, 'listWorkspaces', { order: 'asc' })).ids, ids);
  const { data: [item] } = await client.expect(200, 'listWorkspaces');
  t.strictSame(item,
    await client.expect(200, 'getWorkspace', { path: { workspace_id: newest[0]! } }));
});

t.test('pages hold everything once, in either order', async (t) => {
  t.strictSame(await readPages(client, 'listWorkspaces', { limit: 2 }),
    [newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)]);
  t.strictSame(await readPages(client, 'listWorkspaces', { limit: 2, order: 'asc' }),
    [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});

t.test('the one that a run is of', async (t) => {
  const run = await queueRun(client, await newSession(client), '@rehearsal words=1');
  const { ids: found } = await readPage(client, 'listWorkspaces', { run_id: run.id });
  t.strictSame(found, [server.workspace_id]);
  t.strictSame((await readPage(client, 'listWorkspaces', { run_id: 'run_none' })).ids, []);
});

t.test('a cursor of anything else is refused', async (t) => {
  await client.expect(201, 'createApiKey',
    { body: { workspace_id: server.workspace_id, name: 'second' } });
  const keys = (await readPage(client, 'listApiKeys', { limit: 1 })).next_cursor!;
  for (const cursor of ['garbage', keys]) {
    t.match(await client.expect(400, 'listWorkspaces', { query: { cursor } }),
      { code: 'invalid_cursor' });
  }
});
