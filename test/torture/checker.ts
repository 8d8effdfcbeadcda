/** Holds the whole log, and what clients were told, against what is promised. */
import { isDeepStrictEqual } from 'node:util';
import { CarefulClient } from './carefulClient.ts';
import { faultsInLogs } from '../support/log.ts';
import type { Schemas } from '../support/client.ts';
import { storedEvents } from '../support/storedEvents.ts';
import { STANDSTILL_MS, type Lab } from './lab.ts';
import type { Random } from './random.ts';
import { checkWrites } from './writesChecker.ts';

/**
 * Waits until every run has ended, then reads everything: G1 (each acknowledged run is there, and
 * no other), G2 (numbers; readers saw the log), G3 (one end, and it is the last), and that each log
 * is sound in itself, FIFO included, and G5 for every write. What is wrong becomes a violation.
 */
export async function checkEverything(lab: Lab, random: Random): Promise<void> {
  const { journal, sql } = lab;
  // As long as any of them gets another event, however long all of them take.
  const open = await lab.whileItMoves(() => sql<{ id: string; status: string; events: number }[]>`
    select id, status, last_seq as events from runs where status in ('queued', 'running')`,
  (runs) => runs.length === 0);
  if (!open.held) {
    const stuck = open.seen.slice(0, 5).map(({ id, status }) => `${id} (${status})`).join(', ');
    const tails = lab.nodes.map((node) => node.logTail(5)).join('\n');
    journal.violation(`still open after ${STANDSTILL_MS / 1_000} s without an event of any run:`
      + ` ${stuck}\n${tails}`);
  }
  for (const fault of await faultsInLogs(sql)) journal.violation(fault);
  await checkLedger(lab);
  await checkReaders(lab);
  await checkWrites(lab, new CarefulClient(lab, random));
  await checkLists(lab, new CarefulClient(lab, random));
  await measureTakeovers(lab);
}

async function checkLedger({ ledger, journal, sql }: Lab): Promise<void> {
  const rows = await sql<{ id: string; status: string; error: unknown }[]>`
    select id, status, error from runs`;
  const there = new Map(rows.map((row) => [row.id, row]));
  const promised = new Set(ledger.runs.values());
  for (const id of promised) if (!there.has(id)) journal.violation(`${id} was acknowledged: lost`);
  for (const id of there.keys()) {
    if (!promised.has(id)) journal.violation(`${id} was made, though every request was answered`
      + ' about another run');
  }
  for (const { id, status, error } of rows) {
    if (status === 'failed') journal.violation(`${id} failed: ${JSON.stringify(error)}`);
  }
  for (const [id, { status }] of ledger.cancelled) {
    const now = there.get(id)?.status;
    if (now !== status) journal.violation(`${id}: cancelRun said ${status}, and it is ${now}`);
  }
  const sessions = await sql<{ id: string }[]>`select id from sessions`;
  const known = new Set(sessions.map((session) => session.id));
  for (const id of ledger.sessions) {
    if (!known.has(id)) journal.violation(`${id} was acknowledged: lost`);
  }
  journal.measure('runs checked', rows.length, 'runs');
}

/** Each reader has exactly the stored events, whatever it was put through. */
async function checkReaders({ ledger, journal, sql }: Lab): Promise<void> {
  for (const { run_id, events } of ledger.seen) {
    const stored = (await storedEvents(sql, [run_id])).map(({ run_id: _, ...event }) => event);
    const read = events.map(({ sequence_number, type, created_at, data }) =>
      ({ sequence_number, type, created_at, data }));
    if (!isDeepStrictEqual(read, stored)) {
      const at = read.findIndex((event, index) => !isDeepStrictEqual(event, stored[index]));
      journal.violation(`${run_id}: a reader saw ${read.length} events of ${stored.length}; first`
        + ` difference: ${JSON.stringify(read[at])} is ${JSON.stringify(stored[at])}`);
    }
    if (events.some((event) => event.run_id !== run_id)) {
      journal.violation(`${run_id}: a reader saw events of another run`);
    }
  }
  journal.measure('readers checked', ledger.seen.length, 'readers');
}

/** The pages of the list hold every acknowledged run once, whatever the clocks of the nodes say. */
async function checkLists({ ledger, journal }: Lab, client: CarefulClient): Promise<void> {
  const listed = new Set<string>();
  let cursor: string | null = null;
  do {
    const answer: Awaited<ReturnType<CarefulClient['ask']>> =
      await client.ask([200], 'listRuns', { query: { limit: 100, ...(cursor && { cursor }) } });
    const page = answer.body as Schemas['RunList'];
    for (const { id } of page.data) {
      if (listed.has(id)) journal.violation(`${id} is listed twice`);
      listed.add(id);
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  for (const id of ledger.runs.values()) {
    if (!listed.has(id)) journal.violation(`${id} is not listed`);
  }
}

/** How long runs stood still between their last event under one worker and the next worker. */
async function measureTakeovers({ journal, sql }: Lab): Promise<void> {
  const gaps = await sql<{ gap_ms: number }[]>`
    select extract(epoch from e.created_at - before.created_at)::float8 * 1000 as gap_ms
    from run_events e join run_events before
      on before.workspace_id = e.workspace_id and before.run_id = e.run_id
      and before.seq = e.seq - 1
    where e.type = 'run.started' and (e.data->>'attempt')::int > 1`;
  for (const { gap_ms } of gaps) journal.measure('takeovers', gap_ms, 'ms', '≤ 20 s');
}
