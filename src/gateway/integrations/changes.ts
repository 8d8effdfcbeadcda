/** What an operator is shown of actions that have changed, before they are accepted. */
import { isDeepStrictEqual } from 'node:util';
import { follow, isContainer, isObject, toSegment } from '../../json.ts';
import type { Schemas } from '../../store/rows.ts';
import type { ActionDescription, Effect } from '../action/action.ts';

/** An action whose change waits for an operator. */
export interface WaitingChange {
  name: string;
  source_key: string;
  /** Whether it goes on as it was accepted. */
  offered: boolean;
  /** Null: nobody knows what was accepted, or nothing was. */
  before: Described | null;
  after: Described;
}

type Described = Partial<Pick<ActionDescription,
  'title' | 'description' | 'input_schema' | 'output_schema'>>
  & { effect?: Effect, hints?: unknown, operation?: string, address?: string | undefined };

type ActionChange = Schemas['ActionChange'];
type FieldChange = ActionChange['fields'][number];

const ACTIONS_LIMIT = 50;
const FIELDS_LIMIT = 20;
const TEXTS_LIMIT_CHARS = 65_536;
/** Of what is different about two texts; the description of a tool has no more. */
const SHOWN_CHARS = 4_000;
/** Shorter texts are shown whole; of longer ones the part that differs, and so much around it. */
const SHORT_CHARS = 500;
const CONTEXT_CHARS = 40;

/** What decides who may call, and what is called, comes first, then what models read. */
const FIELDS = ['effect', 'operation', 'address', 'description',
  'title', 'hints', 'input_schema', 'output_schema'] as const;

/** The part of an import's report on changes; empty if none wait. Bounded, whatever they hold. */
export function reportOf(
  waiting: readonly WaitingChange[]): { changes?: ActionChange[], changes_total?: number } {
  if (waiting.length === 0) return {};
  let budget_chars = TEXTS_LIMIT_CHARS;
  const isRisky = ({ before, after }: WaitingChange) =>
    before?.effect !== after.effect || before?.address !== after.address
    || before?.operation !== after.operation;
  const sorted = [...waiting.filter(isRisky), ...waiting.filter((one) => !isRisky(one))];
  const changes = sorted.slice(0, ACTIONS_LIMIT).map((one) => {
    const differences = differencesOf(one.before ?? {}, one.after);
    const fields: FieldChange[] = [];
    for (const difference of differences.slice(0, FIELDS_LIMIT)) {
      const shown = shownField(difference);
      budget_chars -= shown.field.length + (shown.before?.length ?? 0) + (shown.after?.length ?? 0);
      if (budget_chars < 0) break;
      fields.push(shown);
    }
    return { action: one.name, source_key: visible(one.source_key), offered: one.offered, fields,
      fields_total: Math.max(1, differences.length) };
  });
  return { changes, changes_total: waiting.length };
}

interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

function differencesOf(before: Described, after: Described): Difference[] {
  return FIELDS.flatMap((field) => {
    const pair = [before[field], after[field]] as const;
    return isContainer(pair[0]) && isContainer(pair[1])
      ? differencesWithin(`/${field}`, ...pair)
      : isDeepStrictEqual(...pair) ? [] : [{ field, before: pair[0], after: pair[1] }];
  });
}

/** Schemas are nested 256 levels deep at most. */
function differencesWithin(place: string, before: unknown, after: unknown): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const both = isObject(before) && isObject(after) || Array.isArray(before) && Array.isArray(after);
  if (!both) return [{ field: place, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after as object)]);
  // What one of them does not have may be called as what every object has: `constructor`.
  return [...names].flatMap((name) => differencesWithin(
    `${place}/${toSegment(name)}`, follow(before, [name]), follow(after, [name])));
}

function shownField({ field, before, after }: Difference): FieldChange {
  const [one, other] = [textOf(before), textOf(after)];
  const { start, end } = commonEnds(one ?? '', other ?? '');
  const shown = (text: string | null) => text && visible(cut(text, start, text.length - end));
  return { field: visible(field).slice(0, SHOWN_CHARS), before: shown(one), after: shown(other) };
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** How many characters of both, at the start and at the end, need not be shown. */
function commonEnds(one: string, other: string): { start: number, end: number } {
  if (Math.max(one.length, other.length) <= SHORT_CHARS) return { start: 0, end: 0 };
  const start = Math.max(0, commonStart(one, other) - CONTEXT_CHARS);
  const end = commonStart(reversed(one.slice(start)), reversed(other.slice(start)));
  return { start, end: Math.max(0, end - CONTEXT_CHARS) };
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

/** From `start` to `end`, with a word on what is left out before, behind and in the middle. */
function cut(text: string, start: number, end: number): string {
  const part = text.slice(start, end);
  const left = part.length - SHOWN_CHARS;
  const middle = left <= 0 ? part
    : `${part.slice(0, SHOWN_CHARS / 2)} …${left} characters are left out… ${
      part.slice(part.length - SHOWN_CHARS / 2)}`;
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}

const SPACES = / {9,}/g;
/** Controls, formats (direction, tags), what fonts leave out, and blanks other than a space. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

/** `text` with an escape in place of everything that could hide, or hide something else. */
function visible(text: string): string {
  return text.replace(SPACES, (spaces) => `[${spaces.length} spaces]`)
    .replace(HIDDEN, (hidden) => (hidden === '\n' ? '\\n' : hidden === '\t' ? '\\t'
      : `\\u{${hidden.codePointAt(0)!.toString(16)}}`));
}
