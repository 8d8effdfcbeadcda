/**
 * What a user's text asks of the rehearsal model: `call` lines, `@rehearsal` lines, and the rest.
 * The text is untrusted and may be a megabyte: every pass here is linear and every count bounded.
 */
import { endOfText } from '../json.ts';

/** One `call` line: the arguments of call_action, as written (references not yet filled in). */
export interface Command {
  action: string;
  input?: object;
  connection_id?: string;
  fields?: string[];
  cursor?: string;
}

export interface Directives {
  /** Length of the answer. */
  words?: number;
  /** Time before each delta. */
  delay_ms: number;
  fail?: 'model_error' | 'model_rate_limited' | 'cut_stream';
  /** The step that fails, from 1. */
  at_step: number;
  /** Steps to make in all, the last being the answer. */
  steps?: number;
}

export interface Script {
  directives: Directives;
  /** Each entry is one step; its commands, joined by `&`, are called in parallel. */
  steps: Command[][];
  /** The other lines. */
  rest: string;
  /** What is wrong with the first line that cannot be understood; nothing is called then. */
  problem: string | null;
}

const MAX_COMMANDS = 200;
const JSON_DEPTH = 48; // call_action's own object is around it, and the service refuses beyond 64

const CALL = /[ \t]*call[ \t]+([a-z0-9_-]{1,100}(?:\.[a-z0-9_-]{1,100}){1,5})(?=[\s{&]|$)[ \t]*/iy;
const OPTIONS = /(connection_id|cursor|fields)=([^\s&]+)[ \t]*/gy;
const BLANKS = /[ \t]*/y;
const DIRECTIVE = /^[ \t]*@rehearsal(?:[ \t]+|$)/;
const KINDS_OF_FAILURE = ['model_error', 'model_rate_limited', 'cut_stream'] as const;

export const CALL_SYNTAX = 'call <action> {json}';
export const DIRECTIVE_SYNTAX = [
  '`words=1…20000` the length of the answer',
  '`delay_ms=0…60000` the time before each delta',
  `\`fail=${KINDS_OF_FAILURE.join('|')}\` fails a step`,
  '`at_step=1…1000` the step that fails (1)',
  '`steps=1…1000` how many steps to make',
];

/** Never throws; what cannot be understood is said in `problem`. */
export function parseScript(raw: string): Script {
  const text = raw.replaceAll('\r\n', '\n');
  const script: Script = {
    directives: { delay_ms: 0, at_step: 1 }, steps: [], rest: '', problem: null,
  };
  const rest: string[] = [];
  let commands = 0;
  for (let at = 0; at < text.length && script.problem === null;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    const step = readStep(text, at);
    if (typeof step === 'string') script.problem = step;
    else if (step !== null) {
      commands += step.commands.length;
      if (commands > MAX_COMMANDS) script.problem = `There are more than ${MAX_COMMANDS} calls.`;
      script.steps.push(step.commands);
      at = step.end + 1;
      continue;
    } else {
      const line = text.slice(at, end);
      if (DIRECTIVE.test(line)) script.problem = readDirectives(line, script.directives);
      else rest.push(line);
    }
    at = end + 1;
  }
  script.rest = rest.join('\n').trim();
  return script;
}

/** The step that begins at `start`; null when no `call` line does; a text when it is wrong. */
function readStep(
  text: string, start: number): { commands: Command[]; end: number } | string | null {
  const commands: Command[] = [];
  let at = start;
  for (;;) {
    CALL.lastIndex = at;
    const match = CALL.exec(text);
    if (match === null) {
      return commands.length === 0 ? null : wrong(text, start, 'After `&` goes another call');
    }
    const command: Command = { action: match[1]! };
    commands.push(command);
    at = CALL.lastIndex;
    if (text[at] === '{') {
      const json = readObject(text, at);
      if (typeof json === 'string') {
        return wrong(text, start, `The input of \`${command.action}\` cannot be read: ${json}`);
      }
      command.input = json.value;
      BLANKS.lastIndex = json.end;
      BLANKS.test(text);
      at = BLANKS.lastIndex;
    }
    OPTIONS.lastIndex = at;
    for (const [option, name, value] of text.matchAll(OPTIONS)) {
      at += option.length;
      if (name === 'fields') command.fields = value!.split(',');
      else command[name as 'connection_id' | 'cursor'] = value!;
    }
    if (at >= text.length || text[at] === '\n') return { commands, end: at };
    if (text[at] !== '&') {
      const found = JSON.stringify(text.slice(at, at + 20).split('\n')[0]);
      return wrong(text, start, `After the call of \`${command.action}\` stands ${found}`);
    }
    at++;
  }
}

function wrong(text: string, at: number, what: string): string {
  return `Line ${text.slice(0, at).split('\n').length}: ${what}.`;
}

/** The JSON object at `start`, over several lines if need be; a text when there is none. */
function readObject(text: string, start: number): { value: object; end: number } | string {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"') i = endOfText(text, i) - 1;
    else if (character === '{' || character === '[') {
      if (++depth > JSON_DEPTH) return `it is nested deeper than ${JSON_DEPTH} levels`;
    } else if ((character === '}' || character === ']') && --depth === 0) {
      try {
        return { value: JSON.parse(text.slice(start, i + 1)) as object, end: i + 1 };
      } catch (error) {
        return (error as Error).message.slice(0, 200);
      }
    }
  }
  return 'its closing brace is missing';
}

/** Sets what the line says; gives what is wrong with it, or null. */
function readDirectives(line: string, directives: Directives): string | null {
  const wrong = line.replace(DIRECTIVE, '').split(/\s+/, 50).filter((token) => token !== '')
    .find((token) => !setDirective(directives, token));
  return wrong === undefined ? null
    : `An \`@rehearsal\` line cannot hold ${JSON.stringify(wrong.slice(0, 60))}.`;
}

const BOUNDS = {
  words: [1, 20_000], delay_ms: [0, 60_000], at_step: [1, 1_000], steps: [1, 1_000],
} as const;

function setDirective(directives: Directives, token: string): boolean {
  const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(token) ?? [];
  if (key === 'fail') {
    directives.fail = KINDS_OF_FAILURE.find((kind) => kind === value);
    return directives.fail !== undefined;
  }
  if (!Object.hasOwn(BOUNDS, key) || !/^\d{1,6}$/.test(value)) return false;
  const [min, max] = BOUNDS[key as keyof typeof BOUNDS];
  directives[key as keyof typeof BOUNDS] = Number(value);
  return Number(value) >= min && Number(value) <= max;
}
