/** What a run is shown on: a pipe, or a screen. */
import { stripVTControlCharacters } from 'node:util';
import { MarkdownStream } from './markdown.ts';
import { isPlain, type Style } from './style.ts';
import { safeText, type Screen } from './terminal.ts';
import { textWidth } from './width.ts';
import { wrapText } from './wrap.ts';

/** Texts are somebody else's, and made safe here; lines are ours. */
export interface PageWriter {
  /** The id of the text that is being written; '' at the beginning of a line. */
  readonly open: string;
  line(text: string): void;
  /** Goes on with a text, or begins it. */
  text(id: string, kind: 'reasoning' | 'message', piece: string): void;
  /** Ends the line that is being written, if any. */
  close(): void;
  /** Strikes out the message that was written last, where that can be done. */
  strike(): void;
}

type Write = (text: string) => void;

/** What is written to `write` by lines and texts: for a screen, or as it comes. */
export function openPage(write: Write, style: Style, screen: Screen | null): PageWriter {
  return screen ? new ScreenPage(write, style, screen) : new Pipe(write, style);
}

/** Everything as it comes: who reads it breaks the lines, or reads the Markdown. */
class Pipe implements PageWriter {
  open = '';
  readonly #write: Write;
  readonly #style: Style;

  constructor(write: Write, style: Style) {
    this.#write = write;
    this.#style = style;
  }

  line(text: string): void {
    this.close();
    this.#write(`${text}\n`);
  }

  text(id: string, kind: 'reasoning' | 'message', piece: string): void {
    const isNew = this.open !== id;
    if (isNew) this.close();
    this.open = id;
    const text = safeText(piece);
    if (kind === 'message') return this.#write(isNew ? `\n${text}` : text);
    const indented = text.replaceAll('\n', '\n  ');
    this.#write(this.#style('dim', isNew ? `· ${indented}` : indented));
  }

  close(): void {
    if (this.open !== '') this.#write('\n');
    this.open = '';
  }

  strike(): void {}
}

/** More than this fits on no screen. */
const IN_VIEW_CHARACTERS = 50_000;

/** Lines that end between words, and texts read as Markdown. */
class ScreenPage implements PageWriter {
  open = '';
  readonly #write: Write;
  readonly #style: Style;
  readonly #screen: Screen;
  #text: { id: string; stream: MarkdownStream } | null = null;
  /** The message that was written last, if nothing was written after it. */
  #in_view: { text: string; columns: number } | null = null;

  constructor(write: Write, style: Style, screen: Screen) {
    this.#write = write;
    this.#style = style;
    this.#screen = screen;
  }

  line(text: string): void {
    this.close();
    this.#in_view = null;
    if (textWidth(text) <= this.#screen.columns) return this.#write(`${text}\n`);
    const blanks = /^ */.exec(text)![0];
    const lines = wrapText(text, this.#screen.columns, blanks, `${blanks}  `, true);
    this.#write(`${lines.join('\n')}\n`);
  }

  text(id: string, kind: 'reasoning' | 'message', piece: string): void {
    if (this.open !== id) this.close();
    this.open = id;
    if (this.#text?.id !== id) this.#begin(id, kind);
    this.#text!.stream.push(safeText(piece));
  }

  close(): void {
    if (this.open !== '') this.#text!.stream.flush();
    this.open = '';
  }

  strike(): void {
    this.close();
    const { text, columns } = this.#in_view ?? { text: '', columns: 0 };
    this.#in_view = null;
    const lines = text.split('\n').slice(0, -1);
    const height = lines.reduce((sum, line) =>
      sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);
    // What has scrolled away stays as it is, and so does what the terminal has broken anew.
    if (height === 0 || height >= this.#screen.rows || columns !== this.#screen.columns
      || isPlain(this.#style)) return;
    this.#screen.back(height);
    const struck = lines.map((line) => line === '' ? '\n'
      : `${this.#style('dim', this.#style('strikethrough', stripVTControlCharacters(line)))}\n`);
    this.#write(struck.join(''));
  }

  #begin(id: string, kind: 'reasoning' | 'message'): void {
    const { columns } = this.#screen;
    this.#in_view = kind === 'message' ? { text: '', columns } : null;
    if (kind === 'message') this.#write('\n');
    const write = (text: string) => {
      this.#write(kind === 'message' ? text : this.#style('dim', text));
      if (!this.#in_view) return;
      this.#in_view.text += text;
      if (this.#in_view.text.length > IN_VIEW_CHARACTERS) this.#in_view = null;
    };
    const stream = new MarkdownStream(write, { style: this.#style,
      columns: () => this.#screen.columns, lead: kind === 'reasoning' ? '· ' : '' });
    this.#text = { id, stream };
  }
}
