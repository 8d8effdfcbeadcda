/** Runs are cancelled at any moment of their life (G4), also while they write (G5). */
import { NOT_BEGUN } from '../../../src/gateway/calls/writes.ts';
import { prompt } from '../../support/client.ts';
import { CarefulClient } from '../carefulClient.ts';
import type { Lab } from '../lab.ts';
import type { Random } from '../random.ts';
import { followRun } from '../reader.ts';
import type { Scenario } from '../scenario.ts';
import { writeCall } from '../upstream.ts';

const CLIENTS = 4;
// As src/ids.ts writes them.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
/** Five times what is promised, so that only what never comes is a violation. */
const STOP_LIMIT_MS = 5_000;
const WORDS = '@rehearsal words=200 delay_ms=4';
const CALLS = Array.from({ length: 30 }, () => 'call gateway.connections.list').join('\n');
const SIDE_BY_SIDE = `${Array.from({ length: 8 }, () => 'call gatehouse.runs.list').join(' & ')}\n`
  .repeat(6);
/** Side by side, so that results wait for those of slower calls. */
const writes = (key: string) =>
  `${Array.from({ length: 4 }, () => writeCall(key)).join(' & ')}\n`.repeat(6);

export const cancels: Scenario = {
  name: 'cancels',
  says: 'runs are cancelled at any moment, by way of the node that executes them and of another',
  async run(lab, random) {
    await lab.open();
    // One that executes and one that does not, so that a cancel has to find its way, too.
    await lab.addNodes(1);
    await lab.addNodes(1, { env: { GATEHOUSE_CONCURRENCY: '0' } });
    await lab.openUpstream(random.fork('upstream'));
    const races = lab.amount(60, 1_000);
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) =>
      race(lab, random.fork(`client ${index}`), index, races / CLIENTS)));
    await checkCalls(lab);
    await measureStops(lab, random.fork('stops'));
  },
};

async function race(lab: Lab, random: Random, index: number, races: number): Promise<void> {
  const client = new CarefulClient(lab, random);
  const session_id = await client.createSession();
  for (let number = 0; number < races; number++) {
    const key = `race-${index}-${number}`;
    const run_id = await client.createRun(key, session_id,
      prompt(random.pick([WORDS, CALLS, SIDE_BY_SIDE, writes(key)])));
    const reader = random.chance(0.2)
      ? followRun(lab, random.fork(`reader ${number}`), run_id) : undefined;
    const at = random.between(0, 40);
    await lab.eventually(random.between(0, 150), async () => await lastNumber(lab, run_id) >= at);
    const begun_ms = performance.now();
    await client.cancel(run_id);
    lab.journal.measure('cancelRun answers', performance.now() - begun_ms, 'ms', 'p99 < 500 ms');
    await reader;
  }
}

async function lastNumber(lab: Lab, run_id: string): Promise<number> {
  const [row] = await lab.sql<{ last_seq: number }[]>`
    select last_seq from runs where id = ${run_id}`;
  return row!.last_seq;
}

/**
 * No call starts once the cancelling is answered. A call is given its id, which tells the time,
 * just before it asks whether it may leave; its record is written when it has ended, and says so
 * if it was not allowed to.
 */
async function checkCalls({ sql, ledger, journal }: Lab): Promise<void> {
  const calls = await sql<{ id: string; run_id: string }[]>`
    select id, run_id from action_invocations where run_id is not null
      and coalesce(error->>'message', '') <> ${NOT_BEGUN.error.message}`;
  for (const { id, run_id } of calls) {
    const cancelled = ledger.cancelled.get(run_id);
    if (cancelled?.status !== 'cancelled') continue;
    const late_ms = timeOf(id) - cancelled.replied_at_ms;
    if (late_ms <= 0) continue;
    journal.measure('calls after a cancel', late_ms, 'ms', 'none');
    journal.violation(`${run_id}: ${id} started ${late_ms} ms after cancelRun was answered`);
  }
  journal.measure('calls looked at', calls.length, 'calls');
}

/** The milliseconds since 1970 that an id begins with. */
function timeOf(id: string): number {
  const characters = id.slice(id.indexOf('_') + 1).slice(0, TIME_CHARACTERS);
  return [...characters].reduce((ms, character) => ms * 32 + ALPHABET.indexOf(character), 0);
}

/**
 * A model that is being waited for is left: the one place that a node has for runs is free soon
 * after each cancel.
 */
async function measureStops(lab: Lab, random: Random): Promise<void> {
  for (const node of lab.nodes) await node.kill();
  lab.nodes.length = 0;
  await lab.addNodes(1, { env: { GATEHOUSE_CONCURRENCY: '1' } });
  const client = new CarefulClient(lab, random);
  const started = async (run_id: string) => await lab.eventually(
    lab.patience.limit_ms(STOP_LIMIT_MS), async () => await lastNumber(lab, run_id) > 1);
  for (let number = 0; number < lab.amount(3, 30); number++) {
    const endless = await client.createRun(`endless-${number}`, await client.createSession(),
      prompt('@rehearsal words=100 delay_ms=60000'));
    if (!await started(endless)) lab.journal.violation(`${endless} did not start`);
    const next = await client.createRun(`next-${number}`, await client.createSession(),
      prompt('@rehearsal words=1'));
    await client.cancel(endless);
    const begun_ms = performance.now();
    if (!await started(next)) lab.journal.violation(`${next} found no place after a cancel`);
    lab.journal.measure('place free after a cancel', performance.now() - begun_ms, 'ms', '≤ 1 s');
  }
}
