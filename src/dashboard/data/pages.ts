/** Lists of the API in pages, as long as the reader scrolls; and lists that show what is new. */
import {
  queryOptions, useInfiniteQuery, useQuery, type InfiniteData,
} from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { asApiError, isPassing, queries, readAgain, type ApiError } from './api.ts';

export interface Page<Item> { data: Item[]; has_more: boolean; next_cursor: string | null }

/** A generated function that lists: `listRuns`, `listSessions`, … */
type Lister<Query, Item> = (options: {
  query?: Query & { limit?: number; cursor?: string }; signal?: AbortSignal; throwOnError: true;
}) => Promise<{ data: Page<Item> }>;

const PAGE_ITEMS = 100;
/** Of a list that is read at one go: what is beyond them counts as not there. */
const PAGES_READ = 500;
const POLL_MS = 3_000;
/** So many pages at most are asked for at once, to know how the rows in sight stand. */
const PAGES_POLLED = 4;

export interface CursorPages<Item> {
  rows: readonly Item[];
  error: ApiError | null;
  is_loading: boolean;
  has_more: boolean;
  /** Reads the next page, if there is one, none is on its way, and none has failed. */
  onMore: () => void;
  /** Reads again from the start: after an error, or when everything may have changed. */
  onRetry: () => void;
}

/**
 * The pages of a list so far, as the props of a VirtualTable:
 * `<VirtualTable {...useCursorPages('listApiKeys', listApiKeys, { workspace_id })} … />`.
 * `name` is the operation's, so that a change can be told to every list of its kind.
 */
export function useCursorPages<Query, Item>(
  name: string, list: Lister<Query, Item>, query: Query): CursorPages<Item> {
  return usePages(keyOf(name, query), list, query, ifShort);
}

interface Kept { state: { data?: { pages: readonly unknown[] } | undefined } }

/** For nobody polls such a list: what was made elsewhere is there when one comes back to it. */
const ifShort = ({ state: { data } }: Kept) => (data?.pages.length === 1 ? 'always' : true);

function usePages<Query, Item>(
  key: readonly unknown[], list: Lister<Query, Item>, query: Query,
  refetches: true | typeof ifShort = true): CursorPages<Item> {
  const found = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam, signal }) => await pageOf(list, query, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // To read again would be to read every page again.
    staleTime: Infinity, refetchOnReconnect: false, gcTime: 60_000,
    refetchOnMount: refetches, refetchOnWindowFocus: refetches,
  });
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = found;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const key_text = JSON.stringify(key);
  // Kept here: rows that are changed meanwhile have the query forget that its next page has failed.
  const [failed, setFailed] = useState<{ place: string; error: unknown } | null>(null);
  const place = `${key_text} ${data?.pages.at(-1)?.next_cursor}`;
  const failure = failed?.place === place ? failed : null;
  const readNext = useCallback(async () => {
    setFailed(null);
    const next = await fetchNextPage();
    if (next.isFetchNextPageError) setFailed({ place, error: next.error });
  }, [fetchNextPage, place]);
  const onMore = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError && !failure) void readNext();
  }, [hasNextPage, isFetching, isFetchNextPageError, failure, readNext]);
  const onRetry = useCallback(() => {
    if (failure || isFetchNextPageError) void readNext();
    else void queries.resetQueries({ queryKey: JSON.parse(key_text) });
  }, [failure, isFetchNextPageError, readNext, key_text]);
  return {
    // What is shown stays as it is while it is read again: also that there is nothing.
    rows, onMore, onRetry, is_loading: isFetching && !found.isRefetching, has_more: hasNextPage,
    error: error || failure ? asApiError(error ?? failure!.error) : null,
  };
}

export interface LiveList<Item> extends CursorPages<Item> {
  /** How many items are newer than the first of `rows`. */
  fresh: number;
  onShowFresh: () => void;
  /** Tells which rows are in sight, by their ids: they are read again, however far down. */
  onSeen: (ids: readonly string[]) => void;
}

/**
 * `useCursorPages` of a list that begins with the newest: asks for the newest page, and those of
 * the rows in sight, again and again while somebody looks. Rows change in place, those that the
 * filters no longer hold go, and new ones are counted in `fresh` until the reader asks for them.
 */
