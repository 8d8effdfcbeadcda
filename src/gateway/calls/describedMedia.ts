/** Images, sounds and files in a result, which say nothing to a model as base64. */
import { isContainer, textOf, type JsonObject } from '../../json.ts';
import { writeJson } from '../../jsonText.ts';
import { isLongBase64 } from '../action/base64.ts';

const NOT_SHOWN = 'The content is not shown here; it is kept on the invocation.';
const MEDIA_PARTS: readonly unknown[] = ['image', 'audio', 'resource'];
const MEDIA_TYPES = /^(image|audio|video)\//i;
/** Who asks for `base64` alone has chosen it; a short text may be something else. */
const LONG_CHARS = 256;

/** What may have any, so that other results are not read and written once more. */
const HOLDS_MEDIA = /"base64":"|"data":"[\w+/-]{60}/;

/** The JSON text of a result, with what is known of its media in place of their content. */
export function textWithoutMedia(result: unknown): string {
  const text = writeJson(result) ?? 'null';
  return HOLDS_MEDIA.test(text) ? JSON.stringify(withoutMedia(JSON.parse(text))) : text;
}

/** No reviver of JSON.parse: for each megabyte of small values it took a third of a second. */
function withoutMedia(value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(withoutMedia);
  const made = Object.fromEntries(Object.entries(value)
    .map(([name, item]) => [name, withoutMedia(item)]));
  const { base64, ...rest } = made;
  if (typeof base64 === 'string' && isMedia(made, base64)) return described(base64, rest);
  const { data, ...others } = made;
  return typeof data === 'string' && isForeignMedia(made) && isLongBase64(data)
    ? described(data, others) : made;
}

function isMedia(value: JsonObject, base64: string): boolean {
  return MEDIA_PARTS.includes(value.type) || MEDIA_TYPES.test(typeOf(value))
    || (Object.keys(value).length === 1 && base64.length > LONG_CHARS);
}

/**
 * As MCP's own parts have it. Tools repeat these in what is structured, and APIs of models answer
 * with the like. The official tool that reads files calls all others of these a `blob`.
 */
function isForeignMedia(value: JsonObject): boolean {
  return value.type === 'blob' || MEDIA_TYPES.test(typeOf(value));
}

function typeOf({ mime_type, media_type, mimeType }: JsonObject): string {
  return textOf(mime_type) || textOf(media_type) || textOf(mimeType) || '';
}

function described(base64: string, rest: JsonObject): JsonObject {
  return { bytes: Buffer.byteLength(base64, 'base64'), ...rest, not_shown: NOT_SHOWN };
}
