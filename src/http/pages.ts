/**
 * The pages beside the API, without authentication: health for operators, and the documentation,
 * which is self-contained and loads nothing from elsewhere.
 */
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { within } from '../deadline.ts';
import { API_ROOT } from './routes.ts';

export interface WebPage {
  status: number;
  type: string;
  content: string | Buffer;
  headers?: Record<string, string>;
}

export interface PageRequest {
  method: string;
  path: string;
  /** The raw query with its question mark, or an empty text. */
  query: string;
  headers: IncomingHttpHeaders;
}

export type PageMaker = (request: PageRequest) => Promise<WebPage>;

const require = createRequire(import.meta.url);
const JSON_TYPE = 'application/json; charset=utf-8';
const READINESS_MS = 3_000;

/**
 * Every page by its path. `readiness` names what is missing; an empty list means ready. `health` is
 * what there is to say of a process that answers.
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
    ['/docs', async () => ({
      status: 200, type: 'text/html; charset=utf-8', content: DOCS_PAGE, headers: DOCS_HEADERS,
    })],
    ['/docs/start.js', async () => asset('text/javascript', START_SCRIPT)],
    ['/docs/openapi.json', once(documentOfPage)],
    ['/docs/swagger-ui.css', once(() => distributed('swagger-ui.css', 'text/css'))],
    ['/docs/swagger-ui-bundle.js',
      once(() => distributed('swagger-ui-bundle.js', 'text/javascript'))],
    ['/docs/favicon.png', once(() => distributed('favicon-32x32.png', 'image/png'))],
  ]);
}

/** Writes a page. A HEAD request gets the head alone. */
export function sendPage(
  req: IncomingMessage, res: ServerResponse, page: WebPage, request_id: string): void {
  res.writeHead(page.status, {
    'Content-Type': page.type,
    'Content-Length': Buffer.byteLength(page.content),
    'Cache-Control': 'no-store',
    'X-Request-Id': request_id,
    ...page.headers,
  });
  res.end(req.method === 'HEAD' ? undefined : page.content);
}

function json(status: number, body: unknown): WebPage {
  return { status, type: JSON_TYPE, content: JSON.stringify(body) };
}

/** A readiness check that hangs or fails is itself a reason. */
async function boundedReadiness(readiness: () => Promise<string[]>): Promise<string[]> {
  return await within(READINESS_MS, readiness(), () => ['timeout']).catch(() => ['check_failed']);
}

/** All who ask meanwhile share one check: nobody needs a key to ask, and it asks the database. */
function shared<T>(check: () => Promise<T>): () => Promise<T> {
  let checking: Promise<T> | undefined;
  return () => checking ??= check().finally(() => { checking = undefined; });
}

function once(make: PageMaker): PageMaker {
  let made: Promise<WebPage> | undefined;
  return (request) => made ??= make(request);
}

function asset(type: string, content: string | Buffer): WebPage {
  return {
    status: 200, type: type.startsWith('text/') ? `${type}; charset=utf-8` : type, content,
    headers: { 'Cache-Control': 'public, max-age=300' },
  };
}

async function distributed(name: string, type: string): Promise<WebPage> {
  return asset(type, await readFile(require.resolve(`swagger-ui-dist/${name}`)));
}

/** The public document as `getOpenapiDocument` serves it, but requests stay on this origin. */
async function documentOfPage(): Promise<WebPage> {
  const text = await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8');
  const document = { ...JSON.parse(text), servers: [{ url: API_ROOT }] } as {
    paths: Record<string, Record<string, { parameters?: unknown[] }>>;
  };
  // Swagger UI does not resolve references among the parameters of a path, so each operation gets a
  // copy: otherwise no operation with an id in its path could be tried out.
  for (const item of Object.values(document.paths)) {
    const { parameters: shared, ...operations } = item as { parameters?: unknown[] } & typeof item;
    if (!shared) continue;
    for (const operation of Object.values(operations)) {
      operation.parameters = [...shared, ...operation.parameters ?? []];
    }
    delete (item as { parameters?: unknown }).parameters;
  }
  return { ...json(200, document), headers: { 'Cache-Control': 'public, max-age=300' } };
}

const DOCS_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'"
    + " 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none';"
    + " form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Gatehouse API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="docs/favicon.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. The document itself:
<a href="docs/openapi.json">openapi.json</a></noscript>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// validatorUrl: null, or the page would send the document's address to a validator on the internet.
const START_SCRIPT = `window.ui = SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#page',
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
`;
