/** What a claim takes, of any queue and on any terms, against a model that takes one at a time. */
import fc from 'fast-check';
import t from 'tap';
import { connect } from '../../src/store/database.ts';
import { claimOf, claimRuns, type ClaimedRun, type ClaimTerms } from '../../src/store/runs.ts';
import { testDatabase } from '../support/database.ts';
import { storeWorkers } from '../support/storedRuns.ts';
import { untilSeen } from '../support/until.ts';

const { url, sql } = await testDatabase(t);
const WORKER = 'wrk_test';
await storeWorkers(sql, WORKER, 'wrk_other');

/** The oldest first; each of a session of its own. */
interface Queued {
  workspace_id: string;
  /** Null: without a key, as runs of former times may be. */
  api_key_id: string | null;
  /** Handed back by a worker, or lost with one, it waits as well. */
  is: 'queued' | 'executed' | 'handed_back' | 'lost';
}
type Terms = Omit<ClaimTerms, 'max_losses'>;

const WORKSPACES = ['wsp_a', 'wsp_b', 'wsp_c', 'wsp_d'];
const queues = fc.array(fc.record<Queued>({
  workspace_id: fc.constantFrom(...WORKSPACES),
  api_key_id: fc.constantFrom('key_1', 'key_2', 'key_3', null),
  is: fc.constantFrom('queued', 'queued', 'queued', 'executed', 'executed', 'handed_back', 'lost'),
}), { maxLength: 40 });
/** Of each workspace, what its own limits say. */
const ownLimits = fc.tuple(...WORKSPACES.map(() => fc.constantFrom(null, null, 1, 2, 5)));
type OwnLimits = (number | null)[];
const NO_LIMITS: OwnLimits = WORKSPACES.map(() => null);
const terms = fc.record<Terms>({
  pivot: fc.constantFrom('', 'wsp', ...WORKSPACES, 'wsp_x'),
  held: fc.subarray(WORKSPACES),
  reserve: fc.integer({ min: 0, max: 3 }),
  running_limit: fc.constantFrom(1, 3, 6, 100),
  key_running_limit: fc.constantFrom(null, 1, 2, 4),
});

async function store(runs: Queued[], limits = NO_LIMITS): Promise<void> {
  await sql`truncate workspaces, sessions, runs, run_events cascade`;
  await sql`insert into workspaces (id, name, limits)
    select w, '', case when l is null then '{}' else json_build_object('max_running_runs', l) end
    from unnest(${WORKSPACES}::text[], ${limits}::int[]) as u (w, l)`;
  await queue(runs);
}

async function queue(runs: Queued[]): Promise<void> {
  const [{ count: before }] = await sql<[{ count: number }]>`select count(*)::int from runs`;
  const workspaces = runs.map(({ workspace_id }) => workspace_id);
  await sql`insert into sessions (workspace_id, id) select w, 'ses_' || ${before}::int + n
    from unnest(${workspaces}::text[]) with ordinality u (w, n)`;
  await sql`insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id,
      losses, last_seq, source, api_key_id, model, max_steps, timeout_s, input, started_at)
    select w, ${before}::int + n - 1, 'ses_' || ${before}::int + n,
      case s when 'queued' then 'queued' else 'running' end, s = 'queued', (s <> 'queued')::int,
      case s when 'queued' then null when 'executed' then 'wrk_other' else '' end,
      (s = 'lost')::int, 1, 'api', k, 'rehearsal', 3, 600, '[]',
      case s when 'queued' then null else now() end
    from unnest(${workspaces}::text[], ${runs.map(({ api_key_id }) => api_key_id)}::text[],
      ${runs.map(({ is }) => is)}::text[]) with ordinality u (w, k, s, n)
    order by n`;
}

