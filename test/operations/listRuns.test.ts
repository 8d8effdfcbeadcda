/** GET /runs */
import t from 'tap';
import { otherWorkspace, testServer } from '../support/server.ts';
import { readPage, readPages } from '../support/pages.ts';
import { completeRun, endlessRun, newSession, queueRun, type Run } from '../support/runs.ts';
import { nextMillisecond } from '../support/until.ts';

const server = await testServer(t);
const { client, sql } = server;
const other = await otherWorkspace(server);
const theirs = await newSession(other);
await completeRun(other, theirs, '@rehearsal words=1');

const session_id = await newSession(client);
const elsewhere = await newSession(client);
const runs: Run[] = [];
for (let i = 0; i < 5; i++) runs.push(await completeRun(client, session_id, '@rehearsal words=1'));
runs.push(await completeRun(client, elsewhere, '@rehearsal fail=model_error'));
const cancelled = await endlessRun(client, elsewhere);
runs.push(await client.expect(200, 'cancelRun', { path: { run_id: cancelled.id } }));
const running = await endlessRun(client, elsewhere);
await nextMillisecond();
runs.push(running, await queueRun(client, elsewhere, 'hello'));
const ids = runs.map(({ id }) => id);
const newest = ids.toReversed();

t.test('newest first, or oldest first, of the workspace alone', async (t) => {
  t.strictSame((await readPage(client, 'listRuns')).ids, newest);
  t.strictSame((await readPage(client, 'listRuns', { order: 'asc' })).ids, ids);
});

t.test('items are runs without what only the run itself shows', async (t) => {
  const { data } = await client.expect(200, 'listRuns', { query: { status: 'completed' } });
  t.equal(data.length, 5);
  for (const item of data) {
    const { output, tool_calls, instructions, max_steps, timeout_s, max_total_tokens, ...rest } =
      runs.find(({ id }) => id === item.id)!;
    t.strictSame(item, rest);
  }
});

t.test('pages hold everything once, in either order', async (t) => {
  t.strictSame(await readPages(client, 'listRuns', { limit: 4 }),
    [newest.slice(0, 4), newest.slice(4, 8), newest.slice(8)]);
  t.strictSame(await readPages(client, 'listRuns', { limit: 4, order: 'asc' }),
    [ids.slice(0, 4), ids.slice(4, 8), ids.slice(8)]);
});

t.test('filters', async (t) => {
  const list = async (query: Record<string, string | number>) =>
    (await readPages(client, 'listRuns', { limit: 2, order: 'asc', ...query })).flat();
  t.strictSame(await list({ session_id }), ids.slice(0, 5));
  t.strictSame(await list({ session_id: elsewhere }), ids.slice(5));
  t.strictSame(await list({ status: 'completed' }), ids.slice(0, 5));
  t.strictSame(await list({ status: 'failed' }), [ids[5]]);
  t.strictSame(await list({ status: 'cancelled' }), [ids[6]]);
  t.strictSame(await list({ status: 'running' }), [ids[7]]);
  t.strictSame(await list({ status: 'queued' }), [ids[8]]);
  t.strictSame(await list({ status: 'completed', session_id: elsewhere }), [], 'all of them hold');
  t.strictSame(await list({ session_id: theirs }), [], 'a session of another workspace');
  t.strictSame(await list({ session_id: 'ses_none' }), [], 'and one that never was');
});

t.test('by the beginning of their id', async (t) => {
  const list = async (id_prefix: string, more = {}) => (await readPages(client, 'listRuns',
    { limit: 1, order: 'asc', id_prefix, ...more })).flat();
  t.strictSame(await list(ids[3]!), [ids[3]]);
  t.strictSame(await list(ids[3]!.slice(0, -1)), [ids[3]]);
  t.strictSame(await list('run_'), ids);
  t.strictSame(await list('run_', { status: 'failed' }), [ids[5]], 'all filters hold');
  t.strictSame([await list('run_zz'), await list('ses_')], [[], []]);
  for (const id_prefix of ['run', 'run_%', 'RUN_1', '']) {
    t.match(await client.expect(400, 'listRuns', { query: { id_prefix } }),
      { code: 'invalid_request', param: 'id_prefix' }, id_prefix);
  }
});

