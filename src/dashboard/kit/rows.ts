/**
 * Rows of what scrolls: how many are drawn and how, which one a key or a press leads to, what of
 * one has the focus, and whether the reader is at the end.
 */
import {
  useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore,
  type FocusEvent, type KeyboardEvent, type MouseEvent, type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { usePlace, type Rows } from './filters.tsx';
import { inLetters } from './text.tsx';

/** The height of a row of a table that is not a card. */
export const ROW_PX = inLetters(36);

/** So many rows on either side of those in sight are printed. */
const PRINTED_ROWS = 1_000;
let is_printing = false;

function subscribePrint(onChange: () => void): () => void {
  const turn = ({ type }: Event) => {
    is_printing = type === 'beforeprint';
    // What is drawn later is not on the paper: Firefox takes its copy as the event returns.
    flushSync(onChange);
  };
  addEventListener('beforeprint', turn);
  addEventListener('afterprint', turn);
  return () => {
    removeEventListener('beforeprint', turn);
    removeEventListener('afterprint', turn);
  };
}

/** How many rows of a list are drawn on either side of those in sight: on paper, nearly all. */
export function useOverscan(rows: number): number {
  return useSyncExternalStore(subscribePrint, () => is_printing) ? PRINTED_ROWS : rows;
}

let last_width_px = innerWidth;

/** The width of a place, in px. Before it is there, that of the last one: mostly it is the same. */
export function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width_px, setWidth] = useState(last_width_px);
  useLayoutEffect(() => {
    const look = () => setWidth(last_width_px = place.current!.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(place.current!);
    look();
    return () => observer.disconnect();
  }, [place]);
  return width_px;
}

/** So near to its end, in px, a place counts as being there. */
const NEAR_PX = 48;

/**
 * Whether the reader is at the end of a place, `is_there`, and has to be put there again, by
 * `toEnd`, when it has grown. `look` is for each scroll, and answers whether they still are.
 */
export function useEnd(scroller: RefObject<HTMLElement | null>, begins_there: boolean) {
  const is_there = useRef(begins_there);
  const put_at = useRef<number>(null);
  const look = useCallback(() => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!;
    // It may have grown before this is heard: who is where they were put has not left the end.
    if (scrollTop !== put_at.current) put_at.current = null;
    is_there.current = scrollHeight - scrollTop - clientHeight < NEAR_PX
      || scrollTop === put_at.current;
    return is_there.current;
  }, [scroller]);
  const toEnd = useCallback(() => {
    is_there.current = true;
    scroller.current!.scrollTop = scroller.current!.scrollHeight;
    put_at.current = scroller.current!.scrollTop;
  }, [scroller]);
  return { is_there, look, toEnd };
}

/**
 * Opens what was pressed in another tab if it was pressed as one presses a link for that: with
 * Ctrl, or by the middle button. Without an address it is that of the first link in it. Answers
 * whether that was all that was wanted.
 */
export function opensElsewhere(
  { button, ctrlKey, metaKey, currentTarget }: MouseEvent, address?: string): boolean {
  if (button === 0 && !ctrlKey && !metaKey) return false;
  const href = address ?? currentTarget.querySelector('a')?.href;
  if (button < 2 && href) open(href, '_blank', 'noopener');
  return button > 0 || href !== undefined;
}

/** The row of a list that a key leads to from row `at` of so many; undefined for other keys. */
export function rowByKey(
  key: string, at: number, count: number, page: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowDown: at + 1, ArrowUp: at - 1, j: at + 1, k: at - 1,
    PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1,
  };
  return key in moves ? Math.max(0, Math.min(count - 1, moves[key]!)) : undefined;
}

/** For rows that open elsewhere by the middle button: some browsers would begin to scroll. */
export function keepStill(event: MouseEvent): void {
  if (event.button === 1) event.preventDefault();
}

/** What of a row can be pressed. */
const stopsOf = (row: Element | null) => [...row?.querySelectorAll<HTMLElement>('a,button') ?? []];

const chosenIn = (grid: Element | null) => grid?.querySelector('[aria-selected=true]') ?? null;

