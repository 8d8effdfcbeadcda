/**
 * Fields of forms, and what is typed in them. `Field` gives what is within it its name, its hint
 * and its error.
 */
import { Field as Base } from '@base-ui/react/field';
import { useRouter } from '@tanstack/react-router';
import {
  useCallback, useEffect, useRef, useState, type ComponentProps, type DragEvent, type FocusEvent,
  type ReactNode,
} from 'react';
import { Name } from './exact.tsx';
import { Button, Icon } from './controls.tsx';
import { countText, Warning } from './text.tsx';

const BOX = `w-full rounded-md border border-edge bg-surface px-2.5 text-base text-text
  aria-invalid:border-bad disabled:opacity-60`;

export interface FieldProps {
  label: ReactNode;
  /** What to put in, and what follows of it. */
  hint?: ReactNode;
  /** What is wrong with it, such as `message` of an ApiError whose `param` is this field. */
  error?: string | null | undefined;
  /** The label is there for assistive technology alone. */
  label_hidden?: boolean;
  children: ReactNode;
}

/**
 * A label with one Input, Select or Textarea within. An error is told as it comes, and after the
 * press of a button the first field of the form that has one gets the focus.
 */
export function Field({ label, hint, error, label_hidden, children }: FieldProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The buttons of a dialog stand below its form.
    const place = root.current?.closest('[role=dialog]') ?? root.current?.closest('form');
    const { activeElement: active } = document;
    // Who is typing meanwhile would go on typing into another field.
    if (!error || !place?.contains(active) || active!.matches('input, textarea, select')) return;
    const first = place.querySelector<HTMLElement>('[aria-invalid=true]');
    if (root.current!.contains(first)) first!.focus();
  }, [error]);
  return (
    <Base.Root ref={root} invalid={Boolean(error)} className="flex min-w-0 flex-col gap-1">
      <Base.Label className={label_hidden ? 'sr-only' : 'text-sm text-muted'}>{label}</Base.Label>
      {children}
      {hint && (
        <Base.Description className="text-sm wrap-anywhere text-muted">{hint}</Base.Description>
      )}
      {error && (
        <Base.Error match role="alert" className="flex items-center gap-1.5 text-sm text-bad">
          <Icon name="alert" size={14} /><Name>{error}</Name>
        </Base.Error>
      )}
    </Base.Root>
  );
}

export type InputProps = Omit<ComponentProps<typeof Base.Control>, 'className'>;

export function Input(props: InputProps) {
  return <Base.Control dir="auto" {...props} className={`${BOX} h-8`} />;
}

export function Textarea(
  { is_code, ...props }: Omit<ComponentProps<'textarea'>, 'className'> & { is_code?: boolean }) {
  return (
    <Base.Control render={<textarea spellCheck={!is_code} dir={is_code ? 'ltr' : 'auto'} {...props}
      className={`${BOX} min-h-20 resize-y py-1.5 ${is_code ? 'font-mono text-sm' : ''}`} />} />
  );
}

/** A text that is typed, as soon as it has stood for so long. */
export function useSettled(text: string, for_ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), for_ms);
    return () => clearTimeout(timer);
  }, [text, for_ms]);
  return settled;
}

type Typed = HTMLInputElement | HTMLTextAreaElement;

/**
 * Keeps what was typed in a place, of which `place` has the handlers: before Back, a link or the
 * tab's end take it away, `asks` does. `holds`: whether there is any. What stands within
 * `data-may-go` does not count: it was sent, or only confirms.
 */
export function useUnsent() {
  const { history } = useRouter();
  /** What the fields held as one came to them. */
  const before = useRef(new Map<Typed, string>());
  /** Where one wanted to go, and where the focus was. */
  const [way, setWay] = useState<{ go: () => void; from: Element | null } | null>(null);
  const onFocus = useCallback(({ target, currentTarget }: FocusEvent) => {
    const field = target as Typed;
    // What lies above the place is within it for React alone.
    if (before.current.has(field) || !currentTarget.contains(field)
      || !field.matches('textarea, input:not([type=checkbox])')) return;
    before.current.set(field, field.value);
  }, []);
  const holds = useCallback(() => [...before.current].some(([one, was]) => one.isConnected
    && one.value !== was && one.value.trim() !== '' && !one.closest('[data-may-go]')), []);
  useEffect(() => history.block({
    enableBeforeUnload: holds,
    blockerFn: ({ action, currentLocation, nextLocation: { href, state } }) => {
      if (!holds()) return false;
      const by = state.__TSR_index - currentLocation.state.__TSR_index;
      const at_once = { ignoreBlocker: true };
      const go = () => (action === 'PUSH' ? history.push(href, state, at_once)
        : action === 'REPLACE' ? history.replace(href, state, at_once) : history.go(by, at_once));
      setWay((one) => ({ go, from: one ? one.from : document.activeElement }));
      return true;
    },
  }), [history, holds]);
  const stay = () => {
    setWay(null);
    (way?.from as HTMLElement | null)?.focus();
  };
  const asks = way && (
    <Warning>
      <p>If you leave now, what you have typed here is lost.</p>
      <div className="flex flex-wrap justify-end gap-2 pt-2">
        <Button look="danger" onClick={() => [setWay(null), way.go()]}>Discard it</Button>
        <Button look="main" autoFocus onClick={stay}>Stay here</Button>
      </div>
    </Warning>
  );
  return { place: { onFocus }, holds, asks };
}

export interface Choice { value: string; label: string }

/** The browser's own: it works by keyboard, on a phone and with every assistive technology. */
export function Select({ choices, ...props }:
Omit<ComponentProps<'select'>, 'className' | 'children'> & { choices: readonly Choice[] }) {
  return (
    <div className="relative">
      <Base.Control render={(
        <select {...props} className={`${BOX} h-8 cursor-pointer appearance-none pr-8`}>
          {choices.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
        </select>
      )} />
      <span className="pointer-events-none absolute inset-y-0 right-2 flex items-center text-muted">
        <Icon name="down" size={14} />
      </span>
    </div>
  );
}

/** Whether a file is held above a place, and the handlers of the place, which take it. */
export function useDrop(onFile: (file: File | undefined) => void) {
  const [is_over, setOver] = useState(false);
  return [is_over, {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      onFile(event.dataTransfer.files[0]);
    },
  }] as const;
}

/** A box to tick, with its words. */
export function Checkbox({ children, ...props }:
Omit<ComponentProps<'input'>, 'className' | 'type'>) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" {...props} className="mt-0.5 size-4 accent-accent" />
      <span>{children}</span>
    </label>
  );
}

/** How much of a limit is used. */
export function Used({ label, count, limit }: {
  label: string; count: number; limit: number | undefined;
}) {
  if (limit === undefined) return <p className="text-sm">{`Now: ${countText(count)}`}</p>;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <meter className="h-2 w-full" aria-label={`${label}, used`} max={limit}
        value={Math.min(count, limit)} high={limit * 0.9} optimum={0} />
      <span>{`Now: ${countText(count)} of ${countText(limit)}`}</span>
    </div>
  );
}
