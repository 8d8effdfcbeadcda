import { isContainer } from '../../json.ts';
import { JsonText } from '../../jsonText.ts';
import { formsOf, SHORTEST_SECRET_CHARS } from './secretForms.ts';

/** What stands where a secret was. */
export const SCRUBBED = '[secret]';

const WINDOW_CHARS = SHORTEST_SECRET_CHARS;
const BASE = 0x01000193;
/** What the first character of a window weighs in its hash. */
const FIRST_WEIGHT = weightOf(WINDOW_CHARS - 1);
const SLOTS = 1 << 16;
const DEPTH_LIMIT = 512;

/**
 * Takes secrets out of text and JSON values, in every form that it knows of them. It reads a text
 * once, however many secrets there are: it keeps a hash of the last eight characters, and looks
 * further only where that is the hash of the beginning of a form: at the hash of as many characters
 * as the form has. So neither secrets that begin alike make it slow, nor one that repeats itself: a
 * server that chose `aaa…` as its token could hold the process up with an answer of the same.
 *
 * Give each call a scrubber with the secrets of its own connection. Only the operator may see what
 * one with all secrets has cleaned: others could find out secrets by sending guesses through it.
 */
export class Scrubber {
  /** Forms by the hash of their first characters, then by their length, the longest first. */
  readonly #forms = new Map<number, Forms[]>();
  /** How many forms there are for each value of the hash's lower bits; most windows have none. */
  readonly #slots = new Uint32Array(SLOTS);
  /** How often each form was added. */
  readonly #uses = new Map<string, number>();

  constructor(secrets: Iterable<string> = []) {
    this.add(secrets);
  }

  /**
   * Looks for these from now on, until the function that it returns is called. Secrets of fewer
   * than eight characters are not looked for (see SHORTEST_SECRET_CHARS).
   */
  add(secrets: Iterable<string>): () => void {
    const forms = [...secrets].flatMap(formsOf);
    for (const form of forms) this.#addForm(form);
    let added = true;
    return () => {
      if (!added) return;
      added = false;
      for (const form of forms) this.#removeForm(form);
    };
  }

  /** The value without the secrets; the same object where there were none. Keys count as well. */
  scrub<T>(value: T): T {
    return this.#uses.size === 0 ? value : this.#clean(value, 0) as T;
  }