/** What is next: first the grid itself, then what can be pressed in the row of before. */
function besideIn(grid: HTMLElement, from: Element, step: number): HTMLElement | undefined {
  const row = from === grid ? chosenIn(grid) : from.closest('[role=row]');
  const stops = [grid, ...stopsOf(row)];
  return stops[stops.findIndex((stop) => stop === from) + step];
}

/** Whether anything can be pressed in the row that is chosen. */
export function useStops(grid: RefObject<HTMLElement | null>): boolean {
  const [has_stops, setStops] = useState(false);
  useEffect(() => setStops(stopsOf(chosenIn(grid.current)).length > 0));
  return has_stops;
}

/**
 * A function that stays the same and does what the newest one does: a row that is given another one
 * is drawn again.
 */
export function useLatest<Argument>(does: ((argument: Argument) => void) | undefined) {
  const latest = useRef(does);
  useEffect(() => void (latest.current = does));
  return useCallback((argument: Argument) => latest.current?.(argument), []);
}

/** What a choice is by; `label` is what the table lists. */
interface Choosing<Row> {
  label: string; rows: readonly Row[]; rowKey: (row: Row) => string;
  onOpen?: (row: Row) => void; has_more?: boolean; onMore?: () => void;
}

/** The chosen row and what chooses another one, as handlers of the grid; and its place for Back. */
export function useChoice<Row>(
  { rows, rowKey, onOpen, label, has_more, onMore }: Choosing<Row>, virtual: Rows,
  scroller: RefObject<HTMLDivElement | null>) {
  // The chosen row is known by its key, so that it stays chosen when rows come before it.
  const [active_key, setActive] = useState<string | null>(null);
  const active = useMemo(() => (active_key === null ? -1
    : rows.findIndex((row) => rowKey(row) === active_key)), [rows, rowKey, active_key]);
  const { remember, stopReturn } = usePlace(label,
    { virtual, scroller, keys: { rows, rowKey }, has_more, onMore, onChosen: setActive });
  const set = (key: string) => {
    setActive(key);
    remember(key);
  };
  const choose = (index: number) => {
    if (rows[index]) set(rowKey(rows[index]));
    virtual.scrollToIndex(index);
  };
  const firstSeen = () => {
    const from_px = scroller.current?.scrollTop ?? 0;
    const { index = 0, start = 0 } = virtual.getVirtualItemForOffset(from_px) ?? {};
    return start < from_px ? index + 1 : index;
  };
  // Who came here while the first rows were on their way has not chosen one yet.
  const has_none = rows.length > 0 && active === -1;
  useEffect(() => {
    if (has_none && document.activeElement === scroller.current) choose(firstSeen());
  }, [has_none]);
  const is_pressed = useRef(false);
  const key_before = useRef('');
  return {
    active, active_key, onPress: useLatest(set), onWheel: stopReturn,
    onScroll: () => remember(active_key),
    onPointerDown: () => {
      stopReturn();
      is_pressed.current = true;
    },
    onBlur: () => void (is_pressed.current = false),
    onFocus: (event: FocusEvent) => {
      // A press chooses the row that it is on; to choose another one first would move the rows.
      if (is_pressed.current || event.target !== event.currentTarget) return;
      if (active === -1) choose(firstSeen());
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const { key, target, currentTarget: grid } = event;
      stopReturn();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const mean_px = virtual.getTotalSize() / rows.length; // Cards are higher than rows.
      const page = Math.max(1, Math.floor(grid.clientHeight / mean_px) - 2);
      const goes = key === 'k' && key_before.current === 'g'; // To the API keys.
      const to = goes ? undefined : rowByKey(key, active, rows.length, page);
      key_before.current = key;
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      const beside = step && besideIn(grid, target as Element, step);
      if (to !== undefined) {
        grid.focus();
        // After a press beside the rows none is chosen: what is in sight stays there.
        choose(active === -1 ? firstSeen() : to);
      } else if (beside) beside.focus();
      else if (key === 'Enter' && target === grid && rows[active]) onOpen?.(rows[active]);
      else return;
      event.preventDefault();
    },
  };
}
