import type { Dispatcher } from 'undici';

/** Redirects that a request follows. */
const REDIRECTS = 3;

/**
 * Node's `fetch` without its limits of 300 s on the wait for an answer to begin and on silence
 * within it, which no option of it lifts: a slow model may need longer, and each step has a limit
 * of its own (`GATEHOUSE_MODEL_IDLE_MS`), as have embeddings. It goes by the dispatcher of the
 * process, as `fetch` itself does, so connections are kept and proxies of the environment count.
 * Follows a redirect that leaves the request as it is and stays at its origin; at another one it
 * throws RedirectedError.
 */
export const untimedFetch: typeof fetch = async (input, init) => {
  // Loaded with the first request: it takes as long as the packages of the models.
  const { getGlobalDispatcher } = await import('undici');
  const dispatcher = getGlobalDispatcher().compose(untimed);
  // fetch would send keys elsewhere: it takes away but one of the headers that hold them.
  const options = { ...init, redirect: 'manual', dispatcher };
  for (let place = input, followed = 0; ; followed++) {
    // The types of Node and of undici differ in name only.
    const answer = await fetch(place, options as RequestInit);
    const { status, url } = answer;
    const location = answer.headers.get('location');
    if (status < 300 || status > 399 || location === null) return answer;
    await answer.body?.cancel();
    const target = URL.parse(location, url);
    const isFollowed = (status === 307 || status === 308) && followed < REDIRECTS
      && target?.origin === new URL(url).origin;
    if (!isFollowed) throw new RedirectedError(target);
    place = target;
  }
};

/** The address leads to another one: from http to https, as a rule. */
export class RedirectedError extends Error {
  /** As long as a header may be, and it may hold secrets; null: nowhere. */
  readonly target: URL | null;

  constructor(target: URL | null) {
    super('the address leads to another one');
    this.name = 'RedirectedError';
    this.target = target;
  }
}

function untimed(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) =>
    dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
}
