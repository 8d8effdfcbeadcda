/** Less than what `TimeLimit` calls held up. */
const STALL_MS = 200;

/**
 * Answers whether it is asked later than after so long. Timers of one process fire in their order,
 * however slow the machine is: the limit of the pool, and then this one. Only a process that was
 * held up gives the database more time, so that it is not late then.
 */
export function watchTime(limit_ms: number): () => boolean {
  let late = false;
  const timer = setTimeout(() => { late = true; }, limit_ms);
  let beat_ms = performance.now();
  let longest_stall_ms = 0;
  const onBeat = () => {
    longest_stall_ms = Math.max(longest_stall_ms, performance.now() - beat_ms);
    beat_ms = performance.now();
  };
  const beats = setInterval(onBeat, 50);
  return () => {
    onBeat();
    clearTimeout(timer);
    clearInterval(beats);
    return late && longest_stall_ms < STALL_MS;
  };
}
