/**
 * What it costs to create, claim and end a run while a transaction looks back, as a dump of the
 * database does, after 20,000 runs: what these leave behind in the indexes of the queue stays until
 * that transaction ends. Against the same before them. Both without and with the node's work of
 * looking from where on runs wait.
 *
 * Usage: node test/bench/openSnapshot.ts
 */
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../src/ids.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { advanceQueueFront } from '../../src/store/queueFront.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { appendToRuns, claimRuns } from '../../src/store/runs.ts';
import { renewWorker } from '../../src/store/workers.ts';
import { lookBack } from '../support/openTransaction.ts';
import { completion, newRun } from '../support/storedRuns.ts';
import { quantile, runBench, timed } from './bench.ts';

const RUNS = 20_000;
const AT_ONCE = 100;
const ROUNDS = 30;
/** A look passes over what was offered this long before, and goes by the look before it. */
const LOOKS_MS = 11_000;

const WORKER = newId('wrk');
const PARTS = ['create', 'claim', 'end'] as const;

await runBench(async (bench) => {
  const sql = connect(await bench.database('queue'), { max: 2 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  await sql`insert into workspaces (id, name) values ('wsp_1', 'one')`;
  await renewWorker(sql, { id: WORKER, host: 'bench', lease_ms: 3_600_000 });
  bench.teardown(await lookBack(sql));
  await round(sql, AT_ONCE);
  const before = await rounds(sql);
  for (let made = 0; made < RUNS; made += AT_ONCE) await round(sql, AT_ONCE);
  const behind = await rounds(sql);
  for (let look = 0; look < 2; look++) {
    await delay(LOOKS_MS);
    await advanceQueueFront(sql);
  }
  const from_front = await rounds(sql);
  for (const part of PARTS) {
    bench.say(`  ${part.padEnd(7)} p50: ${before[part].toFixed(1)} ms before,`
      + ` ${behind[part].toFixed(1)} ms behind ${RUNS} runs,`
      + ` ${from_front[part].toFixed(1)} ms from the front`);
    bench.figure({
      name: `${part} a run after ${RUNS} while something looks back, to before them`, unit: '×',
      value: from_front[part] / before[part], at_most: 3,
    });
  }
});

async function rounds(sql: Sql): Promise<Record<typeof PARTS[number], number>> {
  const took: Awaited<ReturnType<typeof round>>[] = [];
  for (let i = 0; i < ROUNDS; i++) took.push(await round(sql, 1));
  const median = (part: typeof PARTS[number]) => quantile(took.map((one) => one[part]), 0.5);
  return { create: median('create'), claim: median('claim'), end: median('end') };
}

/** Creates, claims and ends so many runs, each of its own session. Answers what it took, in ms. */
async function round(sql: Sql, count: number) {
  const runs = Array.from({ length: count }, () => newRun(newId('ses'), {
    max_queued_runs: 10_000, max_queued_runs_of_key: 10_000 }));
  await sql`insert into sessions (workspace_id, id)
    select 'wsp_1', unnest(${runs.map(({ session_id }) => session_id)}::text[])`;
  const create = await timed(async () => {
    await createRuns(sql, runs);
  });
  let claimed: Awaited<ReturnType<typeof claimRuns>> = [];
  const claim = await timed(async () => {
    claimed = await claimRuns(sql, WORKER, count, { running_limit: 1_000 });
  });
  if (claimed.length < count) throw new Error(`a claim found ${claimed.length} of ${count} runs`);
  const end = await timed(async () => {
    await appendToRuns(sql, claimed.map(completion));
  });
  return { create, claim, end };
}
