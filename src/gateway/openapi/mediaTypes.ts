/** What the media type of a body means for how it is written and shown. */
import type { JsonObject } from '../../json.ts';

/** How a body of a media type is given by the caller and written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

export function isJsonMediaType(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
}

/** Whether each line of it is JSON. */
export function isJsonLines(type: string): boolean {
  return /^application\/(x-)?(ndjson|jsonl|json-?lines)\s*(;|$)/i.test(type);
}

/** Whether a header can hold it as the media type of something. */
export function isMediaType(text: string): boolean {
  return /^[\w.+-]+\/[\w.+-]+(; ?[\w.-]+=[\w."-]+)*$/.test(text);
}

/** A server that takes any type (as Kubernetes does) is sent JSON. */
export function bodyKind(media_type: string): BodyKind {
  const type = media_type.split(';')[0]!.trim().toLowerCase();
  if (isJsonMediaType(type) || type === '*/*' || type === 'application/*') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  return isText(type) ? 'text' : 'binary';
}

const PATCH = /^application\/[\w.-]*patch\+(json|yaml)\s*(;|$)/i;
const JSON_PATCH = /^application\/json-patch\+json\b/i;

/**
 * The ways to change something of which a caller has to choose one, as Kubernetes has them; null if
 * there is no choice. Where plain JSON is among them the others are only further names of it:
 * frameworks list `application/json-patch+json` for each body.
 */
export function patchTypes(types: readonly string[]): string[] | null {
  const isPlain = types.some((type) => /^(application\/json\s*(;|$)|[^;]*\*)/i.test(type));
  return isPlain || types.length < 2 || !types.some((type) => PATCH.test(type)) ? null : [...types];
}

/** Whether it is a list of single changes (RFC 6902). */
export function isJsonPatch(type: string): boolean {
  return JSON_PATCH.test(type);
}

/**
 * Of several ways the one that a body is meant for: a list is a JSON Patch, a text is YAML, and an
 * object is merged, by RFC 7396 if that is there, for it can be applied to everything.
 */
export function patchTypeOf(types: readonly string[], body: unknown): string {
  const merge = types.find((type) => /^application\/merge-patch\+json\b/i.test(type));
  const found = Array.isArray(body) ? types.find(isJsonPatch)
    : typeof body === 'string' ? types.find((type) => bodyKind(type) === 'text')
      : merge ?? types.find((type) => !isJsonPatch(type) && isJsonMediaType(type));
  return found ?? types[0]!;
}

const TEXT_TYPES = /^application\/(xml|yaml|x-yaml|toml|graphql|javascript|sql|x-ndjson|jsonl?)$/;

function isText(type: string): boolean {
  return type.startsWith('text/') || TEXT_TYPES.test(type)
    || /^application\/[^/]*(\+xml|\+yaml|json-?(lines|seq)|ndjson|sparql)/.test(type);
}

/**
 * The media type to use of several: JSON (also `application/merge-patch+json`), else a form, else
 * the first; null if there is none.
 */
export function chooseMediaType(content: JsonObject): string | null {
  const types = Object.keys(content);
  return types.find((type) => /^application\/json\s*(;|$)/i.test(type))
    ?? types.find(isJsonMediaType)
    ?? types.find((type) => /^\*\/\*|^application\/\*/.test(type))
    ?? types.find((type) => /^application\/x-www-form-urlencoded/i.test(type))
    ?? types.find((type) => /^multipart\/form-data/i.test(type))
    ?? types[0] ?? null;
}

/** A range such as `text/*` is no media type: a server that accepts any gets JSON. */
export function sentMediaType(declared: string): string {
  if (/^(\*|application)\/\*/.test(declared)) return 'application/json';
  return /^text\/\*/.test(declared) ? 'text/plain' : declared;
}
