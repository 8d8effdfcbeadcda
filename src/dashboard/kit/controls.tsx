/** What is pressed, and what says how something stands. */
import {
  useCallback, useEffect, useRef, useState, useSyncExternalStore, type ComponentProps,
  type MouseEvent, type ReactNode, type RefObject,
} from 'react';
import { Icon, type IconName } from './icons.tsx';

const LOOKS = {
  /** The one thing that the screen is for. */
  main: 'bg-accent text-on-accent border-transparent',
  plain: 'bg-surface border-line',
  quiet: 'border-transparent text-muted',
  /** Ends or removes something. */
  danger: 'bg-surface border-line text-bad',
} as const;
/** Below the pointer, where it can be pressed. */
const HOVERED = {
  main: 'not-disabled:hover:brightness-110',
  plain: 'not-disabled:hover:bg-raised',
  quiet: 'not-disabled:hover:bg-raised not-disabled:hover:text-text',
  danger: 'not-disabled:hover:bg-bad-soft',
} as const;
/** Off, with a reason, which style.css shows. */
const OFF = 'why relative border-line bg-surface text-muted cursor-not-allowed';
/** Off for now, where nothing has to be said. */
const DIM = 'opacity-60 cursor-default';
const refuse = (event: MouseEvent) => event.preventDefault();

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'disabled'> {
  look?: keyof typeof LOOKS;
  icon?: IconName;
  /** Something is under way: it cannot be pressed, and says so. */
  is_busy?: boolean;
  /** It cannot be pressed for now, and what is around it says why. */
  is_off?: boolean;
  /** It cannot be pressed, and says why to whoever points at it or comes to it by keyboard. */
  why_off?: string | undefined;
  /** Only the icon is seen; the words become its name and its hint. */
  icon_only?: boolean;
}

/**
 * A button. Its words say what happens: "Revoke key", not "OK". One that cannot be pressed is never
 * `disabled`: it would lose the focus, and could not be come to.
 */
export function Button({ look = 'plain', icon, is_busy = false, is_off = false, why_off,
  icon_only = false, children, ...rest }: ButtonProps) {
  const words = icon_only && typeof children === 'string' ? children : undefined;
  const is_held = is_busy || is_off || why_off !== undefined;
  const off = {
    ...(is_held && { 'aria-disabled': true, onClick: refuse }),
    ...(why_off !== undefined
      && { 'aria-description': why_off, 'data-why': why_off, title: undefined }),
  };
  const looks = why_off !== undefined ? OFF : `${LOOKS[look]} ${is_held ? DIM : HOVERED[look]}`;
  return (
    <button type="button" title={words} aria-label={words} aria-busy={is_busy || undefined}
      {...rest} {...off}
      className={`inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border
        font-medium whitespace-nowrap select-none disabled:opacity-60 ${looks}
        ${icon_only ? 'w-8' : 'px-3'}`}>
      {is_busy ? <Spinner /> : icon && <Icon name={icon} />}
      {icon_only ? null : children}
    </button>
  );
}

export function Spinner() {
  return (
    <span aria-hidden="true" className="size-3.5 shrink-0 animate-[turn_0.8s_linear_infinite]
      rounded-full border-2 border-current border-r-transparent" />
  );
}

const COPIED_MS = 1_600;

/**
 * Copies `text`, and says that it did. Without words it is an icon named "Copy <what>". A long text
 * can be a function, asked when it is needed.
 */
export function CopyButton({ text, what, children, look = 'quiet', onCopied }: {
  text: string | (() => string); what: string; children?: string; look?: ButtonProps['look'];
  onCopied?: () => void;
}) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    const is_copied = await copyText(typeof text === 'string' ? text : text());
    setState(is_copied ? 'copied' : 'refused');
    if (is_copied) onCopied?.();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setState('ready'), COPIED_MS);
  };
  const words = { ready: children ?? `Copy ${what}`, copied: 'Copied', refused: 'Cannot copy' };
  return (
    <>
      <Button look={look} icon={state === 'copied' ? 'check' : 'copy'} onClick={copy}
        icon_only={children === undefined}>{words[state]}</Button>
      <span role="status" className="sr-only">{state === 'ready' ? '' : words[state]}</span>
    </>
  );
}

