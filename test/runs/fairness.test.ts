/** Workspaces take turns, none has all places while another waits, and each has its limits. */
import t from 'tap';
import { newId } from '../../src/ids.ts';
import { connect } from '../../src/store/database.ts';
import { claimRuns } from '../../src/store/runs.ts';
import type { Client } from '../support/client.ts';
import { prompt } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import {
  completeRun, ENDLESS, newSession, queueRun, untilEvent, type Run,
} from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { storeWorkers } from '../support/storedRuns.ts';
import { untilSeen } from '../support/until.ts';

const SMALL = '@rehearsal words=2';
const queue = async (client: Client, text = SMALL) =>
  await queueRun(client, await newSession(client), text);
/** One after the other, so that they are in this order in the queue as well. */
async function queueMany(client: Client, count: number, text = SMALL): Promise<Run[]> {
  const runs: Run[] = [];
  while (runs.length < count) runs.push(await queue(client, text));
  return runs;
}

t.test('slow runs of one workspace do not keep 32 others waiting', async (t) => {
  const server = await testServer(t);
  const { client, sql, workspace_id, config: { concurrency } } = server;
  await queueMany(client, concurrency + 8, ENDLESS);
  const running = async () => (await sql<{ workspace_id: string }[]>`
    select workspace_id from runs where status = 'running'`).map((run) => run.workspace_id);
  await untilSeen('a worker that is full', running, (of) => of.length >= concurrency);
  const other = await otherWorkspace(server);
  const runs = await Promise.all(Array.from({ length: 4 }, async () =>
    await completeRun(other, await newSession(other), SMALL, { wait_timeout_s: 30 })));
  t.same(runs.map(({ status }) => status), runs.map(() => 'completed'));
  t.same(await running(), Array(concurrency).fill(workspace_id), 'alone it has all others');

  // Slow ones as well: each of the others has one executed at once, and none a second.
  const others: Client[] = [];
  while (others.length < concurrency) others.push(await otherWorkspace(server));
  const slow = await Promise.all(others.map((client) => queueMany(client, 2, ENDLESS)));
  await untilSeen('one run of each', running, (of) => new Set(of).size === 1 + concurrency);
  t.equal((await running()).length, 2 * concurrency);
  // Beyond that a workspace waits until any run ends, and is the next.
  const late = await otherWorkspace(server);
  const waiting = await queue(late, ENDLESS);
  await others[0]!.expect(200, 'cancelRun', { path: { run_id: slow[0]![0]!.id } });
  await untilEvent(late, waiting.id, 'run.started');
  t.equal((await running()).length, 2 * concurrency);
});

t.test('the api keys of a workspace share what it has executed', async (t) => {
  const server = await testServer(t, { config: { concurrency: 0 } });
  const { client, sql, workspace_id } = server;
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'second' } });
  const beside = client.as(api_key);
  await storeWorkers(sql, 'wrk_test');
  const one = await queueMany(client, 12);
  const two = await queueMany(beside, 4);
  const claim = async (limit: number, terms = {}) =>
    (await claimRuns(sql, 'wrk_test', limit, { running_limit: 10, key_running_limit: 5, ...terms }))
      .map(({ id }) => id);
  const of = (ids: string[]) => [one, two].map((runs) =>
    runs.filter(({ id }) => ids.includes(id)).map(({ id }) => runs.findIndex((r) => r.id === id)));
  t.same(of(await claim(3, { key_running_limit: null })), [[0, 1], [0]], 'each the same');
  t.same(of(await claim(1)), [[], [1]], 'the one that has the fewest comes first');
  t.same(of(await claim(8)), [[2, 3, 4], [2, 3]], 'and no more than a key may have');
  t.same(await claim(8), [], 'however many of it wait');
  const late = await queueMany(beside, 3);
  t.same(await claim(8), [late[0]!.id], 'they do not keep the other key waiting');
  t.same(await claim(8, { running_limit: 12, key_running_limit: null }),
    [one[5]!.id, late[1]!.id], 'of two places each gets one');
});

t.test('claims at the same moment keep to the limit of a key', async (t) => {
  const { url } = await testDatabase(t);
  const server = await testServer(t, { config: { concurrency: 0 },
    database: { url, sql: connect(url, { max: 10 }) } });
  const { client, sql } = server;
  t.teardown(() => sql.end());
  const workers = Array.from({ length: 8 }, () => newId('wrk'));
  await storeWorkers(sql, ...workers);
  await queueMany(client, 20);
  const claims = await Promise.all(workers.map((id) =>
    claimRuns(sql, id, 4, { running_limit: 1_000, key_running_limit: 5 })));
  t.equal(claims.flat().length, 5);
});

