/** Pages beside the API, without authentication; here those about health, for operators. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { within } from '../deadline.ts';

export interface WebPage {
  status: number;
  type: string;
  /**
   * A large one as bytes, which all its readers share: of a text each connection has a copy, until
   * it has taken it. Nobody needs a key to ask for megabytes on a thousand and to take none.
   */
  content: string | Buffer;
  headers?: Record<string, string | string[]>;
}

export interface PageRequest {
  method: string;
  path: string;
  /** The raw query with its question mark, or an empty text. */
  query: string;
  headers: IncomingHttpHeaders;
}

export type PageMaker = (request: PageRequest) => Promise<WebPage>;

const JSON_TYPE = 'application/json; charset=utf-8';
const READINESS_MS = 3_000;

/**
 * The pages by their paths. `readiness` names what is missing; an empty list means ready. `health`
 * is what there is to say of a process that answers.
 */
export function pages(
  readiness: () => Promise<string[]>, health: () => object = () => ({}), metrics?: PageMaker,
): Map<string, PageMaker> {
  const checkedReadiness = shared(() => boundedReadiness(readiness));
  return new Map<string, PageMaker>([
    ...(metrics ? [['/metrics', metrics] as const] : []),
    ['/', async () => ({
      status: 302, type: 'text/plain; charset=utf-8', content: 'See docs.\n',
      headers: { Location: 'docs' },
    })],
    ['/healthz', async () => json(200, { status: 'ok', ...health() })],
    ['/readyz', async () => {
      const reasons = await checkedReadiness();
      return reasons.length === 0 ? json(200, { status: 'ready' })
        : json(503, { status: 'not_ready', reasons });
    }],
  ]);
}

/** Writes a page. A HEAD request gets the head alone. */
export function sendPage(
  req: IncomingMessage, res: ServerResponse, page: WebPage, request_id: string): void {
  res.writeHead(page.status, {
    ...(page.status !== 304 && {
      'Content-Type': page.type, 'Content-Length': Buffer.byteLength(page.content),
    }),
    'Cache-Control': 'no-store',
    'X-Request-Id': request_id,
    ...page.headers,
  });
  res.end(req.method === 'HEAD' ? undefined : page.content);
}

function json(status: number, body: unknown): WebPage {
  return { status, type: JSON_TYPE, content: JSON.stringify(body) };
}

/** What it waits for is the database alone: if it hangs or fails, that does not answer. */
async function boundedReadiness(readiness: () => Promise<string[]>): Promise<string[]> {
  const noDatabase = () => ['database'];
  return await within(READINESS_MS, readiness(), noDatabase).catch(noDatabase);
}

/** All who ask meanwhile share one answer: nobody needs a key to ask, and it asks the database. */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => asking ??= ask().finally(() => { asking = undefined; });
}
