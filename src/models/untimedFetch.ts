import type { Dispatcher } from 'undici';

/**
 * Node's `fetch` without its limits of 300 s on the wait for an answer to begin and on silence
 * within it, which no option of it lifts: a slow model may need longer, and each step has a limit
 * of its own (`GATEHOUSE_MODEL_IDLE_MS`), as have embeddings. It goes by the dispatcher of the
 * process, as `fetch` itself does, so connections are kept and proxies of the environment count.
 * Follows no redirect, and throws RedirectedError.
 */
export const untimedFetch: typeof fetch = async (input, init) => {
  // Loaded with the first request: it takes as long as the packages of the models.
  const { getGlobalDispatcher } = await import('undici');
  // To follow it would send keys there: fetch takes away but one of the headers that hold them.
  const dispatcher = getGlobalDispatcher().compose(untimed);
  const options = { ...init, redirect: 'manual', dispatcher };
  // The types of Node and of undici differ in name only.
  const answer = await fetch(input, options as RequestInit);
  const location = answer.headers.get('location');
  if (answer.status < 300 || answer.status > 399 || location === null) return answer;
  await answer.body?.cancel();
  throw new RedirectedError(URL.parse(location, answer.url));
};

/** The address leads to another one: from http to https, as a rule. */
export class RedirectedError extends Error {
  /** Without its query, which may hold secrets. */
  readonly place: string;

  constructor(target: URL | null) {
    super('the address leads to another one');
    this.name = 'RedirectedError';
    this.place = target === null ? 'nowhere' : target.origin + target.pathname;
  }
}

function untimed(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) =>
    dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
}
