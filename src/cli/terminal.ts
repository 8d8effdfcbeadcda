import type { ClientEnvironment } from '../config.ts';
import { layOut, wordByWord } from './columns.ts';
import { message } from './message.ts';
import { SILENT, StatusLine, type Wait } from './statusLine.ts';
import { COLOURED, PLAIN, type Format, type Style } from './style.ts';

export { PLAIN, type Format, type Style };

/** A terminal that a person looks at: how large it is now, and the way back. */
export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Moves so many lines up and clears from there: what is in view is written anew. */
  back(lines: number): void;
}

/** Where a command writes: what was asked for to `out`, everything else to `err`. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Each of the two has its colours. */
  style: Style;
  err_style: Style;
  /** Whether a person reads what is written to `out`. */
  interactive: boolean;
  /** Whether nothing is wanted but what was asked for: `err` does not print then. */
  quiet: boolean;
  /** What `out` is, unless it is a pipe or can only print lines. */
  screen: Screen | null;
  /**
   * Tells of waiting, from the first second on, until it ends. `as_line`: by a line where there is
   * no screen.
   */
  wait(words: string, as_line?: boolean): Wait;
}

/** Of a terminal that does not tell. */
const USUAL = { columns: 80, rows: 24 };

/**
 * The terminal or pipes of this process. Colours appear only on a terminal that wants them.
 * `quiet`: nothing but what was asked for.
 */
export function processTerminal(
  { no_color, force_color, is_dumb }: Pick<ClientEnvironment,
    'no_color' | 'force_color' | 'is_dumb'>, quiet = false): Terminal {
  const { stdout, stderr } = process;
  const isScreen = (stream: NodeJS.WriteStream) => stream.isTTY === true && !is_dumb;
  const styleFor = (stream: NodeJS.WriteStream) =>
    force_color || (isScreen(stream) && !no_color) ? COLOURED : PLAIN;
  const columnsOf = (stream: NodeJS.WriteStream) => stream.columns || USUAL.columns;
  const status = new StatusLine((text) => void stderr.write(text),
    isScreen(stderr) ? () => columnsOf(stderr) : null, styleFor(stderr));
  // Commands make safe what is not theirs. Should one forget it, the screen is safe all the same.
  const write = (stream: NodeJS.WriteStream, text: string) => {
    status.clear();
    stream.write(stream.isTTY === true ? onScreen(text) : text);
    if (stream.isTTY === true) status.onWritten(text);
  };
  return {
    out: (text) => write(stdout, text),
    err: (text) => {
      if (!quiet) write(stderr, isScreen(stderr) ? message(text, columnsOf(stderr)) : text);
    },
    style: styleFor(stdout),
    err_style: styleFor(stderr),
    interactive: stdout.isTTY === true,
    quiet,
    screen: isScreen(stdout) ? {
      get columns() { return columnsOf(stdout); },
      get rows() { return stdout.rows || USUAL.rows; },
      back(lines) {
        status.clear();
        stdout.write(`\u001b[${lines}A\r\u001b[J`);
      },
    } : null,
    wait: (words, as_line) => quiet ? SILENT : status.begin(words, as_line),
  };
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** All controls but those of the colours, which are our own. */
const UNSTYLED =
  /\u001b(?!\[[\d;]*m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;
/** What changes the direction of the text after it, so that it reads otherwise than it is. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes a text of somebody else safe to print: what a model says or an action returns must not move
 * the cursor, rename the window, or show its characters in another order than they have. What turns
 * the direction is shown by its number: <U+202E>.
 */
export function safeText(text: string): string {
  return text.replace(CONTROLS, '\ufffd').replace(DIRECTIONS, shown);
}

/** The same for a text that has our own colours. */
function onScreen(text: string): string {
  return text.replace(UNSTYLED, '\ufffd').replace(DIRECTIONS, shown);
}

function shown(character: string): string {
  return `<U+${hex(character).toUpperCase()}>`;
}

/** JSON that says the same, and is safe to print: JSON itself escapes only some of the controls. */
export function safeJson(json: string): string {
  return json.replace(/[\u007f-\u009f]/g, escapedInJson).replace(DIRECTIONS, escapedInJson);
}

export function escapedInJson(character: string): string {
  return `\\u${hex(character)}`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}

/** Puts a text on one line, cut at `limit` characters, and makes it safe to print. */
export function oneLine(text: string, limit: number): string {
  const line = safeText(text.slice(0, 4 * limit).replace(/\s+/g, ' ').trim());
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}

/** Rows under headings, in columns; on a screen they are no wider than it is. */
export function table(
  headings: string[], rows: string[][], style: Style, screen: Screen | null = null): string {
  const styled = wordByWord(style);
  return `${layOut({ headings: headings.map((heading) => styled('dim', heading)),
    rows: rows.map((row) => row.map(safeText)) }, screen?.columns ?? Infinity).join('\n')}\n`;
}
