/** What is pressed, tabs among it, what says how something stands, and the icons of both. */
import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import {
  useEffect, useRef, useState, type ComponentProps, type MouseEvent, type ReactNode,
} from 'react';

/** The one set of icons: strokes on a grid of 16, as large as the text beside them. */
const PATHS = {
  overview: 'M2 9h5V2H2zM9 14h5V7H9zM2 14h5v-3H2zM9 5h5V2H9z',
  runs: 'M4 2.5v11l9-5.5z',
  sessions: 'M2 3h12v8H7l-3 3v-3H2z',
  approvals: 'M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4H2z',
  integrations: 'M6 2v4M10 2v4M4 6h8v2a4 4 0 0 1-8 0zM8 12v2.5',
  grants: 'M8 1.5l5 2v4c0 3.2-2 5.7-5 7-3-1.3-5-3.8-5-7v-4zM5.5 7.5l2 2 3.5-3.5',
  keys: 'M6.5 9.5a3 3 0 1 1-4-4 3 3 0 0 1 4 4zM6.5 7.5H14V10M11 7.5v2',
  audit: 'M3 2h7l3 3v9H3zM5.5 8h5M5.5 11h5M5.5 5h2',
  workspaces: 'M2 6l6-4 6 4-6 4zM2 10l6 4 6-4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5L14 14',
  filter: 'M2 3h12L9.5 8.5V13l-3 1.5v-6z',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M2.5 8.5l3.5 3.5 7.5-8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  up: 'M8 13V3M4 7l4-4 4 4',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  retry: 'M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 2v3h-3',
  alert: 'M8 2l6.5 11.5h-13zM8 6.5v3M8 11.5h.01',
  plus: 'M8 3v10M3 8h10',
  edit: 'M3 13l.6-3L11 2.6l2.4 2.4L6 12.4z',
  minus: 'M3 8h10',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5',
  stop: 'M3.5 3.5h9v9h-9z',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
} as const;

export type IconName = keyof typeof PATHS;

/** Grows with the letters, whose size the browser is set to. */
const rem = (pixels: number): string => `${pixels / 16}rem`;

/** An icon beside words that say the same; alone it needs a name: give the button one. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg width={rem(size)} height={rem(size)} viewBox="0 0 16 16" fill="none" stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4} strokeLinecap="round" strokeLinejoin="round"
      aria-hidden="true" className="shrink-0">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The sign of Gatehouse. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={rem(size)} height={rem(size)} viewBox="0 0 24 24" aria-hidden="true"
      className="shrink-0">
      <rect width="24" height="24" rx="5" fill="#2f5bd0" />
      <path d="M6 19V8.5L12 5l6 3.5V19h-4v-5a2 2 0 0 0-4 0v5z" fill="#fff" />
    </svg>
  );
}

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

export interface Tab { value: string; label: ReactNode; content: ReactNode }

/**
 * Several views of one thing. Keep `value` in the URL, so that a link shows the same. A view has a
 * least height: in a low window, such as at a zoom of 200 %, what stands above it would leave it
 * none. `main` scrolls then.
 */
export function Tabs({ tabs, value, onChange, label }: {
  tabs: readonly Tab[]; value: string; onChange: (value: string) => void; label: string;
}) {
  return (
    <BaseTabs.Root value={value} onValueChange={onChange}
      className="flex min-h-73 grow flex-col">
      <BaseTabs.List aria-label={label}
        className="flex shrink-0 gap-1 overflow-x-auto px-4 [scrollbar-width:none]
          shadow-[inset_0_-1px_var(--color-line)]">
        {tabs.map((tab) => (
          <BaseTabs.Tab key={tab.value} value={tab.value} className="h-9 border-b-2
            border-transparent px-2 font-medium whitespace-nowrap text-muted hover:text-text
            data-active:border-accent data-active:text-text">{tab.label}</BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.value} value={tab.value}
          className="flex min-h-0 grow flex-col">{tab.content}</BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
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
