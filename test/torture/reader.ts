/** Readers of a run's events that are cut off and resume, in every way there is. */
import type { CallOptions, Client, RunEvent, Schemas } from '../support/client.ts';
import { CarefulClient } from './carefulClient.ts';
import { STANDSTILL_MS, type Lab } from './lab.ts';
import type { Random } from './random.ts';

const TERMINAL = ['run.completed', 'run.failed', 'run.cancelled'];
/** A stream without an event for so long is left and resumed; no prompt waits that long. */
const QUIET_MS = 10_000;

/** How a reader says where it goes on. */
const CURSORS = ['query', 'header', 'both', 'page'] as const;

/**
 * Follows a run to its end through cut connections and lost nodes, each time by another cursor,
 * and enters what it saw in the ledger. A number that is not the next one is a violation.
 */
export async function followRun(lab: Lab, random: Random, run_id: string): Promise<void> {
  const client = new CarefulClient(lab, random);
  const events: RunEvent[] = [];
  while (!TERMINAL.includes(events.at(-1)?.type ?? '')) {
    // Once the reader is there, an ended stream is asked for nothing.
    const cut_after = random.chance(0.5) ? random.between(1, 25) : Infinity;
    const cursor = random.pick(CURSORS);
    try {
      await read(client.at(client.anyNode()), run_id, { events, cursor, cut_after }, random,
        () => lab.patience.moved(`event ${events.length} of ${run_id} was read`));
    } catch (error) {
      if (error instanceof Disorder) {
        lab.journal.violation(`${run_id}: ${error.message}`);
        return;
      }
      lab.journal.count('streams that broke');
      await client.pause();
    }
    // Its run may wait behind others for long; as long as those get on, it will have its turn.
    if (lab.patience.still_ms > STANDSTILL_MS) {
      lab.journal.violation(`${run_id}: a reader came no further than ${events.length} events, and`
        + ` nothing has moved for ${STANDSTILL_MS / 1_000} s`);
      return;
    }
  }
  lab.ledger.seen.push({ run_id, events });
}

/** Events came in another order than promised: no fault of the network. */
class Disorder extends Error {}

async function read(
  client: Client, run_id: string,
  { events, cursor, cut_after }: {
    events: RunEvent[]; cursor: typeof CURSORS[number]; cut_after: number },
  random: Random, onEvent: () => void): Promise<void> {
  const cut = new AbortController();
  const path = { run_id };
  const have = events.length;
  let left = cut_after;
  const take = (event: RunEvent) => {
    if (event.sequence_number !== events.length + 1) {
      throw new Disorder(`after ${events.length} came ${event.sequence_number} (by ${cursor})`);
    }
    events.push(event);
    onEvent();
    left -= 1;
  };
  const quiet = setTimeout(() => cut.abort(), QUIET_MS);
  try {
    if (cursor === 'page') {
      const query = { starting_after: have, limit: random.between(1, 50) };
      const body = await client.expect(200, 'streamRunEvents',
        { path, query, signal: cut.signal });
      for (const event of (body as Schemas['RunEventList']).data) take(event);
      return;
    }
    // With both, the larger counts.
    const after = cursor === 'both' ? random.between(0, have) : have;
    const options: CallOptions = { path, signal: cut.signal };
    if (cursor !== 'header') options.query = { starting_after: after };
    if (cursor !== 'query') options.headers = { 'last-event-id': String(have) };
    for await (const event of client.events('streamRunEvents', options)) {
      quiet.refresh();
      take(event);
      if (left <= 0) return;
    }
  } finally {
    clearTimeout(quiet);
    cut.abort();
  }
}