/**
 * Copies a text; answers whether it could. Browsers give the clipboard to secure origins only; the
 * older way works on the others.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    // Within an open dialog, which keeps the focus to itself.
    const place = document.activeElement?.closest('[role=dialog]') ?? document.body;
    const focused = document.activeElement as HTMLElement | null;
    place.append(area);
    area.select();
    const is_copied = document.execCommand('copy');
    area.remove();
    focused?.focus();
    return is_copied;
  }
}

const TONES = {
  good: 'text-good bg-good-soft', bad: 'text-bad bg-bad-soft', warn: 'text-warn bg-warn-soft',
  accent: 'text-accent bg-accent-soft', plain: 'text-muted bg-raised',
} as const;
export type Tone = keyof typeof TONES;

/** Shapes, so that a status is told by more than its colour. */
const MARKS = {
  dot: 'M6 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z', ring: 'M6 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  check: 'M2.5 6.5L5 9l4.5-5.5', cross: 'M3 3l6 6M9 3L3 9', bar: 'M3 6h6',
  wait: 'M6 3v3l2 1.5M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z',
} as const;
export type Mark = keyof typeof MARKS;

/** A word with a shape: how something stands. */
export function Badge({ tone = 'plain', mark, children }:
{ tone?: Tone; mark?: Mark; children: ReactNode }) {
  return (
    <span className={`inline-flex h-5 items-center gap-1 rounded px-1.5 text-xs font-medium
      whitespace-nowrap ${TONES[tone]}`}>
      {mark && (
        <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" strokeWidth="1.6"
          stroke="currentColor" fill={mark === 'dot' ? 'currentColor' : 'none'}
          strokeLinecap="round" strokeLinejoin="round"><path d={MARKS[mark]} /></svg>
      )}
      {children}
    </span>
  );
}

/** Every status that the API has, of runs, calls, approvals, keys and connections. */
const STATUSES: Readonly<Record<string, readonly [Tone, Mark]>> = {
  queued: ['plain', 'wait'], running: ['accent', 'dot'], completed: ['good', 'check'],
  failed: ['bad', 'cross'], cancelled: ['plain', 'bar'],
  asked_for_approval: ['warn', 'wait'],
  pending: ['warn', 'wait'], approved: ['good', 'check'], denied: ['bad', 'cross'],
  expired: ['plain', 'bar'], used: ['good', 'check'],
  active: ['good', 'check'], idle: ['plain', 'ring'], archived: ['plain', 'bar'],
  revoked: ['bad', 'cross'], disabled: ['plain', 'bar'], ready: ['good', 'check'],
  importing: ['accent', 'dot'], error: ['bad', 'cross'],
  connected: ['good', 'check'], needs_reconnect: ['bad', 'cross'],
};

/** The badge of a `status` of the API; one that is not known is shown as it is. */
export function StatusBadge({ status }: { status: string }) {
  const [tone, mark] = STATUSES[status] ?? ['plain', 'ring'];
  return <Badge tone={tone} mark={mark}>{status.replaceAll('_', ' ')}</Badge>;
}

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

/** What `keyCode` is of a key that an input method takes. */
const INPUT_METHOD = 229;

/**
 * Whether a key is meant for the input method, by which Japanese, Chinese and Korean are typed:
 * Enter takes what it offers. Safari tells of that Enter as of others, but for its old code.
 */
export function isComposing({ nativeEvent: { isComposing: is_composing, keyCode } }: {
  nativeEvent: Pick<globalThis.KeyboardEvent, 'isComposing' | 'keyCode'>;
}): boolean {
  return is_composing || keyCode === INPUT_METHOD;
}

/** For rows that open elsewhere by the middle button: some browsers would begin to scroll. */
export function keepStill(event: MouseEvent): void {
  if (event.button === 1) event.preventDefault();
}

/** Has the browser save a file under this name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on it once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
