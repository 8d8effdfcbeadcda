import type { Command, Script } from './rehearsalScript.ts';
import type { MadeCall, RehearsalTurn } from './rehearsalTurn.ts';
import { fillInput, PAIR, type Filled } from './rehearsalInput.ts';
import { CALL_SYNTAX, DIRECTIVE_SYNTAX } from './rehearsalScript.ts';
import {
  fillerWords, NOTE, renderCall, renderSuggestion, renderUnperformed,
} from './rehearsalText.ts';
import { follow, isContainer, isObject } from '../json.ts';

/** One step of the rehearsal model: what it thinks aloud, and then either calls or an answer. */
export type Decision =
  | { thought: string; calls: Command[] }
  | { thought: string; text: string };

const SEARCH = 'gateway.actions.search';
const DESCRIBE = 'gateway.actions.describe';
const CHEAP_READ = 'gateway.connections.list';
const QUERY_WORDS = 12;
/** An id or a number: says which one, not what is to be done. */
const VALUE = /^([a-z]{3,4}_[0-9a-z]{20,}|\d+)$/;
const MAX_REPORTED = 1_000;

const STOP_WORDS = new Set(('a an the of for to in on at by and or is are was were be been it its'
  + ' this that these those do does did done please me my mine our your you i we they there here'
  + ' tell give want need can could would should how what which who when where why with from about'
  + ' all any have has had many much some every let us hello hi hey').split(' '));

/** The next step: a pure function of the run so far, so that a repeated step is the same step. */
export function decide(turn: RehearsalTurn, script: Script): Decision {
  const made = turn.steps.length;
  if (script.problem !== null) {
    return { thought: 'I do not understand this.', text: help(script.problem) };
  }
  const commands = script.steps[made];
  if (commands !== undefined) return command(turn, script, commands);
  const { steps, words } = script.directives;
  if (steps !== undefined && made < steps - 1) {
    const call = { action: CHEAP_READ, input: {} };
    return { thought: `Step ${made + 1} of ${steps}.`, calls: [call] };
  }
  if (words !== undefined) {
    return { thought: `${words} words, as asked.`, text: fillerWords(words) };
  }
  if (script.steps.length > 0 || steps !== undefined) {
    return { thought: 'That was all; here is what came of it.', text: report(turn.steps.flat()) };
  }
  return search(turn, script.rest);
}

function help(problem: string): string {
  return `${problem} Nothing was called.\n\n`
    + `To call an action, write it on a line of its own: \`${CALL_SYNTAX}\`, joined by \`&\` for`
    + ' calls in parallel; `connection_id=…`, `fields=a,b` and `cursor=…` may follow the JSON.'
    + ' To steer the rehearsal model, write `@rehearsal key=value …` on a line of its own:\n\n'
    + DIRECTIVE_SYNTAX.map((line) => `- ${line}`).join('\n') + NOTE;
}

function command(turn: RehearsalTurn, script: Script, commands: Command[]): Decision {
  const nth = turn.steps.length + 1;
  const names = commands.map(({ action }) => action).join(' and ');
  const calls: Command[] = [];
  for (const each of commands) {
    const input = each.input === undefined ? { value: undefined } : refer(each.input, turn);
    if ('problem' in input) {
      return {
        thought: `I cannot call ${each.action}.`,
        text: report(turn.steps.flat(), renderUnperformed(each.action, input.problem)),
      };
    }
    calls.push({ ...each, ...(input.value === undefined ? {} : { input: input.value as object }) });
  }
  return { thought: `${history(turn)}Step ${nth} of ${script.steps.length}: ${names}.`, calls };
}

/**
 * Fills in references: a text `$2.data.0.id` stands for that value in the result of the 2nd call of
 * this run, `$last.…` for one in the latest result, be it of an earlier run. `$$` is a plain `$`.
 */
function refer(value: unknown, turn: RehearsalTurn): { value: unknown } | { problem: string } {
  if (typeof value === 'string') return referText(value, turn);
  if (!isContainer(value)) return { value };
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const filled = refer(item, turn);
    if ('problem' in filled) return filled;
    entries.push([key, filled.value]);
  }
  return {
    value: Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries),
  };
}

function referText(text: string, turn: RehearsalTurn): { value: unknown } | { problem: string } {
  if (text.startsWith('$$')) return { value: text.slice(1) };
  const match = /^\$(\d{1,3}|last)((?:\.[^.\s]{1,100}){0,20})$/.exec(text);
  if (match === null) return { value: text };
  const source = match[1] === 'last' ? turn.last_result
    : resultOf(turn.steps.flat()[Number(match[1]) - 1]);
  const value = follow(source, match[2]!.split('.').slice(1));
  return value === undefined
    ? { problem: `there is nothing at \`${text}\`; write \`$${text}\` if you mean just that text` }
    : { value };
}

function resultOf(call: MadeCall | undefined): unknown {
  return call?.outcome.kind === 'result' ? call.outcome.value : undefined;
}

/** Said once per run: how much of the session the model sees. */
function history({ steps, earlier_messages }: RehearsalTurn): string {
  if (steps.length > 0 || earlier_messages === 0) return '';
  return `This session holds ${earlier_messages} earlier messages. `;
}

