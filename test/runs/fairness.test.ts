/** Workspaces take turns, none has all places while another waits, and each has its limits. */
import t from 'tap';
import { newId } from '../../src/ids.ts';
import { connect } from '../../src/store/database.ts';
import { claimRuns } from '../../src/store/runs.ts';
import type { Client } from '../support/client.ts';
import { prompt } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { completeRun, ENDLESS, newSession, queueRun, type Run } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
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

t.test('36 slow runs of one workspace do not keep another waiting', async (t) => {
  const server = await testServer(t);
  const { client, sql, workspace_id } = server;
  await queueMany(client, 36, ENDLESS);
  const running = () => sql<{ n: number }[]>`
    select count(*)::int as n from runs
    where status = 'running' and workspace_id = ${workspace_id}`;
  await untilSeen('a worker that is full', running, ([row]) => row!.n >= server.config.concurrency);
  for (let n = 0; n < 3; n++) {
    const other = await otherWorkspace(server);
    // Twice as many as are kept for it: it has them one after the other.
    const runs = await Promise.all(Array.from({ length: 4 }, async () =>
      await completeRun(other, await newSession(other), SMALL, { wait_timeout_s: 30 })));
    t.same(runs.map(({ status }) => status), runs.map(() => 'completed'));
  }
  const [row] = await running();
  t.equal(row!.n, server.config.concurrency, 'alone it has all places, but for those kept');
});

t.test('a claim gives each the same, oldest first, and the next goes on with others', async (t) => {
  const server = await testServer(t, { config: { concurrency: 0 } });
  const { client, sql } = server;
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
  await sql`insert into workers (id, host, lease_until)
    select id, 'test', now() + interval '1 hour' from unnest(${workers}::text[]) id`;
  await queueMany(client, 20);
  const other = await otherWorkspace(server);
  await queueMany(other, 8);
  const claims = await Promise.all(workers.map((id) => claimRuns(sql, id, 4, { pivot: 'wsp' })));
  const claimed = claims.flat().map((run) => run.workspace_id);
  t.equal(claimed.filter((id) => id === workspace_id).length, 5);
  t.equal(claimed.length, 13, 'and the other has all of its own');
});

t.test('a full queue refuses further runs, of its workspace alone', async (t) => {
  const server = await testServer(t, { config: { concurrency: 0, workspace_queued_runs: 2 } });
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
