/** What the search of the site looks through: sections of guides, and operations. */
import { readFileSync } from 'node:fs';
import type { Guide } from './guides.ts';

interface Entry {
  /** The place in the list: the search wants an id for each. */
  id: number;
  /** Below /docs/. */
  address: string;
  title: string;
  /** The guide, or the method, path and name of the operation. */
  within: string;
  text: string;
}

interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
}

const DOCUMENT = new URL('../../generated/openapi.json', import.meta.url);

export function searchEntries(guides: Guide[]): Entry[] {
  const entries = [...guides.flatMap(sections), ...operations()];
  return entries.map((entry, id) => ({ id, ...entry }));
}

function sections({ slug, name, article }: Guide): Omit<Entry, 'id'>[] {
  return article.sections.map(({ anchor, title, text }) => ({
    address: `guides/${slug}#${anchor}`, title, within: name, text,
  }));
}

function operations(): Omit<Entry, 'id'>[] {
  const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as
    { paths: Record<string, Record<string, DocumentedOperation>> };
  return Object.entries(paths).flatMap(([path, item]) => Object.entries(item)
    .filter(([, operation]) => 'operationId' in operation)
    .map(([method, { operationId, tags, summary, description = '' }]) => ({
      address: `reference#tag/${tags[0]!.toLowerCase().replaceAll(' ', '-')}/${operationId}`,
      // Its name counts for more than the text of pages that mention it.
      title: summary, within: `${method.toUpperCase()} ${path} · ${operationId}`,
      text: description,
    })));
}
