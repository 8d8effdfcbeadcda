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
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const changed = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(new TransformStream({
      transform({ data }, controller) {
        const lines = change(data)?.replaceAll('\n', '\ndata: ');
        if (lines !== undefined) controller.enqueue(`data: ${lines}\n\n`);
      },
    }))
    .pipeThrough(new TextEncoderStream());
  return new Response(changed, { headers, status, statusText });
}
