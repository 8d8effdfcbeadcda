/**
 * What an entry of the browser's history keeps of a screen: the filters, in the URL alone, so that
 * a link shows a colleague the same; and the place in a list, so that Back leads to it.
 */
import { useNavigate, useRouter, useRouterState, useSearch } from '@tanstack/react-router';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Button } from './controls.tsx';
import { Field, Input, Select, type Choice } from './fields.tsx';
import { countText, Told } from './text.tsx';

export type Search = Readonly<Record<string, string | undefined>>;

/** The entry of the history that was closed last, until the browser has left it. */
let left_entry: string | undefined;
addEventListener('popstate', () => void (left_entry = undefined));

/**
 * The parameters of the URL, all texts, and two functions that change some of them (undefined or ''
 * removes one). The first one replaces the entry of the history, so that Back leaves the screen.
 * The second one is for what opens something over the screen, which Back closes.
 */
export function useFilters(): [Search, (changes: Search) => void, (changes: Search) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { history } = useRouter();
  const go = useCallback((changes: Search, opens: boolean) => {
    const { search: shown, state: { opened, __TSR_key: entry } } = history.location;
    const values = Object.values(changes);
    const is_other = Object.keys(changes).some((name) => new URLSearchParams(shown).has(name));
    const is_new = opens && !opened && !is_other;
    // What was opened from here is closed as Back does it, once.
    if (opened && values.every((value) => !value)) {
      if (left_entry !== entry) history.back({ ignoreBlocker: true });
      left_entry = entry;
      return;
    }
    // Who closes it by its own button, or has sent what was in it, is not asked.
    void navigate({
      to: '.', replace: !is_new, ignoreBlocker: true,
      search: ((before: Search) => ({ ...before, ...changes })) as never,
      state: { opened: is_new || (opened && values.every(Boolean)) },
    });
  }, [navigate, history]);
  return [search, useCallback((changes) => go(changes, false), [go]),
    useCallback((changes) => go(changes, true), [go])];
}

/** The address of what is shown, with some of its parameters changed: for another tab. */
export function addressWith(changes: Record<string, string>): string {
  const address = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) address.searchParams.set(name, value);
  return address.href;
}

export interface Filter {
  /** The parameter of the URL, and of the API where it has one. */
  name: string;
  label: string;
  /** With choices it is a list; the first one means all. Without, a text. */
  choices?: readonly Choice[];
  placeholder?: string;
  /** Of a text: `datetime-local` for instants, which are kept in the URL in UTC. */
  type?: 'search' | 'datetime-local';
}

/** What the URL says of these filters, as the API is asked. */
export function askedFor(of: readonly Filter[], search: Search): Search {
  return Object.fromEntries(of.flatMap(({ name }) => (search[name] ? [[name, search[name]]] : [])));
}

const TYPING_MS = 300;
/** It becomes a part of each address, nine bytes for some letters: the service takes 16 KiB. */
const MOST_TYPED = 500;

/** More would take half of a low or narrow window: there they open by a button. */
const FEW = 2;

/** What the filters have left: a VirtualTable is given the same. */
export interface Filtered {
  rows: readonly unknown[]; is_loading?: boolean; has_more?: boolean; error?: unknown;
}

/** How much is found once other filters are asked for; not what comes or goes by itself. */
function useFound(asked: string, { rows, is_loading, has_more, error }: Filtered): string {
  const [told, setTold] = useState({ asked, words: '' });
  // What was found may be further down.
  if (is_loading || (rows.length === 0 && has_more && !error)) return '';
  if (told.asked !== asked) {
    const count = `${countText(rows.length)}${has_more ? ' or more' : ''}`;
    setTold({ asked, words: error ? '' : `${rows.length === 0 ? 'Nothing' : count} found` });
  }
  return told.words;
}

