/** Pages as browsers keep them, and packed as they take them. */
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { entityTag, isCurrent } from '../entityTag.ts';
import type { PageMaker, WebPage } from './pages.ts';

const pack = promisify(gzip);

interface Packed { tag: string; content: Promise<Buffer> }

/**
 * The page with an entity tag, gzipped for who takes that, and 304 without a content for who has
 * it already. `make` answers with the same object as long as the page is the same.
 */
export function cachePage(make: PageMaker): PageMaker {
  const known = new WeakMap<WebPage, Packed>();
  return async (request) => {
    const page = await make(request);
    if (page.status !== 200) return page;
    const packed = known.get(page)
      ?? { tag: entityTag(page.content), content: pack(page.content) };
    known.set(page, packed);
    // Asked for again each time, so that an upgrade never leaves a page with scripts of before.
    const headers = {
      ...page.headers, 'Cache-Control': 'no-cache', ETag: packed.tag, Vary: 'Accept-Encoding',
    };
    if (isCurrent(request.headers['if-none-match'], packed.tag)) {
      return { ...page, headers, status: 304, content: '' };
    }
    if (!takes(request.headers, 'gzip')) return { ...page, headers };
    // The packed form is another representation: a strong tag would say that its bytes are equal.
    return {
      ...page, content: await packed.content,
      headers: { ...headers, ETag: `W/${packed.tag}`, 'Content-Encoding': 'gzip' },
    };
  };
}

/** Whether an answer may be in this coding, such as gzip. */
export function takes(headers: IncomingHttpHeaders, coding: string): boolean {
  const quality = new RegExp(`\\b${coding}\\b(?:\\s*;\\s*q=([\\d.]+))?`)
    .exec(String(headers['accept-encoding'] ?? ''));
  return quality !== null && Number(quality[1] ?? 1) > 0;
}
