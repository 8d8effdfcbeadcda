import { parseJson, textOf } from '../json.ts';

const NAME_CHARACTERS = 200;

/**
 * Reads the text of a JSON object as it streams in, to learn the value of its top-level key
 * `action` as early as possible, wherever it stands among the keys. One pass, constant memory. It
 * does not judge whether the text is JSON: `JSON.parse` does that when it is complete.
 */
export class ActionScanner {
  /** The first top-level `action` that is a string of 1–200 characters, once it can be read. */
  action: string | undefined;
  /** How often the top-level key `action` came; more than once makes the object ambiguous. */
  action_keys = 0;
  deepest = 0;

  #depth = 0;
  #in_object = false; // the outermost value is an object
  #in_string = false;
  #escaped = false;
  #expects: 'key' | 'value' = 'key';
  #key = '';
  #raw = '';

  read(text: string): void {
    for (const character of text) {
      if (this.#in_string) this.#inString(character);
      else this.#outside(character);
    }
  }

  #inString(character: string): void {
    if (this.#escaped) this.#escaped = false;
    else if (character === '\\') this.#escaped = true;
    else if (character === '"') {
      this.#in_string = false;
      if (this.#depth === 1 && this.#in_object) this.#endOfString();
      return;
    }
    // Six characters of escape per character of name is the most that a name can need.
    if (this.#depth === 1 && this.#raw.length <= 6 * NAME_CHARACTERS) this.#raw += character;
  }

  #outside(character: string): void {
    if (character === '"') {
      this.#in_string = true;
      this.#raw = '';
    } else if (character === '{' || character === '[') {
      if (this.#depth === 0) this.#in_object = character === '{';
      this.#depth++;
      this.deepest = Math.max(this.deepest, this.#depth);
    } else if (character === '}' || character === ']') this.#depth--;
    else if (this.#depth === 1 && character === ',') this.#expects = 'key';
    else if (this.#depth === 1 && character === ':') this.#expects = 'value';
  }

  #endOfString(): void {
    // A broken escape counts as no text: the whole will be found invalid in the end.
    const text = textOf(parseJson(`"${this.#raw}"`)) ?? '';
    if (this.#expects === 'key') {
      this.#key = text;
      if (text === 'action') this.action_keys++;
    } else if (this.#key === 'action' && this.action_keys === 1
      && text.length > 0 && text.length <= NAME_CHARACTERS) {
      this.action ??= text;
    }
  }
}
