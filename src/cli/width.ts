/** How wide a text is on a terminal, which is not how many characters it has. */
import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/** Made when it is first needed: it takes 10 ms, and most commands write plain letters. */
let graphemes: Intl.Segmenter | undefined;
/** One column each: what nearly every text consists of. */
const ONLY_ASCII = /^[ -~]*$/;
/** Letters and syllables of two columns each, to which nothing is added. */
export const ONLY_IDEOGRAPHS = /^[\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff\uac00-\ud7a3]+$/;
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Control}|\p{Mark})+$/u;
/** Flags, and what asks for the picture of what could be a letter too. */
const AS_EMOJI = /\ufe0f|^\p{Regional_Indicator}{2}/u;

/** The columns that a text takes on one line. Our own colours take none. */
export function textWidth(text: string): number {
  if (ONLY_ASCII.test(text)) return text.length;
  if (ONLY_IDEOGRAPHS.test(text)) return 2 * text.length;
  let width = 0;
  for (const grapheme of graphemesOf(stripVTControlCharacters(text))) {
    width += graphemeWidth(grapheme);
  }
  return width;
}

/** What a reader takes for one character each: a letter with its accents, a composed emoji. */
export function* graphemesOf(text: string): Generator<string> {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) yield segment;
}

/** 2 for Chinese, Japanese, Korean and emoji, 0 for what is not seen, otherwise 1. */
export function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  if (AS_EMOJI.test(grapheme)) return 2;
  return eastAsianWidth(grapheme.codePointAt(0)!);
}

/** The text with blanks behind it, to be so many columns wide. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
