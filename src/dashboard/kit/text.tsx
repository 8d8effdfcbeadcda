/** Words in their places: empty screens, errors, code, numbers, lists of facts. */
import { useEffect, useRef, type ClipboardEvent, type ReactNode } from 'react';
import { Button, CopyButton, Icon } from './controls.tsx';
import { Marked, markedText, Name } from './exact.tsx';

/** So many px with letters of the usual size, 16 px, and as many more as they are larger here. */
export function inLetters(px: number): number {
  return px * Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** The head of a screen: its title, also that of the browser's tab, and what can be done there. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${markedText(title)} – Gatehouse`;
  }, [title]);
  return (
    <header className="flex min-h-13 shrink-0 flex-wrap items-center gap-2 px-4 py-2
      [anchor-name:--page-head]">
      <h1 className="min-w-0 grow basis-40 truncate" title={markedText(title)}>
        <Name>{title}</Name>
      </h1>
      {children}
    </header>
  );
}

/** Whether a text holds each of these words, in whatever order and letters. */
export function holdsWords(all: string, words: string): boolean {
  return words.toLowerCase().split(/\s+/).every((word) => all.toLowerCase().includes(word));
}

/** Nothing is here: why, and what to do next; `command` can be copied as it stands. */
export function EmptyState({ title, children, command, action }: {
  title: string; children?: ReactNode; command?: string; action?: ReactNode;
}) {
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col items-center gap-3 px-4 py-12
      text-center">
      <h2>{title}</h2>
      {children && <p className="text-muted">{children}</p>}
      {command && <Code copy>{command}</Code>}
      {action}
    </div>
  );
}

/** What `ErrorNote` shows; data/api.ts makes an ApiError of everything that fails. */
export interface Trouble {
  message: string; code?: string; request_id?: string | null;
  /** Of a request that has several faults: each of them; the message names the first. */
  details?: unknown;
}

/** The faults that the message does not name. */
function othersOf(details: unknown): string[] {
  if (!Array.isArray(details)) return [];
  return (details as Partial<Record<string, unknown>>[]).slice(1).flatMap(({ path, message }) =>
    (typeof message === 'string' ? `${String(path ?? '')} ${message}` : []));
}

