/**
 * A run in time: a bar for each step, and in it one for each thought, message and call. What is
 * empty between two bars is time in which nobody wrote. Only the rows in sight are in the page.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { callStatus } from '../data/calls.ts';
import { Button, Icon, type IconName } from '../kit/controls.tsx';
import { markedText, Name } from '../kit/exact.tsx';
import { rowByKey, useOverscan, useWidth } from '../kit/rows.ts';
import { inLetters, Tail } from '../kit/text.tsx';
import { durationText, serviceNow, ticksOf, useTicking, type Tick } from '../kit/time.tsx';
import { useFollowing } from './Conversation.tsx';
import type { History, Part, Step } from './history.ts';

interface Row {
  id: string;
  kind: 'queued' | 'takeover' | 'step' | Part['kind'];
  title: string;
  from_ms: number;
  /** Null: it goes on. */
  to_ms: number | null;
  /** Where the gateway took over from the model, which wrote the arguments until then; its time. */
  asked_ms?: number; took_ms?: number | null;
  is_bad?: boolean; is_open?: boolean;
  /** How it stands, if not simply done. */
  says?: string;
}

const ROW_PX = inLetters(30);
/** Of names, beside the time. */
const LABEL_PX = { least: 184, most: inLetters(320) };
const TICK_PX = 100;
const MOST_ZOOM = 6;
/** As far as the queue takes a larger part of all than this, it is cut off. */
const QUEUE_PART = 0.25;
const LEAST_SPAN_MS = 10;
const PAGE_ROWS = 15;

/** `is_live`: the run goes on, and so does the time. Else nothing is known after its last event. */
export function Timeline({ history, is_live, onOpen }: {
  history: History; is_live: boolean; onOpen: (part_id: string) => void;
}) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => [...rowsOf(history, closed)].map((row) =>
    (is_live ? row : { ...row, to_ms: row.to_ms ?? history.last_ms })), [history, closed, is_live]);
  const [active_id, setActive] = useState('');
  const active = rows.findIndex((row) => row.id === active_id);
  useTicking((now_ms) => (is_live ? String(Math.floor(now_ms / 1_000)) : ''));
  const range = rangeOf(history, is_live);
  const { width_px, zoom, onZoom } = useZoom(scroller);
  const label_px = Math.max(LABEL_PX.least, Math.min(LABEL_PX.most, width_px * 0.4));
  const chart_px = Math.max(160, width_px - label_px - 2) * 2 ** zoom;
  const zero_ms = history.created_ms;
  const span_ms = range.to_ms - range.from_ms;
  const left = (at_ms: number) => (at_ms - range.from_ms) / span_ms * chart_px;
  const { ticks, step_ms } = ticksOf(range.from_ms - zero_ms, range.to_ms - zero_ms,
    chart_px / TICK_PX);
  const virtual = useVirtualizer({
    count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW_PX,
    overscan: useOverscan(10), getItemKey: (index) => rows[index]!.id,
  });
  useFollowing(scroller, rows.length, is_live);
  const turn = ({ id: step, is_open }: Row) => {
    if (is_open !== undefined) setClosed(is_open ? new Set([...closed, step])
      : new Set([...closed].filter((one) => one !== step)));
  };
  const open = (row: Row) => (history.parts.has(row.id) ? onOpen(row.id) : turn(row));
  const move = (at: number) => {
    setActive(rows[at]!.id);
    virtual.scrollToIndex(at);
  };
  const items = virtual.getVirtualItems();
  const is_in_page = items.some(({ index }) => index === active);
  return (
    <div ref={scroller} role="treegrid" aria-label="Timeline" aria-rowcount={rows.length + 1}
      tabIndex={0} aria-activedescendant={is_in_page ? `${id}-${active}` : undefined}
      onFocus={() => active === -1 && setActive(rows[0]!.id)}
      onKeyDown={(event) => onKey(event, { rows, active, open, turn, move, onZoom, zoom })}
      className="group/time min-h-0 grow overflow-auto bg-surface outline-offset-[-2px]">
      <Axis {...{ ticks, chart_px, label_px, zoom, onZoom }}
        left={(at_ms) => left(at_ms + zero_ms)} />
      <div role="rowgroup" className="relative" style={{
        height: virtual.getTotalSize(), width: label_px + chart_px,
        backgroundImage: 'linear-gradient(to right, var(--color-line) 1px, transparent 1px)',
        backgroundSize: `${step_ms / span_ms * chart_px}px 1px`,
        backgroundPositionX: label_px + left(zero_ms),
      }}>
        {items.map(({ index, start, key }) => (
          <TimeRow key={key} id={`${id}-${index}`} row={rows[index]!} is_active={index === active}
            {...{ index, start, range, chart_px, label_px, zero_ms }} onPress={() => {
              move(index);
              open(rows[index]!);
            }} />
        ))}
      </div>
    </div>
  );
}

