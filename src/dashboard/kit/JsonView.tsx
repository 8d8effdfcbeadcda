/**
 * JSON to read: members can be closed, only lines in sight are in the page, all of it can be
 * copied. It is a tree for assistive technology: arrow keys move, open and close.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useId, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent,
} from 'react';
import { CopyButton, Icon } from './controls.tsx';
import { Marked } from './exact.tsx';
import { rowByKey, useOverscan } from './rows.ts';
import { inLetters, selectedIn, startOf } from './text.tsx';

interface Line {
  /** Where it is: the names from the root, which no other line has. */
  path: string;
  depth: number;
  name: string | null;
  /** Its name is its place in a list. */
  in_list: boolean;
  value: unknown;
  /** Of an object or a list: how many members it has. */
  members: number | null;
  /** Which one it is of how many: lines that are not in the page count, too. */
  place: readonly [position: number, size: number];
}

const LINE_PX = inLetters(22);
const PAGE_LINES = 15;
const OPEN_DEPTH = 2;
/** Longer texts are cut in their line; copying gives them whole. */
const TEXT_LIMIT = 2_000;

export interface JsonViewProps {
  value: unknown;
  /** What it is, for assistive technology and the copy button: "input". */
  label: string;
  /** The most height it takes, in px; it scrolls within. `fill`: what the place has. */
  height?: number | 'fill';
}

