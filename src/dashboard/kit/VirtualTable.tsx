/**
 * A table of any length: only the rows in sight are in the page. Where its columns have no room, it
 * leaves out those that a card leaves out; where that is not enough, each row is a card.
 *
 * Keyboard: the table is one stop. Arrow keys, Page Up and Down, Home and End choose a row, Enter
 * opens it; right goes to the links and buttons in it, left back. It asks for the next page before
 * its end is reached, and never moves what is in sight: rows that are new wait behind a chip.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  memo, useEffect, useId, useMemo, useRef, type MouseEvent, type ReactNode, type RefObject,
} from 'react';
import { Button, Spinner } from './controls.tsx';
import {
  keepStill, opensElsewhere, ROW_PX, useChoice, useLatest, useOverscan, useStops, useWidth,
} from './rows.ts';
import { copyRows, ErrorNote, inLetters, type Trouble } from './text.tsx';

export interface Column<Row> {
  key: string;
  title: string;
  /** A track of a CSS grid, its least width in rem first: `8rem`, `minmax(10rem, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  is_number?: boolean;
  /** On a card: `head` and `side` share its first line; the others follow with their titles. */
  card?: 'head' | 'side' | 'hidden';
}

export interface TableProps<Row> {
  /** What it lists, for assistive technology: "Runs". */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Enter, or a press on the row. */
  onOpen?: (row: Row) => void;
  /** Where another tab shows what the row opens; without it, where its first link leads. */
  addressOf?: (row: Row) => string;
  /** What stands there without rows; it is not shown while the first page is on its way. */
  empty: ReactNode;
  is_loading?: boolean;
  error?: Trouble | null;
  onRetry?: () => void;
  has_more?: boolean;
  /** Asks for the next page; it may be called while one is on its way. */
  onMore?: () => void;
  /** How many rows are newer than the first one here; they are shown when the reader says so. */
  fresh?: number;
  onShowFresh?: () => void;
  /** Is told which rows are in sight, by their keys. */
  onSeen?: (keys: readonly string[]) => void;
  /** Where it scrolls, for who has to know. */
  scroller?: RefObject<HTMLDivElement | null>;
}

const REM_PX = inLetters(16);
const CARD_PX = inLetters(92);
/** So many rows before the end the next page is asked for. */
const AHEAD = 30;

/** What columns need, in px: a rem is between them, on either side, and for a bar to scroll by. */
const needOf = (columns: readonly Pick<Column<never>, 'width'>[]) =>
  columns.reduce((rem, { width }) => rem + Number(/[\d.]+/.exec(width)) + 1, 2) * REM_PX;

export function VirtualTable<Row>(props: TableProps<Row>) {
  const { columns } = props;
  const place = useRef<HTMLDivElement>(null);
  const width_px = useWidth(place);
  const fitting = useMemo(() => [columns, columns.filter(({ card }) => card !== 'hidden')]
    .find((some) => needOf(some) <= width_px), [columns, width_px]);
  return (
    <div ref={place} className="relative flex min-h-44 grow flex-col">
      <Table {...props} columns={fitting ?? columns} is_narrow={!fitting} />
    </div>
  );
}

function Table<Row>(props: TableProps<Row> & { is_narrow: boolean }) {
  const { columns, rows, rowKey, is_loading, error, has_more, onMore, onOpen, fresh = 0,
    is_narrow } = props;
  const id = useId();
  const own_scroller = useRef<HTMLDivElement>(null);
  const { scroller = own_scroller } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (is_narrow ? CARD_PX : ROW_PX),
    getItemKey: (index) => rowKey(rows[index]!),
    overscan: useOverscan(12),
  });
  useEffect(() => virtual.measure(), [virtual, is_narrow]);
  const items = virtual.getVirtualItems();
  const wants_more = Boolean(has_more) && (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (wants_more) onMore?.();
  }, [wants_more, rows.length, onMore]);
  useEffect(() => props.onSeen?.(items.map(({ key }) => String(key))));
  const { active, active_key, onPress, ...handlers } = useChoice(props, virtual, scroller);
  const has_stops = useStops(scroller);
  const template = columns.map(({ width }) => width).join(' ');
  const open = useLatest(({ row, event }: Press<Row>) => {
    if (!opensElsewhere(event, props.addressOf?.(row))) onOpen?.(row);
  });
  if (rows.length === 0 && !is_loading) {
    return error ? <div className="p-4"><ErrorNote error={error} onRetry={props.onRetry} /></div>
      : props.empty;
  }
  const onShow = () => {
    props.onShowFresh?.();
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus(); // What was pressed goes.
  };
  return (
    <>
      {fresh > 0 && <FreshChip fresh={fresh} onShow={onShow} />}
      <div ref={scroller} role="grid" aria-label={props.label} aria-busy={is_loading || undefined}
        aria-rowcount={has_more ? -1 : rows.length + 1} tabIndex={0} data-table
        data-cards={is_narrow || undefined}
        aria-description={onOpen && `Up and down choose a row, Enter opens it${has_stops
          ? ', right: what can be pressed in it' : ''}.`}
        aria-activedescendant={items.some(({ index }) => index === active)
          ? `${id}-${active_key}` : undefined}
        className="group/table min-h-0 grow overflow-auto border-t border-line bg-surface
          outline-offset-[-2px]" onCopy={copyRows} {...handlers}>
        {/* As wide as the head needs at least, also on paper: the rows, which are placed, cannot
            say. */}
        <div role="presentation" className={is_narrow ? '' : 'w-min min-w-full'}>
          <Head {...{ template, columns: is_narrow ? cellsOf(columns) : columns }} />
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => (
              <Row key={item.key} {...{ columns, template, is_narrow }} id={`${id}-${item.key}`}
                row={rows[item.index]} name={String(item.key)} index={item.index}
                start={item.start} measure={is_narrow ? virtual.measureElement : undefined}
                is_active={item.index === active} onChoose={onPress} onOpen={onOpen && open} />
            ))}
          </div>
        </div>
        <Foot {...props} />
      </div>
    </>
  );
}

