/** The guides: the pages that docs/README.md lists, in its order and below its headings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Token, Tokens } from 'marked';
import { ROOT } from '../root.ts';
import { textOfHtml, renderArticle, tokensOf, type Article } from './markdown.ts';

/** The pages lie where they lie in the repository, in an installed package as well. */
const CONTENTS = 'docs/README.md';
const PICTURES = new URL('docs/pictures/', ROOT);
const PICTURE = /^docs\/pictures\/[\w-]+\.png$/;

export interface GuideEntry {
  /** The last part of its address. */
  slug: string;
  /** In the repository, such as `docs/events.md`. */
  path: string;
  /** The name in the list of contents. */
  name: string;
  /** The question that it answers; may be empty. */
  says: string;
}

export interface GuideGroup {
  name: string;
  guides: GuideEntry[];
}

export interface Guide extends GuideEntry {
  article: Article;
}

/** What docs/README.md lists. A page that this installation does not have is left out. */
export function guideGroups(): GuideGroup[] {
  const groups: GuideGroup[] = [];
  for (const token of tokensOf(read(CONTENTS))) {
    if (token.type === 'heading' && token.depth === 2) {
      groups.push({ name: token.text as string, guides: [] });
    }
    groups.at(-1)?.guides.push(...listed(token));
  }
  return groups.filter(({ guides }) => guides.length > 0);
}

/** Reads and renders a guide. Its links lead to guides of these groups. */
export function readGuide(entry: GuideEntry, groups: GuideGroup[]): Guide {
  const slugs = new Map(groups.flatMap(({ guides }) => guides)
    .map(({ path, slug }) => [path, slug]));
  const target = (href: string) => addressOf(href, entry.path, slugs);
  return { ...entry, article: renderArticle(read(entry.path), target) };
}

/** The pictures of the guides by their names, which this installation may lack. */
export function pictures(): Map<string, URL> {
  const names = existsSync(PICTURES) ? readdirSync(PICTURES) : [];
  return new Map(names.filter((name) => name.endsWith('.png'))
    .map((name) => [name, new URL(name, PICTURES)]));
}

/** Links of a table's first column, or of a list, to pages of the repository. */
function listed(token: Token): GuideEntry[] {
  if (token.type === 'table') {
    return (token as Tokens.Table).rows.flatMap(([page, says]) =>
      linksIn(page!.tokens).flatMap((link) => entryOf(link, textOfHtml(says?.text ?? ''))));
  }
  if (token.type === 'list') {
    return (token as Tokens.List).items.flatMap(({ tokens }) =>
      linksIn(tokens).flatMap((link) => entryOf(link, '')));
  }
  return [];
}

function linksIn(tokens: Token[]): Tokens.Link[] {
  return tokens.flatMap((token) => token.type === 'link' ? [token as Tokens.Link]
    : 'tokens' in token ? linksIn(token.tokens ?? []) : []);
}

function entryOf({ href, text }: Tokens.Link, says: string): GuideEntry[] {
  const path = posix.join(posix.dirname(CONTENTS), href);
  if (!path.endsWith('.md') || !existsSync(new URL(path, ROOT))) return [];
  return [{ slug: slugOf(path), path, name: text, says }];
}

/** `docs/events.md` → `events`, `examples/mcp/README.md` → `examples-mcp`. */
function slugOf(path: string): string {
  if (path === 'README.md') return 'quickstart';
  return path.toLowerCase().replace(/^docs\//, '').replace(/(\/readme)?\.md$/, '')
    .replaceAll('/', '-');
}

/** Where a link of a guide leads, seen from the guide's address on the site. */
function addressOf(href: string, from: string, slugs: ReadonlyMap<string, string>): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(from), target);
  const after = anchor === undefined ? '' : `#${anchor}`;
  if (path === CONTENTS) return `../../docs${after}`;
  if (path === 'openapi.yaml') return '../openapi.json';
  if (PICTURE.test(path)) return `../assets/${posix.basename(path)}`;
  const slug = slugs.get(path);
  return slug === undefined ? null : slug + after;
}

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}
