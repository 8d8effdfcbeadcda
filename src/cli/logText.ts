/** The service's log for a person who watches it: lines of text in place of lines of JSON. */
import { isObject, objectOf, parseJson } from '../json.ts';
import { oneLine, safeText, type Style } from './terminal.ts';

const FACT_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 1_000;
/** What a line begins with by itself, or says elsewhere. */
const OWN = new Set(['level', 'time', 'msg', 'err']);
/** Where the error came from matters then. */
const WITH_STACK = new Set(['fatal', 'error', 'debug', 'trace']);

/**
 * An entry of the log as text: its time of day in UTC, its level, what it says, and its facts in
 * brackets; then the error, with the stack if it is one that nobody expects. Other text is made
 * safe, and stays as it is.
 */
export function logText(entry: string, style: Style): string {
  const fields = parseJson(entry);
  if (!isObject(fields)) return `${safeText(entry.trimEnd())}\n`;
  const { level, time, msg, err } = fields;
  const facts = Object.entries(fields).filter(([name]) => !OWN.has(name)).map(([name, value]) =>
    `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const said = [
    ...(msg === undefined ? [] : [oneLine(String(msg), MESSAGE_CHARACTERS)]),
    ...(facts.length === 0 ? []
      : [`(${facts.map((fact) => oneLine(fact, FACT_CHARACTERS)).join(', ')})`]),
  ].join(' ');
  const begins = `${oneLine(String(time), 30).slice(11, 19)} ${oneLine(String(level), 10)}:`;
  const { message, stack } = objectOf(err);
  const error = message === undefined ? '' : `: ${oneLine(String(message), MESSAGE_CHARACTERS)}`;
  const calls = typeof stack === 'string' && WITH_STACK.has(String(level))
    ? safeText(stack).split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return [`${style('yellow', begins)} ${said}${error}`, ...calls].join('\n') + '\n';
}
