/** What Anthropic adds to its streams: its package takes one with an unknown event for broken. */
import { untimedFetch } from './untimedFetch.ts';

/** Anthropic adds others, and says that clients have to pass over them. */
const KNOWN = new Set(['message_start', 'content_block_start', 'content_block_delta',
  'content_block_stop', 'message_delta', 'message_stop', 'ping', 'error']);

/** The type stands first in the data of each event; some servers name no events. */
const TYPE = /^\s*\{\s*"type"\s*:\s*"([^"]*)"/;

/** `untimedFetch` whose streams hold no events of other types. Anything else is as it came. */
export const fetchKnownEvents: typeof fetch = async (input, init) => {
  const answer = await untimedFetch(input, init);
  const { body, headers, status, statusText } = answer;
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const { EventSourceParserStream } = await import('eventsource-parser/stream');
  const known = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream())
    .pipeThrough(new TransformStream({
      transform({ data }, controller) {
        const [, type] = TYPE.exec(data) ?? [];
        if (type !== undefined && !KNOWN.has(type)) return;
        controller.enqueue(`data: ${data.replaceAll('\n', '\ndata: ')}\n\n`);
      },
    }))
    .pipeThrough(new TextEncoderStream());
  return new Response(known, { headers, status, statusText });
};
