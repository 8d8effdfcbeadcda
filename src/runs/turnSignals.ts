/** How a turn that has begun is ended from outside. */
export interface TurnSignals {
  /** Another worker owns the run, or the time to stop is over: end at once. */
  stop: AbortSignal;
  /** The worker stops: begin nothing, break off what may be repeated, commit what is finished. */
  windDown: AbortSignal;
  /** Called when a step, or the result of a call, was committed. */
  onCommitted?: () => void;
}
