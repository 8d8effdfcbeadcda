/**
 * The regular expressions of documents, matched in time that grows with the text alone. V8 tries
 * one way after the other: 64 characters against a pattern of Azure's Front Door take it for ever.
 * re2js (https://re2js.leopard.in.ua) follows all ways at once: 0.4 to 6 µs for an ordinary match
 * against 0.02 to 0.1. Alternatives: re2 is quicker for long texts, but is compiled or downloaded
 * when it is installed; V8's own linear engine is behind a flag that calls it experimental.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

export interface LinearPattern {
  test(text: string): boolean;
}

/** The largest of 3,500 real patterns but four have 3,800 steps; 5,000 are compiled in 20 ms. */
const STEPS_LIMIT = 5_000;
/** re2js keeps all states that texts have led it to: they are dropped after so much text. */
const FORGET_AFTER_CHARS = 10_000;
const LINE_ENDS = '\\n\\r\\x{2028}\\x{2029}';
/** As `\s` is in JavaScript; for RE2 it is ASCII alone. */
const SPACE = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}'
  + '\\x{3000}\\x{feff}';
/** All other characters: `[^\S]` is the space of JavaScript, too. */
const NO_SPACE = '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}'
  + '\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}'
  + '\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
/** One part of a pattern that JavaScript takes: an escape, a class, a repetition, a character. */
const PART = new RegExp([
  '\\\\(?:[pPu]\\{[^}]*\\}|u[\\da-fA-F]{4}|x[\\da-fA-F]{2}|c.|k<[^>]*>|.)',
  '\\[(?:\\\\.|[^\\]\\\\])*\\]', '\\{\\d+,?\\d*\\}', '.',
].join('|'), 'gsu');

/**
 * What matches as `source` does with JavaScript's flag `u`, or the reason why nothing can; it ends
 * a sentence that begins with "it". `source` is one that JavaScript takes.
 */
export function linearPattern(source: string): LinearPattern | { problem: string } {
  const parts = source.match(PART) ?? [];
  const problem = problemOf(parts);
  if (problem !== null) return { problem };
  if (stepsOf(parts) > STEPS_LIMIT) return { problem: `has more than ${STEPS_LIMIT} steps` };
  try {
    const written = parts.map(writtenOut).join('');
    return new Re2Pattern(engine().compile(engine().translateRegExp(written)));
  } catch (error) {
    const { name, message } = error as Error;
    if (!/^RE2JS/.test(name)) throw error;
    const said = message.replace(/^error parsing regexp: /, '').slice(0, 200);
    return { problem: `has something that cannot be matched in linear time (${said})` };
  }
}

class Re2Pattern implements LinearPattern {
  readonly #compiled: RE2JS;
  #read_chars = 0;

  constructor(compiled: RE2JS) {
    this.#compiled = compiled;
  }

  test(text: string): boolean {
    const found = this.#compiled.test(text);
    this.#read_chars += text.length;
    if (this.#read_chars > FORGET_AFTER_CHARS) {
      this.#compiled.reset();
      this.#read_chars = 0;
    }
    return found;
  }
}

/** What the engine cannot do, would do otherwise, or would take too long to prepare. */
function problemOf(parts: readonly string[]): string | null {
  for (const [place, part] of parts.entries()) {
    if (part === '(' && /^\?<?[=!]/.test(parts.slice(place + 1, place + 4).join(''))) {
      return 'looks ahead or behind';
    }
    // The engine's translation would take these for plain characters, or for others.
    if (/^\\[1-9k]/.test(part)) return 'refers back to what it matched';
    if (/\\u[dD][89a-fA-F]/.test(part)) return 'names half a character';
    if (part === '[]' || part === '[^]') return 'has an empty class';
  }
  return null;
}

/** About how many steps a pattern has when its repetitions are written out. */
function stepsOf(parts: readonly string[]): number {
  const open = [0];
  let last = 0;
  for (const part of parts) {
    const [, least, more, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(part) ?? [];
    if (part === '(') {
      open.push(0);
      continue;
    }
    if (part === ')') last = open.pop()! + 2;
    else if (least === undefined) last = 1;
    else last *= Math.max(Number(most || least) + Number(more !== '' && most === ''), 1) - 1;
    open[open.length - 1]! += last;
  }
  return open[0]!;
}

/** What JavaScript means by `.`, `\s` and `\S`, written out for the engine. */
function writtenOut(part: string): string {
  if (part === '.') return `[^${LINE_ENDS}]`;
  if (part === '\\s') return `[${SPACE}]`;
  if (part === '\\S') return `[^${SPACE}]`;
  return !part.startsWith('[') ? part
    : `[${part.slice(1).replace(/\\.|\[/gsu, (one) => WITHIN_CLASS.get(one) ?? one)}`;
}

/** In a class, where `[:alpha:]` is nothing but these characters. */
const WITHIN_CLASS: ReadonlyMap<string, string> = new Map(
  [['\\s', SPACE], ['\\S', NO_SPACE], ['\\b', '\\x08'], ['[', '\\[']]);

let loaded: typeof RE2JS | undefined;

/**
 * Loads the engine if it is not. Call it before work that may be cut off: a module that is broken
 * off while it is loaded stays half loaded for ever.
 */
export function engine(): typeof RE2JS {
  // Loaded with the first pattern: it takes 10 ms, and many a process never meets one.
  loaded ??= (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS;
  return loaded;
}
