import { AsyncLocalStorage } from 'node:async_hooks';
import type { Departure } from '../egress/departure.ts';

/**
 * The departure of the tool call that is being sent. The library takes nothing of ours from a
 * request to its transport, but it calls the transport within the request's async context.
 */
export const departing = new AsyncLocalStorage<Departure>();
