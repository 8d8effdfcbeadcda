/** Milliseconds. Whoever measures takes a clock as a parameter, and a test brings its own. */
export type Clock = () => number;

/** Of the process; it never goes back: what lasts is measured with it. */
export const steadyClock: Clock = () => performance.now();
