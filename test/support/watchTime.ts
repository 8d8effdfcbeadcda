/** A shorter stall gives the database no more time: see TimeLimit. */
const STALL_MS = 200;
/** More than TimeLimit adds for all stalls together. */
const STALLED_MS = 2_500;

/**
 * Begins to measure. The function that it answers tells, once, whether more than `limit_ms` have
 * gone by. It asks timers and no clock: timers of one process fire in their order, so on a slow
 * machine the pool's own limit still comes before a longer one here. If the process was held up
 * meanwhile, the pool gives the database more time, and this does too.
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
