import { sanitizeText } from '../sanitize.ts';

/**
 * `sanitizeText` for a text that comes in pieces: a surrogate pair may be split over two of them,
 * so a trailing high surrogate waits for the next piece. What is shown of a stream is then, joined,
 * exactly what is stored when it ends.
 */
export class TextSanitizer {
  #held = '';

  push(delta: string): string {
    const text = this.#held + delta;
    const last = text.charCodeAt(text.length - 1); // NaN for the empty text
    const splits = last >= 0xd800 && last <= 0xdbff;
    this.#held = splits ? text.slice(-1) : '';
    return sanitizeText(splits ? text.slice(0, -1) : text);
  }

  end(): string {
    const rest = sanitizeText(this.#held);
    this.#held = '';
    return rest;
  }
}

const HIGH = /^[dD][89abAB][0-9a-fA-F]{2}$/;
const LOW = /^[dD][c-fC-F][0-9a-fA-F]{2}$/;
const UNIT = /^[0-9a-fA-F]{4}$/;

/**
 * The same for the text of a JSON value, where such characters also come as escapes: in `"\u0000"`
 * the escape becomes `\ufffd`. What is pushed must have gone through a TextSanitizer. Escapes split
 * over two pieces wait (at most 11 characters do). Texts that are no JSON pass, sanitised alike.
 */
export class JsonTextSanitizer {
  #held = '';

  push(delta: string): string {
    return this.#take(this.#held + delta, false);
  }

  end(): string {
    return this.#take(this.#held, true);
  }

  #take(text: string, ended: boolean): string {
    let clean = '';
    let at = 0;
    for (;;) {
      const escape = text.indexOf('\\', at);
      if (escape === -1) {
        this.#held = '';
        return clean + text.slice(at);
      }
      clean += text.slice(at, escape);
      const token = readEscape(text, escape, ended);
      if (token === null) {
        this.#held = text.slice(escape);
        return clean;
      }
      clean += token.clean;
      at = escape + token.length;
    }
  }
}

/** The escape at `at`, cleaned, and its length in the text; null when its end is still to come. */
function readEscape(
  text: string, at: number, ended: boolean): { clean: string; length: number } | null {
  const letter = text[at + 1];
  if (letter === undefined) return ended ? { clean: '\\', length: 1 } : null;
  if (letter !== 'u') return { clean: `\\${letter}`, length: 2 };
  const unit = text.slice(at + 2, at + 6);
  if (unit.length < 4 && !ended) return null;
  if (!UNIT.test(unit)) return { clean: '\\u', length: 2 };
  if (unit === '0000' || LOW.test(unit)) return { clean: '\\ufffd', length: 6 };
  if (!HIGH.test(unit)) return { clean: `\\u${unit}`, length: 6 };
  const next = text.slice(at + 6, at + 12);
  if (next.length < 6 && '\\u'.startsWith(next.slice(0, 2)) && !ended) return null;
  return next.startsWith('\\u') && LOW.test(next.slice(2))
    ? { clean: `\\u${unit}${next}`, length: 12 }
    : { clean: '\\ufffd', length: 6 };
}
