/** Times as people read them: local, with UTC on hover; ages tick together, by one timer. */
import { useSyncExternalStore } from 'react';
import type { Column } from './VirtualTable.tsx';

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let ahead_ms = 0;
let ticked_ms = Date.now();

/** What time it is for the service, by whose clock the instants are that it tells. */
export function serviceNow(): number {
  return Date.now() + ahead_ms;
}

/** How much the clock of the service is ahead of the one here. */
export function setClock(ms: number): void {
  ahead_ms = ms;
  tick();
}

function tick(): void {
  ticked_ms = serviceNow();
  for (const listener of listeners) listener();
}

function subscribe(onTick: () => void): () => void {
  listeners.add(onTick);
  ticked_ms = serviceNow();
  timer ??= setInterval(() => {
    if (!document.hidden) tick();
  }, TICK_MS);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** What `read` makes of the time now; it renders again only when that becomes another text. */
export function useTicking(read: (now_ms: number) => string): string {
  return useSyncExternalStore(subscribe, () => read(ticked_ms));
}

const STEPS: readonly (readonly [limit_s: number, unit_s: number, unit: string])[] = [
  [60, 1, 's'], [3_600, 60, 'min'], [86_400, 3_600, 'h'], [Infinity, 86_400, 'd'],
];

/**
 * `12 s ago`, `in 3 min`, `now`. What is to come is rounded: a key that was made for 90 days a
 * second ago expires `in 90 d`, not in 89.
 */
function ageText(instant_ms: number, now: number): string {
  const age_s = Math.floor((now - instant_ms) / 1_000);
  const size_s = Math.abs(age_s);
  if (size_s < 1) return 'now';
  const whole = age_s > 0 ? Math.floor : Math.round;
  const [, unit_s, unit] = STEPS.find(([limit_s, of_s]) =>
    whole(size_s / of_s) * of_s < limit_s)!;
  const words = `${whole(size_s / unit_s)} ${unit}`;
  return age_s >= 0 ? `${words} ago` : `in ${words}`;
}

const LOCAL = new Intl.DateTimeFormat(undefined, {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit',
  second: '2-digit',
});
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** An instant of the API: by default its age; `as="local"` the time of day here. */
export function Time({ at, as = 'age' }: { at: string; as?: 'age' | 'local' }) {
  const instant_ms = Date.parse(at);
  const age = useTicking((now) => (as === 'age' ? ageText(instant_ms, now) : ''));
  if (Number.isNaN(instant_ms)) return <span>{at}</span>;
  const title = `${FULL.format(instant_ms)}\nUTC ${new Date(instant_ms).toISOString()}`;
  return (
    <time dateTime={at} title={title} className="whitespace-nowrap tabular-nums">
      {as === 'age' ? age : LOCAL.format(instant_ms)}
    </time>
  );
}

/** A column of ages, by the member that has the instant; without one it says never. */
export function timeColumn<Name extends string>(
  key: Name, title: string, width: string): Column<Record<Name, string | null>> {
  return { key, title, width, cell: ({ [key]: at }) => (at !== null ? <Time at={at} />
    : <span className="text-muted">never</span>) };
}

// As counts are written: where 1.234 is a thousand, 2.4 s would be read wrong beside it.
const NUMBER = new Intl.NumberFormat();
const TENTHS = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1 });

/** `340 ms`, `2.4 s`, `3 min 5 s`, `1 h 4 min`. */
export function durationText(duration_ms: number): string {
  if (duration_ms < 1_000) return `${Math.max(0, Math.round(duration_ms))} ms`;
  if (duration_ms < 60_000) return `${TENTHS.format(Math.floor(duration_ms / 100) / 10)} s`;
  const minutes = Math.floor(duration_ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor(duration_ms / 1_000) % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** From one instant to another; without an end it goes on and ticks. Without a start: a dash. */
export function Duration({ from, to }: { from: string | null; to?: string | null }) {
  const text = useTicking((now) => {
    if (from === null) return '–';
    if (to) return durationText(Date.parse(to) - Date.parse(from));
    // Whole seconds, as it ticks by those.
    const so_far_ms = Math.max(0, now - Date.parse(from));
    return so_far_ms < 60_000 ? `${NUMBER.format(Math.floor(so_far_ms / 1_000))} s`
      : durationText(so_far_ms);
  });
  return <span className="whitespace-nowrap tabular-nums">{text}</span>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ROUND_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS)];

export interface Tick { at_ms: number; text: string }

/** Round times between two others for an axis, at most so many, each with its words. */
export function ticksOf(
  from_ms: number, to_ms: number, most: number): { ticks: Tick[]; step_ms: number } {
  const least_ms = (to_ms - from_ms) / most;
  const step_ms = ROUND_MS.find((round_ms) => round_ms >= least_ms)
    ?? Math.ceil(least_ms / ROUND_MS.at(-1)!) * ROUND_MS.at(-1)!;
  const first = Math.ceil(from_ms / step_ms);
  return {
    step_ms,
    ticks: Array.from({ length: Math.floor(to_ms / step_ms) - first + 1 }, (_, at) => ({
      at_ms: (first + at) * step_ms,
      text: tickText((first + at) * step_ms),
    })),
  };
}

/** `340 ms`, `1 min 10.25 s`, `2 h`: to the letter, as two ticks may differ by a ms. */
function tickText(at_ms: number): string {
  if (at_ms < 1_000) return `${at_ms} ms`;
  const [hours, minutes] = [Math.floor(at_ms / HOUR_MS), Math.floor(at_ms % HOUR_MS / MINUTE_MS)];
  return ([[hours, 'h'], [minutes, 'min'], [at_ms % MINUTE_MS / 1_000, 's']] as const)
    .flatMap(([count, unit]) => (count === 0 ? [] : `${NUMBER.format(count)} ${unit}`)).join(' ');
}
