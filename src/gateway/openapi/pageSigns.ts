/** What the body of an answer tells about its place in a list, by the usual names of fields. */
import { isObject, type JsonObject } from '../../json.ts';

const words = (text: string) => text.split(/\s+/);

// In lower case and without `_`, `-`, `.` and `@`: next_cursor, nextCursor, @odata.nextLink.
const NEXT = words(`nextcursor nextpagetoken nexttoken nextpagecursor nextlink odatanextlink nexturl
  nextpageurl nextpageuri nexturi nextpage nextoffset nextstart nextpagestart nextmarker next
  continuationtoken continuation continue paginationtoken pagetoken endcursor cursor scrollid`);
const CONTAINERS = new Set(words(`meta metadata pagination paging pageinfo responsemetadata links
  page cursors next pages additionaldata resultinfo data result response`));
/** What many services put the whole of an answer into: Lark, TikTok, Apify, JSend. */
const ENVELOPES = ['data', 'result', 'response'];
const ITEMS = words(`data items results result values records entries list objects rows elements
  resources content`);
const MORE = new Set(['hasmore', 'hasnext', 'hasnextpage', 'more', 'ismore', 'moreavailable',
  'moreitemsincollection']);
/** Jira's, Spring's and ClickUp's: the same the other way round. */
const LASTS = new Set(['islast', 'islastpage', 'last', 'lastpage']);
const TOTALS = new Set(['total', 'totalcount', 'totalresults', 'totalitems', 'totalrecords',
  'totalelements', 'totalsize', 'itemstotal']);
const PAGES = new Set(['totalpages', 'pagestotal', 'pagecount', 'numpages', 'lastpage', 'pages']);
/** Spring's `number`, and what others call the number of the page that they answer with. */
const NUMBERS = new Set(['number', 'page', 'pagenumber', 'pageno', 'pagenum', 'pageindex',
  'currentpage']);

const HOLDERS = new Set([...CONTAINERS, ...NEXT]);
const VALUES = new Set([...NEXT, ...MORE, ...LASTS, ...TOTALS, ...PAGES, ...NUMBERS,
  ...words('href after startingafter url offset uri lastid')]);

/** Whether an object, or a plain value, of this name may tell about pages. */
export function maySign(name: string, is_object: boolean): boolean {
  return (is_object ? HOLDERS : VALUES).has(plain(name));
}

/** Others are none of those above, however they are written. */
const MAY_BE_ONE = /^[A-Za-z_.@-]{1,40}$/;

function plain(name: string): string {
  return MAY_BE_ONE.test(name) ? name.toLowerCase().replace(/[_.@-]/g, '') : name;
}

type Member = readonly [name: string, value: unknown];

/** The members of an object that tell about pages, by their plain names. */
function membersOf(object: JsonObject): Member[] {
  const members: Member[] = [];
  // Of 200,000 members, entries would make as many lists, for each look at them.
  for (const key of Object.keys(object)) {
    const name = plain(key);
    if (VALUES.has(name) || CONTAINERS.has(name)) members.push([name, object[key]]);
  }
  return members;
}

/** Those of the object itself, and of those of its fields that tell about pages. */
function signsIn(result: unknown): Member[][] {
  if (!isObject(result)) return [];
  const own = membersOf(result);
  const below = (members: readonly Member[]) => members.flatMap(([name, value]) =>
    (CONTAINERS.has(name) && isObject(value) ? [membersOf(value)] : []));
  const first = below(own);
  return [own, ...first, ...first.flatMap(below)];
}

/** What is said of the next page: a cursor or an address. */
export interface NextSign {
  value: string | number;
  /** By its name it is no address: base64 may begin with a slash as well as a path. */
  is_token: boolean;
}

const TOKEN = /cursor|token|marker|continu|scroll|offset|after$/;
/** Nomad's X-Nomad-NextToken, x-ms-continuationtoken of Azure DevOps. */
const NEXT_HEADER = /(^|-)(next-?(page-?)?(token|cursor)|continuation-?token)$/i;

/** What a header says of the next page, apart from links; null: none does. */
export function nextInHeaders(headers: Readonly<Record<string, string>>): NextSign | 'end' | null {
  const [, value] = Object.entries(headers).find(([name]) => NEXT_HEADER.test(name)) ?? [];
  return value === undefined ? null : value === '' ? 'end' : { value, is_token: true };
}

/** `end`: there is no more; null: nothing is said. */
export function findNext(result: unknown): NextSign | 'end' | null {
  const signs = signsIn(result);
  const { has_more, is_last } = countsIn(signs);
  if (has_more === false) return 'end';
  let ended = is_last === true && has_more === null;
  for (const name of NEXT) {
    for (const members of signs) {
      const entry = members.find(([one]) => one === name);
      if (entry === undefined) continue;
      const [said, value] = isObject(entry[1]) ? nextIn(entry[1]) : entry;
      if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
        return { value, is_token: TOKEN.test(said) };
      }
      // An empty field says that there is no next page, but another field may still name one.
      if (value === null || value === '' || value === false) ended = true;
    }
  }
  const after = signs.slice(1).map((members) => members.find(([name]) => name === 'after')?.[1])
    .find((cursor) => typeof cursor === 'string' && cursor !== '');
  return typeof after === 'string' ? { value: after, is_token: true } : ended ? 'end' : null;
}

function nextIn(sign: JsonObject): Member {
  const name = ['href', 'after', 'starting_after', 'url', 'offset']
    .find((one) => (sign[one] ?? null) !== null) ?? 'uri';
  return [name, sign[name]];
}

/** What is said of how much there is, and which page this is; null: nothing. */
export function readCounts(result: unknown) {
  return countsIn(signsIn(result));
}

function countsIn(signs: readonly Member[][]) {
  const find = (names: ReadonlySet<string>, type: 'boolean' | 'number') => signs.flat()
    .find(([name, value]) => names.has(name) && typeof value === type)?.[1];
  return {
    has_more: find(MORE, 'boolean') as boolean | undefined ?? null,
    is_last: find(LASTS, 'boolean') as boolean | undefined ?? null,
    total: find(TOTALS, 'number') as number | undefined ?? null,
    pages: find(PAGES, 'number') as number | undefined ?? null,
    number: find(NUMBERS, 'number') as number | undefined ?? null,
  };
}

/** The list in a result; null if there is none, or several without a usual name among them. */
export function itemsOf(result: unknown): unknown[] | null {
  if (Array.isArray(result)) return result;
  if (!isObject(result)) return null;
  const inner = Object.values(result).some(Array.isArray) ? undefined
    : ENVELOPES.map((name) => result[name]).find(isObject);
  const lists = Object.entries(inner ?? result).filter(([, value]) => Array.isArray(value));
  const named = ITEMS.map((name) => lists.find(([key]) => plain(key) === name))
    .find((entry) => entry !== undefined);
  return (named ?? (lists.length === 1 ? lists[0] : undefined))?.[1] as unknown[] ?? null;
}