/** The calls with what they returned, equal ones once; and what else there is to say. */
function report(calls: MadeCall[], last?: string): string {
  const texts = Map.groupBy(calls.slice(0, MAX_REPORTED).map(renderCall), (text) => text);
  const told = [...texts].map(([text, { length }]) =>
    (length === 1 ? text : `${text}\n\n(${length} times)`));
  const shown = told.slice(0, 10);
  if (told.length > shown.length) shown.push('… and more calls than are shown here.');
  if (last !== undefined) shown.push(last);
  return `${shown.join('\n\n') || 'There was nothing to call.'}${NOTE}`;
}

/**
 * No commands: search the actions with the prompt's words, describe the best ones one after the
 * other, call the first read-only match that the prompt gives enough input for, report. A list too
 * long to be read is asked for again, shorter.
 */
function search(turn: RehearsalTurn, rest: string): Decision {
  const words = queryWords(rest);
  if (words.length === 0) {
    return {
      thought: 'There is nothing to look for.',
      text: 'Say in a few words what you want to see, such as "list my sessions", or name the'
        + ` action: \`${CALL_SYNTAX}\`.${NOTE}`,
    };
  }
  const calls = turn.steps.flat();
  const first = calls[0];
  if (first === undefined) {
    const input = { query: words.join(' '), limit: 5 };
    return {
      thought: `${history(turn)}Looking for actions about: ${words.join(', ')}.`,
      calls: [{ action: SEARCH, input }],
    };
  }
  const again = first.outcome.kind === 'result' && first.outcome.truncated;
  if (again && calls.length === 1) {
    return {
      thought: 'That was more than I can read. Looking for the best reading action only.',
      calls: [{ action: SEARCH, input: { query: words.join(' '), read_only: true, limit: 1 } }],
    };
  }
  const searches = again ? 2 : 1;
  return choose(calls[searches - 1]!, calls.slice(searches), rest, words);
}

interface FoundAction { name: string; read_only: boolean; score: number }

/** `later`: the calls after the search, which describe what it found until one can be called. */
function choose(
  searched: MadeCall, later: MadeCall[], text: string, words: string[]): Decision {
  if (searched.outcome.kind !== 'result') {
    return { thought: 'The search failed.', text: `${renderCall(searched)}${NOTE}` };
  }
  const found = readFound(searched.outcome.value);
  const best = found[0];
  if (best === undefined) {
    return {
      thought: 'Nothing fits.',
      text: `No action that you may use fits "${words.join(' ')}". Say in a few words what you`
        + ' want to see, such as "list my sessions", or search:'
        + ` \`call ${SEARCH} {"query": "…"}\`.${NOTE}`,
    };
  }
  const readable = found.filter(({ read_only, score }) => read_only && score * 2 >= best.score);
  for (const [nth, { name }] of (best.read_only ? readable : [best]).entries()) {
    const described = later[nth];
    if (described === undefined) {
      return { thought: `What does ${name} take?`,
        calls: [{ action: DESCRIBE, input: { name } }] };
    }
    const filled = fill(described, text);
    if (!best.read_only || filled === null || filled.missing.length > 0) continue;
    const made = later.slice(nth + 1);
    return made.length === 0
      ? { thought: `${name} fits best.`, calls: [{ action: name, input: filled.input }] }
      : { thought: 'Here is what it returned.',
        text: `${made.map(renderCall).join('\n\n')}${NOTE}` };
  }
  return {
    thought: `${best.name} fits best, but I do not call it by myself.`,
    text: `${renderSuggestion(best, fill(later[0]!, text))}${NOTE}`,
  };
}

/** Null if it is not known what the action takes. */
function fill({ outcome }: MadeCall, text: string): Filled | null {
  const schema = outcome.kind === 'result' ? follow(outcome.value, ['input_schema']) : undefined;
  return schema === undefined ? null : fillInput(schema, text);
}

function readFound(value: unknown): FoundAction[] {
  if (!isObject(value) || !Array.isArray(value.data)) return [];
  const named = value.data.filter(isObject).filter(({ name }) => typeof name === 'string');
  return named.map((action) => ({
    name: String(action.name),
    read_only: action.effect === 'read',
    score: typeof action.score === 'number' ? action.score : 1,
  }));
}

/** What a named value is called, and what it says, is no part of what is to be done. */
function queryWords(text: string): string[] {
  const start = text.slice(0, 2_000);
  const all = wordsIn(start);
  const candidates = [tellingOf(wordsIn(start.replace(PAIR, withoutValue))), tellingOf(all), all];
  return (candidates.find(({ length }) => length > 0) ?? []).slice(0, QUERY_WORDS);
}

/** A colon may also stand in plain words: `list runs: the newest`. */
function withoutValue(pair: string, name: string, value: string): string {
  if (/^["'`]/.test(value) || pair.slice(name.length).trimStart().startsWith('=')) return ' ';
  return /\d/.test(value) ? name : pair;
}

function wordsIn(text: string): string[] {
  const all = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(all)].filter((word) => word.length <= 40);
}

function tellingOf(words: readonly string[]): string[] {
  return words.filter((word) => !STOP_WORDS.has(word) && !VALUE.test(word));
}
