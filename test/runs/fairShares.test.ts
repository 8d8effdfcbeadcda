/** What a claim takes, of any queue and on any terms, against a model that takes one at a time. */
import fc from 'fast-check';
import t from 'tap';
import { connect } from '../../src/store/database.ts';
import { claimRuns, type ClaimTerms } from '../../src/store/runs.ts';
import { testDatabase } from '../support/database.ts';
import { storeWorkers } from '../support/storedRuns.ts';

const { url, sql } = await testDatabase(t);
const WORKER = 'wrk_test';
await storeWorkers(sql, WORKER, 'wrk_other');

/** The oldest first; each of a session of its own. */
interface Queued {
  workspace_id: string;
  /** Null: without a key, as runs of former times may be. */
  api_key_id: string | null;
  is_executed: boolean;
}
type Terms = Omit<ClaimTerms, 'max_losses'>;

const WORKSPACES = ['wsp_a', 'wsp_b', 'wsp_c', 'wsp_d'];
const queues = fc.array(fc.record<Queued>({
  workspace_id: fc.constantFrom(...WORKSPACES),
  api_key_id: fc.constantFrom('key_1', 'key_2', 'key_3', null),
  is_executed: fc.boolean(),
}), { maxLength: 40 });
const terms = fc.record<Terms>({
  pivot: fc.constantFrom('', 'wsp', ...WORKSPACES, 'wsp_x'),
  held: fc.subarray(WORKSPACES),
  reserve: fc.integer({ min: 0, max: 3 }),
  running_limit: fc.constantFrom(1, 3, 6, 100),
  key_running_limit: fc.constantFrom(null, 1, 2, 4),
});

async function store(runs: Queued[]): Promise<void> {
  await sql`truncate workspaces, sessions, runs, run_events cascade`;
  await sql`insert into workspaces (id, name) select id, '' from unnest(${WORKSPACES}::text[]) id`;
  const workspaces = runs.map(({ workspace_id }) => workspace_id);
  await sql`insert into sessions (workspace_id, id)
    select w, 'ses_' || n from unnest(${workspaces}::text[]) with ordinality r (w, n)`;
  await sql`insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id,
      last_seq, source, api_key_id, model, max_steps, timeout_s, input, started_at)
    select w, n - 1, 'ses_' || n, case e when 1 then 'running' else 'queued' end, e = 0, e,
      case e when 1 then 'wrk_other' end, 1, 'api', k, 'rehearsal', 3, 600, '[]',
      case e when 1 then now() end
    from unnest(${workspaces}::text[], ${runs.map(({ api_key_id }) => api_key_id)}::text[],
      ${runs.map(({ is_executed }) => Number(is_executed))}::int[]) with ordinality r (w, k, e, n)
    order by n`;
}

/** The places in the queue of what is to be claimed. */
function expected(runs: Queued[], limit: number, given: Terms): number[] {
  const { pivot, held, reserve, running_limit, key_running_limit } = given;
  const executed = runs.filter((run) => run.is_executed);
  const waiting = runs.map((run, place) => ({ ...run, place })).filter((run) => !run.is_executed);
  const chosen: number[] = [];
  const claimNext = (name: string): boolean => {
    const own = executed.filter((run) => run.workspace_id === name);
    if (own.length >= running_limit) return false;
    const ofKey = (key: string | null) => own.filter((run) => run.api_key_id === key).length;
    const [next] = waiting.filter((run) => run.workspace_id === name
      && (key_running_limit === null || ofKey(run.api_key_id) < key_running_limit))
      .sort((a, b) => ofKey(a.api_key_id) - ofKey(b.api_key_id) || a.place - b.place);
    if (next === undefined) return false;
    waiting.splice(waiting.indexOf(next), 1);
    executed.push(next);
    chosen.push(next.place);
    return true;
  };
  const turns = [
    ...WORKSPACES.filter((id) => id > pivot), ...WORKSPACES.filter((id) => id <= pivot)];
  for (const id of turns) if (!held.includes(id) && chosen.length < limit) claimNext(id);
  // Whoever has had its first run waits until the others have.
  let next = turns.filter((id) => held.includes(id));
  while (chosen.length < limit - reserve) {
    const before = chosen.length;
    for (const id of next) if (chosen.length < limit - reserve) claimNext(id);
    if (chosen.length === before && next.length === turns.length) break;
    next = turns;
  }
  return chosen.sort((a, b) => a - b);
}

t.test('a claim takes what the rules say', async (t) => {
  await fc.assert(fc.asyncProperty(queues, terms, fc.integer({ min: 1, max: 20 }),
    async (runs, given, limit) => {
      await store(runs);
      const claimed = await claimRuns(sql, WORKER, limit, given);
      t.strictSame(claimed.map(({ id }) => Number(id)), expected(runs, limit, given),
        JSON.stringify({ runs, given, limit }));
    }), { numRuns: 300 });
});

t.test('who claims at the same moment leaves nothing that others could have', async (t) => {
  const many = connect(url, { max: 8 });
  t.teardown(() => many.end());
  const workers = Array.from({ length: 8 }, (_, nth) => `wrk_${nth}`);
  await storeWorkers(sql, ...workers);
  for (let round = 0; round < 10; round++) {
    // Nobody's share is enough for what its workspace has.
    await store(Array.from({ length: 64 }, (_, nth) =>
      ({ workspace_id: WORKSPACES[nth % 2]!, api_key_id: `key_${nth % 3}`, is_executed: false })));
    const claims = await Promise.all(workers.map((id) => claimRuns(many, id, 8)));
    t.same(claims.map((runs) => runs.length), workers.map(() => 8));
    t.equal(new Set(claims.flat().map(({ id }) => id)).size, 64);
  }
});
