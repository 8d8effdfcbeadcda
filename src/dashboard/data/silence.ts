/**
 * Asking, and giving up what keeps silent. The connection of a computer that has slept, or is in
 * another network, is dead without a word: it would be waited for for good.
 */

/** So long an answer may keep silent. The service has a stream say something each 15 s. */
export const SILENT_MS = 45_000;
/** As long as a proxy is told to wait for what takes long. */
export const DONE_MS = 300_000;

/** An answer, whole unless it is a stream. `silent_ms`: so long it may take to begin. */
export async function fetchUnlessSilent(request: Request, silent_ms: number): Promise<Response> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = (for_ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new TypeError('Nothing came any more.')), for_ms);
  };
  const stop = () => clearTimeout(timer);
  listen(silent_ms);
  const signal = AbortSignal.any([request.signal, silence.signal]);
  const response = await fetch(request, { signal });
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    // A long answer takes its time on a slow line.
    listen(DONE_MS);
    const whole = await response.arrayBuffer();
    stop();
    // With 204 there may be none.
    return new Response(whole.byteLength > 0 ? whole : null, response);
  }
  listen(SILENT_MS);
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, told) {
      listen(SILENT_MS);
      told.enqueue(part);
    },
    flush: stop,
  });
  return new Response(response.body!.pipeThrough(heard), response);
}
