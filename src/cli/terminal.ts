import { styleText } from 'node:util';

export type Format = 'dim' | 'bold' | 'red' | 'green' | 'yellow' | 'cyan';
/** Puts a text into a colour, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

/** Where a command writes: what was asked for to `out`, everything else to `err`. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Each of the two has its colours. */
  style: Style;
  err_style: Style;
  /** Whether a person reads what is written to `out`. */
  interactive: boolean;
}

export const PLAIN: Style = (_format, text) => text;
const COLOURED: Style = (format, text) => styleText(format, text, { validateStream: false });

/** The terminal or pipes of this process. Colours appear only on a terminal that wants them. */
export function processTerminal({ no_color }: { no_color: boolean }): Terminal {
  const styleFor = (stream: NodeJS.WriteStream) =>
    stream.isTTY === true && !no_color ? COLOURED : PLAIN;
  // Commands make safe what is not theirs. Should one forget it, the screen is safe all the same.
  const write = (stream: NodeJS.WriteStream) => (text: string) =>
    void stream.write(stream.isTTY === true ? onScreen(text) : text);
  return {
    out: write(process.stdout),
    err: write(process.stderr),
    style: styleFor(process.stdout),
    err_style: styleFor(process.stderr),
    interactive: process.stdout.isTTY === true,
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
  return json.replace(/[\u007f-\u009f]/g, escaped).replace(DIRECTIONS, escaped);
}

function escaped(character: string): string {
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

/** Rows under headings, in columns. */
export function table(headings: string[], rows: string[][], style: Style): string {
  const shownRows = rows.map((row) => row.map(safeText));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...shownRows.map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd();
  return [style('dim', line(headings)), ...shownRows.map(line)].join('\n') + '\n';
}