/** A row of filters; on a phone they wrap. `/` goes to the first text. */
export function Filters({ of, left }: { of: readonly Filter[]; left: Filtered }) {
  const [search, change] = useFilters();
  const found = useFound(JSON.stringify(of.map(({ name }) => search[name])), left);
  const [is_open, setOpen] = useState(false);
  const count = of.filter(({ name }) => search[name]).length;
  const is_folded = of.length > FEW && !is_open;
  return (
    <search className="flex shrink-0 flex-wrap items-end gap-2 px-4 pb-3">
      {of.length > FEW && (
        <span className="max-sm:w-full [@media(width>=40rem)_and_(height>=30rem)]:hidden">
          <Button icon="filter" aria-expanded={is_open} onClick={() => setOpen(!is_open)}>
            {count > 0 ? `Filters (${count})` : 'Filters'}
          </Button>
        </span>
      )}
      {of.map((filter) => (
        <div key={filter.name}
          className={`${filter.type === 'datetime-local' ? 'w-56 max-sm:w-full'
            : `w-46 ${of.length > 1 ? 'max-sm:w-[calc(50%-0.25rem)]' : 'max-sm:w-full'}`}
            ${is_folded ? '[@media(width<40rem)_or_(height<30rem)]:hidden' : ''}`}>
          <Field label={filter.label}>
            {filter.choices
              ? <Select choices={choicesOf(filter.choices, search[filter.name])}
                  value={search[filter.name] ?? ''}
                  onChange={({ target }) => change({ [filter.name]: target.value })} />
              : <TextFilter {...filter} value={search[filter.name] ?? ''} onChange={change} />}
          </Field>
        </div>
      ))}
      {count > 0 && (
        <Button look="quiet" icon="close"
          onClick={() => change(Object.fromEntries(of.map(({ name }) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
      <Told of={[['found', found]]} />
    </search>
  );
}

/** With what the address says among them, also if this version does not know it. */
function choicesOf(known: readonly Choice[], value: string | undefined): Choice[] {
  const is_known = !value || known.some((choice) => choice.value === value);
  return [{ value: '', label: 'All' }, ...known, ...(is_known ? [] : [{ value, label: value }])];
}

/** What is typed reaches the URL when the reader pauses, leaves the field or presses Enter. */
function TextFilter({ name, label, placeholder, type = 'search', value, onChange }:
Filter & { value: string; onChange: (changes: Search) => void }) {
  const is_instant = type === 'datetime-local';
  const shown = is_instant ? localInstant(value) : value;
  const [text, setText] = useState(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The timer asks for what the URL holds then, not when it was set.
  const held = useRef(value);
  const asked = useRef(value);
  const meantBy = (typed: string) =>
    (is_instant ? utcInstant(typed) : withoutSecret(typed.trim()));
  useEffect(() => {
    held.current = value;
    // What is typed stays as it is: a blank at its end has another word after it. What somebody
    // else asks for, such as to clear it, takes its place.
    if (value === asked.current) return;
    asked.current = value;
    clearTimeout(timer.current);
    timer.current = undefined;
    setText(shown);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (next: string) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    // The field has no seconds, and one time of day may be two instants: what nobody has changed
    // stays the instant that it is.
    if (is_instant && next === localInstant(held.current)) return;
    const wanted = meantBy(next);
    if (wanted === held.current) return;
    asked.current = wanted;
    onChange({ [name]: wanted });
  };
  return (
    <Input type={type} value={text} placeholder={placeholder ?? label} title={label}
      data-filter is_code maxLength={MOST_TYPED}
      onChange={({ target }) => {
        setText(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => commit(target.value), TYPING_MS);
      }}
      onBlur={() => commit(text)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit(text);
      }} />
  );
}

/** Of a key that somebody has found, its end, by which it is listed: the URL is no place for it. */
function withoutSecret(text: string): string {
  return text.replace(/^gt[a-z]_\S*(?=\S{4}$)/, '');
}

/** `2026-01-02T03:04` here, of an instant in UTC. */
function localInstant(utc: string): string {
  const instant = new Date(utc);
  if (Number.isNaN(instant.getTime())) return '';
  // Not by setMinutes, which reckons in local time: around a change of the clock it goes astray.
  const shifted = new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** An instant in UTC of what a field for a local time holds; empty if that is none. */
export function utcInstant(local: string): string {
  const instant = new Date(local);
  return Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
}

export type Rows = Virtualizer<HTMLDivElement, Element>;

/** Where a reader was: the first row in sight, how many px of it were not, and the chosen row. */
interface Place { key: string; index: number; past_px: number; chosen: string | null }

/** So many places are kept, of the entries that were seen last. */
const PLACES = 50;
const places = new Map<string, Place>();
/** So many rows may have come before those that were there: further ones are not read to return. */
const NEW_ROWS = 200;

interface Returning<Row> {
  virtual: Rows; scroller: RefObject<HTMLElement | null>;
  keys: { rows: readonly Row[]; rowKey: (row: Row) => string };
  has_more?: boolean | undefined; onMore?: (() => void) | undefined;
  onChosen: (key: string | null) => void;
}

/**
 * Goes to the place that the list `name` had when this entry of the history was left; pages that
 * were read then are read again. `remember` keeps where the reader is now, and the chosen row;
 * `stopReturn` is for a reader who goes elsewhere before the place is there.
 */
export function usePlace<Row>(name: string, returning: Returning<Row>) {
  const { virtual, scroller, keys: { rows, rowKey }, has_more, onMore, onChosen } = returning;
  const entry = useRouterState({ select: ({ location: { state } }) => state.__TSR_key });
  const id = `${entry} ${name}`;
  const wanted = useRef<Place>(undefined);
  useLayoutEffect(() => {
    wanted.current = places.get(id);
    if (wanted.current) onChosen(wanted.current.chosen);
  }, [id]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const { key, index, past_px, chosen } = wanted.current ?? {};
    if (key === undefined || !element || rows.length === 0) return;
    const at = rows.findIndex((row) => rowKey(row) === key);
    const start_px = virtual.measurementsCache[at === -1 ? index! : at]?.start ?? 0;
    const is_there = at !== -1 && virtual.getTotalSize() - start_px >= element.clientHeight;
    if (!is_there && has_more && rows.length <= index! + NEW_ROWS) return onMore?.();
    wanted.current = undefined;
    element.scrollTop = start_px + past_px!;
    // The keyboard goes on from the chosen row, once it is that again, unless the reader is
    // elsewhere already.
    if (chosen !== null) requestAnimationFrame(() => {
      if (document.activeElement?.matches('body, main')) element.focus({ preventScroll: true });
    });
  }, [id, rows, has_more, onMore]);
  return {
    remember: (chosen: string | null) => {
      const from_px = scroller.current?.scrollTop ?? 0;
      const first = wanted.current ? undefined : virtual.getVirtualItemForOffset(from_px);
      if (!first) return;
      places.delete(id);
      places.set(id,
        { key: String(first.key), index: first.index, past_px: from_px - first.start, chosen });
      if (places.size > PLACES) places.delete(places.keys().next().value!);
    },
    stopReturn: () => void (wanted.current = undefined),
  };
}
