import { AsyncLocalStorage } from 'node:async_hooks';
import type { Departure } from '../egress/departure.ts';
import type { MirroredArgument } from './mirrored.ts';
import type { AnswerReading } from './shortenerWorker.ts';

/** What goes with a tool call to the transport. */
export interface Departing {
  departure: Departure;
  /** How its answer is read if it is a large one. */
  reading: AnswerReading;
  /** What of its arguments goes into headers as well, where the protocol has that. */
  mirrored: readonly MirroredArgument[];
}

/**
 * The tool call that is being sent. The library takes nothing of ours from a request to its
 * transport, but it calls the transport within the request's async context.
 */
export const departing = new AsyncLocalStorage<Departing | undefined>();
