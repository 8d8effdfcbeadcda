/**
 * Fields of forms, and what is typed in them. `Field` gives what is within it its name, its hint
 * and its error.
 */
import { Field as Base } from '@base-ui/react/field';
import { useRouter } from '@tanstack/react-router';
import {
  useEffect, useRef, useState, type ChangeEvent, type ComponentProps, type DragEvent,
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

/** `is_code`: what has to be exact, which the browser neither corrects nor fills in. */
export type InputProps =
  Omit<ComponentProps<typeof Base.Control>, 'className'> & { is_code?: boolean };

export function Input({ is_code = false, ...props }: InputProps) {
  return <Base.Control dir="auto" {...is_code && { autoComplete: 'off', spellCheck: false }}
    {...props} className={`${BOX} h-8`} />;
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

/** What is open and may hold words, the topmost last. What lies below another cannot be pressed. */
const places: { is_unsent: boolean }[] = [];

/**
 * Asks before Back or a link takes away words that were not sent; before the tab goes, the browser
 * asks. Who holds words says so: `is_unsent`. Answers the question where it has to be shown: in the
 * topmost place that is open, be the words its own or those of a place below it.
 */
export function useUnsent(is_unsent: boolean): ReactNode {
  const { history } = useRouter();
  const [place] = useState({ is_unsent });
  /** Where one wanted to go, and where the focus was. */
  const [way, setWay] = useState<{ go: () => void; from: Element | null } | null>(null);
  useEffect(() => {
    place.is_unsent = is_unsent;
    // It goes with its reason, such as when the words are sent.
    if (!is_unsent) setWay(null);
  }, [place, is_unsent]);
  useEffect(() => {
    places.push(place);
    const unblock = history.block({
      enableBeforeUnload: () => place.is_unsent,
      blockerFn: ({ action, currentLocation, nextLocation: { href, state } }) => {
        // Below the sign-in of an ended session it would be asked unseen: nobody leaves there.
        if ('signedOut' in document.body.dataset || place !== places.at(-1)
          || !places.some((one) => one.is_unsent)) return false;
        const by = state.__TSR_index - currentLocation.state.__TSR_index;
        const at_once = { ignoreBlocker: true };
        const go = () => (action === 'PUSH' ? history.push(href, state, at_once)
          : action === 'REPLACE' ? history.replace(href, state, at_once) : history.go(by, at_once));
        setWay((one) => ({ go, from: one ? one.from : document.activeElement }));
        return true;
      },
    });
    return () => {
      places.splice(places.indexOf(place), 1);
      unblock();
    };
  }, [history, place]);
  const stay = () => {
    setWay(null);
    (way?.from as HTMLElement | null)?.focus();
  };
  return way && (
    // Escape is for the question alone: what it stands in would be closed by it.
    <div onKeyDown={(event) => event.key === 'Escape' && [event.stopPropagation(), stay()]}>
      <Warning>
        <p>If you leave now, what you have typed here is lost.</p>
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button look="danger" onClick={() => [setWay(null), way.go()]}>Discard it</Button>
          <Button look="main" autoFocus onClick={stay}>Stay here</Button>
        </div>
      </Warning>
    </div>
  );
}

/** Of a form whose fields hold what they say: whether that is something else than at first. */
export function useChanged() {
  const first = useRef<string>(null);
  const [is_changed, setChanged] = useState(false);
  const look = (form: HTMLFormElement | null) => {
    if (!form) return;
    const text = textOf(form);
    first.current ??= text;
    setChanged(text !== first.current);
  };
  // Another function each time, the ref is called as often as the form is drawn: a choice may have
  // brought other fields.
  return [is_changed, { ref: look,
    onChange: ({ currentTarget }: ChangeEvent<HTMLFormElement>) => look(currentTarget) }] as const;
}

const textOf = (form: HTMLFormElement) => JSON.stringify([...new FormData(form)]);

export interface Choice { value: string; label: string }

/** Choices that are called as they are. */
export const asChoices = (...values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: value }));

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
