/** The documentation site below `/docs`: every answer can be kept, asked for again, and packed. */
import type { Site, SiteFile } from '../docs/site.ts';
import { servedDocument, VIEWS } from '../operations/getOpenapiDocument.ts';
import { cachePage } from './packed.ts';
import type { PageMaker, PageRequest, WebPage } from './pages.ts';

const REFERRER = { 'Referrer-Policy': 'no-referrer' };

/** The pages by their paths. The site is loaded when one of them is first asked for. */
export function docsPages(public_url: string | null): Map<string, PageMaker> {
  let loading: Promise<Site> | undefined;
  const kept = new Map<string, Promise<WebPage>>();
  const show = async ({ path }: PageRequest): Promise<WebPage> => {
    loading ??= import('../docs/site.ts').then(({ Site }) => new Site());
    const site = await loading;
    const below = path.slice('/docs'.length);
    const file = kept.has(below) ? undefined : site.file(below);
    if (file) {
      const page = file.then(webPage);
      kept.set(below, page);
      // A file that could not be read now may be read the next time.
      page.catch(() => kept.delete(below));
    }
    return await kept.get(below) ?? { ...webPage(site.missing(below)), status: 404 };
  };
  const make = cachePage(show);
  return new Map<string, PageMaker>([
    ...VIEWS.map((view) => [`/docs/${view}`, cachePage(documentPage(public_url, view))] as const),
    ...['', '/{page}', '/guides/{page}', '/assets/{page}']
      .map((below) => [`/docs${below}`, make] as const),
    ['/docs/', async () => ({
      status: 302, type: 'text/plain; charset=utf-8', content: 'See docs.\n',
      headers: { Location: '../docs' },
    })],
  ]);
}

/** A view of the public document; the first is what `getOpenapiDocument` serves. */
function documentPage(public_url: string | null, view: typeof VIEWS[number]): PageMaker {
  let page: WebPage | undefined;
  return async () => page ??= { status: 200, type: 'application/json; charset=utf-8',
    content: Buffer.from(servedDocument(public_url, view).text) };
}

function webPage({ type, content, policy }: SiteFile): WebPage {
  const headers = policy ? { 'Content-Security-Policy': policy, ...REFERRER } : {};
  return { status: 200, type, content: Buffer.from(content), headers };
}