/** A failure as the API tells it: its text, its code, the id of the request. */
export function ErrorNote({ error, onRetry }: { error: Trouble; onRetry?: () => void }) {
  const others = othersOf(error.details);
  return (
    <div role="alert" className="flex items-start gap-2.5 rounded-lg bg-bad-soft p-3 text-text">
      <span className="mt-0.5 text-bad"><Icon name="alert" /></span>
      <div className="min-w-0 grow">
        <p className="wrap-anywhere whitespace-pre-wrap"><Words>{error.message}</Words></p>
        {others.length > 0 && (
          <ul className="list-disc pl-5 wrap-anywhere">
            {others.map((words) => <li key={words}><Words>{words}</Words></li>)}
          </ul>
        )}
        {(error.code || error.request_id) && (
          <p className="font-mono text-xs wrap-anywhere text-muted">
            {[error.code, error.request_id].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
      {onRetry && <Button icon="retry" onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Why a form was not done with: it comes in sight, however long the form is. */
export function FormError({ error }: { error: Trouble | null }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A field that is wrong has the focus, and is in sight.
    if (document.activeElement?.matches('[aria-invalid=true]')) return;
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return error && <div ref={place}><ErrorNote error={error} /></div>;
}

/** What to look at before one goes on; by default it is told as it comes. */
export function Warning({ role = 'alert', children }: {
  role?: 'alert' | 'note'; children: ReactNode;
}) {
  return (
    <div role={role} className="flex items-start gap-2 rounded-lg bg-warn-soft p-3">
      <span className="mt-0.5 text-warn"><Icon name="alert" /></span>
      <div className="min-w-0 grow">{children}</div>
    </div>
  );
}

/** A sentence of the API: what it has in backticks is code. */
export function Words({ children }: { children: string }) {
  return (
    <bdi>
      {children.split(/`([^`\n]+)`/).map((part, at) => (at % 2 === 0
        ? <Marked key={at}>{part}</Marked>
        : (
          <code key={at} className="rounded bg-raised px-1 text-sm"><Marked>{part}</Marked></code>
        )))}
    </bdi>
  );
}

/** What is told to those who hear the page, each when it comes and when it is another. */
export function Told({ of }: { of: readonly (readonly [key: string, words: string])[] }) {
  return (
    <div role="status" aria-atomic="false" className="sr-only">
      {of.map(([key, words]) => <p key={key}>{words}</p>)}
    </div>
  );
}

/** A command or another text to copy. `copy` adds the button. */
export function Code({ children, copy = false }: { children: string; copy?: boolean }) {
  return (
    <div className="flex max-w-full min-w-0 items-center gap-1 rounded-md border border-line
      bg-raised text-left">
      <pre className="min-w-0 grow px-2.5 py-1.5 font-mono text-sm wrap-anywhere
        whitespace-pre-wrap">{children}</pre>
      {copy && <CopyButton text={children} what={nameOf(children)} />}
    </div>
  );
}

/** A number with what it counts. */
export function Stat({ label, value, says }: {
  label: string; value: ReactNode; says?: ReactNode;
}) {
  return (
    <dl className="panel flex min-w-32 flex-col p-3">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-xl font-semibold tabular-nums">{value}</dd>
      {says && <dd className="text-sm text-muted">{says}</dd>}
    </dl>
  );
}

/** False where there is none: it is left out. */
export type Fact = readonly [name: string, value: ReactNode] | false;

/** Names and values, one below the other. A value that is a text may be anybody's. */
export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5
      max-sm:grid-cols-1">
      {of.filter((fact) => fact !== false).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere max-sm:mb-1.5">
            {typeof value === 'string' ? <Name>{value}</Name> : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An id that can be copied. `of`: what has it, so that several buttons differ by their names. */
export function CopyId({ id, of }: { id: string; of: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <Id>{id}</Id><CopyButton text={id} what={`id of the ${of}`} />
    </span>
  );
}

/** An id: in the middle of a table or a sentence, whole on hover, never broken. */
export function Id({ children }: { children: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 font-mono text-sm">
      <Tail>{children}</Tail>
    </span>
  );
}

/** A text that its end tells apart: without room, its beginning is cut off. Whole on hover. */
export function Tail({ children }: { children: string }) {
  return (
    <span title={markedText(children)} dir="rtl" className="truncate text-left">
      <bdi dir="ltr"><Marked>{children}</Marked></bdi>
    </span>
  );
}

/** So much of a text as names its button or link, to tell it from those of others. */
export function nameOf(text: string): string {
  return startOf(text, 60);
}

const LETTERS = new Intl.Segmenter();
/** What is longer than any letter is none, and is cut all the same. */
const LETTER_LENGTH = 64;

/** The beginning of a text, of at most so many characters: no letter or emoji is cut in two. */
export function startOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = LETTERS.segment(text.slice(0, limit + LETTER_LENGTH)).containing(limit)?.index ?? 0;
  return text.slice(0, limit - cut < LETTER_LENGTH ? cut : limit).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Those of a place of which some text is selected; none of them where the selection goes beyond it.
 */
export function selectedIn(place: Element, selector: string): HTMLElement[] {
  const selection = getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  if (!range || !place.contains(range.commonAncestorContainer)) return [];
  return [...place.querySelectorAll<HTMLElement>(selector)].filter((one) => {
    if (!range.intersectsNode(one)) return false;
    const part = document.createRange();
    part.selectNodeContents(one);
    if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) {
      part.setStart(range.startContainer, range.startOffset);
    }
    if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) {
      part.setEnd(range.endContainer, range.endOffset);
    }
    return part.toString() !== '';
  });
}

/**
 * Copies several rows of a table as spreadsheets and documents take them: cell by cell, the browser
 * would have a line for each. Texts are whole and times are instants, for an age soon is another.
 */
export function copyRows(event: ClipboardEvent): void {
  const rows = selectedIn(event.currentTarget, '[role=row]').map((row) =>
    [...row.querySelectorAll<HTMLElement>('[role=columnheader], [role=gridcell]')].map((cell) =>
      cell.querySelector('time')?.dateTime ?? cell.innerText.replaceAll(/\s+/g, ' ').trim()));
  if (rows.length < 2) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', rows.map((cells) => cells.join('\t')).join('\n'));
  const table = document.createElement('table');
  for (const cells of rows) {
    const row = table.insertRow();
    for (const text of cells) row.insertCell().textContent = text;
  }
  event.clipboardData.setData('text/html', table.outerHTML);
}

const COUNT = new Intl.NumberFormat();

/** A count with the separators of the reader's language. */
export function countText(count: number): string {
  return COUNT.format(count);
}

/** `1 run`, `2 runs`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