export function JsonView({ value, label, height = 420 }: JsonViewProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  // What was closed or opened by hand, against what is open by its depth.
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const isOpen = (line: Line) => (line.depth < OPEN_DEPTH) !== turned.has(line.path);
  const lines = useMemo(() => [...linesOf(value, isOpen)], [value, turned]);
  const [chosen, setActive] = useState(0);
  // Another value may have fewer lines.
  const active = Math.min(chosen, lines.length - 1);
  const virtual = useVirtualizer({
    count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => LINE_PX,
    overscan: useOverscan(20),
  });
  const turn = ({ path, members }: Line) => {
    if (members) setTurned(new Set(turned.has(path)
      ? [...turned].filter((one) => one !== path) : [...turned, path]));
  };
  const move = (at: number) => {
    setActive(at);
    virtual.scrollToIndex(at);
  };
  const items = virtual.getVirtualItems();
  const is_filling = height === 'fill';
  return (
    <div className={`panel relative flex min-w-0 flex-col ${is_filling ? 'min-h-0 grow' : ''}`}>
      <div className="absolute top-1 right-3 z-1 rounded-md bg-surface">
        <CopyButton text={() => textOf(value)} what={label} />
      </div>
      <div ref={scroller} role="tree" aria-label={label} tabIndex={0}
        onKeyDown={(event) => onKey(event, { lines, active, isOpen, turn, move })}
        onCopy={(event) => copyLines(event, lines)}
        aria-activedescendant={items.some(({ index }) => index === active) ? `${id}-${active}`
          : undefined}
        className="group/json min-h-0 grow overflow-auto py-2 font-mono text-sm"
        style={is_filling ? undefined : { maxHeight: height }}>
        <div role="presentation" className="relative w-max min-w-full"
          style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const line = lines[index]!;
            return (
              <div key={line.path} id={`${id}-${index}`} role="treeitem" aria-level={line.depth + 1}
                aria-posinset={line.place[0]} aria-setsize={line.place[1]}
                aria-expanded={line.members ? isOpen(line) : undefined}
                aria-selected={index === active} data-index={index}
                onClick={() => {
                  setActive(index);
                  if (getSelection()?.isCollapsed !== false) turn(line);
                }}
                className={`absolute inset-x-0 top-0 flex items-center gap-1 whitespace-pre
                  ${line.members ? 'cursor-pointer' : ''}
                  ${index === active ? 'group-focus-visible/json:bg-raised' : ''}`}
                style={{
                  height: LINE_PX, transform: `translateY(${start}px)`,
                  paddingLeft: 12 + line.depth * 16, paddingRight: 44,
                }}>
                <LineText line={line} is_open={isOpen(line)} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface Keys {
  lines: readonly Line[]; active: number; isOpen: (line: Line) => boolean;
  turn: (line: Line) => void; move: (to: number) => void;
}

function onKey(event: KeyboardEvent, { lines, active, isOpen, turn, move }: Keys): void {
  const line = lines[active];
  if (line === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = rowByKey(event.key, active, lines.length, PAGE_LINES);
  if (to !== undefined) move(to);
  else if (event.key === 'ArrowRight' && !isOpen(line) || event.key === 'Enter') turn(line);
  else if (event.key === 'ArrowLeft') {
    if (line.members && isOpen(line)) turn(line);
    else move(Math.max(0, lines.findLastIndex(({ depth }, at) => at < active
      && depth < line.depth)));
  } else return;
  event.preventDefault();
}

function LineText({ line: { name, value, members }, is_open }: { line: Line; is_open: boolean }) {
  const name_text = name !== null && (
    <span className="text-muted"><Marked>{name}</Marked>:</span>
  );
  const gap = <span className="w-3.5 shrink-0" />;
  if (members === null) {
    const text = JSON.stringify(value) ?? 'undefined';
    const tone = typeof value === 'string' ? 'text-good' : value === null ? 'text-muted'
      : 'text-accent';
    return (
      <>
        {gap}{name_text}
        <span className={tone}>
          <Marked>{startOf(text, TEXT_LIMIT)}</Marked>
          {text.length > TEXT_LIMIT && `… (${text.length} long)`}
        </span>
      </>
    );
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return (
    <>
      {members === 0 ? gap : <Icon name={is_open ? 'down' : 'right'} size={14} />}
      {name_text}
      <span>{members === 0 ? `${open}${close}` : is_open ? open : `${open} … ${close}`}</span>
      {members > 0 && !is_open && <span className="text-muted">{members}</span>}
    </>
  );
}

function* linesOf(value: unknown, isOpen: (line: Line) => boolean, path = '$', depth = 0,
  name: string | null = null, in_list = false, place: Line['place'] = [1, 1]): Iterable<Line> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null;
  const line = { path, depth, name, in_list, value, members: entries?.length ?? null, place };
  yield line;
  if (entries === null || !isOpen(line)) return;
  for (const [at, [key, one]] of entries.entries()) {
    const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    yield* linesOf(one, isOpen, pointer, depth + 1, key, Array.isArray(value),
      [at + 1, entries.length]);
  }
}

/** Has these lines copied as JSON, unless it is a part of a single text. */
function copyLines(event: ClipboardEvent, lines: readonly Line[]): void {
  const chosen = selectedIn(event.currentTarget, '[role=treeitem]');
  const [first, last] = [chosen[0], chosen.at(-1)].map((one) => Number(one?.dataset.index));
  if (!/\S\s*\n\s*\S/.test(String(getSelection())) || chosen.length === 0) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', jsonOf(lines.slice(first, last! + 1)));
}

/** What these lines show, as JSON: what is closed in them is whole, and what they open ends. */
function jsonOf(lines: readonly Line[]): string {
  const least = Math.min(...lines.map(({ depth }) => depth));
  const indent = (depth: number) => '  '.repeat(depth - least);
  const text: string[] = [];
  const open: { depth: number; close: string }[] = [];
  for (const [at, { name, in_list, value, depth }] of lines.entries()) {
    const next = lines[at + 1]?.depth ?? -1;
    const start = `${indent(depth)}${name === null || in_list ? '' : `${JSON.stringify(name)}: `}`;
    if (next > depth) {
      const [bracket, close] = Array.isArray(value) ? '[]' : '{}';
      text.push(start + bracket);
      open.push({ depth, close: close! });
      continue;
    }
    const whole = textOf(value).replaceAll('\n', `\n${indent(depth)}`);
    text.push(`${start}${whole}${next === depth ? ',' : ''}`);
    for (let end = open.at(-1); end && end.depth >= next; end = open.at(-1)) {
      text.push(`${indent(end.depth)}${end.close}${end.depth === next ? ',' : ''}`);
      open.pop();
    }
  }
  return text.join('\n');
}

function textOf(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? '';
}

/** How the JSON of a value begins. No more of it is made: it may be long, or too deep. */
export function jsonStart(value: unknown, limit: number): string {
  let text = '';
  for (const piece of jsonPieces(value, limit)) {
    text += piece;
    if (text.length >= limit) break;
  }
  return startOf(text, limit);
}

function* jsonPieces(value: unknown, limit: number): Iterable<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(typeof value === 'string' ? value.slice(0, limit) : value) ?? '';
    return;
  }
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  yield open!;
  let is_first = true;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    yield `${is_first ? '' : ','}${open === '[' ? '' : `${JSON.stringify(key)}:`}`;
    yield* jsonPieces(value[key as keyof typeof value], limit);
    is_first = false;
  }
  yield close!;
}
