/**
 * Markdown on a terminal, while it is being written. It is read line by line, and what has been
 * shown stays as it is: the words of a paragraph appear as they come, a line of code when it has
 * ended, a table when it is whole. Read so, the work is in proportion to the text, whatever it is.
 * As in the conversations of models, a line that ends in the text ends on the screen.
 */
import { inline, HELD_CHARACTERS, settledLength } from './markdownInline.ts';
import { tableLines } from './markdownTable.ts';
import { isPlain, type Style } from './style.ts';
import { WordWrap } from './wrap.ts';

export interface MarkdownOptions {
  style: Style;
  /** How many columns the screen has; asked for each word. */
  columns: () => number;
  /** What stands before the first line; the others are indented as far. */
  lead?: string;
}

/** Lines of prose are no longer than what is read with ease. */
const PROSE_COLUMNS = 100;
/** So much of a line is waited for to see what it is; a longer one is shown as it comes. */
const UNDECIDED_CHARACTERS = 4_096;
const TABLE_CHARACTERS = 65_536;
const DEEPEST_QUOTE = 4;
const DEEPEST_INDENT = 12;

const QUOTES = /^(?: {0,3}> ?)+/;
const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:_ *){3,}|(?:\* *){3,}|=+ *)$/;
const HEADING = /^ {0,3}(#{1,6}) +/;
const ITEM = /^(\s*)(?:(\d{1,9}[.)])\s+|[-+*]\s+(?:\[([ xX])\] )?)/;
/** What may begin as this can still become a heading, an item, a fence, a rule or a quotation. */
const UNDECIDED = /^(?:#{0,6} ?|[-+*_=][-+*_= ]*|\d{0,9}[.)]?\s*|`{1,2}|~{1,2}|>)$/;
const UNDECIDED_TASK = /^(?:[-+*]|\d{1,9}[.)])\s+\[(?:[ xX]\]?)?$/;
/** These are looked at when they are whole. */
const WHOLE = /^(?:`{3}|~{3}|\|)/;

export class MarkdownStream {
  readonly #write: (text: string) => void;
  readonly #style: Style;
  readonly #wrap: WordWrap;
  readonly #columns: () => number;
  readonly #lead: string;
  readonly #indent: string;
  /** What has come of a line and was not shown. */
  #pending = '';
  /** The line's kind was seen; what comes are its words. */
  #in_words = false;
  /** What ends the code that is being shown; null outside of code. */
  #fence: string | null = null;
  #table: string[] = [];
  #table_characters = 0;
  #in_list = false;
  #heading = false;
  #has_shown = false;
  #blank = false;

  /** Writes to `write` what `push` gets: text that is safe to print. */
  constructor(write: (text: string) => void, { style, columns, lead = '' }: MarkdownOptions) {
    this.#write = write;
    this.#style = style;
    this.#columns = columns;
    this.#lead = lead;
    this.#indent = ' '.repeat(lead.length);
    this.#wrap = new WordWrap(write, () => Math.min(columns(), PROSE_COLUMNS));
  }

  /** Takes the next piece. */
  push(text: string): void {
    let from = 0;
    for (let to; (to = text.indexOf('\n', from)) !== -1; from = to + 1) {
      this.#add(text.slice(from, to));
      this.#endLine();
    }
    this.#add(text.slice(from));
  }

  /** Shows all that was held back, and ends the line. What follows may go on with the text. */
  flush(): void {
    if (this.#pending !== '' || this.#in_words) this.#endLine();
    this.#endTable();
    this.#blank = false;
  }

  #add(text: string): void {
    this.#pending += text;
    if (!this.#in_words && !this.#isUndecided()) this.#begin(false);
    if (this.#in_words && text !== '') this.#words(false);
  }

  #isUndecided(): boolean {
    if (this.#pending.length > UNDECIDED_CHARACTERS) return this.#fence !== null;
    if (this.#fence !== null) return true;
    const rest = this.#pending.replace(QUOTES, '').trimStart();
    return rest === '' || WHOLE.test(rest) || UNDECIDED.test(rest) || UNDECIDED_TASK.test(rest);
  }

  #endLine(): void {
    if (!this.#in_words && !this.#begin(true)) return;
    this.#words(true);
    this.#wrap.end();
    this.#in_words = false;
    this.#heading = false;
  }

  /** Begins a line by what it is. False for one that has been shown, or is kept for a table. */
  #begin(is_whole: boolean): boolean {
    const line = this.#pending;
    if (is_whole && this.#isSpecial(line)) {
      this.#pending = '';
      return false;
    }
    this.#endTable();
    const quotes = QUOTES.exec(line)?.[0] ?? '';
    const depth = Math.min(quotes.replaceAll(/[^>]/g, '').length, DEEPEST_QUOTE);
    const before = this.#style('dim', '│ ').repeat(depth);
    const rest = line.slice(quotes.length);
    const { first, hanging, length } = this.#opening(rest);
    this.#pending = rest.slice(length);
    this.#open(before + first, before + hanging);
    this.#in_words = true;
    return true;
  }

  /** What begins a line of words, and what of the line it stands for. */
  #opening(line: string): { first: string; hanging: string; length: number } {
    const heading = HEADING.exec(line);
    if (heading) {
      this.#heading = true;
      // Without colours only the marks tell that it is one.
      const first = isPlain(this.#style) ? `${heading[1]} ` : '';
      return { first, hanging: '', length: heading[0].length };
    }
    const item = ITEM.exec(line);
    if (item) {
      this.#in_list = true;
      const mark = item[2] ?? (item[3] === undefined ? '•' : item[3] === ' ' ? '☐' : '☑');
      const first = `${indent(item[1]!)}${mark} `;
      return { first, hanging: ' '.repeat(first.length), length: item[0].length };
    }
    const blanks = /^\s*/.exec(line)![0];
    if (blanks === '') this.#in_list = false;
    return { first: indent(blanks), hanging: indent(blanks), length: blanks.length };
  }

  /** Shows a line that is no words: of code, of a table, a rule, or nothing. */
  #isSpecial(line: string): boolean {
    const bare = line.replace(QUOTES, '');
    const fence = FENCE.exec(bare);
    if (this.#fence !== null) {
      const ends = fence?.[1]!.startsWith(this.#fence) && fence[2]!.trim() === '';
      this.#asIs(line, ends ? 'dim' : 'cyan');
      if (ends) this.#fence = null;
      return true;
    }
    if (bare.trimStart().startsWith('|') && this.#table_characters < TABLE_CHARACTERS) {
      this.#table.push(bare);
      this.#table_characters += bare.length;
      return true;
    }
    this.#endTable();
    if (bare.trim() === '') {
      if (line === bare) this.#blank = this.#has_shown;
      else this.#asIs(line.replaceAll(/> ?/g, '│ ').trimEnd(), 'dim');
    } else if (fence && !(fence[1]![0] === '`' && fence[2]!.includes('`'))) {
      this.#fence = fence[1]!;
      this.#asIs(line, 'dim');
    } else if (RULE.test(bare)) {
      this.#asIs('─'.repeat(Math.min(this.#columns(), 40)), 'dim');
    } else if (/^(?: {4}|\t)/.test(line) && !this.#in_list) {
      this.#asIs(line, 'cyan');
    } else return false;
    return true;
  }

  /** Shows the settled words of the line, or all of them. */
  #words(all: boolean): void {
    const show = (length: number) => {
      if (length === 0) return;
      const text = inline(this.#pending.slice(0, length), this.#style);
      this.#pending = this.#pending.slice(length);
      this.#wrap.text(this.#heading ? this.#style('bold', text) : text);
    };
    while (this.#pending.length > HELD_CHARACTERS) {
      show(settledLength(this.#pending.slice(0, HELD_CHARACTERS))
        || wholeCharacters(this.#pending, HELD_CHARACTERS));
    }
    show(all ? this.#pending.length : settledLength(this.#pending));
  }

  #endTable(): void {
    if (this.#table.length === 0) return;
    const lines = this.#table;
    this.#table = [];
    this.#table_characters = 0;
    const columns = this.#columns() - this.#indent.length;
    for (const line of tableLines(lines, columns, this.#style)) {
      this.#open(line, '');
      this.#wrap.end();
    }
  }

  /** A line that is not broken: what it says is copied, and the terminal breaks it. */
  #asIs(line: string, format: 'dim' | 'cyan'): void {
    this.#open(line === '' ? '' : this.#style(format, line), '');
    this.#wrap.end();
  }

  #open(first: string, hanging: string): void {
    if (this.#blank) this.#write('\n');
    this.#blank = false;
    this.#wrap.begin((this.#has_shown ? this.#indent : this.#lead) + first,
      this.#indent + hanging);
    this.#has_shown = true;
  }
}

/** The blanks before a line, for a narrow screen. */
function indent(blanks: string): string {
  return ' '.repeat(Math.min(blanks.replaceAll('\t', '    ').length, DEEPEST_INDENT));
}

/** The length of the longest beginning of at most `limit` that ends between characters. */
function wholeCharacters(text: string, limit: number): number {
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code < 0xdc00 ? limit - 1 : limit;
}