  #clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#cleanText(value);
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value);
      return this.#cleanText(text) === text ? value : SCRUBBED;
    }
    if (!isContainer(value) || value instanceof JsonText) return value;
    if (depth >= DEPTH_LIMIT) return SCRUBBED; // Rather too much than a secret at the bottom.
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#clean(item, depth + 1));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    return this.#cleanObject(value, depth);
  }

  #cleanObject(value: object, depth: number): object {
    let changed = false;
    const entries = Object.entries(value).map(([name, item]) => {
      const cleanName = this.#cleanText(name);
      const cleanItem = this.#clean(item, depth + 1);
      if (cleanName !== name || cleanItem !== item) changed = true;
      return [cleanName, cleanItem] as const;
    });
    // fromEntries defines properties, so a `__proto__` from outside stays a plain property.
    return changed ? Object.fromEntries(entries) : value;
  }

  #cleanText(text: string): string {
    if (text.length < WINDOW_CHARS) return text;
    let clean = '';
    let copied = 0;
    // The last secret found; it is replaced once no other one overlaps it.
    let from = -1;
    let to = -1;
    let hash = hashOf(text);
    let upTo: Int32Array | undefined;
    for (let start = 0; ; start++) {
      const forms = this.#slots[hash & (SLOTS - 1)]! > 0 ? this.#forms.get(hash) : undefined;
      if (forms !== undefined) {
        upTo ??= hashesUpTo(text);
        const found = formAt(text, start, forms, upTo, start < to);
        if (found !== undefined) {
          if (start > to) {
            if (from >= 0) clean += text.slice(copied, from) + SCRUBBED;
            copied = Math.max(to, 0);
            from = start;
          }
          to = Math.max(to, start + found.length);
        }
      }
      const next = start + WINDOW_CHARS;
      if (next >= text.length) break;
      hash = Math.imul(hash - Math.imul(text.charCodeAt(start), FIRST_WEIGHT), BASE)
        + text.charCodeAt(next) | 0;
    }
    return from < 0 ? text : clean + text.slice(copied, from) + SCRUBBED + text.slice(to);
  }

  #addForm(form: string): void {
    const uses = this.#uses.get(form) ?? 0;
    this.#uses.set(form, uses + 1);
    if (uses > 0) return;
    const hash = hashOf(form);
    const beginAlike = this.#forms.get(hash) ?? [];
    this.#forms.set(hash, beginAlike);
    let forms = beginAlike.find(({ length }) => length === form.length);
    if (forms === undefined) {
      forms = { length: form.length, weight: weightOf(form.length), byHash: new Map() };
      beginAlike.push(forms);
      beginAlike.sort((a, b) => b.length - a.length);
    }
    const whole = wholeHashOf(form);
    forms.byHash.set(whole, [...forms.byHash.get(whole) ?? [], form]);
    this.#slots[hash & (SLOTS - 1)]! += 1;
  }

  #removeForm(form: string): void {
    const uses = this.#uses.get(form)! - 1;
    if (uses > 0) {
      this.#uses.set(form, uses);
      return;
    }
    this.#uses.delete(form);
    const hash = hashOf(form);
    const beginAlike = this.#forms.get(hash)!;
    const forms = beginAlike.find(({ length }) => length === form.length)!;
    const whole = wholeHashOf(form);
    const others = forms.byHash.get(whole)!.filter((other) => other !== form);
    if (others.length > 0) forms.byHash.set(whole, others);
    else forms.byHash.delete(whole);
    if (forms.byHash.size === 0) beginAlike.splice(beginAlike.indexOf(forms), 1);
    if (beginAlike.length === 0) this.#forms.delete(hash);
    this.#slots[hash & (SLOTS - 1)]! -= 1;
  }
}

/** Forms of secrets that have one length and begin alike. */
interface Forms {
  length: number;
  /** What a character before such a form weighs in the hash of both. */
  weight: number;
  /** By the hash of all their characters. */
  byHash: Map<number, string[]>;
}

/** The longest form that is at this place of the text, by the hashes of `hashesUpTo`. */
function formAt(
  text: string, start: number, forms: readonly Forms[], upTo: Int32Array, is_inside: boolean,
): string | undefined {
  for (const { length, weight, byHash } of forms) {
    if (start + length > text.length) continue;
    const whole = upTo[start + length]! - Math.imul(upTo[start]!, weight) | 0;
    const found = byHash.get(whole);
    // Within what is taken out already, a hash that happens to be equal does no harm.
    const form = is_inside ? found?.[0] : found?.find((one) => text.startsWith(one, start));
    if (form !== undefined) return form;
  }
  return undefined;
}

function wholeHashOf(form: string): number {
  return hashesUpTo(form)[form.length]!;
}

/** What a character weighs in a hash in which so many others follow it. */
function weightOf(chars: number): number {
  let weight = 1;
  for (let place = 0; place < chars; place++) weight = Math.imul(weight, BASE);
  return weight;
}

/** By place, the hash of all characters before it. */
function hashesUpTo(text: string): Int32Array {
  const hashes = new Int32Array(text.length + 1);
  for (let place = 0; place < text.length; place++) {
    hashes[place + 1] = Math.imul(hashes[place]!, BASE) + text.charCodeAt(place) | 0;
  }
  return hashes;
}

/** Of the first window of a text that is no shorter than one. */
function hashOf(text: string): number {
  let hash = 0;
  for (let place = 0; place < WINDOW_CHARS; place++) {
    hash = Math.imul(hash, BASE) + text.charCodeAt(place) | 0;
  }
  return hash;
}
