/** Images, sounds and files in a result, which say nothing to a model as base64. */
import { isContainer, isObject, textOf, type JsonObject } from '../../json.ts';
import { writeJson } from '../../jsonText.ts';

const NOT_SHOWN = 'The content is not shown here; it is kept on the invocation.';
const MEDIA_PARTS: readonly unknown[] = ['image', 'audio', 'resource'];
const MEDIA_TYPES = /^(image|audio|video)\//;
/** Who asks for `base64` alone has chosen it; a short text may be something else. */
const LONG_CHARS = 256;

/** The JSON text of a result, with what is known of its media in place of their content. */
export function textWithoutMedia(result: unknown): string {
  const text = writeJson(result) ?? 'null';
  return text.includes('"base64":"') ? JSON.stringify(withoutMedia(JSON.parse(text))) : text;
}

/** No reviver of JSON.parse: for each megabyte of small values it took a third of a second. */
function withoutMedia(value: unknown): unknown {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(withoutMedia);
  const made = Object.fromEntries(Object.entries(value)
    .map(([name, item]) => [name, withoutMedia(item)]));
  return isMedia(made) ? described(made) : made;
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
