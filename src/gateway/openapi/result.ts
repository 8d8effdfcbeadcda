import { parseExactly, type JsonObject } from '../../json.ts';
import { markedUtf16 } from '../../textOfBytes.ts';
import { prefixWithin } from '../../truncate.ts';
import { SECRET_LIMIT_CHARS } from '../credentials/withoutSecrets.ts';
import type { ReadBody } from '../egress/responseBody.ts';
import type { ChosenFields } from './fieldChooser.ts';
import { isJsonMediaType } from './mediaTypes.ts';

export interface Decoded {
  result: unknown;
  /** The answer was larger than what is read of one; `result` says so. */
  truncated: boolean;
  /** It calls itself JSON and is none, a part of one perhaps; `result` is its text. */
  is_broken?: true;
}

export interface DecodeOptions {
  /** The document says that the answer is JSON. */
  expects_json: boolean;
  /** How much is kept of one that was cut. */
  head_limit_bytes: number;
  /** Takes secrets out of text before it is cut: half a secret would not be found. */
  scrub<T>(value: T): T;
  /** What was chosen of an answer that was cut; undefined: nobody chose. */
  choice?: ChosenFields | undefined;
  /** Of how long an answer can be chosen. */
  choice_limit_bytes: number;
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
  if (cut) {
    const { choice } = options;
    return choice !== undefined && 'value' in choice ? { result: choice.value, truncated: false }
      : { result: cutResult(body, media_type, headers, options), truncated: true };
  }
  if (body.length === 0) return { result: null, truncated: false };
  const text = decodedText(body, media_type);
  if (text === null) {
    return { truncated: false, result: { media_type: media_type || 'application/octet-stream',
      bytes: body.length, base64: body.toString('base64') } };
  }
  const parsed = mayBeJson({ headers }, options.expects_json) ? parseExactly(text) : undefined;
  if (parsed !== undefined) return { result: parsed, truncated: false };
  return { result: text, truncated: false,
    ...(isJsonMediaType(media_type) && { is_broken: true }) };
}

/**
 * The result of an answer that succeeded and is broken. It is no failure, for what was to be done
 * is done; but who reads half of a value must not take it for one.
 */
export function brokenResult(text: unknown, { body }: Pick<ReadBody, 'body'>): JsonObject {
  return { not_json: { bytes: body.length, hint: 'The call succeeded, but its answer calls itself'
    + ' JSON and is none: it may be a part of one, or something else. `text` is all of it.' },
  text };
}

/** Whether it is worth a try to read an answer as JSON. */
export function mayBeJson(
  { headers }: { headers: Record<string, string> }, expects_json: boolean): boolean {
  const media_type = (headers['content-type'] ?? '').trim();
  return expects_json || media_type === '' || /json|javascript/i.test(media_type);
}

/** That which is named, or else UTF-8. */
export function charsetOf(media_type: string): string {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/i.exec(media_type) ?? [];
  return charset;
}

/** By its name it is text: `openxmlformats` of Word's and Excel's files is no XML. */
const TEXT_TYPE = /^text\/|json|xml(?!formats)/i;

/**
 * Null if it is not text. A mark of UTF-16 is believed in what is text by its name (reports for
 * Excel), and else a charset that is named and known. The last character of a body that was cut may
 * be a part of one, and is left out then.
 */
function decodedText(body: Buffer, media_type: string, cut = false): string | null {
  const marked = TEXT_TYPE.test(media_type) ? markedUtf16(body) : undefined;
  const charset = marked ?? charsetOf(media_type);
  if (/^(image|audio|video|font)\/(?!svg)/i.test(media_type)
    || /^application\/(octet-stream|pdf|zip|gzip)/i.test(media_type)) return null;
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(body, { stream: cut });
    // Control characters such as zeros are valid UTF-8, but no text.
    return TEXT_TYPE.test(media_type) || !text.includes('\0') ? text : null;
  } catch {
    return charset.toLowerCase() !== 'utf-8' && TEXT_TYPE.test(media_type)
      ? body.toString('utf8') : null;
  }
}

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
        + (head === null ? '' : ' `head` is its beginning.') + adviceOn(headers, options),
    },
    ...(head === null ? { media_type } : { head }),
  };
}

function adviceOn(
  headers: Record<string, string>, { choice, choice_limit_bytes, expects_json }: DecodeOptions,
): string {
  const less = ' Ask for less with a filter or a smaller page.';
  const limit = `${Math.floor(choice_limit_bytes / 1_048_576)} MiB`;
  if (choice === undefined || 'value' in choice) {
    return mayBeJson({ headers }, expects_json) ? ' Ask for less with `fields`, which can choose'
      + ` from ${limit} of JSON, with a filter or a smaller page.` : less;
  }
  switch (choice.fault) {
    case 'no_json': return ' `fields` cannot choose from it: it is no JSON in UTF-8, or nested too'
      + ` deeply.${less}`;
    case 'too_long': return ` It is also longer than the ${limit} from which \`fields\` can`
      + ` choose.${less}`;
    case 'too_much': return ' What `fields` chose of it is too large, too. Choose less of it, or'
      + ' ask for less with a filter or a smaller page.';
  }
}

/** The end of a cut text may be the beginning of a secret, which nothing would recognise. */
function headOf(text: string, limit_bytes: number): string {
  const sure = text.slice(0, Math.max(0, text.length - SECRET_LIMIT_CHARS));
  return sure.slice(0, prefixWithin(sure, limit_bytes - ENVELOPE_BYTES, 'bytes'));
}
