/** Answers that take long: the service has its own limits for them, and says what came of it. */

/**
 * Longer than the service takes by any of its settings: ten minutes for an action (the most that
 * GATEHOUSE_ACTION_TIMEOUT_MS may be), five to verify the audit log, eleven to import: two to fetch
 * the document, one for its further files, two on a busy machine for each of up to three readings,
 * and two to store what was made of it.
 */
export const LONG_ANSWER_MS = 12 * 60_000;

/**
 * Where Node.js keeps what sends the requests of `fetch`, once that was loaded: 26 in the first
 * place, with something of another constructor in the second, which is where 24 keeps it.
 */
const DISPATCHERS = ['undici.globalDispatcher.2', 'undici.globalDispatcher.1'].map(Symbol.for);

type MakeDispatcher =
  new (options: { headersTimeout: number; bodyTimeout: number }) => RequestInit['dispatcher'];

/**
 * An option of `fetch` that lets it wait so long: by itself it gives up after five minutes. Another
 * dispatcher is the only way to say so, and it is made of Node's own: the package that has them,
 * undici, is the gateway's, and takes 0.2 s to load. A Node.js that keeps it elsewhere waits for
 * five minutes.
 */
export function waitingFor(limit_ms: number): { dispatcher?: RequestInit['dispatcher'] } {
  void Response; // which loads it
  const kept = globalThis as { [place: symbol]: object | undefined };
  const own = DISPATCHERS.map((place) => kept[place]).find((one) => one !== undefined);
  if (own === undefined) return {};
  const Dispatcher = own.constructor as MakeDispatcher;
  return { dispatcher: new Dispatcher({ headersTimeout: limit_ms, bodyTimeout: limit_ms }) };
}
