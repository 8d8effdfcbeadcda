/** How a run begins: with its creation where a worker is idle, by its workspace as it is then. */
import t from 'tap';
import { prompt } from '../support/client.ts';
import { hold } from '../support/openTransaction.ts';
import { completeRun, endlessRun, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilLocked, untilSeen } from '../support/until.ts';

const server = await testServer(t);
const other = await testServer(t, { config: { role: 'api' }, database: server });
const { client, sql, workspace_id } = server;

/** In how many transactions the first two events of the run were written. */
async function commits(run_id: string): Promise<number> {
  const [row] = await sql<{ commits: number }[]>`
    select count(distinct xmin::text)::int as commits from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq <= 2`;
  return row!.commits;
}

t.test('an idle worker claims a run in the commit that creates it', async (t) => {
  const session_id = await newSession(client);
  await untilSeen('a run that was claimed as it was created', async () => {
    const run = await completeRun(client, session_id, '@rehearsal words=1');
    t.match(run, { status: 'completed', attempts: 1 });
    return await commits(run.id); // two where the worker was just looking for runs
  }, (transactions) => transactions === 1);
});

t.test('under an Idempotency-Key it begins once its key is committed', async (t) => {
  const session_id = await newSession(client);
  const { id } = await client.expect(200, 'createRun', {
    path: { session_id }, headers: { 'idempotency-key': 'once' },
    body: prompt('@rehearsal words=1', { wait: true }),
  });
  t.equal(await commits(id), 2);
});

t.test('one that interrupts others begins once these have ended', async (t) => {
  const session_id = await newSession(client);
  await endlessRun(client, session_id);
  const run = await completeRun(client, session_id, '@rehearsal words=1', {
    concurrency: 'interrupt' });
  t.equal(await commits(run.id), 2, 'to end thousands would keep the worker from other claims');
});

t.test('no run waits for one whose session is locked', async (t) => {
  const [locked, free] = [await newSession(client), await newSession(client)];
  const release = await hold(sql, (tx) => tx`
    select from sessions where id = ${locked} for update`);
  // Once more if this machine was so slow that the first gave up before the second had ended.
  for (let first = ''; first !== 'beside';) {
    const late = queueRun(client, locked, '@rehearsal words=1').then(() => 'late', () => 'late');
    await untilLocked(sql);
    const beside = completeRun(client, free, '@rehearsal words=1').then(() => 'beside');
    first = await Promise.race([late, beside]);
    await Promise.all([late, beside]);
  }
  await release();
  t.pass('it has ended first');
});

t.test('a queued run of an idle worker waits for those before it', async (t) => {
  const session_id = await newSession(client);
  const runs = await Promise.all([1, 2, 3, 4].map(() =>
    completeRun(client, session_id, '@rehearsal words=2')));
  const times = runs.map(({ started_at, finished_at }) => [started_at!, finished_at!])
    .sort(([one], [another]) => (one! < another! ? -1 : 1));
  for (let i = 1; i < times.length; i++) t.ok(times[i]![0]! >= times[i - 1]![1]!, 'one by one');
});

t.test('what another node changes of the workspace holds for the next run', async (t) => {
  const session_id = await newSession(client);
  const ask = () => client.call('createRun', {
    path: { session_id }, body: prompt('@rehearsal words=1', { max_steps: 3, wait: true }) });
  const limit = (limits: object) => other.client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { limits } });
  t.equal((await ask()).status, 200);
  await limit({ max_steps: 2 });
  t.match(await ask(), { status: 400, body: { param: '/max_steps', error: /at most 2/ } });
  await limit({});
  t.equal((await ask()).status, 200, 'what was refused is allowed at once');
  // Without any news of it, and while the key counts as valid here.
  await sql`update workspaces set archived_at = now() where id = ${workspace_id}`;
  t.match(await ask(), { status: 401, body: { code: 'invalid_api_key' } });
  await sql`update workspaces set archived_at = null where id = ${workspace_id}`;
  t.match(await queueRun(client, session_id, 'x'), { id: String });
});
