/** What a workspace has stored, and what is refused when it may store no more. */
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createLog } from '../../src/log.ts';
import { keepHouse } from '../../src/store/maintenance.ts';
import { doubtStorage, foldStorage } from '../../src/store/storage.ts';
import type { Client } from '../support/client.ts';
import { mcpClient } from '../mcp/support.ts';
import { completeRun, newSession, queueRun } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const DEFAULT_BYTES = 1_000_000;
const server = await testServer(t, { config: { workspace_storage_bytes: DEFAULT_BYTES } });
const { client, sql, workspace_id } = server;
const path = { workspace_id };
const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex');
const READ = { body: { action: 'gatehouse.sessions.list' } };

/** What is stored, with all that was written so far. */
async function stored(): Promise<number> {
  await untilSeen('what was written to be added up', async () => {
    await foldStorage(sql);
    return (await sql<[{ count: number }]>`
      select count(*)::int as count from storage_additions`)[0].count;
  }, (count) => count === 0);
  return (await client.expect(200, 'getWorkspace', { path })).storage.bytes;
}

async function keep(): Promise<number> {
  await keepHouse(sql, { event_retention_days: 0, log: createLog('silent') });
  return await stored();
}

const limit = (max_storage_bytes?: number) => client.expect(200, 'updateWorkspace',
  { path, body: { limits: max_storage_bytes === undefined ? {} : { max_storage_bytes } } });
const refusedRun = async (asker: Client, session_id: string) => asker.expect(403, 'createRun', {
  path: { session_id }, body: { input: [{ role: 'user', content: [
    { type: 'input_text', text: '@rehearsal words=1' }] }] } });

t.test('inputs, events, messages and results of calls count', async (t) => {
  const { storage } = await client.expect(200, 'getWorkspace', { path });
  t.strictSame(storage, { bytes: 0, limit_bytes: DEFAULT_BYTES });
  const session_id = await newSession(client);
  await queueRun(client, await newSession(client), noise(20_000), { model: 'rehearsal' });
  const asked = await stored();
  t.ok(asked >= 20_000 && asked < 30_000, `${asked} bytes: a long input is kept once`);
  t.match(await sql`select input from runs where listed_input is not null`, [{ input: null }]);
  await completeRun(client, session_id, '@rehearsal words=300');
  const said = await stored();
  t.ok(said - asked > 2 * 1_000, `${said - asked} bytes: deltas, the whole message twice`);
  await client.expect(201, 'createActionInvocation', READ);
  const called = await stored();
  const answer = await client.expect(200, 'listSessions');
  t.ok(called - said > JSON.stringify(answer.data).length, `${called - said} bytes: the result`);
});

t.test('an agent that calls adds what it records', async (t) => {
  const before = await stored();
  await completeRun(client, await newSession(client), 'call gatehouse.sessions.list');
  t.ok(await stored() > before + 1_000);
});

t.test('at the limit nothing new begins, and what is there can be read', async (t) => {
  const session_id = await newSession(client);
  const bytes = await stored();
  await limit(bytes + 100);
  const last = await completeRun(client, session_id, '@rehearsal words=1');
  t.equal(last.status, 'completed', 'below it');
  t.ok(await stored() > bytes + 100);
  t.match(await refusedRun(client, session_id),
    { code: 'storage_full', error: new RegExp(`stored ${bytes + 100} bytes or more`) });
  t.match(await client.expect(403, 'createActionInvocation', READ), { code: 'storage_full' });
  const mcp = await mcpClient(t, server);
  t.match(await mcp.callTool({ name: 'call_action', arguments: READ.body }).catch((e) => e),
    { data: { code: 'storage_full' } }, 'nor by MCP');
  t.same((await client.expect(200, 'getRun', { path: { run_id: last.id } })).output, last.output);
  const other = await otherWorkspace(server);
  t.equal((await completeRun(other, await newSession(other), '@rehearsal words=1')).status,
    'completed', 'another workspace has a limit of its own');

  await limit();
  t.equal((await completeRun(client, session_id, '@rehearsal words=1')).status, 'completed',
    'the operator allows more');
  await client.expect(201, 'createActionInvocation', READ);
});

t.test('the default of the operator is one, too', async (t) => {
  const other = await otherWorkspace(server);
  const session_id = await newSession(other);
  for (let i = 0; i < 2; i++) await queueRun(other, session_id, noise(500_000));
  await stored();
  t.match(await refusedRun(other, session_id),
    { code: 'storage_full', error: /stored 1000000 bytes or more/ });
});

t.test('what is gone is given back, and what was there before is counted', async (t) => {
  const before = await stored();
  t.equal(await keep(), before, 'all of it was counted as it came');
  await doubtStorage(sql);
  const counted = await keep();
  t.ok(Math.abs(counted - before) < before / 5, `${counted} bytes lie there, of ${before}`);
  await sql`delete from run_events where workspace_id = ${workspace_id}`;
  t.equal(await keep(), counted, 'it was counted');
  await doubtStorage(sql);
  const left = await keep();
  t.ok(left < counted - 10_000 && left > 10_000, `${left} of ${counted} bytes`);
  await sql`update storage set bytes = 0, counted_at = null`;
  t.equal(await keep(), left);
  await sql`update storage set bytes = 7, counted_at = now() - interval '25 hours'`;
  t.equal(await keep(), left, 'once a day');
  await sql`update storage set bytes = 7, counted_at = now() + interval '25 hours'`;
  t.equal(await keep(), left, 'also where the clock was ahead when it was counted last');
});
