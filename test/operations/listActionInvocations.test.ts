/** GET /action_invocations */
import t from 'tap';
import { readPage, readPages } from '../support/pages.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { completeRun, newSession } from '../support/runs.ts';
import { nextMillisecond } from '../support/until.ts';

const server = await testServer(t);
const { client } = server;
const other = await otherWorkspace(server);
const invoke = async (action: string, who = client) => {
  await nextMillisecond();
  const { body } = await who.call('createActionInvocation', { body: { action } });
  return 'invocation_id' in body ? body.invocation_id
    : (body.details as { invocation_id: string }).invocation_id;
};
const theirs = await invoke('gateway.connections.list', other);
const ids: string[] = [];
for (let i = 0; i < 3; i++) ids.push(await invoke('gateway.connections.list'));
ids.push(await invoke('gatehouse.sessions.create'), await invoke('nothing.at.all'));
const run = await completeRun(client, await newSession(client),
  'call gateway.connections.list\ncall gatehouse.sessions.create');
ids.push(...run.tool_calls.map(({ invocation_id }) => invocation_id!));
const newest = ids.toReversed();

t.test('newest first, or oldest first, of the workspace alone', async (t) => {
  t.strictSame((await readPage(client, 'listActionInvocations')).ids, newest);
  t.strictSame((await readPage(client, 'listActionInvocations', { order: 'asc' })).ids, ids);
  t.strictSame((await readPage(other, 'listActionInvocations')).ids, [theirs]);
});

t.test('items are invocations without their results', async (t) => {
  const { data } = await client.expect(200, 'listActionInvocations');
  for (const item of data) {
    const { result: _, ...invocation } = await client.expect(200, 'getActionInvocation',
      { path: { invocation_id: item.invocation_id } });
    t.strictSame(item, invocation);
  }
  t.strictSame(data.filter((item) => item.connection_id === undefined)
    .map(({ invocation_id }) => invocation_id), [newest[0], newest[2], newest[3]],
  'refused before a connection was chosen');
});

t.test('pages hold everything once, in either order', async (t) => {
  t.strictSame(await readPages(client, 'listActionInvocations', { limit: 3 }),
    [newest.slice(0, 3), newest.slice(3, 6), newest.slice(6)]);
  t.strictSame(await readPages(client, 'listActionInvocations', { limit: 3, order: 'asc' }),
    [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
});

t.test('filters', async (t) => {
  const list = async (query: Record<string, string>) => (await readPages(
    client, 'listActionInvocations', { limit: 2, order: 'asc', ...query })).flat();
  t.strictSame(await list({ action: 'gateway.connections.list' }), [...ids.slice(0, 3), ids[5]]);
  t.strictSame(await list({ status: 'completed' }), [...ids.slice(0, 3), ids[5]]);
  t.strictSame(await list({ status: 'failed' }), [ids[3], ids[4], ids[6]]);
  t.strictSame(await list({ source: 'api' }), ids.slice(0, 5));
  t.strictSame(await list({ source: 'run' }), ids.slice(5));
  t.strictSame(await list({ run_id: run.id }), ids.slice(5));
  t.strictSame(await list({ run_id: run.id, status: 'failed' }), [ids[6]]);
  t.strictSame(await list({ run_id: 'run_none' }), []);
  t.strictSame(await list({ action: 'gateway.connections' }), [], 'names are whole names');
  t.strictSame(await list({ id_prefix: ids[2]! }), [ids[2]]);
  t.strictSame(await list({ id_prefix: 'inv_', source: 'run' }), ids.slice(5));
  t.strictSame([await list({ id_prefix: theirs }), await list({ id_prefix: 'run_' })], [[], []]);
});

t.test('parameters and cursors that are none are refused', async (t) => {
  const mine = (await readPage(client, 'listActionInvocations', { limit: 1 })).next_cursor!;
  for (const [who, cursor] of [[client, 'garbage'], [other, mine]] as const) {
    t.match(await who.expect(400, 'listActionInvocations', { query: { cursor } }),
      { code: 'invalid_cursor' });
  }
  for (const [name, value] of [['status', 'running'], ['source', 'console'], ['action', '']]) {
    t.match(await client.expect(400, 'listActionInvocations', { query: { [name!]: value! } }),
      { code: 'invalid_request', param: name });
  }
});
