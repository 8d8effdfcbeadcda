/** Filters live in the URL alone, so that a link shows a colleague the same. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from './controls.tsx';
import { Field, Input, Select, type Choice } from './fields.tsx';

export type Search = Readonly<Record<string, string | undefined>>;

/**
 * The parameters of the URL, all texts, and a function that changes some of them (undefined or ''
 * removes one). Typing replaces the entry of the history, so that Back leaves the screen.
 */
export function useFilters(): [Search, (changes: Search) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback((changes: Search) => void navigate({
    to: '.', replace: true, search: ((before: Search) => ({ ...before, ...changes })) as never,
  }), [navigate]);
  return [search, change];
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

const TYPING_MS = 300;

/** More would take half of a phone's first screen: there they open by a button. */
const FEW = 2;

/** A row of filters; on a phone they wrap. `/` goes to the first text. */
export function Filters({ of }: { of: readonly Filter[] }) {
  const [search, change] = useFilters();
  const [is_open, setOpen] = useState(false);
  const count = of.filter(({ name }) => search[name]).length;
  const is_folded = of.length > FEW && !is_open;
  return (
    <search className="flex shrink-0 flex-wrap items-end gap-2 px-4 pb-3">
      {of.length > FEW && (
        <span className="sm:hidden">
          <Button icon="filter" aria-expanded={is_open} onClick={() => setOpen(!is_open)}>
            {count > 0 ? `Filters (${count})` : 'Filters'}
          </Button>
        </span>
      )}
      {of.map((filter) => (
        <div key={filter.name}
          className={`w-46 max-sm:w-[calc(50%-0.25rem)] ${is_folded ? 'max-sm:hidden' : ''}`}>
          <Field label={filter.label}>
            {filter.choices
              ? <Select choices={[{ value: '', label: 'All' }, ...filter.choices]}
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
    </search>
  );
}

/** What is typed reaches the URL when the reader pauses, leaves the field or presses Enter. */
function TextFilter({ name, label, placeholder, type = 'search', value, onChange }:
Filter & { value: string; onChange: (changes: Search) => void }) {
  const is_instant = type === 'datetime-local';
  const shown = is_instant ? localInstant(value) : value;
  const [text, setText] = useState(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(shown), [shown]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (next: string) => {
    clearTimeout(timer.current);
    const wanted = is_instant ? utcInstant(next) : next.trim();
    if (wanted !== value) onChange({ [name]: wanted });
  };
  return (
    <Input type={type} value={text} placeholder={placeholder ?? label} title={label}
      data-filter autoComplete="off" spellCheck={false}
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

/** `2026-01-02T03:04` here, of an instant in UTC. */
function localInstant(utc: string): string {
  const instant = new Date(utc);
  if (Number.isNaN(instant.getTime())) return '';
  instant.setMinutes(instant.getMinutes() - instant.getTimezoneOffset());
  return instant.toISOString().slice(0, 16);
}

/** An instant in UTC of what a field for a local time holds; empty if that is none. */
export function utcInstant(local: string): string {
  const instant = new Date(local);
  return Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
}
