/** Text in lines that end between words. */
import { graphemesOf, graphemeWidth, ONLY_IDEOGRAPHS, textWidth } from './width.ts';

/** What a line may break at besides blanks: either side of a wide character. */
const WIDE = new RegExp('[\\u1100-\\u115f\\u2e80-\\u9fff\\ua960-\\ua97c\\uac00-\\ud7ff'
  + '\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff00-\\uffe6\\u{1f000}-\\u{3ffff}]', 'u');
/** No line begins with these: they belong to what is before them. */
const CLOSING = /^[\p{Pe}\p{Pf}\p{Po}\p{Mn}ー]/u;
const COLOUR = /(\u001b\[[\d;]*m)/;
/** Longer words are not looked at for places to break: a terminal breaks them as they come. */
const LONGEST_WORD = 10_000;

/**
 * Writes words as they come, and begins a new line before one that does not fit. A word that no
 * line can hold, such as an address, is left whole: the terminal breaks it, and it can be copied.
 */
export class WordWrap {
  readonly #write: (text: string) => void;
  readonly #columns: () => number;
  #column = 0;
  /** Where the words of this line begin. */
  #indent = 0;
  /** What stands before the next line, if this one is too long. */
  #hanging = '';
  /** Blanks before the next word; nothing is written of them if the line ends there. */
  #gap = '';

  /** `columns`: how wide a line may be; asked again and again, for windows change. */
  constructor(write: (text: string) => void, columns: () => number) {
    this.#write = write;
    this.#columns = columns;
  }

  /** Begins a line with `first`; the lines that it goes on in begin with `hanging`. */
  begin(first: string, hanging: string): void {
    this.#write(first);
    this.#column = this.#indent = textWidth(first);
    this.#hanging = hanging;
    this.#gap = '';
  }

  /**
   * Words and blanks, which may have our colours. No line ends in it. `fill`: long words are broken
   * where the line ends, for nobody will copy them.
   */
  text(text: string, fill = false): void {
    for (const [piece] of text.matchAll(/\s+|\S+/g)) {
      const isLong = fill && textWidth(piece) > this.#columns() / 2;
      if (piece.trimStart() === '') this.#gap = this.#column === this.#indent ? '' : ' ';
      else for (const unit of isLong ? charactersOf(piece) : unitsOf(piece)) this.#unit(unit);
    }
  }

  /** Ends the line. */
  end(): void {
    this.#write('\n');
    this.#column = 0;
    this.#indent = 0;
    this.#hanging = this.#gap = '';
  }

  #unit(unit: string): void {
    const width = textWidth(unit);
    const columns = this.#columns();
    if (this.#column + this.#gap.length + width > columns && this.#column > this.#indent) {
      this.#write(`\n${this.#hanging}`);
      this.#column = this.#indent = textWidth(this.#hanging);
      this.#gap = '';
    }
    this.#write(this.#gap + unit);
    this.#column += this.#gap.length + width;
    // The terminal has broken it; the next word goes on wherever that has ended.
    if (this.#column > columns) this.#column %= columns;
    this.#gap = '';
  }
}

/** The lines of a text of one paragraph. */
export function wrapText(
  text: string, columns: number, first = '', hanging = '', fill = false): string[] {
  let lines = '';
  const wrap = new WordWrap((piece) => {
    lines += piece;
  }, () => columns);
  wrap.begin(first, hanging);
  wrap.text(text, fill);
  return lines.split('\n');
}

/** Parts of a word that may stand on different lines. */
export function unitsOf(word: string): string[] {
  if (word.length > LONGEST_WORD || !WIDE.test(word)) return [word];
  if (ONLY_IDEOGRAPHS.test(word)) return [...word];
  const units: string[] = [];
  let open = '';
  for (const part of word.split(COLOUR)) {
    if (COLOUR.test(part)) {
      open += part;
      continue;
    }
    for (const grapheme of graphemesOf(part)) {
      const isWide = graphemeWidth(grapheme) === 2;
      if (isWide && !CLOSING.test(grapheme) && open !== '') units.push(open);
      if (isWide && !CLOSING.test(grapheme)) open = '';
      open += grapheme;
    }
  }
  return [...units, open];
}

function charactersOf(word: string): string[] {
  return word.split(COLOUR).flatMap((part) => COLOUR.test(part) ? [part] : [...graphemesOf(part)]);
}
