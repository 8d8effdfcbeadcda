import type { Dispatcher } from 'undici';

/**
 * Node's `fetch` without its limits of 300 s on the wait for an answer to begin and on silence
 * within it, which no option of it lifts: a slow model may need longer, and each step has a limit
 * of its own (`GATEHOUSE_MODEL_IDLE_MS`), as have embeddings. It goes by the dispatcher of the
 * process, as `fetch` itself does, so connections are kept and proxies of the environment count.
 */
export const untimedFetch: typeof fetch = async (input, init) => {
  // Loaded with the first request: it takes as long as the packages of the models.
  const { getGlobalDispatcher } = await import('undici');
  const options = { ...init, dispatcher: getGlobalDispatcher().compose(untimed) };
  // The types of Node and of undici differ in name only.
  return await fetch(input, options as RequestInit);
};

function untimed(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) =>
    dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
}
