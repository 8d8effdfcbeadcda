/**
 * Bars over time, one upon the other, drawn by uPlot. The key above tells the sums, or the numbers
 * of the bar that the pointer is on; the table below says the same as the picture, in words.
 */
import { useEffect, useId, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { countText } from './text.tsx';

/** The colours there are: those with a meaning, and those that only tell apart. */
const TONES = {
  good: 'text-good', bad: 'text-bad', accent: 'text-accent', plain: 'text-edge',
  1: 'text-series-1', 2: 'text-series-2', 3: 'text-series-3', 4: 'text-series-4',
  5: 'text-series-5',
} as const;

export interface Bars {
  label: string;
  tone: keyof typeof TONES;
  /** One for each instant of the chart. */
  values: readonly number[];
}

export interface BarChartProps {
  /** What the numbers are, for assistive technology too: "Runs". */
  title: string;
  /** When each bar begins, in ms, oldest first, all `bar_s` long. */
  instants_ms: readonly number[];
  bar_s: number;
  bars: readonly Bars[];
}

const HEIGHT_PX = 180;
const DAY_S = 86_400;
const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact' });
const HOUR = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const LOCAL_DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const UTC_DAY = new Intl.DateTimeFormat(undefined,
  { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Days are those of UTC, as the service counts them; hours are shown as they are here. */
function instantText(instant_ms: number, bar_s: number): string {
  return bar_s >= DAY_S ? UTC_DAY.format(instant_ms)
    : `${LOCAL_DAY.format(instant_ms)}, ${HOUR.format(instant_ms)}`;
}

export function BarChart({ title, instants_ms, bar_s, bars }: BarChartProps) {
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const key = useRef<HTMLUListElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [pointed, setPointed] = useState<number | null>(null);
  // Another plot only for other bars; new numbers go into the one that is there.
  const labels = bars.map(({ label }) => label).join('\n');
  useEffect(() => {
    if (!place.current || !key.current) return;
    const made = new uPlot(optionsOf(place.current, key.current, bar_s, setPointed),
      stacked(instants_ms, bars), place.current);
    plot.current = made;
    const watcher = new ResizeObserver(([entry]) => made.setSize(
      { width: Math.floor(entry!.contentRect.width), height: HEIGHT_PX }));
    watcher.observe(place.current);
    // The plot keeps the colours of its paths until it makes them anew.
    const unwatch = onTheme(() => made.redraw());
    return () => {
      watcher.disconnect();
      unwatch();
      made.destroy();
    };
  }, [labels, bar_s]);
  useEffect(() => {
    plot.current?.setData(stacked(instants_ms, bars));
  }, [labels, bar_s, instants_ms, bars]);
  const at = pointed !== null && pointed < instants_ms.length ? pointed : null;
  return (
    <figure className="flex min-w-0 flex-col gap-2" aria-labelledby={id}>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <figcaption id={id} className="grow font-semibold">
          {title}
          {at !== null && (
            <span aria-hidden="true" className="ml-2 font-normal text-muted">
              {instantText(instants_ms[at]!, bar_s)}
            </span>
          )}
        </figcaption>
        <ul ref={key} className="flex max-w-full min-w-0 flex-wrap gap-x-4 gap-y-1 text-sm">
          {bars.map(({ label, tone, values }) => (
            <li key={label} className="flex max-w-full min-w-0 items-center gap-1.5">
              <span className={`bar size-2.5 shrink-0 rounded-xs bg-current ${TONES[tone]}`} />
              <span className="truncate text-muted" title={label}>{label}</span>
              <span className="tabular-nums">{countText(at === null ? sumOf(values)
                : values[at] ?? 0)}</span>
            </li>
          ))}
        </ul>
      </div>
      <div ref={place} aria-hidden="true" className="min-w-0 overflow-hidden border-line text-muted"
        style={{ height: HEIGHT_PX }} />
      <Table {...{ title, instants_ms, bar_s, bars }} />
    </figure>
  );
}

function Table({ title, instants_ms, bar_s, bars }: BarChartProps) {
  const [is_open, setOpen] = useState(false);
  const cell = 'px-3 py-1 text-right';
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-max rounded text-sm text-muted">{`${title} as a table`}</summary>
      {is_open && (
        <div tabIndex={0} role="region" aria-label={`${title}, table`}
          className="mt-2 max-h-72 overflow-auto rounded-md border border-line">
          <table className="w-full text-sm tabular-nums">
            <thead className="sticky top-0 bg-surface text-muted">
              <tr>
                <th scope="col" className="px-3 py-1 text-left font-medium">
                  {bar_s >= DAY_S ? 'Day (UTC)' : 'From'}
                </th>
                {bars.map(({ label }) => (
                  <th key={label} scope="col" className={`font-medium ${cell}`}>{label}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {instants_ms.map((instant_ms, at) => (
                <tr key={instant_ms} className="border-t border-line">
                  <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap">
                    {instantText(instant_ms, bar_s)}
                  </th>
                  {bars.map(({ label, values }) => (
                    <td key={label} className={cell}>{countText(values[at] ?? 0)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

/** The first of `bars` stands lowest: it is drawn last, before those that are higher. */
function stacked(instants_ms: readonly number[], bars: readonly Bars[]): uPlot.AlignedData {
  const tops = new Array<number>(instants_ms.length).fill(0);
  const layers = bars.map(({ values }) => tops.map((_, at) => tops[at]! += values[at] ?? 0));
  return [instants_ms.map((instant_ms) => instant_ms / 1_000), ...layers.reverse()];
}

/** The colours are those of the key and of the place, as the theme has them now. */
function optionsOf(place: HTMLElement, key: HTMLElement, bar_s: number,
  onPoint: (at: number | null) => void): uPlot.Options {
  const swatches = [...key.querySelectorAll('li > :first-child')].reverse();
  const is_daily = bar_s >= DAY_S;
  const muted = () => getComputedStyle(place).color;
  const axis = {
    stroke: muted, font: '12px system-ui, sans-serif', ticks: { show: false },
    grid: { stroke: () => getComputedStyle(place).borderTopColor, width: 1 },
  };
  return {
    width: Math.max(1, place.clientWidth), height: HEIGHT_PX, legend: { show: false },
    padding: [8, 32, 0, 0],
    // Days begin and end in UTC.
    tzDate: (at_s) => (is_daily ? uPlot.tzDate(new Date(at_s * 1_000), 'Etc/UTC')
      : new Date(at_s * 1_000)),
    cursor: { x: false, y: false, drag: { setScale: false }, points: { show: false } },
    hooks: { setCursor: [({ cursor, posToVal, data: [instants] }) => {
      if (cursor.left === undefined || cursor.left < 0) return onPoint(null);
      const at_s = posToVal(cursor.left, 'x') + bar_s / 2;
      onPoint(instants.findLastIndex((from_s) => from_s <= at_s));
    }] },
    scales: {
      // A bar stands in the middle of its time.
      x: { range: (_, from_s, to_s) => [from_s - bar_s / 2, (to_s ?? from_s) + bar_s / 2] },
      y: { range: (_, __, top) => [0, Math.max(4, top * 1.05)] },
    },
    axes: [
      {
        ...axis, grid: { show: false }, space: 64, size: 30,
        values: (_, instants) => instants.map((at_s) => (is_daily ? UTC_DAY : hourOf(at_s) === 0
          ? LOCAL_DAY : HOUR).format(at_s * 1_000)),
        incrs: is_daily ? [1, 2, 5, 7].map((days) => days * DAY_S)
          : [1, 2, 3, 6, 12, 24].map((hours) => hours * 3_600),
        splits: ({ data: [instants] }, _, __, ___, step_s) => Array.from(instants).filter(
          (at_s, at) => (is_daily ? at : hourOf(at_s)) % Math.round(step_s / bar_s) === 0),
      },
      { ...axis, size: 52, values: (_, marks) => marks.map((mark) =>
        (Number.isInteger(mark) ? SHORT.format(mark) : '')) },
    ],
    series: [{}, ...swatches.map((swatch): uPlot.Series => ({
      fill: () => getComputedStyle(swatch).color, width: 0, points: { show: false },
      paths: uPlot.paths.bars!({ size: [0.8, 40], align: 0 }),
    }))],
  };
}

function hourOf(at_s: number): number {
  return new Date(at_s * 1_000).getHours();
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Calls whenever another theme holds; answers what ends that. */
function onTheme(onChange: () => void): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const watcher = new MutationObserver(onChange);
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  dark.addEventListener('change', onChange);
  return () => {
    watcher.disconnect();
    dark.removeEventListener('change', onChange);
  };
}
