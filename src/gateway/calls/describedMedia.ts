/** Images, sounds and files in a result, which say nothing to a model as base64. */
import { isObject, textOf, type JsonObject } from '../../json.ts';
import { writeJson } from '../../jsonText.ts';

const NOT_SHOWN = 'The content is not shown here; it is kept on the invocation.';
const MEDIA_PARTS: readonly unknown[] = ['image', 'audio', 'resource'];
const MEDIA_TYPES = /^(image|audio|video)\//;
/** Who asks for `base64` alone has chosen it; a short text may be something else. */
const LONG_CHARS = 256;

/** The JSON text of a result, with what is known of its media in place of their content. */
export function textWithoutMedia(result: unknown): string {
  const text = writeJson(result) ?? 'null';
  if (!text.includes('"base64":"')) return text;
  return JSON.stringify(
    JSON.parse(text, (_name, value: unknown) => (isMedia(value) ? described(value) : value)));
}

type Media = JsonObject & { base64: string };

function isMedia(value: unknown): value is Media {
  if (!isObject(value) || typeof value.base64 !== 'string') return false;
  const { type, mime_type, media_type, base64 } = value;
  return MEDIA_PARTS.includes(type)
    || MEDIA_TYPES.test(textOf(mime_type) ?? textOf(media_type) ?? '')
    || (Object.keys(value).length === 1 && base64.length > LONG_CHARS);
}

function described({ base64, ...rest }: Media): JsonObject {
  return { bytes: Buffer.byteLength(base64, 'base64'), ...rest, not_shown: NOT_SHOWN };
}