function* rowsOf(history: History, closed: ReadonlySet<string>): Iterable<Row> {
  const { created_ms, started_ms, last_ms, is_over, items } = history;
  yield {
    id: 'queued', kind: 'queued', title: 'Queued', from_ms: created_ms,
    to_ms: started_ms ?? (is_over ? last_ms : null),
  };
  for (const item of items) {
    if (item.kind === 'takeover') {
      yield { ...item, title: `Attempt ${item.attempt}: another worker`, says: 'without a worker' };
      continue;
    }
    const is_open = !closed.has(item.id);
    yield { ...item, title: `Step ${item.number}`, is_open, is_bad: false };
    if (is_open) yield* item.parts.map((part) => rowOf(part, item));
  }
}

function rowOf(part: Part, step: Step): Row {
  const { id, kind, from_ms, to_ms } = part;
  const row = { id, kind, from_ms, to_ms, title: kind === 'thought' ? 'Thought' : 'Message' };
  const is_lost = kind === 'message' && /lost|anew|cut/.test(part.state);
  if (kind !== 'call') return is_lost ? { ...row, is_bad: true, says: 'not kept' } : row;
  const { name, error, duration_ms } = part;
  return {
    ...row, title: name, is_bad: callStatus(part) === 'failed', says: error?.code ?? '',
    took_ms: duration_ms,
    asked_ms: duration_ms === null || to_ms === null ? part.to_ms ?? step.from_ms
      : Math.max(from_ms, to_ms - duration_ms),
  };
}

interface Range { from_ms: number; to_ms: number }

/** What fits the page. The end of what goes on moves by a quarter at once, not all the time. */
function rangeOf({ created_ms, started_ms, last_ms }: History, is_live: boolean): Range {
  const end_ms = is_live ? Math.max(last_ms, serviceNow()) : last_ms;
  const executed_ms = Math.max(LEAST_SPAN_MS, end_ms - (started_ms ?? created_ms));
  const from_ms = started_ms === null ? created_ms
    : Math.max(created_ms, started_ms - executed_ms * QUEUE_PART);
  const span_ms = Math.max(LEAST_SPAN_MS, end_ms - from_ms);
  const shown_ms = !is_live ? span_ms * 1.01
    : 1.25 ** Math.ceil(Math.log(Math.max(span_ms, 1_000)) / Math.log(1.25));
  return { from_ms, to_ms: from_ms + shown_ms };
}

/** The width of the place, and how much larger than that the time is drawn. */
function useZoom(scroller: RefObject<HTMLDivElement | null>) {
  const width_px = useWidth(scroller);
  const [zoom, setZoom] = useState(0);
  const factor = useRef(1);
  const onZoom = (to: number) => {
    const next = Math.max(0, Math.min(MOST_ZOOM, to));
    factor.current = 2 ** (next - zoom);
    setZoom(next);
  };
  // What is in the middle stays there.
  useLayoutEffect(() => {
    const element = scroller.current!;
    const middle_px = element.clientWidth / 2;
    element.scrollLeft = (element.scrollLeft + middle_px) * factor.current - middle_px;
    factor.current = 1;
  }, [zoom, scroller]);
  return { width_px, zoom, onZoom };
}

function Axis({ ticks, chart_px, label_px, left, zoom, onZoom }: {
  ticks: readonly Tick[]; chart_px: number; label_px: number; left: (at_ms: number) => number;
  zoom: number; onZoom: (zoom: number) => void;
}) {
  return (
    <div role="row" aria-rowindex={1} style={{ width: label_px + chart_px }}
      className="sticky top-0 z-2 flex h-9 border-b border-line bg-surface">
      <div role="columnheader" style={{ width: label_px }} className="sticky left-0 z-1 flex
        shrink-0 items-center border-r border-line bg-surface px-1">
        <Button look="quiet" icon="minus" icon_only is_off={zoom === 0}
          onClick={() => onZoom(zoom - 1)}>Zoom out (-)</Button>
        <Button look="quiet" icon="plus" icon_only is_off={zoom === MOST_ZOOM}
          onClick={() => onZoom(zoom + 1)}>Zoom in (+)</Button>
        <Button look="quiet" is_off={zoom === 0} onClick={() => onZoom(0)}>Fit</Button>
      </div>
      <div role="columnheader" className="relative grow overflow-x-clip text-xs text-muted">
        <span className="sr-only">Time</span>
        {ticks.map(({ at_ms, text }) => (
          <span key={at_ms} aria-hidden="true" style={{ left: left(at_ms) }} className="absolute
            top-0 pt-2.5 pl-1.5 whitespace-nowrap tabular-nums">{text}</span>
        ))}
      </div>
    </div>
  );
}

const ICONS: Readonly<Record<Row['kind'], IconName>> = {
  queued: 'clock', takeover: 'retry', step: 'right', thought: 'more', message: 'sessions',
  call: 'integrations',
};

interface TimeRowProps {
  id: string; row: Row; index: number; start: number; is_active: boolean; range: Range;
  chart_px: number; label_px: number; zero_ms: number; onPress: () => void;
}

