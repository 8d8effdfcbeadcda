/**
 * The documentation as a site: the guides beside the API reference, a console, and a search over
 * all. Everything comes from this installation and nothing from elsewhere.
 */
import { readFile } from 'node:fs/promises';
import { guideGroups, pictures, readGuide } from './guides.ts';
import { consolePage, guidePage, missingPage, referencePage, startPage } from './layout.ts';
import { searchEntries } from './searchEntries.ts';
import { viewerScript } from './viewer.ts';

export interface SiteFile {
  /** The media type, with its charset. */
  type: string;
  content: string | Buffer;
  /** The Content-Security-Policy, on pages. */
  policy?: string;
}

const STRICT = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
  + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Scalar adds its styles as elements, and some of them as attributes, when it runs. */
const WITH_VIEWER = STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const OWN = {
  'theme.js': new URL('./browser/theme.js', import.meta.url),
  'site.js': new URL('./browser/site.js', import.meta.url),
  'search.js': new URL('./browser/search.js', import.meta.url),
  'key.js': new URL('./browser/key.js', import.meta.url),
  'console.js': new URL('./browser/console.js', import.meta.url),
  'runEvents.js': new URL('./browser/runEvents.js', import.meta.url),
  'reference.js': new URL('./browser/reference.js', import.meta.url),
  'site.css': new URL('./browser/site.css', import.meta.url),
  'icon.svg': new URL('./browser/icon.svg', import.meta.url),
};
/** Of packages, as they come; these import nothing but each other. */
const parser = (name: string) => new URL(name, import.meta.resolve('eventsource-parser'));
const PACKAGED = {
  'minisearch.js': new URL(import.meta.resolve('minisearch')),
  'eventsource-parser.js': parser('index.js'),
  'parse.js': parser('parse.js'),
  'errors.js': parser('errors.js'),
};
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml',
  png: 'image/png',
};

type Maker = () => SiteFile | Promise<SiteFile>;

/** The site by paths below `/docs`: the empty one is the first page. */
export class Site {
  readonly #makers = new Map<string, Maker>();

  constructor() {
    const groups = guideGroups();
    const guides = groups.flatMap((group) => group.guides);
    this.#makers.set('', () => page(startPage(groups)));
    this.#makers.set('/reference', () => page(referencePage(), WITH_VIEWER));
    this.#makers.set('/console', () => page(consolePage()));
    for (const guide of guides) {
      this.#makers.set(`/guides/${guide.slug}`, () =>
        page(guidePage(readGuide(guide, groups), groups)));
    }
    for (const [name, url] of Object.entries({ ...OWN, ...PACKAGED })) {
      this.#makers.set(`/assets/${name}`, async () =>
        asset(name, served(await readFile(url, 'utf8'))));
    }
    for (const [name, url] of pictures()) {
      this.#makers.set(`/assets/${name}`, async () => asset(name, await readFile(url)));
    }
    this.#makers.set('/assets/viewer.js', async () => asset('viewer.js', await viewerScript()));
    this.#makers.set('/assets/search.json', () => ({
      type: 'application/json; charset=utf-8',
      content: JSON.stringify(searchEntries(guides.map((guide) => readGuide(guide, groups)))),
    }));
  }

  /** The file at a path; undefined if there is none. Rejects if it cannot be read. */
  file(path: string): Promise<SiteFile> | undefined {
    const make = this.#makers.get(path);
    return make && Promise.resolve(make());
  }

  /** What is shown at a path where nothing is. */
  missing(path: string): SiteFile {
    return page(missingPage('../'.repeat(path.split('/').length - 2)));
  }
}

function page(content: string, policy = STRICT): SiteFile {
  return { type: 'text/html; charset=utf-8', content, policy };
}

function asset(name: string, content: string | Buffer): SiteFile {
  return { type: TYPES[name.split('.').at(-1)!]!, content };
}

/** Our scripts name packages as everywhere; a browser finds them by their addresses. */
function served(text: string): string {
  return text.replaceAll(/ from '(minisearch|eventsource-parser)'/g, " from './$1.js'");
}
