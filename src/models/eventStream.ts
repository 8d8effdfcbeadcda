/**
 * An answer whose server-sent events have other data, by `change`; undefined leaves one out. What
 * is no stream of events is as it came, and so is a refusal: some servers call it one, and it is
 * JSON.
 */
export async function withEvents(
  answer: Response, change: (data: string) => string | undefined): Promise<Response> {
  const { ok, body, headers, status, statusText } = answer;
  const isStream = ok && headers.get('content-type')?.startsWith('text/event-stream');
  if (body === null || !isStream) return answer;
  const { createParser } = await import('eventsource-parser');
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let changed = '';
  const parser = createParser({
    onEvent({ data }) {
      const lines = change(data)?.replaceAll('\n', '\ndata: ');
      if (lines !== undefined) changed += `data: ${lines}\n\n`;
    },
  });
  // One stream: each more, as for the decoding, takes 1 µs or more of each event.
  const events = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      changed = '';
      parser.feed(decoder.decode(bytes, { stream: true }));
      if (changed !== '') controller.enqueue(encoder.encode(changed));
    },
  });
  return new Response(body.pipeThrough(events), { headers, status, statusText });
}
