/**
 * Rows of what scrolls: how many are drawn and how, which one a key or a press leads to, what of
 * one has the focus, and whether the reader is at the end.
 */
import {
  useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore,
  type MouseEvent, type RefObject,
} from 'react';

/** So many rows on either side of those in sight are printed. */
const PRINTED_ROWS = 1_000;
let is_printing = false;

function subscribePrint(onChange: () => void): () => void {
  const turn = ({ type }: Event) => {
    is_printing = type === 'beforeprint';
    onChange();
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

// As `max-sm:`, which larger letters make wider.
const narrow = matchMedia('(width < 40rem)');

/** Whether rows are drawn as cards. */
export function useNarrow(): boolean {
  return useSyncExternalStore((onChange) => {
    narrow.addEventListener('change', onChange);
    return () => narrow.removeEventListener('change', onChange);
  }, () => narrow.matches);
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
export function besideIn(grid: HTMLElement, from: Element, step: number): HTMLElement | undefined {
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

/** What has the focus in a row that goes, or is scrolled away, leaves it to the grid. */
export function useFocusLeft(row_id: string): void {
  useLayoutEffect(() => () => {
    const row = document.activeElement?.closest('[role=row]');
    if (row?.id !== row_id) return;
    row.closest<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
  }, [row_id]);
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