function TimeRow(props: TimeRowProps) {
  const { id, row, start, is_active, range, chart_px, label_px, zero_ms, onPress } = props;
  const { kind, title, from_ms, is_bad, is_open } = row;
  const depth = ['thought', 'message', 'call'].includes(kind) ? 2 : 1;
  const end_ms = row.to_ms ?? Math.max(from_ms, serviceNow());
  const ground = is_active ? 'group-focus-visible/time:bg-raised' : '';
  return (
    <div id={id} role="row" aria-rowindex={props.index + 2} aria-level={depth} onClick={onPress}
      aria-expanded={is_open} aria-selected={is_active}
      style={{ height: ROW_PX, transform: `translateY(${start}px)`, width: label_px + chart_px }}
      className={`group/row absolute top-0 left-0 flex cursor-pointer ${ground}`}>
      <div role="gridcell" style={{ width: label_px, paddingLeft: depth * 16 }}
        className={`sticky left-0 z-1 flex shrink-0 items-center gap-1.5 border-r border-line pr-2
          bg-surface group-hover/row:bg-raised ${ground}`}>
        <span className={is_bad ? 'text-bad' : 'text-muted'}>
          <Icon name={is_open ? 'down' : ICONS[kind]} size={14} />
        </span>
        {kind === 'call'
          ? <span className="flex min-w-0 grow font-mono text-sm"><Tail>{title}</Tail></span>
          : (
            <span title={markedText(title)} className={`min-w-0 grow truncate ${kind === 'step'
              ? 'font-medium' : ''}`}><Name>{title}</Name></span>
          )}
        <span className="shrink-0 text-xs text-muted tabular-nums">
          {(kind !== 'call' || row.to_ms) && durationText(row.took_ms ?? end_ms - from_ms)}
        </span>
      </div>
      <div role="gridcell" className="relative overflow-hidden group-hover/row:bg-raised/50"
        style={{ width: chart_px }}>
        <span className="sr-only">{`after ${durationText(from_ms - zero_ms)}`}</span>
        <Bars row={row} range={range} end_ms={end_ms} />
      </div>
    </div>
  );
}

const BARS: Readonly<Record<Row['kind'], string>> = {
  queued: 'h-2 rounded-sm border border-dashed border-edge',
  takeover: 'h-2 rounded-sm border border-dashed border-warn bg-warn-soft',
  step: 'h-1 rounded-full bg-edge',
  thought: 'h-2.5 rounded-sm border border-accent bg-accent-soft',
  message: 'h-2.5 rounded-sm bg-accent',
  call: 'h-2.5 rounded-sm bg-good',
};

function Bars({ row, range, end_ms }: { row: Row; range: Range; end_ms: number }) {
  const { kind, from_ms, asked_ms = from_ms, is_bad, to_ms, says } = row;
  const span_ms = range.to_ms - range.from_ms;
  const part = (at_ms: number) => Math.max(0, (at_ms - range.from_ms) / span_ms);
  const place = (from: number, to: number) => ({
    left: `${part(from) * 100}%`, width: `max(3px, ${(part(to) - part(from)) * 100}%)`,
  });
  const [before, after] = [part(from_ms) * 100, (1 - part(end_ms)) * 100];
  const middle = 'absolute top-1/2 -translate-y-1/2';
  return (
    <>
      {asked_ms > from_ms && <span style={place(from_ms, asked_ms)}
        className={`bar ${middle} h-1 rounded-full bg-edge`} />}
      <span style={place(Math.min(asked_ms, end_ms), end_ms)} className={`bar ${middle}
        ${to_ms === null ? 'animate-pulse' : ''}
        ${is_bad ? 'h-2.5 rounded-sm bg-bad' : BARS[kind]}`} />
      {says && (
        <span style={before > after ? { right: `calc(${100 - before}% + 6px)` }
          : { left: `calc(${100 - after}% + 8px)` }} className={`${middle} text-xs
          whitespace-nowrap ${is_bad ? 'text-bad' : 'text-muted'}`}>{says}</span>
      )}
    </>
  );
}

interface Keys {
  rows: readonly Row[]; active: number; zoom: number; open: (row: Row) => void;
  turn: (row: Row) => void; move: (to: number) => void; onZoom: (zoom: number) => void;
}

function onKey(event: KeyboardEvent, { rows, active, open, turn, move, onZoom, zoom }: Keys) {
  const row = rows[active];
  const is_ours = event.target === event.currentTarget;
  if (!row || !is_ours || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = rowByKey(event.key, active, rows.length, PAGE_ROWS);
  const zooms: Record<string, number> = { '+': zoom + 1, '=': zoom + 1, '-': zoom - 1, 0: 0 };
  if (to !== undefined) move(to);
  else if (event.key in zooms) onZoom(zooms[event.key]!);
  else if (event.key === 'Enter') open(row);
  else if (event.key === 'ArrowRight' && row.is_open === false) turn(row);
  else if (event.key === 'ArrowLeft') {
    if (row.is_open) turn(row);
    else move(Math.max(0, rows.findLastIndex(({ kind }, at) => at < active && kind === 'step')));
  } else return;
  event.preventDefault();
}
