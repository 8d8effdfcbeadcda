/** The Accept header: which media types a client admits, and what it prefers. */
import { GatehouseError } from '../errors.ts';

interface Range { type: string; subtype: string; quality: number }

const RANGE_LIMIT = 64; // A header may hold thousands of ranges; nobody means that many.

function parseAccept(header: string): Range[] {
  return header.split(',', RANGE_LIMIT).map((text) => {
    const [name = '', ...parameters] = text.split(';');
    const [type = '', subtype = ''] = name.trim().toLowerCase().split('/');
    const given = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return { type, subtype, quality: given === undefined ? 1 : Number(given) || 0 };
  });
}

/** The quality of the most specific range that covers the type; 0 if none does or it is refused. */
function qualityOf(ranges: readonly Range[], mediaType: string): number {
  const [type, subtype] = mediaType.split('/');
  const range = ranges.find((item) => item.type === type && item.subtype === subtype)
    ?? ranges.find((item) => item.type === type && item.subtype === '*')
    ?? ranges.find((item) => item.type === '*' && item.subtype === '*');
  return range?.quality ?? 0;
}

export interface Accepts {
  /** One of the types that the operation produces is admitted. */
  readonly any: boolean;
  /** Of both, text/event-stream is preferred; if it is named itself, also if JSON is as good. */
  readonly event_stream: boolean;
}

const EITHER = ['text/event-stream', 'application/json'];
const ANYTHING: Accepts = { any: true, event_stream: false };

/**
 * Weighs an Accept header against what an operation produces. No header admits everything, and so
 * does one that names nothing.
 */
export function weighAccept(header: string | undefined, produces: readonly string[]): Accepts {
  if (header === undefined || header === '*/*' || !/[^\s,]/.test(header)) return ANYTHING;
  if (header === 'application/json' && produces.includes(header)) return ANYTHING;
  const ranges = parseAccept(header);
  const named = ranges.find((range) => range.type === 'text' && range.subtype === 'event-stream');
  const [of_stream, of_json] = EITHER.map((mediaType) => qualityOf(ranges, mediaType));
  return {
    any: produces.some((mediaType) => qualityOf(ranges, mediaType) > 0),
    event_stream: named === undefined ? of_stream! > of_json!
      : named.quality > 0 && named.quality >= of_json!,
  };
}

/** The error for an Accept header that admits nothing of what an operation produces. */
export function notAcceptable(produces: readonly string[]): GatehouseError {
  return new GatehouseError('not_acceptable',
    `This operation answers with ${produces.join(' or ')}. Name it in the Accept header, or leave`
      + ' that out.', { param: 'accept' });
}
