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
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    style: styleFor(process.stdout),
    err_style: styleFor(process.stderr),
    interactive: process.stdout.isTTY === true,
  };
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Makes a text of somebody else safe to print: what a model says or an action returns must not move
 * the cursor or rename the window.
 */
export function safeText(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** Puts a text on one line, cut at `limit` characters, and makes it safe to print. */
export function oneLine(text: string, limit: number): string {
  const line = safeText(text.slice(0, 4 * limit).replace(/\s+/g, ' ').trim());
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}

/** Rows under headings, in columns. */
export function table(headings: string[], rows: string[][], style: Style): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd();
  return [style('dim', line(headings)), ...rows.map(line)].join('\n') + '\n';
}
