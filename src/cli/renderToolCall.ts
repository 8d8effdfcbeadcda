import { isObject, parseJson } from '../json.ts';
import type { Schemas } from './client.ts';
import { oneLine, safeText, type Style } from './terminal.ts';

type ToolCallCompleted = Schemas['ToolCallCompletedEvent']['data'];
type ToolCallFailed = Schemas['ToolCallFailedEvent']['data'];

const ARGUMENTS_CHARACTERS = 300;
const RESULT_CHARACTERS = 120;
const LISTED = 10;

/** The line `→ name {input}`. `text` is the JSON of the arguments, perhaps not all of it. */
export function callLine(name: string, text: string, style: Style): string {
  return `→ ${style('cyan', safeText(name))} ${shownArguments(text)}`.trimEnd();
}

/** What came of a call that was performed, on one line. `named`: with the name of the call. */
export function completedLine(data: ToolCallCompleted, named: boolean, style: Style): string {
  const facts = [
    ...(named ? [safeText(data.name)] : []), summary(data.result),
    ...(data.truncated ? ['shortened'] : []), `${data.duration_ms} ms`,
  ];
  return `  ${style('green', '✓')} ${facts.join(style('dim', ' · '))}`;
}

/** Why a call was not performed, or failed, with everything that is missing for it. */
export function failedLines(data: ToolCallFailed, named: boolean, style: Style): string[] {
  const { name, error, duration_ms } = data;
  const subject = named ? `${safeText(name)} ` : '';
  const time = duration_ms === undefined ? '' : style('dim', ` (${duration_ms} ms)`);
  const cross = style('red', '✗');
  const missing = error.missing ?? [];
  if (missing.length === 0) {
    return [`  ${cross} ${subject}${safeText(error.code)}: ${safeText(error.message)}${time}`];
  }
  return [`  ${cross} ${subject}was not performed${time}. What is missing:`,
    ...missing.flatMap((gap) => gapLines(gap, style))];
}

/** One missing thing with its particulars; its message names those that are not listed. */
function gapLines(gap: Schemas['Missing'], style: Style): string[] {
  const { code, message, violations, connections } = gap as Schemas['Missing'] & {
    violations?: unknown; connections?: unknown };
  return [
    `    - ${style('yellow', safeText(code))}: ${safeText(message)}`,
    ...records(violations).map(({ path, message: what }) =>
      `        ${oneLine(`${path} ${what}`, 200)}`),
    ...records(connections).map(({ connection_id, account_label }) =>
      `        ${oneLine(`${connection_id} ${account_label ?? ''}`, 200)}`),
  ];
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.slice(0, LISTED) : [];
}

/** The arguments without the action, whose name stands before them; often that is the input. */
function shownArguments(text: string): string {
  const whole = parseJson(text);
  if (!isObject(whole)) return oneLine(text, ARGUMENTS_CHARACTERS);
  const { action: _action, input, ...rest } = whole;
  const shown = Object.keys(rest).length === 0 ? input : { input, ...rest };
  return shown === undefined ? '' : oneLine(JSON.stringify(shown), ARGUMENTS_CHARACTERS);
}

/** How many items a list has, or the beginning of anything else. */
export function summary(toolResult: unknown): string {
  const result = isObject(toolResult) && 'result' in toolResult ? toolResult.result : toolResult;
  const items = itemsOf(result);
  if (items) {
    const more = isObject(result) && result.has_more === true ? ' and more' : '';
    return `${items.length} ${items.length === 1 ? 'item' : 'items'}${more}`;
  }
  if (isObject(result) && typeof result.total_chars === 'number') {
    return `${result.total_chars} characters`;
  }
  return oneLine(JSON.stringify(result) ?? 'nothing', RESULT_CHARACTERS);
}

function itemsOf(result: unknown): unknown[] | null {
  if (Array.isArray(result)) return result;
  if (!isObject(result)) return null;
  const arrays = Object.values(result).filter((value) => Array.isArray(value));
  // A thing of its own, with an id or a name, may have one list among its members.
  return arrays.length === 1 && !('id' in result || 'name' in result) ? arrays[0]! : null;
}
