/** What a tool answered, as plain JSON. */
import {
  isContainer, isObject, objectOf, parseJson, textOf, type JsonObject,
} from '../../json.ts';
import { isLongBase64 } from '../action/base64.ts';
import { failure, toldOfBody, type ActionFailure } from '../action/failure.ts';
import { beginningOf, type Scrub } from './beginningOf.ts';
import { imageSize, type ImageSize } from './imageSize.ts';

const PARTS_LIMIT = 1_000;
const ERROR_LIMIT_CHARS = 2_000;
/** A JPEG may begin with a small picture of itself; its size comes after that. */
const IMAGE_HEAD_CHARS = 131_072;

/**
 * The structured content if there is any, else `{content: [part, …]}`. Parts of a structured answer
 * that do not repeat it are its `content_parts`. `truncated`: something was too large, and the
 * result says what. Null: the answer is none. Throws ActionFailure with what the answer says if the
 * tool says that it failed.
 */
export function toResult(
  raw: unknown, title: string, base64_limit_chars: number, scrub: Scrub,
): { result: unknown, truncated: boolean } | null {
  const { content, isError, structuredContent } = objectOf(raw);
  if (isError === true) throw toolError(raw, title, scrub);
  const toPlain = (part: unknown) => toPart(part, base64_limit_chars);
  if (structuredContent !== undefined) {
    const read = readStructured(structuredContent);
    const others = Array.isArray(content) ? unrepeated(content, read) : [];
    const truncated = omitLong(read.media, base64_limit_chars);
    if (others.length === 0) return { result: structuredContent, truncated };
    const whole = beside(structuredContent, inParts('content_parts', others, toPlain));
    return { ...whole, truncated: truncated || whole.truncated };
  }
  if (!Array.isArray(content)) return null;
  return inParts('content', content, toPlain);
}

type Media = JsonObject & { data: string };

interface Structured {
  /** As texts, numbers too. */
  values: Set<string>;
  /** Those that are exact. */
  numbers: Set<unknown>;
  /** The files. */
  media: Media[];
}

/** What there is in it. Not by recursion: it may be nested however deep. */
function readStructured(structured: unknown): Structured {
  const values = new Set<string>();
  const numbers = new Set<unknown>();
  const media: Media[] = [];
  const waiting = [structured];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (!isContainer(next)) {
      values.add(String(next));
      if (isExact(next)) numbers.add(next);
      continue;
    }
    const { data, mimeType } = objectOf(next);
    if (typeof data === 'string' && typeof mimeType === 'string') media.push(next as Media);
    for (const value of Object.values(next)) waiting.push(value);
  }
  return { values, numbers, media };
}

function isExact(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/**
 * The parts that do not repeat what is structured. By the protocol a text should, for clients that
 * read texts alone: as JSON, which is not compared, or as one of the values in it. Many servers say
 * in words what is not in the data, such as that there is more of it. An image is repeated by tools
 * whose structured content is made of MCP's parts, as that of the official one that reads files.
 */
function unrepeated(
  content: readonly unknown[], { values, numbers, media }: Structured): unknown[] {
  const files = new Set<unknown>(media.map(({ data }) => data));
  const isKnown = (text: string) => ['', 'null'].includes(text) || values.has(text);
  return content.filter((part) => {
    const { type, text, data } = objectOf(part);
    if (type !== 'text') return !files.has(data);
    const words = textOf(text) ?? '';
    // A text may be repeated as JSON, too, within its quotation marks: so servers in Go do it. And
    // a number in another way: Python writes 3.0 for what is 3.
    const json = parseJson(words);
    return !isKnown(words) && !isContainer(json) && !(typeof json === 'string' && isKnown(json))
      && !(isExact(json) && numbers.has(json));
  });
}

/**
 * What is structured stays where the tool's output schema has it, so that who reads it, or chooses
 * `fields` of it, does not have to know whether parts came along. (`content` as their name would
 * not do: the structured content of tools that read files often has a text of that name.)
 */
function beside(structured: unknown, parts: Parts): Parts {
  const has_room = isObject(structured)
    && !('content_parts' in structured) && !('omitted_parts' in structured);
  return { ...parts,
    result: { ...(has_room ? structured : { structured_content: structured }), ...parts.result } };
}

/** Files that are too long are left out of what is structured, too. Says whether there were any. */
function omitLong(media: readonly Media[], limit_chars: number): boolean {
  const long = media.filter(({ data }) => data.length > limit_chars && isLongBase64(data));
  for (const one of long) Object.assign(one, { data: null, omitted_chars: one.data.length });
  return long.length > 0;
}

/** What a resource holds, as `{contents: [part, …]}`, bounded likewise; null likewise. */
export function toContents(
  raw: unknown, base64_limit_chars: number): { result: unknown, truncated: boolean } | null {
  const { contents } = objectOf(raw);
  if (!Array.isArray(contents)) return null;
  return inParts('contents', contents,
    (part) => ({ type: 'resource', ...resource(objectOf(part), base64_limit_chars) }));
}

interface Parts {
  result: JsonObject;
  truncated: boolean;
}

function inParts(
  name: string, content: readonly unknown[], toPlain: (part: unknown) => JsonObject): Parts {
  const parts = content.slice(0, PARTS_LIMIT).map(toPlain);
  const omitted = content.length - parts.length;
  return {
    result: { [name]: parts, ...(omitted > 0 ? { omitted_parts: omitted } : {}) },
    truncated: omitted > 0 || parts.some((part) => 'omitted_chars' in part),
  };
}

/** Those of a list's items that are objects. */
export function objectsOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.slice(0, PARTS_LIMIT).filter(isObject) : [];
}

/** What is said in an answer, as one text without secrets; nothing if it says none. */
export function textsIn(raw: unknown, scrub: Scrub): string {
  const said = objectsOf(objectOf(raw).content).map(({ text }) => textOf(text))
    .filter((text) => text !== undefined).join('\n');
  return beginningOf(said, ERROR_LIMIT_CHARS, scrub);
}

/** What an answer says that the call failed with, in few words and without secrets. */
export function saidOfFailure(
  raw: unknown, scrub: Scrub): { text: string, structuredContent?: unknown } {
  const text = textsIn(raw, scrub);
  const { structuredContent: given } = objectOf(raw);
  return given === undefined || given === null ? { text }
    : { text, structuredContent: toldOfBody(scrub(given)) };
}

/** What is structured is told as the body of a failed answer of an API is. */
function toolError(raw: unknown, title: string, scrub: Scrub): ActionFailure {
  const { text, structuredContent: body } = saidOfFailure(raw, scrub);
  return failure(text || `${title} says that the call failed, and not why.`,
    body === undefined ? {} : { details: { body } });
}

function toPart(part: unknown, base64_limit_chars: number): JsonObject {
  const raw = objectOf(part);
  const type = textOf(raw.type) ?? 'unknown';
  const mime = mimeType(raw);
  switch (type) {
    case 'text': return { type, text: textOf(raw.text) ?? '' };
    case 'image': return { type, ...mime, ...sizeOf(raw.data),
      ...binary(raw.data, base64_limit_chars) };
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
  const bytes = Buffer.byteLength(data, 'base64');
  return data.length <= limit_chars
    ? { bytes, base64: data } : { bytes, base64: null, omitted_chars: data.length };
}

/** Width and height, if the beginning of the image says so. */
function sizeOf(data: unknown): Partial<ImageSize> {
  if (typeof data !== 'string') return {};
  return imageSize(Buffer.from(data.slice(0, IMAGE_HEAD_CHARS), 'base64')) ?? {};
}
