/** What Anthropic adds to its streams: its package takes one with an unknown event for broken. */
import { withEvents } from './eventStream.ts';
import { untimedFetch } from './untimedFetch.ts';

/** Anthropic adds others, and says that clients have to pass over them. */
const KNOWN = new Set(['message_start', 'content_block_start', 'content_block_delta',
  'content_block_stop', 'message_delta', 'message_stop', 'ping', 'error']);

/** The type stands first in the data of each event; some servers name no events. */
const TYPE = /^\s*\{\s*"type"\s*:\s*"([^"]*)"/;

/** `untimedFetch` whose streams hold no events of other types. Anything else is as it came. */
export const fetchKnownEvents: typeof fetch = async (input, init) =>
  await withEvents(await untimedFetch(input, init), (data) => {
    const [, type] = TYPE.exec(data) ?? [];
    return type !== undefined && !KNOWN.has(type) ? undefined : data;
  });
