/**
 * Milliseconds of a clock that never goes back: what lasts is measured with it. Whoever measures
 * takes it as a parameter, and a test brings its own.
 */
export type Clock = () => number;

/** That of the process. */
export const steadyClock: Clock = () => performance.now();