/** The places in the queue of what is to be claimed. */
function expected(
  runs: Queued[], limits: OwnLimits, limit: number, given: Terms): number[] {
  const { pivot, held, reserve, running_limit, key_running_limit } = given;
  const executed = runs.filter(({ is }) => is === 'executed' || is === 'lost');
  const all = runs.map((run, place) => ({ ...run, place }));
  const waiting = all.filter(({ is }) => is === 'queued' || is === 'handed_back');
  const lost = all.find(({ is, workspace_id }) => is === 'lost'
    && (limit > reserve || !held.includes(workspace_id)));
  const chosen: number[] = [];
  const claimNext = (name: string): boolean => {
    const own = executed.filter((run) => run.workspace_id === name);
    if (own.length >= (limits[WORKSPACES.indexOf(name)] ?? running_limit)) return false;
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
  if (lost !== undefined) chosen.push(lost.place);
  const has = new Set([...held, ...lost === undefined ? [] : [lost.workspace_id]]);
  for (const id of turns) if (!has.has(id) && chosen.length < limit) claimNext(id);
  // Whoever has had its first run waits until the others have.
  let next = turns.filter((id) => has.has(id));
  while (chosen.length < limit - reserve) {
    const before = chosen.length;
    for (const id of next) if (chosen.length < limit - reserve) claimNext(id);
    if (chosen.length === before && next.length === turns.length) break;
    next = turns;
  }
  return chosen.sort((a, b) => a - b);
}

t.test('a claim takes what the rules say', async (t) => {
  await fc.assert(fc.asyncProperty(queues, ownLimits, terms, fc.integer({ min: 0, max: 20 }),
    async (runs, limits, given, limit) => {
      await store(runs, limits);
      const claimed = await claimRuns(sql, WORKER, limit, given);
      t.strictSame(claimed.map(({ id }) => Number(id)),
        limit === 0 ? [] : expected(runs, limits, limit, given),
        JSON.stringify({ runs, limits, given, limit }));
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
      ({ workspace_id: WORKSPACES[nth % 2]!, api_key_id: `key_${nth % 3}`, is: 'queued' })));
    const claims = await Promise.all(workers.map((id) => claimRuns(many, id, 8)));
    t.same(claims.map((runs) => runs.length), workers.map(() => 8));
    t.equal(new Set(claims.flat().map(({ id }) => id)).size, 64);
  }
});

t.test('who waited for its turn claims nothing that has come into contention since', async (t) => {
  const many = connect(url, { max: 3 });
  t.teardown(() => many.end());
  const run = (workspace_id: string): Queued =>
    ({ workspace_id, api_key_id: 'key_1', is: 'queued' });
  await store([run('wsp_a'), run('wsp_a')], [1, null, null, 1]);
  const { waits } = await many.begin(async (holder) => {
    await holder`select pg_advisory_xact_lock(hashtextextended('claim wsp_a', 0))`;
    const waits = claimRuns(many, WORKER, 8).then((runs) => runs); // a query begins when awaited
    await untilSeen('a claim that waits', async () => await sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    (waiting) => waiting.length > 0);
    await queue([run('wsp_d'), run('wsp_d')]);
    return { waits };
  });
  t.strictSame((await waits).map((one) => one.workspace_id), ['wsp_a'],
    'it has not counted those of the other');
  const next = await claimRuns(many, 'wrk_other', 8);
  t.strictSame(next.map((one) => one.workspace_id), ['wsp_d']);
});

t.test('a claim that may not wait leaves what another one has locked', async (t) => {
  const holding = connect(url, { max: 1 });
  t.teardown(() => holding.end());
  const run = (workspace_id: string): Queued =>
    ({ workspace_id, api_key_id: 'key_1', is: 'queued' });
  await store([run('wsp_a'), run('wsp_b'), run('wsp_c')], [1, null, 1, null]);
  const claimed = await holding.begin(async (holder) => {
    await holder`select pg_advisory_xact_lock(hashtextextended('claim wsp_a', 0))`;
    return await sql<ClaimedRun[]>`${claimOf(sql, WORKER, sql`8::int`, {}, false)}`;
  });
  t.strictSame(claimed.map((one) => one.workspace_id), ['wsp_b', 'wsp_c']);
});
