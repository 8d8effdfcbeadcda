import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionError } from './answers.ts';
import type { Client, ReceivedEvent } from './client.ts';
import { exitCodeOf } from './outcome.ts';
import { MAX_ATTEMPTS, mayPass, waitBefore } from './tries.ts';

export interface FollowOptions {
  /** Only events with a larger sequence number. */
  starting_after: number;
  signal: AbortSignal;
  /** Called before each wait for another try; `attempt` counts the tries in a row. */
  onRetry?: (attempt: number, error: Error) => void;
  /** Tests put their own here, so that they need not wait. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** A connection that held this long was a good one, even if nothing happened on it. */
const GOOD_CONNECTION_MS = 10_000;

/**
 * A run's events to its end, each exactly once and in order, across broken connections: a new one
 * asks for what comes after the last number seen. Ends after the terminal event, also if that was
 * before `starting_after`. Throws what the service answers if trying again cannot help, and the
 * last error once MAX_ATTEMPTS in a row brought nothing.
 */
export async function* followEvents(
  client: Client, run_id: string, options: FollowOptions): AsyncGenerator<ReceivedEvent> {
  const { signal, onRetry = () => {} } = options;
  const wait = options.wait ?? ((ms) => delay(ms, undefined, { signal }));
  let last = options.starting_after;
  let attempt = 0;
  for (;;) {
    const connected_ms = performance.now();
    let error: Error;
    try {
      for await (const received of client.events(run_id, last, signal)) {
        const { sequence_number } = received.event;
        if (sequence_number <= last) continue;
        if (sequence_number > last + 1) {
          throw new ConnectionError(`Events ${last + 1} to ${sequence_number - 1} did not arrive.`);
        }
        last = sequence_number;
        attempt = 0;
        yield received;
        if (exitCodeOf(received.event) !== undefined) return;
      }
      if (await hasEnded(client, run_id, last, signal)) return;
      error = new ConnectionError('The service closed the connection before the run ended.');
    } catch (caught) {
      signal.throwIfAborted();
      if (!mayPass(caught)) throw caught;
      error = caught;
    }
    if (performance.now() - connected_ms >= GOOD_CONNECTION_MS) attempt = 0;
    attempt++;
    if (attempt > MAX_ATTEMPTS) throw error;
    onRetry(attempt, error);
    await wait(waitBefore(attempt, error), signal);
  }
}

/** Tells whether the stream closed because no event comes after `last`. */
async function hasEnded(
  client: Client, run_id: string, last: number, signal: AbortSignal): Promise<boolean> {
  const { status } = await client.request('GET', '/runs/{run_id}', { id: run_id, signal });
  if (status === 'queued' || status === 'running') return false;
  const { data } = await client.request('GET', '/runs/{run_id}/events',
    { id: run_id, query: { starting_after: last, limit: 1 }, signal });
  return data.length === 0;
}
