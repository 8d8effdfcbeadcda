import t from 'tap';
import { newId } from '../../src/ids.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { claimRuns } from '../../src/store/runs.ts';
import { testDatabase } from '../support/database.ts';
import { newRun, storeWorkers } from '../support/storedRuns.ts';

t.test('an interruption ends all that wait at once: there may be thousands', async (t) => {
  const { sql } = await testDatabase(t);
  const session_id = newId('ses');
  await sql`insert into workspaces (id, name) values ('wsp_1', 'test')`;
  await sql`insert into sessions (workspace_id, id) values ('wsp_1', ${session_id})`;
  await storeWorkers(sql, 'wrk_1');
  const open = Array.from({ length: 4 }, () => newRun(session_id));
  for (const run of open) await createRuns(sql, [run]);
  const ids = open.map(({ id }) => id);
  const [running, ...queued] = ids;
  t.match(await claimRuns(sql, 'wrk_1', 2), [{ id: running }]);

  const ended_alone = await sql.together(async (one) => {
    await one`set track_functions = 'pl'`;
    const next = newRun(session_id, { concurrency: 'interrupt' });
    const { outcomes } = await createRuns(one, [next]);
    t.strictSame(outcomes, [{ outcome: 'created', cancelled: ids }], 'in their order');
    await one`select pg_stat_force_next_flush()`;
    const [seen] = await one<{ calls: number }[]>`
      select calls from pg_stat_user_functions where funcname = 'cancel_open_run'`;
    await one`reset track_functions`;
    return seen?.calls;
  });
  t.equal(ended_alone, 1, 'the one that is under way');
  const said = await sql`
    select e.run_id, e.seq, e.data->>'previous_status' as was, e.data->>'reason' as reason
    from run_events e join runs r on r.id = e.run_id and r.last_seq = e.seq
    where e.type = 'run.cancelled' and r.status = 'cancelled' and r.finished_at is not null
    order by e.run_id`;
  t.strictSame([...said], [
    { run_id: running, seq: 3, was: 'running', reason: 'interrupted' },
    ...queued.map((run_id) => ({ run_id, seq: 2, was: 'queued', reason: 'interrupted' })),
  ]);
  t.equal((await claimRuns(sql, 'wrk_1', 2)).length, 1, 'the new one goes at once');
});
