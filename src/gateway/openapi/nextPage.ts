/**
 * Where the next page is. Services say it in a header, in a field of the answer, or not at
 * all; then pages and items are counted. Nothing is fetched here.
 */
import { hash } from 'node:crypto';
import { isContainer, isObject, objectOf, textsOf, type JsonObject } from '../../json.ts';
import {
  isPageParameter, pageFields, pageFieldSchema,
  type FollowingPage, type PageBefore, type PageChanges, type PagedAction,
} from './pageCursor.ts';
import { findNext, itemsOf, nextInHeaders, readCounts, type NextSign } from './pageSigns.ts';
import { isNumber, type Paging } from './paging.ts';

export interface ResultPage {
  /** The input that was sent, with what its own page changed in it. */
  input: JsonObject;
  headers: Record<string, string>;
  result: unknown;
  /** Whether the result is all that came, and not what was chosen of it. */
  is_whole: boolean;
  before: PageBefore;
}

/** A list that calls itself so counts its items from 1 (RFC 7644), whatever the document says. */
const SCIM_LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** Null if this was the last page, or if nothing tells of another. */
export function nextPage(action: PagedAction, page: ResultPage): FollowingPage | null {
  const { paging } = action;
  if (paging === null) return null;
  const said = saidNext(action, paging, page);
  if (said === 'end') return null;
  if (said !== null) return { ...said, said_next: true };
  if (paging.style !== 'cursor') return pageByCount(action, paging, page);
  return afterLast(paging, page) ?? pageByOwnOffset(action, paging, page);
}

/** What the answer itself says of the next page; null: nothing. */
function saidNext(
  action: PagedAction, paging: Paging, page: ResultPage): PageChanges | 'end' | null {
  const link = page.headers.link;
  // A service that sends links sends one to every next page: without one this is the last.
  if (link !== undefined && /\brel="?(next|prev|first|last)\b/i.test(link)) {
    const [, next, told = ''] =
      /<([^<>]*)>([^<>]*?;\s*rel="?[^",;]*\bnext\b[^<>]*)/i.exec(link) ?? [];
    // Sentry links from its last page, too, and says beside the link that nothing is there.
    const leads = next !== undefined && !/;\s*results="?false\b/i.test(told);
    return (leads ? fromUrl(paging, page, next) : null) ?? 'end';
  }
  let found = findNext(page.result);
  if (found === 'end' || found === null) found = nextInHeaders(page.headers) ?? found;
  if (found === 'end' || found === null) return found;
  const { value } = found;
  const isUrl = typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value)
    && value.includes('?');
  if (isUrl) return fromUrl(paging, page, value) ?? 'end';
  const numeric = /^\d+$/.test(String(value));
  const taken = numeric || (!isAddress(found) && takesTexts(action, paging));
  return taken ? pageBy(paging, page, value) ?? 'end' : null;
}

/**
 * Two pages of the same items are one that came twice, unless the items say too little to be told
 * from others: then it is undefined. A single one tells by its id alone.
 */
function digestOf(items: readonly unknown[]): string | undefined {
  const texts = items.map((item) => JSON.stringify(item));
  const differ = texts.length > 1 ? new Set(texts).size === texts.length
    : isObject(items[0]) && items[0].id !== undefined;
  return differ ? hash('sha256', texts.join('\n'), 'base64url') : undefined;
}

/** One without a query leads to another operation, as far as anybody here can say. */
function isAddress({ value, is_token }: NextSign): boolean {
  const text = String(value);
  return /^https?:\/\//.test(text) || (!is_token && text.startsWith('/'));
}

/** Asana's `offset` is no number but a token of the page before; some cursors are numbers. */
function takesTexts({ input_schema }: PagedAction, paging: Paging): boolean {
  const schema = pageFieldSchema(input_schema, paging, paging.parameter);
  if (paging.style === 'cursor') return !isNumber(schema);
  const { type } = schema;
  return type !== undefined && [type].flat().every((one) => one === 'string' || one === 'null');
}

function sentValue(paging: Paging, { input }: ResultPage): unknown {
  return plain(pageFields(paging, input)[paging.parameter]);
}

/** Callers may give an object where a document does not say what there is to be. */
function plain(value: unknown): unknown {
  return isContainer(value) ? undefined : value;
}

function pageBy(paging: Paging, page: ResultPage, value: string | number): PageChanges | null {
  // A service that hands back the same cursor would be asked for ever.
  if (String(value) === String(sentValue(paging, page) ?? '')) return null;
  return paging.place === 'body' ? { query: {}, body: { [paging.parameter]: value } }
    : { query: { [paging.parameter]: String(value) }, body: {} };
}

/**
 * Only the query of the link counts: another path or host would be another operation. Of the query,
 * it takes what belongs to paging: anything else is the caller's to say. It takes all of that, also
 * what the page before had already: each page is asked for from the caller's input.
 */