export function useLiveList<Query, Item extends { id: string }>(
  name: string, list: Lister<Query, Item>, query: Query): LiveList<Item> {
  // By another name: what is told to `name` has the newest page read again, not all of them.
  const pages = usePages(keyOf(`${name} (live)`, query), list, query);
  const { rows } = pages;
  const key = JSON.stringify(keyOf(`${name} (live)`, query));
  const change = useCallback((how: (held: readonly Page<Item>[]) => Page<Item>[]) =>
    queries.setQueryData<Held<Item>>(JSON.parse(key), (held) => {
      if (held === undefined) return held;
      const changed = how(held.pages);
      const is_same = changed.length === held.pages.length
        && changed.every((page, at) => page === held.pages[at]);
      return is_same ? undefined : { pages: changed, pageParams: changed.map(() => undefined) };
    }), [key]);
  const seen = useRef<ReadonlySet<string>>(new Set());
  /** The first row held, where there are more new ones above it than are asked for. */
  const unreached = useRef<string>(undefined);
  const onSeen = useCallback((ids: readonly string[]) => {
    seen.current = new Set(ids);
  }, []);
  const { data: newest } = useQuery({
    queryKey: [{ _id: name, _newest: true, query }],
    queryFn: async ({ signal }) => {
      const { pages: held = [] } = queries.getQueryData<Held<Item>>(JSON.parse(key)) ?? {};
      const [head] = held[0]?.data ?? [];
      const wanted = inSight(held, seen.current);
      const most = head && head.id === unreached.current ? 1 : PAGES_POLLED;
      const page = await newestOf(list, query, { pages: held, wanted, most }, signal);
      if (coveredRows(held[0]?.data ?? [], page) < wanted) unreached.current = head?.id;
      change((now) => renewed(now, page));
      for (const cursor of cursorsOf(held, seen.current)) {
        const older = await pageOf(list, query, cursor, signal);
        change((now) => renewed(now, older, cursor));
      }
      return page;
    },
    enabled: rows.length > 0 || (!pages.is_loading && !pages.error),
    staleTime: 0, refetchInterval: POLL_MS, gcTime: 0,
    // Once more at most: then it is told, and asked again as often as ever.
    retry: (count, error) => count < 1 && isPassing(asApiError(error)),
  });
  const fresh = useMemo(() => (newest ? freshOf(rows, newest, pages.has_more) : 0),
    [rows, newest, pages.has_more]);
  const onShowFresh = useCallback(async () => {
    if (!newest) return;
    // A page that is on its way would come with the rows of before: it is asked for once more.
    await queries.cancelQueries({ queryKey: JSON.parse(key) });
    // With no row in common, there may be more between what is shown and what is new than one page.
    if (coveredRows(rows, newest) === 0) await queries.resetQueries({ queryKey: JSON.parse(key) });
    else change((held) => merged(held, newest));
  }, [newest, rows, change, key]);
  return { ...pages, fresh, onShowFresh, onSeen };
}

/** Why a live list that is shown is not read again at present; null: it is. */
export const staleness = {
  subscribe: (onChange: () => void) => queries.getQueryCache().subscribe(onChange),
  get: (): Error | null => queries.getQueryCache()
    .findAll({ type: 'active', queryKey: [{ _newest: true }] })
    .map(({ state }) => state.error).find((error) => error !== null) ?? null,
};

/** Reads all that is held of the live lists of an operation again: a row was changed. */
export async function readPagesAgain(name: string): Promise<void> {
  await readAgain(name, `${name} (live)`);
}

type Held<Item> = InfiniteData<Page<Item>, string | undefined>;

function keyOf(name: string, query: unknown) {
  return [{ _id: name, _infinite: true, query }];
}

async function pageOf<Query, Item>(
  list: Lister<Query, Item>, query: Query, cursor: string | undefined, signal: AbortSignal,
): Promise<Page<Item>> {
  const { data } = await list({
    query: { limit: PAGE_ITEMS, ...query, cursor } as Query & { cursor?: string },
    signal, throwOnError: true,
  });
  return data;
}

/** Every item of a list, of so many pages; they are read as far as somebody goes on. */
export async function* itemsOf<Query, Item>(
  list: Lister<Query, Item>, query: Query, signal = new AbortController().signal,
): AsyncGenerator<Item, void> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_READ; page++) {
    const { data, next_cursor } = await pageOf(list, query, cursor, signal);
    yield* data;
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}

/** All of a list, for who looks something up in it: `useQuery(wholeOptions('listGrants', …))`. */
export function wholeOptions<Query, Item>(name: string, list: Lister<Query, Item>, query: Query) {
  return queryOptions({
    queryKey: [{ _id: name, whole: query }],
    queryFn: ({ signal }) => Array.fromAsync(itemsOf(list, query, signal)),
  });
}

