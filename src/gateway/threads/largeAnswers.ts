/** Which answers of other systems are read in a thread of their own, and what each may take. */

/** Smaller ones take less time here than their way to the thread and back; measured: 20 ms. */
export const LARGE_BYTES = 262_144;

/** Eight megabytes of empty objects are 200 MB of memory. */
export const LIMITS = { limit_ms: 10_000, memory_limit_mb: 1_024 };
