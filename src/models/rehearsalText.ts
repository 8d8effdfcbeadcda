import type { Filled } from './rehearsalInput.ts';
import type { MadeCall } from './rehearsalTurn.ts';
import { isContainer, isObject } from '../json.ts';

/** Ends every answer but those of a given length. */
export const NOTE = '\n\n*No language model answered: this is the built-in rehearsal model,'
  + ' which follows fixed rules (docs/rehearsal.md).*';

const FILLER = ('No language model is at work, so the rehearsal model answers with as many words'
  + ' as you asked for, and they mean nothing.').split(' ');

const LIST_ITEMS = 10;
const FIELDS = 20;
const VALUE_CHARACTERS = 200;
const RESULT_CHARACTERS = 4_000;

/** What tells one item of a list from the others, best first. */
const LABELS = ['title', 'name', 'summary', 'label', 'subject', 'login', 'full_name', 'id'];
/** What else is worth a word about an item. */
const PARTICULARS = ['name', 'status', 'state', 'kind', 'effect', 'description', 'integration',
  'account_label', 'id', 'created_at'];

/** Exactly this many words. */
export function fillerWords(count: number): string {
  return Array.from({ length: count }, (_, nth) => FILLER[nth % FILLER.length]).join(' ');
}

/** One call and what came of it, as Markdown. */
export function renderCall({ action, outcome }: MadeCall): string {
  if (outcome.kind === 'result') {
    const { lead, body } = describe(outcome.value);
    const cut = outcome.truncated ? '\n\n(The result was too long to be given whole.)' : '';
    return shorten(`\`${action}\` returned ${lead}${body}`, RESULT_CHARACTERS) + cut;
  }
  if (outcome.kind === 'error') return `\`${action}\` failed: ${outcome.message} (${outcome.code})`;
  const gaps = outcome.missing.map(({ code, message }) => `- \`${code}\`: ${message}`);
  return `\`${action}\` was not performed. What is missing:\n\n${gaps.join('\n')}`;
}

export function renderUnperformed(action: string, why: string): string {
  return `\`${action}\` was not called: ${why}.`;
}

/**
 * The line that would call an action which the model does not call by itself, and why not.
 * `filled` is null if it is not known what the action takes.
 */
export function renderSuggestion(
  action: { name: string; read_only: boolean }, filled: Filled | null): string {
  const line = `\`\`\`\ncall ${action.name} ${compact(filled?.input ?? {}, 2_000)}\n\`\`\``;
  const fits = `The action that fits best is \`${action.name}\``;
  const changes = `${fits}. It changes data, so I do not call it by myself.`;
  if (filled === null) {
    const unknown = action.read_only ? `${fits}, but what` : `${changes} What`;
    return `${unknown} it takes could not be read. Add its input and send:\n\n${line}`;
  }
  const gaps = filled.missing.map((path) => `\`${path}\``).join(', ');
  if (action.read_only) {
    return `${fits}, but your text does not say ${gaps}. Fill in and send:\n\n${line}`;
  }
  const fill = gaps === '' ? 'To do it, send' : `To do it, fill in ${gaps} and send`;
  return `${changes} ${fill}:\n\n${line}`;
}

function describe(value: unknown): { lead: string; body: string } {
  const items = itemsOf(value);
  if (items !== null) {
    if (items.length === 0) return { lead: 'an empty list.', body: '' };
    const lines = items.slice(0, LIST_ITEMS).map((item) => `\n- ${describeItem(item)}`);
    if (items.length > LIST_ITEMS) lines.push(`\n- … and ${items.length - LIST_ITEMS} more`);
    const more = isObject(value) && value.has_more === true ? ', and there are more' : '';
    const count = items.length === 1 ? '1 item' : `${items.length} items`;
    return { lead: `${count}${more}:\n`, body: lines.join('') };
  }
  if (isObject(value)) {
    const fields = Object.entries(value);
    if (fields.length === 0) return { lead: 'an empty object.', body: '' };
    const lines = fields.slice(0, FIELDS)
      .map(([key, item]) => `\n- ${key}: ${describeValue(item)}`);
    if (fields.length > FIELDS) lines.push(`\n- … and ${fields.length - FIELDS} more fields`);
    return { lead: 'this:\n', body: lines.join('') };
  }
  if (value === null || value === undefined || value === '') return { lead: 'nothing.', body: '' };
  if (typeof value === 'string') return { lead: 'this text:\n', body: `\n${value}` };
  return { lead: `${compact(value, VALUE_CHARACTERS)}.`, body: '' };
}

/** The list that a result is, or that it wraps: {data: […], has_more}, {actions: […]}. */
function itemsOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return null;
  const arrays = Object.values(value).filter((item) => Array.isArray(item));
  const others = Object.values(value).filter((item) => isObject(item)).length;
  return arrays.length === 1 && others === 0 && !('id' in value) ? arrays[0]! : null;
}

function describeItem(item: unknown): string {
  if (!isObject(item)) return describeValue(item);
  const label = LABELS.find((key) => isTelling(item[key]));
  if (label === undefined) return compact(item, VALUE_CHARACTERS);
  const particulars = PARTICULARS
    .filter((key) => isTelling(item[key]) && item[key] !== item[label]).slice(0, 3)
    .map((key) => oneLine(String(item[key]), 100));
  return [`**${oneLine(String(item[label]), 100)}**`, ...particulars].join(' · ');
}

function isTelling(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return oneLine(value, VALUE_CHARACTERS) || '""';
  if (Array.isArray(value) && value.length > 3) return `${value.length} items`;
  return compact(value, VALUE_CHARACTERS);
}

function oneLine(text: string, limit: number): string {
  return shorten(text.slice(0, 4 * limit).replace(/\s+/g, ' ').trim(), limit);
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).toWellFormed()}…`;
}

/** JSON on one line, cut at `limit` characters; deeper than eight levels it says `…`. */
export function compact(value: unknown, limit: number): string {
  return shorten(JSON.stringify(bounded(value, 0)) ?? 'null', limit);
}

function bounded(value: unknown, depth: number): unknown {
  if (!isContainer(value)) return value;
  if (depth === 8) return '…';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => bounded(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).slice(0, 100).map(([key, item]) => [key, bounded(item, depth + 1)]));
}