t.test('by error, model and source', async (t) => {
  const list = async (query: Record<string, string | number>) =>
    (await readPages(client, 'listRuns', { limit: 1, order: 'asc', ...query })).flat();
  await sql`update runs set model = 'openai/rare' where id in (${ids[1]!}, ${ids[8]!})`;
  await sql`update runs set source = 'console' where id in (${ids[2]!}, ${ids[6]!})`;
  t.strictSame(await list({ error_code: 'model_error' }), [ids[5]]);
  t.strictSame(await list({ error_code: 'model_error', status: 'failed' }), [ids[5]]);
  t.strictSame(await list({ error_code: 'model_error', status: 'completed' }), []);
  t.strictSame(await list({ error_code: 'timeout' }), []);
  t.strictSame(await list({ model: 'openai/rare' }), [ids[1], ids[8]]);
  t.strictSame(await list({ model: 'openai/rare', status: 'queued' }), [ids[8]]);
  t.strictSame(await list({ model: 'openai/rar' }), [], 'a model is named as a whole');
  t.strictSame(await list({ source: 'console' }), [ids[2], ids[6]]);
  t.strictSame(await list({ source: 'console', session_id: elsewhere }), [ids[6]]);
  t.strictSame((await list({ source: 'api' })).length, ids.length - 2);
  t.match(await client.expect(400, 'listRuns', { query: { source: 'browser' } }),
    { code: 'invalid_request', param: 'source' });
});

t.test('by time, as responses show it', async (t) => {
  // One second apart, and not on a whole millisecond; about when their ids were made.
  const start = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
  const times: string[] = [];
  for (const [index, id] of ids.entries()) {
    const [row] = await sql<{ created_at: string }[]>`
      update runs set created_at = ${start}::timestamptz + interval '0.123456 second'
        + ${index} * interval '1 second' where id = ${id} returning created_at`;
    times.push(row!.created_at);
  }
  const list = async (query: Record<string, string>) =>
    (await readPage(client, 'listRuns', { order: 'asc', ...query })).ids;
  t.match(times[3], /\.123Z$/);
  t.strictSame(await list({ created_after: times[3]! }), ids.slice(4));
  t.strictSame(await list({ created_before: times[3]! }), ids.slice(0, 3));
  t.strictSame(await list({ created_after: times[1]!, created_before: times[4]! }),
    ids.slice(2, 4));
  const elsewhere = new Date(Date.parse(times[3]!) + 3_600_000).toISOString();
  t.strictSame(await list({ created_after: elsewhere.replace('Z', '+01:00') }), ids.slice(4));
});

t.test('every time that RFC 3339 knows is understood', async (t) => {
  const list = async (created_after: string) =>
    (await readPage(client, 'listRuns', { created_after })).ids.length;
  for (const long_ago of ['0000-01-01T00:00:00Z', '2000-12-31T23:59:60Z', '2000-01-01t00:00:00z',
    '2000-01-01 00:00:00Z', '2000-01-01T00:00:00.123456789Z', '2000-01-01T00:00:00+23:59']) {
    t.equal(await list(long_ago), ids.length, long_ago);
  }
  for (const far of ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:60Z']) {
    t.equal(await list(far), 0, far);
  }
  for (const created_before of ['yesterday', '2026-02-30T00:00:00Z', '2026-11-21', '1']) {
    t.match(await client.expect(400, 'listRuns', { query: { created_before } }),
      { code: 'invalid_request', param: 'created_before' });
  }
});

t.test('cursors are of this list and this workspace', async (t) => {
  const mine = (await readPage(client, 'listRuns', { limit: 1 })).next_cursor!;
  const sessions = (await readPage(client, 'listSessions', { limit: 1 })).next_cursor!;
  for (const [who, cursor] of [[client, sessions], [other, mine], [client, 'garbage']] as const) {
    t.match(await who.expect(400, 'listRuns', { query: { cursor } }),
      { code: 'invalid_cursor', param: 'cursor' });
  }
});

t.test('400: a number that is no number any more', async (t) => {
  for (const limit of ['1e400', '-1e400']) {
    const answer = await client.call('listRuns', { query: { limit } });
    t.match(answer, { status: 400, body: { code: 'invalid_request', param: 'limit' } });
  }
});
