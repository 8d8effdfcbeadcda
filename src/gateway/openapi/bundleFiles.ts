/** The files of a document below `x-documents` of it, and its references led there. */
import { isObject, toSegment, type JsonObject } from '../../json.ts';
import { FILES } from './swagger.ts';

/** Where a document is seen from that was handed over: deep enough for `../../common.yaml`. */
export const HANDED_OVER = 'https://handed-over.invalid/1/2/3/4/5/6/7/8/document';

export interface BundledDocument {
  document: JsonObject;
  /** What is referred to and not among the files. */
  wanted: string[];
}

/** As far as its files are there; `place` is the document's address, as in `DocumentFiles`. */
export function bundleFiles(
  document: JsonObject, place: string, files: ReadonlyMap<string, JsonObject>): BundledDocument {
  const wanted = new Set<string>();
  const reached = new Set<string>();
  const pointerOf = (address: string) => `/${FILES}/${encodeURIComponent(toSegment(address))}`;
  /** `own`: where the references of this file to itself lead. */
  const leading = (base: string, own: string) => (reference: string): string => {
    if (reference.startsWith('#')) return `#${own}${reference.slice(1)}`;
    const url = URL.parse(reference, base);
    if (url === null) return reference;
    const { hash } = url;
    url.hash = '';
    if (url.href === place) return `#${hash.slice(1)}`;
    if (!files.has(url.href)) {
      wanted.add(url.href);
      return reference;
    }
    reached.add(url.href);
    return `#${pointerOf(url.href)}${hash === '#/' ? '' : hash.slice(1)}`;
  };
  const whole = withReferences(document, leading(place, '')) as JsonObject;
  const bundled: JsonObject = {};
  // A Set that is walked while it grows also visits what is added.
  for (const address of reached) {
    bundled[address] =
      withReferences(files.get(address)!, leading(address, pointerOf(address)));
  }
  return { document: reached.size === 0 ? whole : { ...whole, [FILES]: bundled },
    wanted: [...wanted] };
}

function withReferences(value: unknown, lead: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, lead));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name,
    name === '$ref' && typeof item === 'string' ? lead(item) : withReferences(item, lead)]));
}

/** A file as whoever gave the document knows it. */
export function fileNameOf(address: string): string {
  const { origin } = new URL(HANDED_OVER);
  if (!address.startsWith(origin)) return address;
  const here = HANDED_OVER.slice(0, HANDED_OVER.lastIndexOf('/') + 1);
  const name = address.startsWith(here) ? address.slice(here.length)
    : address.slice(address.lastIndexOf('/') + 1);
  try {
    return decodeURI(name);
  } catch {
    return name; // It has a % of its own.
  }
}