/** The newest page; if `wanted` rows are not on it any more, with so many pages after it as one. */
async function newestOf<Query, Item extends Identified>(
  list: Lister<Query, Item>, query: Query, { pages, wanted, most }: {
    pages: readonly Page<Item>[]; wanted: number; most: number;
  }, signal: AbortSignal): Promise<Page<Item>> {
  let page = await pageOf(list, query, undefined, signal);
  const held = pages.flatMap(({ data }) => data);
  for (let read = 1; read < most && page.next_cursor !== null; read++) {
    if (coveredRows(held, page) >= wanted) break;
    const next = await pageOf(list, query, page.next_cursor, signal);
    page = { ...next, data: [...page.data, ...next.data] };
  }
  return page;
}

/** Down to which row of the first page any are in sight; later pages have cursors of their own. */
function inSight([first]: readonly Page<Identified>[], seen: ReadonlySet<string>): number {
  return (first?.data.findLastIndex(({ id }) => seen.has(id)) ?? -1) + 1;
}

/** What the pages of the rows in sight are asked for by; not the first one. */
function cursorsOf(pages: readonly Page<Identified>[], seen: ReadonlySet<string>): string[] {
  return pages.flatMap(({ data }, at) => {
    const before = pages[at - 1]?.next_cursor;
    return before && data.some(({ id }) => seen.has(id)) ? [before] : [];
  }).slice(0, PAGES_POLLED);
}

interface Identified { id: string }

/** How many of the rows held, from the first, the newest page tells of. */
function coveredRows(held: readonly Identified[], { data, has_more }: Page<Identified>): number {
  if (!has_more) return held.length;
  const now = new Set(data.map(({ id }) => id));
  return held.findLastIndex(({ id }) => now.has(id)) + 1;
}

/**
 * The pages with the rows as `read` tells them, and without those that are no longer in the list.
 * With a cursor it tells of what comes after the page that ends with that one.
 */
function renewed<Item extends Identified>(
  pages: readonly Page<Item>[], read: Page<Item>, cursor?: string): Page<Item>[] {
  const from = cursor === undefined ? 0
    : pages.findIndex(({ next_cursor }) => next_cursor === cursor) + 1;
  // Meanwhile the list was read anew.
  if (cursor !== undefined && from === 0) return [...pages];
  const held = pages.slice(from).flatMap(({ data }) => data);
  // A page may have lost rows at its front since its cursor was told: they are in one before it.
  const above = new Set(pages.slice(0, from).flatMap(({ data }) => data.map(({ id }) => id)));
  const rest = () => ({ ...read, data: read.data.filter(({ id }) => !above.has(id)) });
  // Nothing is in sight that could jump.
  if (held.length === 0) return [...pages.slice(0, from), rest()];
  const now = new Map(read.data.map((item) => [item.id, item]));
  let left = coveredRows(held, read);
  // All that was held here has left, and what is there now was never read.
  if (left === 0 && from > 0) return [...pages.slice(0, from), rest()];
  return pages.map((page, at) => {
    if (at < from || left <= 0) return page;
    const covered = page.data.slice(0, left);
    left -= covered.length;
    const kept = covered.flatMap((item) => now.get(item.id) ?? []);
    const is_same = kept.length === covered.length
      && kept.every((item, at) => JSON.stringify(item) === JSON.stringify(covered[at]));
    return is_same ? page : { ...page, data: [...kept, ...page.data.slice(covered.length)] };
  });
}

/** How many rows the newest page has that are not held, and belong before the end of those. */
function freshOf(
  held: readonly Identified[], newest: Page<Identified>, has_more: boolean): number {
  const known = new Set(held.slice(0, newest.data.length * 2).map(({ id }) => id));
  const last = newest.data.findLastIndex(({ id }) => known.has(id));
  const before = last === -1 || !has_more ? newest.data : newest.data.slice(0, last);
  return before.filter(({ id }) => !known.has(id)).length;
}

/**
 * The newest page, and behind it what was held of older ones. If it ends with a row that is not
 * held, as when many rows have left, what was read last would be read on with rows that it has.
 */
function merged<Item extends Identified>(
  pages: readonly Page<Item>[], newest: Page<Item>): Page<Item>[] {
  const held = pages.flatMap(({ data }) => data);
  let left = coveredRows(held, newest);
  const ends_within = held.some(({ id }) => id === newest.data.at(-1)?.id);
  if (left >= held.length || !ends_within) return [newest];
  return pages.reduce((so_far, page) => {
    const rest = page.data.slice(left);
    left = Math.max(0, left - page.data.length);
    const before = so_far.at(-1)!;
    if (rest.length === 0) return so_far;
    // The few rows that are left of a page each time would be asked for as so many pages.
    return before.data.length + rest.length > PAGE_ITEMS ? [...so_far, { ...page, data: rest }]
      : so_far.with(-1, { ...page, data: [...before.data, ...rest] });
  }, [newest]);
}
