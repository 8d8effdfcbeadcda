/** What was said and done in a session, as a person reads it. */
import type { Schemas } from './client.ts';
import { openPage, type PageWriter } from './page.ts';
import { callLine, summary } from './renderToolCall.ts';
import type { Style } from './style.ts';
import { oneLine, safeText, type Terminal } from './terminal.ts';

const LINE = 200;

/** Writes what was asked, said, called and returned: on a screen in lines that it can hold. */
export class TranscriptWriter {
  readonly #page: PageWriter;
  readonly #style: Style;
  #answers = 0;

  constructor({ out, style, screen }: Terminal) {
    this.#page = openPage(out, style, screen);
    this.#style = style;
  }

  message({ content }: Schemas['Message']): void {
    for (const part of content) this.#part(part);
  }

  /** What somebody asked, each line of it marked. */
  prompt(text: string): void {
    const mark = this.#style('bold', '>');
    this.#page.line('');
    for (const line of safeText(text).trimEnd().split('\n')) this.#page.line(`${mark} ${line}`);
  }

  /** What the agent said; on a screen its Markdown is read. */
  answer(text: string): void {
    if (text.trim() === '') return;
    this.#page.text(`answer ${this.#answers++}`, 'message', text.trimEnd());
    this.#page.close();
  }

  /** A line of ours, which may have our colours. */
  line(text: string): void {
    this.#page.line(text);
  }

  #part(part: Schemas['MessagePart']): void {
    const style = this.#style;
    switch (part.type) {
      case 'input_text': return this.prompt(part.text);
      case 'output_text': return this.answer(part.text);
      case 'tool_call':
        return this.line(callLine(part.name, JSON.stringify(part.arguments) ?? '', style));
      case 'tool_result': {
        const { error, result } = part;
        const said = error ? `${error.code}: ${error.message}` : summary(result);
        const sign = error ? style('red', '✗') : style('green', '✓');
        return this.line(`  ${sign} ${oneLine(said, LINE)}`);
      }
      default: // A part that this client does not know is newer than the client.
    }
  }
}
