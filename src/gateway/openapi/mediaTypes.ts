/** What the media type of a body means for how it is written and shown. */

/** How a body of a media type is given by the caller and written. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'binary';

export function isJsonMediaType(type: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(type);
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

const TEXT_TYPES = /^application\/(xml|yaml|x-yaml|toml|graphql|javascript|sql|x-ndjson|jsonl?)$/;

function isText(type: string): boolean {
  return type.startsWith('text/') || TEXT_TYPES.test(type)
    || /^application\/[^/]*(\+xml|\+yaml|json-?(lines|seq)|ndjson|sparql)/.test(type);
}
