import { parseJson } from '../../json.ts';
import { prefixWithin } from '../../truncate.ts';
import type { ReadBody } from '../egress/responseBody.ts';

export interface Decoded {
  result: unknown;
  /** The answer was larger than what is read of one; `result` says so. */
  truncated: boolean;
}

export interface DecodeOptions {
  /** The document says that the answer is JSON. */
  expects_json: boolean;
  /** How much is kept of one that was cut. */
  head_limit_bytes: number;
  /** Takes secrets out of text before it is cut: half a secret would not be found. */
  scrub<T>(value: T): T;
}

/**
 * What an answer says, judged by its bytes and not by its Content-Type: JSON if it can be parsed,
 * text if it is text, else base64 with its media type. Services do send JSON as text/html, and
 * pages of HTML as JSON.
 */
export function decodeResult(
  { body, cut, headers }: ReadBody & { headers: Record<string, string> },
  options: DecodeOptions): Decoded {
  const media_type = (headers['content-type'] ?? '').trim();
  if (cut) return { result: cutResult(body, media_type, headers, options), truncated: true };
  if (body.length === 0) return { result: null, truncated: false };
  const text = decodedText(body, media_type);
  if (text === null) {
    return { truncated: false, result: { media_type: media_type || 'application/octet-stream',
      bytes: body.length, base64: body.toString('base64') } };
  }
  const maybeJson = options.expects_json || media_type === ''
    || /json|javascript/i.test(media_type);
  const parsed = maybeJson ? parseJson(text) : undefined;
  return { result: parsed === undefined ? text : parsed, truncated: false };
}

/**
 * Null if it is not text. A charset that is named and known is believed. The last character of a
 * body that was cut may be a part of one, and is left out then.
 */
function decodedText(body: Buffer, media_type: string, cut = false): string | null {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/i.exec(media_type) ?? [];
  if (/^(image|audio|video|font)\/(?!svg)/i.test(media_type)
    || /^application\/(octet-stream|pdf|zip|gzip)/i.test(media_type)) return null;
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(body, { stream: cut });
    // Control characters such as zeros are valid UTF-8, but no text.
    return /^text\/|json|xml/i.test(media_type) || !text.includes('\0') ? text : null;
  } catch {
    return charset.toLowerCase() !== 'utf-8' && /^text\/|json|xml/i.test(media_type)
      ? body.toString('utf8') : null;
  }
}

/** The end of a cut text may be the beginning of a secret, which nothing would recognise. */
const SECRET_LIMIT_CHARS = 8_192;
const ENVELOPE_BYTES = 1_024;

/** As truncate.ts reports results that it cuts: half a JSON text is no value. */
function cutResult(
  body: Buffer, media_type: string, headers: Record<string, string>, options: DecodeOptions,
): unknown {
  const announced = headers['content-encoding'] === undefined
    ? Number(headers['content-length']) : NaN;
  const text = decodedText(body, media_type, true);
  const head = text === null ? null : headOf(options.scrub(text), options.head_limit_bytes);
  return {
    truncated: {
      bytes: Number.isSafeInteger(announced) ? announced : null,
      returned: head === null ? 0 : Buffer.byteLength(head),
      hint: 'The answer is larger than what is read of one.'
        + (head === null ? '' : ' `head` is its beginning.')
        + ' Ask for less with a filter or a smaller page.',
    },
    ...(head === null ? { media_type } : { head }),
  };
}

function headOf(text: string, limit_bytes: number): string {
  const sure = text.slice(0, Math.max(0, text.length - SECRET_LIMIT_CHARS));
  return sure.slice(0, prefixWithin(sure, limit_bytes - ENVELOPE_BYTES, 'bytes'));
}
