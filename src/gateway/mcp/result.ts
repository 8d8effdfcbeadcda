/** What a tool answered, as plain JSON. */
import { objectOf, textOf, type JsonObject } from '../../json.ts';
import { failure, type ActionFailure } from '../action/failure.ts';

const PARTS_LIMIT = 1_000;
const ERROR_LIMIT_CHARS = 2_000;

/**
 * The structured content if there is any, else `{content: [part, …]}`. `truncated`: something was
 * too large, and the result says what. Throws ActionFailure with the text of the answer if the tool
 * says that it failed, or if the answer is none.
 */
export function toResult(
  raw: unknown, title: string, base64_limit_chars: number,
): { result: unknown, truncated: boolean } {
  const { content, isError, structuredContent } = objectOf(raw);
  if (isError === true) throw toolError(content, title);
  if (structuredContent !== undefined) return { result: structuredContent, truncated: false };
  if (!Array.isArray(content)) {
    throw failure(`${title} gave an answer that is no result of a tool.`);
  }
  const parts = content.slice(0, PARTS_LIMIT).map((part) => toPart(part, base64_limit_chars));
  const omitted = content.length - parts.length;
  return {
    result: { content: parts, ...(omitted > 0 ? { omitted_parts: omitted } : {}) },
    truncated: omitted > 0 || parts.some((part) => 'omitted_chars' in part),
  };
}

function toolError(content: unknown, title: string): ActionFailure {
  const parts: unknown[] = Array.isArray(content) ? content.slice(0, PARTS_LIMIT) : [];
  const text = parts.map((part) => textOf(objectOf(part).text))
    .filter((said) => said !== undefined).join('\n').slice(0, ERROR_LIMIT_CHARS);
  return failure(text || `${title} says that the call failed, and not why.`);
}

function toPart(part: unknown, base64_limit_chars: number): JsonObject {
  const raw = objectOf(part);
  const type = textOf(raw.type) ?? 'unknown';
  const mime = mimeType(raw);
  switch (type) {
    case 'text': return { type, text: textOf(raw.text) ?? '' };
    case 'image':
    case 'audio': return { type, ...mime, ...binary(raw.data, base64_limit_chars) };
    case 'resource': return { type, ...resource(objectOf(raw.resource), base64_limit_chars) };
    case 'resource_link': {
      const { uri, name, title, description } = raw;
      return { type, ...texts({ uri, name, title, description }), ...mime };
    }
    default: return { type: 'unknown', ...mime };
  }
}

function resource(raw: JsonObject, base64_limit_chars: number): JsonObject {
  const { uri, text, blob } = raw;
  return {
    ...texts({ uri }), ...mimeType(raw),
    ...(typeof text === 'string' ? { text } : binary(blob, base64_limit_chars)),
  };
}

function mimeType({ mimeType: mime_type }: JsonObject): JsonObject {
  return texts({ mime_type });
}

/** Those of the values that are texts. */
function texts(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values)
    .filter(([, value]) => typeof value === 'string'));
}

/** Half a file is useless: a file that is too long is left out as a whole. */
function binary(data: unknown, limit_chars: number): JsonObject {
  if (typeof data !== 'string') return { base64: null };
  return data.length <= limit_chars
    ? { base64: data } : { base64: null, omitted_chars: data.length };
}
