/** GET /admin/api_keys */
import t from 'tap';
import { readPage, readPages } from '../support/pages.ts';
import { endlessRun, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { nextMillisecond, untilSeen } from '../support/until.ts';

const { client, workspace_id } = await testServer(t);
const first = (await readPage(client, 'listApiKeys')).ids;
const other = await client.expect(201, 'createWorkspace', { body: { name: 'other' } });
const ids = [...first];
const secrets: string[] = [];
for (const owner of [workspace_id, other.id, workspace_id, other.id]) {
  await nextMillisecond();
  const { id, api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: owner, name: 'key' } });
  ids.push(id);
  secrets.push(api_key);
}
const newest = ids.toReversed();

t.test('all of them, newest first or oldest first, never with the key itself', async (t) => {
  t.strictSame((await readPage(client, 'listApiKeys')).ids, newest);
  t.strictSame((await readPage(client, 'listApiKeys', { order: 'asc' })).ids, ids);
  const { data } = await client.expect(200, 'listApiKeys');
  for (const secret of secrets) t.notMatch(JSON.stringify(data), secret);
});

t.test('pages hold everything once, in either order', async (t) => {
  t.strictSame(await readPages(client, 'listApiKeys', { limit: 2 }),
    [newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)]);
  t.strictSame(await readPages(client, 'listApiKeys', { limit: 2, order: 'asc' }),
    [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});

t.test('those of one workspace', async (t) => {
  const list = async (id: string) => (await readPages(client, 'listApiKeys',
    { workspace_id: id, limit: 1, order: 'asc' })).flat();
  t.strictSame(await list(other.id), [ids[2], ids[4]]);
  t.strictSame(await list(workspace_id), [ids[0], ids[1], ids[3]]);
  t.strictSame((await readPage(client, 'listApiKeys', { workspace_id: 'wsp_none' })).ids, []);
});

t.test('what would end with each, until it has', async (t) => {
  const action = 'gateway.connections.list';
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: action, decision: 'require_approval' } });
  const [busy, waiting] = [ids[1]!, ids[3]!];
  const [ofBusy, ofWaiting] = [client.as(secrets[0]!), client.as(secrets[2]!)];
  const counts = async () => Object.fromEntries(
    (await client.expect(200, 'listApiKeys', { query: { workspace_id } })).data
      .map(({ id, open_runs, pending_approvals }) => [id, [open_runs, pending_approvals]]));
  t.strictSame(await counts(), { [ids[0]!]: [0, 0], [busy]: [0, 0], [waiting]: [0, 0] });
  const session_id = await newSession(ofBusy);
  await endlessRun(ofBusy, session_id);
  await queueRun(ofBusy, session_id, 'hello');
  await queueRun(ofWaiting, session_id, 'hello');
  for (const each of [ofBusy, ofWaiting]) {
    await each.expect(403, 'createActionInvocation', { body: { action } });
  }
  t.strictSame(await counts(), { [ids[0]!]: [0, 0], [busy]: [2, 1], [waiting]: [1, 1] });
  await client.expect(204, 'revokeApiKey', { path: { api_key_id: busy } });
  await untilSeen('nothing of the revoked key', counts,
    (all) => all[busy]!.every((count) => count === 0));
  t.strictSame((await counts())[waiting]![1], 1, 'the approval of the other one stays');
});

t.test('a cursor of anything else is refused', async (t) => {
  const workspaces = (await readPage(client, 'listWorkspaces', { limit: 1 })).next_cursor!;
  for (const cursor of ['garbage', workspaces]) {
    t.match(await client.expect(400, 'listApiKeys', { query: { cursor } }),
      { code: 'invalid_cursor' });
  }
});
