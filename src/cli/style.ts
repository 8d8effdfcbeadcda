import { styleText } from 'node:util';

export type Format = 'dim' | 'bold' | 'italic' | 'strikethrough' | 'red' | 'green' | 'yellow'
  | 'cyan';
/** Puts a text into a colour, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

export const PLAIN: Style = (_format, text) => text;
export const COLOURED: Style = (format, text) => styleText(format, text, { validateStream: false });

/** Whether a style is without colours, so that words have to tell everything. */
export const isPlain = (style: Style): boolean => style('dim', '.') === '.';
