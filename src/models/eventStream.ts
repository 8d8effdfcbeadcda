/**
 * An answer whose server-sent events have other data, by `change`; undefined leaves one out. What
 * is no stream of events is as it came.
 */
export async function withEvents(
  answer: Response, change: (data: string) => string | undefined): Promise<Response> {
  const { body, headers, status, statusText } = answer;
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return answer;
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
