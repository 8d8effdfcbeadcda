/** How the next page of a list is asked for, as far as the names of the parameters tell. */
import { objectOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';
import type { Parameter } from './inputSchema.ts';
import { namesOfKeys } from './setParameters.ts';

export interface Paging {
  /** A cursor comes with the page before; a page is counted by one; an offset by items. */
  style: 'cursor' | 'page' | 'offset';
  place: 'query' | 'body';
  /**
   * The query parameter that they are fields of, if it is an object that is sent as if each were
   * a parameter of its own: so springdoc describes Spring's `Pageable`.
   */
  within?: string;
  /** Where the cursor, page or offset goes. */
  parameter: string;
  /** What says how many items a page has. */
  size_parameter: string | null;
  /** Query parameters, in lower case, that neither callers nor pages get to set. */
  hidden: string[];
}

// By their plain names: page_token, pageToken and page-token are one, and so is JSON:API's
// page[number] with pageNumber.
const CURSORS = new Set(['cursor', 'pagetoken', 'nextpagetoken', 'nexttoken', 'startcursor',
  'nextcursor', 'pagecursor', 'startingafter', 'continuationtoken', 'continuation',
  'paginationtoken', 'scrollid', 'exclusivestartkey']);
/** These count as cursors only with a size beside them; alone they may be anything. */
const AMBIGUOUS_CURSORS = new Set(['after', 'marker', 'continue']);
const PAGES = new Set(['page', 'pagenumber', 'pageno', 'pageindex', 'pagenum']);
const OFFSETS = new Set(['offset', 'startat', 'skip', 'startindex', 'startposition', 'pageoffset',
  '$skip']);
const SIZES = new Set(['limit', 'perpage', 'pagesize', 'pagelimit', 'maxresults', 'maxitems',
  'size', 'count', 'rows', 'top', '$top', 'resultsperpage', 'itemsperpage', 'maxpagesize']);
/** What else links to a page may hold. */
const OTHERS = new Set(['before', 'start', 'startkey', 'pagebefore', 'pageinfo',
  'pagekey', 'pagelen', 'pagemarker', 'pagestart', 'pagestate', 'pagingtoken', 'sinceid', 'maxid',
  'skiptoken', '$skiptoken']);
/** What is nothing else than a page, wherever it stands. */
const SURE = [CURSORS, PAGES, OFFSETS];
/** What leads to a page, the surest first. A number `after` may be a time as well as a cursor. */
const WAYS: readonly [Paging['style'], ReadonlySet<string>, (schema: JsonObject) => boolean][] = [
  ['cursor', CURSORS, isCursor],
  ['cursor', AMBIGUOUS_CURSORS, (schema) => isCursor(schema) && !isNumber(schema)],
  ['page', PAGES, isCount],
  ['offset', OFFSETS, isCount],
  ['cursor', AMBIGUOUS_CURSORS, isCursor],
  // JSON:API's page[after], which stands beside page[number] where a service has both.
  ['cursor', new Set(['pageafter']), isCursor],
];

/** Last, beside a size. Numbers are offsets then (Confluence), texts cursors (Mollie). */
const STARTS = ['start', 'from'];
/** Beside one of these they are where a span of time begins, or who a message is from. */
const ENDS = new Set(['end', 'stop', 'to', 'until']);

interface Field {
  name: string;
  plain: string;
  schema: JsonObject;
}

/**
 * `schema`: the input's, with its references into the document; `parameters`: how they are sent;
 * `hidden`: `<place>.<name>`, in lower case. Null if no parameter tells of pages (a Link header of
 * a response may still do so).
 */
export function readPaging(
  document: JsonObject, method: string, schema: JsonObject, parameters: readonly Parameter[],
  hidden: ReadonlySet<string>,
): Paging | null {
  const { query, body } = objectOf(schema.properties);
  // Pages asked for in the body count only for searches, as in Notion's `POST /v1/search`.
  const found = pagingOf('query', fieldsOf(document, query))
    ?? pagingWithin(document, objectOf(resolve(document, query).properties), parameters, hidden)
    ?? (method === 'post' ? pagingOf('body', fieldsOf(document, body)) : null);
  return found && { ...found, hidden: namesOfKeys('query', hidden) };
}

function pagingWithin(
  document: JsonObject, query: JsonObject, parameters: readonly Parameter[],
  hidden: ReadonlySet<string>,
): Omit<Paging, 'hidden'> | null {
  const spread = parameters.filter(({ place, style, explode, as_json }) =>
    place === 'query' && style === 'form' && explode && !as_json);
  for (const { name } of spread) {
    const found = pagingOf('query', fieldsOf(document, query[name])
      .filter((field) => !hidden.has(`query.${field.name.toLowerCase()}`)));
    // `from` and `after` among the fields of a filter are where what is looked for begins.
    if (found !== null && SURE.some((names) => names.has(plainName(found.parameter)))) {
      return { ...found, within: name };
    }
  }
  return null;
}

/** Whether a query parameter belongs to paging by its name: `page_token`, `page[number]`. */
export function isPageName(name: string): boolean {
  // Many servers read `to[cursor]=x` as another value of `to`.
  if (!/^([\w$.-]+|page\[\w+\])$/i.test(name)) return false;
  const plain = plainName(name);
  return WAYS.some(([, names]) => names.has(plain)) || SIZES.has(plain) || OTHERS.has(plain)
    || plain.endsWith('cursor');
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/^page\[(\w+)\]$/, 'page$1').replace(/[_.-]/g, '');
}

function fieldsOf(document: JsonObject, schema: unknown): Field[] {
  const { properties } = resolve(document, schema);
  return Object.entries(objectOf(properties)).map(([name, value]) => ({
    name,
    plain: plainName(name),
    schema: resolve(document, value),
  }));
}

function pagingOf(
  place: Paging['place'], fields: readonly Field[]): Omit<Paging, 'hidden'> | null {
  const size = fields.find(({ plain }) => SIZES.has(plain))?.name ?? null;
  for (const [style, names, fits] of WAYS) {
    const field = fields.find(({ plain, schema }) => names.has(plain) && fits(schema)
      && (size !== null || !AMBIGUOUS_CURSORS.has(plain)));
    if (field !== undefined) {
      return { style, place, parameter: field.name, size_parameter: size };
    }
  }
  if (place === 'body' || size === null || fields.some(({ plain }) => ENDS.has(plain))) return null;
  const [start] = STARTS.flatMap((name) =>
    fields.filter(({ plain, schema }) => plain === name && isCursor(schema)));
  return start === undefined ? null : { style: isNumber(start.schema) ? 'offset' : 'cursor', place,
    parameter: start.name, size_parameter: size };
}

/** Parameters for dates are filters. */
function isCursor(schema: JsonObject): boolean {
  return isCount(schema) && schema.format !== 'date' && schema.format !== 'date-time';
}

/** Many documents describe the numbers of a query as texts. */
function isCount({ type }: JsonObject): boolean {
  return type === undefined || [type].flat().includes('string') || isNumber({ type });
}

/** Whether it takes numbers, and no text. */
export function isNumber({ type }: JsonObject): boolean {
  const types = [type].flat();
  return !types.includes('string') && (types.includes('integer') || types.includes('number'));
}
