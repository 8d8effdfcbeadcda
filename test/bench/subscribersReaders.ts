/** Readers that follow runs and note how long each event took to reach them. */
import type { EventHub } from '../../src/runs/eventHub.ts';
import { withoutPauses, EventReader, type RunReference } from '../../src/runs/runEvents.ts';
import type { Sql } from '../../src/store/database.ts';
import { lastNumbers } from '../../src/store/runs.ts';

const STAMP = /"sent_us":(\d+)/;

/** The data of an event that says when it was sent, on a clock that all processes share. */
export function stamp(): string {
  return JSON.stringify({
    message_id: 'msg_bench', delta: 'some words of an answer', sent_us: now_us() });
}

function now_us(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** Starts readers, spread evenly over the runs, behind the last event of each. */
export async function startReaders(
  { sql, hub }: { sql: Sql; hub: EventHub }, runs: RunReference[], count: number) {
  const reader = new EventReader(sql, hub);
  const stop = new AbortController();
  const times: number[] = [];
  let waiting: { events: number; resolve: () => void } | undefined;
  const last = new Map((await lastNumbers(sql, runs)).map((run) => [run.run_id, run.last_seq]));
  const follow = async (run: RunReference) => {
    for await (const frames of withoutPauses(
      reader.follow(run, last.get(run.run_id)!, stop.signal))) {
      const arrival_us = now_us();
      for (const { json } of frames) {
        const [, sent_us] = STAMP.exec(json) ?? [];
        if (sent_us !== undefined) times.push((arrival_us - Number(sent_us)) / 1_000);
      }
      if (waiting && times.length >= waiting.events) waiting.resolve();
    }
  };
  const following = Array.from({ length: count }, (_, i) => follow(runs[i % runs.length]!));
  return {
    arrived: async (events: number) => {
      if (times.length >= events) return;
      await new Promise<void>((resolve) => { waiting = { events, resolve }; });
    },
    stop: async () => {
      stop.abort();
      await Promise.all(following);
      return times;
    },
  };
}
