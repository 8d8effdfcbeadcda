/** Less than what `TimeLimit` calls held up. */
const STALL_MS = 200;
/** And more than it adds for that. */
const STALLED_MS = 2_500;

/**
 * Answers, when asked, whether more than so long has gone by. Timers of one process fire in their
 * order, however slow the machine is: the limit of the pool, and then this one. Where the process
 * was held up in between, the database is given more time, and so is this.
 */
export function watchTime(limit_ms: number): () => boolean {
  let late = false;
  let very_late = false;
  const timers = [setTimeout(() => { late = true; }, limit_ms),
    setTimeout(() => { very_late = true; }, limit_ms + STALLED_MS)];
  let beat_ms = performance.now();
  let longest_stall_ms = 0;
  const onBeat = () => {
    longest_stall_ms = Math.max(longest_stall_ms, performance.now() - beat_ms);
    beat_ms = performance.now();
  };
  const beats = setInterval(onBeat, 50);
  return () => {
    onBeat();
    for (const timer of timers) clearTimeout(timer);
    clearInterval(beats);
    return very_late || (late && longest_stall_ms < STALL_MS);
  };
}