function fromUrl(paging: Paging, page: ResultPage, text: string): PageChanges | null {
  const url = URL.parse(text, 'http://relative.invalid');
  if (url === null || paging.place === 'body') return null;
  const { within } = paging;
  const sent = { ...objectOf(page.input.query),
    ...(within !== undefined && { [within]: undefined }), ...pageFields(paging, page.input) };
  const pairs = [...url.searchParams].filter(([name]) => isPageParameter(paging, name)
    && !(Object.hasOwn(sent, name) && typeof sent[name] === 'object'));
  const isNew = pairs.some(([name, value]) =>
    !Object.hasOwn(sent, name) || String(sent[name]) !== value);
  return isNew ? { query: Object.fromEntries(pairs), body: {} } : null;
}

/** In Stripe's way and OpenAI's: if there is more, it comes after the last item. */
function afterLast(paging: Paging, page: ResultPage): PageChanges | null {
  if (!/^(starting_?)?after$/i.test(paging.parameter)) return null;
  if (readCounts(page.result).has_more !== true) return null;
  const last = itemsOf(page.result)?.at(-1);
  const id = objectOf(page.result).last_id ?? (isObject(last) ? last.id : undefined);
  return typeof id === 'string' || typeof id === 'number' ? pageBy(paging, page, id) : null;
}

/** Box counts its items where it is not asked for a cursor, and says both offset and total. */
function pageByOwnOffset(
  action: PagedAction, paging: Paging, page: ResultPage): FollowingPage | null {
  const parameter = 'offset';
  const isTold = paging.within === undefined && Number.isInteger(objectOf(page.result)[parameter])
    && readCounts(page.result).total !== null;
  const isTaken = isPageParameter(paging, parameter)
    && action.request.parameters.some(({ place, name }) => place === 'query' && name === parameter);
  return isTold && isTaken
    ? pageByCount(action, { ...paging, style: 'offset', place: 'query', parameter }, page) : null;
}

function pageByCount(action: PagedAction, paging: Paging, page: ResultPage): FollowingPage | null {
  const items = itemsOf(page.result);
  if (items === null || items.length === 0) return null;
  const first = firstPlace(action, paging, page);
  const current = Number(sentValue(paging, page) ?? first);
  if (!Number.isInteger(current)) return null;
  const size = sizeOf(action, paging, page);
  const next = paging.style === 'page' ? current + 1 : current + items.length;
  const { has_more, is_last, total, pages } = readCounts(page.result);
  const seen = paging.style === 'offset' ? next - first
    : size === null ? null : (current - first) * size + items.length;
  const told = has_more
    ?? (is_last === null ? null : !is_last)
    ?? (paging.style === 'page' && pages !== null ? next - first < pages : null)
    ?? (total !== null && seen !== null ? seen < total : null);
  if (told !== null) return told ? pageBy(paging, page, next) : null;
  // Beyond the end many services go on answering with the same: counting would never end.
  if (page.before.said_next || isShort(items.length, size)) return null;
  // Of a list that grows at its head, pages of one item are the same when one came meanwhile.
  const items_sha256 = page.is_whole && size !== 1 ? digestOf(items) : undefined;
  if (items_sha256 !== undefined && items_sha256 === page.before.items_sha256) return null;
  const changes = pageBy(paging, page, next);
  return changes && { ...changes, items_sha256 };
}

/** A short page is the last, unless its length is round: that may be a limit of the upstream. */
function isShort(length: number, size: number | null): boolean {
  return size !== null && length < size && length % 10 !== 0 && length !== 25;
}

/**
 * The number of the first page, or item. Of pages an answer says it that was asked for without a
 * number: Spring's documents often leave out that the first is 0. Of items, where it is not known,
 * one too few skips nothing.
 */
function firstPlace(action: PagedAction, paging: Paging, page: ResultPage): 0 | 1 {
  const schema = pageFieldSchema(action.input_schema, paging, paging.parameter);
  const { result } = page;
  if (paging.style === 'page') {
    const said = schema.default ?? schema.minimum
      ?? (sentValue(paging, page) === undefined ? readCounts(result).number : null);
    return said === 0 ? 0 : 1;
  }
  return schema.default === 1 || textsOf(objectOf(result).schemas).includes(SCIM_LIST) ? 1 : 0;
}

function sizeOf(
  { input_schema }: PagedAction, paging: Paging, { input }: ResultPage): number | null {
  const { size_parameter } = paging;
  if (size_parameter === null) return null;
  const size = Number(plain(pageFields(paging, input)[size_parameter]
    ?? pageFieldSchema(input_schema, paging, size_parameter).default) ?? NaN);
  return Number.isInteger(size) && size > 0 ? size : null;
}