/** The last row: nothing but rows may be in a grid. */
function Foot<Row>({ error, onRetry, is_loading, has_more }: TableProps<Row>) {
  if (!error && !is_loading && !has_more) return null;
  return (
    <div role="row">
      <div role="gridcell" className="sticky left-0 p-3">
        {error ? <ErrorNote {...{ error, onRetry }} /> : (
          <span role="status" className="flex items-center gap-2 text-muted">
            <Spinner /> Loading …</span>
        )}
      </div>
    </div>
  );
}

function FreshChip({ fresh, onShow }: { fresh: number; onShow: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-0.5 z-2 flex justify-center">
      <span className="pointer-events-auto rounded-md shadow-lift">
        <Button look="main" icon="up" onClick={onShow}>{`${fresh} new`}</Button>
      </span>
      <span role="status" className="sr-only">There are new rows{/* told once, not each */}</span>
    </div>
  );
}

function Head<Row>({ columns, template }: { columns: readonly Column<Row>[]; template: string }) {
  return (
    <div role="rowgroup" className="sticky top-0 z-1 bg-surface
      group-data-cards/table:sr-only">
      <div role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}
        className="grid h-9 items-center gap-4 border-b border-line px-4">
        {columns.map(({ key, title, is_number }) => (
          <span key={key} role="columnheader" className={`truncate text-sm font-medium text-muted
            ${is_number ? 'text-right' : ''}`}>{title}</span>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  columns: readonly Column<never>[]; template: string; is_narrow: boolean; row: unknown;
  name: string; id: string; index: number; start: number; is_active: boolean;
  measure?: ((element: HTMLElement | null) => void) | undefined;
  onOpen?: ((press: Press<never>) => void) | undefined; onChoose: (name: string) => void;
}

interface Press<Row> { row: Row; event: MouseEvent }

/** Drawn again only when something of it is another: scrolling draws the rows that are new. */
const Row = memo(function Row(props: RowProps) {
  const { columns, template, is_narrow, row, name, index, start, is_active, onOpen } = props;
  const open = (event: MouseEvent) => {
    if (event.button < 2) props.onChoose(name);
    // A press on a link or a button within the row is theirs; who selects text wants no other page.
    const own = (event.target as Element).closest('a, button, input');
    if (!own && getSelection()?.isCollapsed !== false) onOpen?.({ row: row as never, event });
  };
  const cell = (column: Column<never>) => (
    <div key={column.key} role="gridcell" className={`flex min-w-0 items-center
      ${column.is_number ? `tabular-nums ${is_narrow ? '' : 'justify-end'}` : ''}
      ${!is_narrow ? '' : column.card === 'head' ? 'grow' : column.card && 'shrink-0'}`}>
      {is_narrow && !column.card && (
        <span className="mr-1.5 shrink-0 text-sm text-muted">{column.title}</span>
      )}
      {column.cell(row as never)}
    </div>
  );
  const line = `border-b border-line px-4 ${onOpen ? 'cursor-pointer' : ''} ${is_active
    ? 'bg-raised group-focus-visible/table:shadow-[inset_3px_0_var(--color-accent)]'
    : 'hover:bg-canvas'}`;
  const place = { transform: `translateY(${start}px)` };
  const shared = {
    role: 'row', id: props.id, 'aria-rowindex': index + 2, 'aria-selected': is_active,
    'data-index': index, // Also as a row: what was once measured stays watched.
    onClick: open, onAuxClick: open, onMouseDown: keepStill,
  };
  if (!is_narrow) {
    return (
      <div {...shared} style={{ gridTemplateColumns: template, ...place, height: ROW_PX }}
        className={`absolute inset-x-0 top-0 grid items-center gap-4 contain-content ${line}`}>
        {columns.map(cell)}
      </div>
    );
  }
  const first = cellsOf(columns, ['head', 'side']);
  const others = cellsOf(columns, [undefined]);
  return (
    <div {...shared} style={place} ref={props.measure}
      className={`absolute inset-x-0 top-0 flex flex-col gap-1 py-2.5 ${line}`}>
      <div role="presentation" className="flex items-center justify-between gap-2">
        {first.map(cell)}
      </div>
      <div role="presentation" className="flex flex-wrap gap-x-4 gap-y-0.5">{others.map(cell)}</div>
    </div>
  );
});

/** Of a card, in their order: a heading tells of the cell that has its place. */
const cellsOf = <One extends Pick<Column<never>, 'card'>>(columns: readonly One[],
  places: readonly One['card'][] = ['head', 'side', undefined]) =>
  places.flatMap((place) => columns.filter(({ card }) => card === place));
