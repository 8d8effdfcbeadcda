/**
 * The thread of eventLoop.ts: it says that the event loop hangs, which the hanging thread cannot
 * say itself, and perhaps never will.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** What the thread is given. */
export interface HangOptions {
  /** Changes, and is notified, with each beat of the event loop. */
  beats: Int32Array<SharedArrayBuffer>;
  /** At least two seconds. */
  hang_ms: number;
}

const { beats, hang_ms } = workerData as HangOptions;
/** A process that was stopped goes on here first; its event loop needs a moment. */
const GRACE_MS = 1_000;

let since_ms = performance.now();
let limit_ms = hang_ms;
for (;;) {
  const seen = Atomics.load(beats, 0);
  if (isStill(seen, limit_ms - GRACE_MS) && isStill(seen, GRACE_MS)) {
    say(Math.round(performance.now() - since_ms));
    limit_ms *= 2;
  } else {
    since_ms = performance.now();
    limit_ms = hang_ms;
  }
}

/** Whether there is no beat within this time. */
function isStill(seen: number, within_ms: number): boolean {
  return Atomics.wait(beats, 0, seen, within_ms) === 'timed-out';
}

function say(duration_ms: number): void {
  writeSync(2, `${JSON.stringify({
    level: 'error', time: new Date().toISOString(), duration_ms,
    msg: 'the event loop hangs: nothing else can happen until it ends; if it does not, restart the'
      + ' process',
  })}\n`);
}
