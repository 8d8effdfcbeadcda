/** How --help and what commander says about a command line are laid out. */
import { Help, type Command } from 'commander';
import { readClientEnvironment } from '../config.ts';
import { processTerminal } from './terminal.ts';
import { textWidth } from './width.ts';
import { wrapText } from './wrap.ts';

/** Of a pipe, or a terminal that does not tell. */
const USUAL_COLUMNS = 80;
/** Longer lines are tiring to read. */
const MOST_COLUMNS = 100;
/** What options are for stands in a column beside them, or below where it were narrower. */
const LEAST_COLUMNS = 24;

/** What commander says of words that were meant otherwise, and how to give them. */
const MEANT: [said: RegExp, how: string][] = [
  // A prompt such as a list; what begins with a flag is none.
  [/^error: unknown option '(?!--?[a-z][\w-]*\s)[^']*\s/,
    'a text that begins with a dash goes last, after --: gatehouse run --follow -- "- one"'],
  [/^error: too many arguments for 'run'/,
    'a prompt of several words is quoted: gatehouse run "List my runs"'],
  [/^error: too many arguments for 'invoke'/,
    "the input goes behind --input: gatehouse actions invoke NAME --input '{…}'"],
];

/** What --help says after the options. */
export interface HelpText {
  /** Before the example. */
  notes?: string;
  /** Whole command lines, which are not broken: they are copied. */
  example: string;
  /** After the example. */
  appendix?: string;
}

/** Has a program and the commands that are added to it say things in lines that fit. */
export function layOutHelp(program: Command): Command {
  return program.configureHelp({ minWidthToWrap: LEAST_COLUMNS, formatItem }).configureOutput({
    getOutHelpWidth: () => columnsOf(process.stdout),
    getErrHelpWidth: () => columnsOf(process.stderr),
    writeErr: (text) => processTerminal(readClientEnvironment()).err(text),
    outputError: (text, write) => {
      const [, how] = MEANT.find(([said]) => said.test(text)) ?? [];
      write(how === undefined ? text : `${text}(${how})\n`);
    },
  });
}

export function addHelpText(command: Command, { notes, example, appendix }: HelpText): Command {
  return command.addHelpText('after', ({ error }) => {
    const columns = columnsOf(error ? process.stderr : process.stdout);
    return `${notes === undefined ? '' : `\n${inLines(notes, columns)}\n`}\nExample:\n  ${example}`
      + (appendix === undefined ? '' : `\n\n${inLines(appendix, columns)}`);
  });
}

function formatItem(this: Help, ...item: Parameters<Help['formatItem']>): string {
  const [term, term_width, description] = item;
  const columns = this.helpWidth ?? USUAL_COLUMNS;
  const longest = Math.max(...description.split(' ').map(textWidth));
  const room = columns - term_width - 4; // two blanks before the term, and two behind it
  if (description === '' || room >= Math.max(LEAST_COLUMNS, longest)) {
    return Help.prototype.formatItem.apply(this, item);
  }
  return `  ${term}\n${inLines(`      ${description}`, columns)}`;
}

function columnsOf(stream: NodeJS.WriteStream): number {
  return Math.min(stream.columns || USUAL_COLUMNS, MOST_COLUMNS);
}

/** Each line of a text in as many as it needs, indented as it is; the items of a list hang. */
function inLines(text: string, columns: number): string {
  return text.split('\n').flatMap((line) => {
    const [first] = /^ *(?:\d+\. )?/.exec(line)!;
    return wrapText(line.slice(first.length), columns, first, ' '.repeat(first.length));
  }).join('\n');
}