t.test('a claim gives each the same, oldest first, and the next goes on with others', async (t) => {
  const server = await testServer(t, { config: { concurrency: 0 } });
  const { client, sql } = server;
  await storeWorkers(sql, 'wrk_test');
  const one = await queueMany(client, 12);
  const other = await otherWorkspace(server);
  const two = await queueMany(other, 3);
  const third = await otherWorkspace(server);
  const three = await queueMany(third, 1);
  const of = (id: string) => [one, two, three].findIndex((runs) => runs.some((r) => r.id === id));
  const claim = async (limit: number, terms = {}) =>
    (await claimRuns(sql, 'wrk_test', limit, terms)).map(({ id }) => id);

  const first = await claim(6);
  t.same(first.map(of).sort(), [0, 0, 0, 1, 1, 2], 'what one does not use goes round again');
  t.same(first.filter((id) => of(id) === 1), two.slice(0, 2).map(({ id }) => id));
  t.same((await claim(1, { pivot: server.workspace_id })).map(of), [1]);
  t.same((await claim(3, { pivot: server.workspace_id, reserve: 1 })).map(of), [0, 0],
    'one place is kept for a workspace that holds none');
  t.same(await claim(1, { held: [server.workspace_id], reserve: 1 }), []);
  const late = await queueMany(other, 1);
  t.same(await claim(1, { held: [server.workspace_id], reserve: 1 }), [late[0]!.id]);
});

t.test('claims at the same moment keep to the limit of a workspace', async (t) => {
  const { url } = await testDatabase(t);
  const server = await testServer(t, { config: { concurrency: 0 },
    database: { url, sql: connect(url, { max: 10 }) } });
  const { client, sql, workspace_id } = server;
  t.teardown(() => sql.end());
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { limits: { max_running_runs: 5 } } });
  const workers = Array.from({ length: 8 }, () => newId('wrk'));
  await storeWorkers(sql, ...workers);
  await queueMany(client, 20);
  const other = await otherWorkspace(server);
  await queueMany(other, 8);
  const claims = await Promise.all(workers.map((id) => claimRuns(sql, id, 4, { pivot: 'wsp' })));
  const claimed = claims.flat().map((run) => run.workspace_id);
  t.equal(claimed.filter((id) => id === workspace_id).length, 5);
  t.equal(claimed.length, 13, 'and the other has all of its own');
});

t.test('a full queue refuses further runs, of its workspace alone', async (t) => {
  const server = await testServer(t,
    { config: { concurrency: 0, workspace_queued_runs: 2, key_queued_runs: 0 } });
  const { client, workspace_id } = server;
  const [one] = await queueMany(client, 2);
  const refused = await client.call('createRun',
    { path: { session_id: await newSession(client) }, body: prompt(SMALL) });
  t.match([refused.status, refused.body], [429, { code: 'queue_full', param: null,
    error: /has 2 queued runs, the most allowed/ }]);
  t.equal(refused.headers.get('retry-after'), '5');
  t.equal((await client.expect(200, 'listRuns')).data.length, 2, 'nothing was made');
  await queueRun(client, one!.session_id, SMALL, { concurrency: 'interrupt' });
  await queueMany(await otherWorkspace(server), 2);
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { limits: { max_queued_runs: 3 } } });
  await queue(client);
  t.equal((await client.call('createRun',
    { path: { session_id: await newSession(client) }, body: prompt(SMALL) })).status, 429);
});

t.test('one key cannot fill the queue of its workspace', async (t) => {
  const server = await testServer(t, { config: { concurrency: 0, workspace_queued_runs: 5 } });
  const { client, workspace_id } = server;
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'second' } });
  const beside = client.as(api_key);
  const refused = async (client: Client) => await client.call('createRun',
    { path: { session_id: await newSession(client) }, body: prompt(SMALL) });
  const [one] = await queueMany(client, 3);
  t.match(await refused(client), { status: 429, body: { code: 'queue_full',
    error: /^This api key has 3 queued runs.* limits\.max_queued_runs/ } }, 'half, rounded up');
  await queueRun(client, one!.session_id, SMALL, { concurrency: 'interrupt' });
  await queueMany(beside, 2);
  t.match(await refused(beside), { status: 429, body: { error: /^The workspace has 5 queued/ } });
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { limits: { max_queued_runs: 8 } } });
  await queue(client);
  t.equal((await refused(client)).status, 429, 'half of what the workspace itself may have');
});
