/**
 * Chooses fields of a JSON text while it arrives, so that an answer may be longer than what is kept
 * of one. What is left over is neither kept nor looked into. An own reader of bytes, because the
 * libraries that read JSON in a stream make a value of each text and number, also of what nobody
 * wants and however long it is: the tokens of @streamparser/json alone take twice the time.
 */
import { isUtf8 } from 'node:buffer';
import { parseExactly, parseJson } from '../../json.ts';
import type { WantedFields, WantedParts } from '../action/wanted.ts';
import type { Overflow } from '../egress/responseBody.ts';
import { KeptBytes } from './keptBytes.ts';
import { itemWish, memberWish, wholeWish, type Wish } from './wish.ts';

/** Why nothing is chosen; `too_much`: what was chosen is too long itself. */
export type ChoiceFault = 'no_json' | 'too_long' | 'too_much';

/** A value of which projecting the fields makes the same as of the whole text; or why not. */
export type ChosenFields = { value: unknown } | { fault: ChoiceFault };

export interface ChooserOptions {
  read_limit_bytes: number;
  /** Of the JSON text that is left. */
  keep_limit_bytes: number;
  /** Keeps also what the answer may tell of the next page. */
  paged: boolean;
}

/** Deeper than the result of a call may be. */
const DEPTH_LIMIT = 512;
/** The longest name of a field that can be asked for, each character as an escape. */
const NAME_LIMIT_BYTES = 1_200;
/** Longer than any cursor or address of a next page. */
const SIGN_LIMIT_BYTES = 32_768;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
/** What texts, numbers, true, false and null begin with. */
const PLAIN = new Set(Buffer.from('"-0123456789tfn'));
const NULL_START = 0x6e;
const [COMMA_TEXT, NAME_START, NAME_END] = [Buffer.from(','), Buffer.from('"'), Buffer.from('":')];
const [NULL_TEXT, EMPTY_TEXT] = [Buffer.from('null'), Buffer.from('""')];

/** What may come next. `first`: an item or a member, or the end of what has just begun. */
type Expected = 'value' | 'first' | 'name' | 'name_end' | 'colon' | 'next' | 'value_end' | 'end';

/** An object or a list of which parts are chosen. */
interface Holder extends Wish {
  is_list: boolean;
  wanted: WantedParts;
  /** Something of it is in what is kept. */
  filled: boolean;
}

export class FieldChooser implements Overflow {
  readonly read_limit_bytes: number;
  readonly #wanted: WantedFields;
  readonly #paged: boolean;
  #read_bytes = 0;
  #fault: ChoiceFault | null = null;
  #expected: Expected = 'value';
  readonly #holders: Holder[] = [];
  /** The name of the member that is read, as it is written, without quotes. */
  readonly #name = Buffer.alloc(NAME_LIMIT_BYTES);
  #name_bytes = 0;
  /** Of the value that is passed: how many lists and objects are open, and whether a text is. */
  #depth = 0;
  #in_text = false;
  /** The byte before was a backslash, in a text or a name. */
  #escaped = false;
  #keeps = false;
  /** Where the value begins in what is kept, if it is kept only as long as it is short. */
  #short_from: number | null = null;
  readonly #kept: KeptBytes;

  constructor(wanted: WantedFields, { read_limit_bytes, keep_limit_bytes, paged }: ChooserOptions) {
    this.#wanted = wanted;
    this.read_limit_bytes = read_limit_bytes;
    this.#kept = new KeptBytes(keep_limit_bytes);
    this.#paged = paged;
  }

  /** Takes the next bytes of the text; false: it wants no more. */
  write(bytes: Uint8Array): boolean {
    this.#read_bytes += bytes.length;
    if (this.#read_bytes > this.read_limit_bytes) this.#fault ??= 'too_long';
    let at = 0;
    while (at < bytes.length && this.#fault === null) {
      at = this.#expected === 'value_end' ? this.#pass(bytes, at)
        : this.#expected === 'name_end' ? this.#readName(bytes, at) : this.#read(bytes[at]!, at);
    }
    return this.#fault === null;
  }

  /** What became of it, once all is written. What was left out is not known to be JSON. */
  chosen(): ChosenFields {
    if (this.#fault !== null) return { fault: this.#fault };
    const kept = this.#kept.bytes();
    const value = this.#expected === 'end' && isUtf8(kept)
      ? parseExactly(kept.toString()) : undefined;
    return value === undefined ? { fault: 'no_json' } : { value };
  }

  /** Reads a byte between names and values; answers where the next one is. */
  #read(byte: number, at: number): number {
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    const holder = this.#holders.at(-1);
    switch (this.#expected) {
      case 'first':
        if (byte === endOf(holder!)) return this.#close(at);
        this.#expected = holder!.is_list ? 'value' : 'name';
        return at;
      case 'next':
        if (byte === endOf(holder!)) return this.#close(at);
        if (byte !== COMMA) break;
        this.#expected = holder!.is_list ? 'value' : 'name';
        return at + 1;
      case 'name':
        if (byte !== QUOTE) break;
        this.#expected = 'name_end';
        this.#name_bytes = 0;
        return at + 1;
      case 'colon':
        if (byte !== COLON) break;
        this.#expected = 'value';
        return at + 1;
      case 'value':
        // The mark of the byte order is no part of the text.
        if (holder === undefined && byte >= 0xbb) return at + 1;
        if (byte === LIST || byte === OBJECT || PLAIN.has(byte)) return this.#begin(byte, at);
    }
    return this.#noJson(at);
  }

  #readName(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE && !this.#escaped) {
        this.#expected = 'colon';
        return at + 1;
      }
      this.#escaped = byte === BACKSLASH && !this.#escaped;
      if (this.#name_bytes < NAME_LIMIT_BYTES) this.#name[this.#name_bytes] = byte;
      this.#name_bytes += 1;
    }
    return bytes.length;
  }

  /** Decides on a value: it is kept or left out, replaced, or its parts are decided on. */
  #begin(byte: number, at: number): number {
    const holder = this.#holders.at(-1);
    const kind = byte === LIST ? 'list' : byte === OBJECT ? 'object' : 'plain';
    const { wanted, sign_levels } = holder === undefined
      ? wholeWish(this.#wanted, this.#paged, kind)
      : holder.is_list ? itemWish(holder, kind) : memberWish(holder, this.#memberName(), kind);
    this.#expected = 'value_end';
    this.#keeps = false;
    this.#short_from = null;
    if (wanted === undefined) return at;
    if (holder !== undefined) this.#announce(holder);
    if (wanted === true) {
      this.#keeps = true;
    } else if (kind !== 'plain' && (wanted.size > 0 || sign_levels > 0)) {
      if (this.#holders.length >= DEPTH_LIMIT) return this.#noJson(at);
      this.#holders.push({ is_list: kind === 'list', wanted, sign_levels, filled: false });
      this.#keep(Buffer.of(byte));
      this.#expected = 'first';
      return at + 1;
    } else if (sign_levels > 0) {
      this.#keeps = true;
      this.#short_from = this.#kept.length;
    } else {
      // What it is does not matter. Only of null nobody can say what would be in it.
      this.#keep(byte === NULL_START ? NULL_TEXT : EMPTY_TEXT);
    }
    return at;
  }

  /** Undefined: it is longer than any that can be asked for. */
  #memberName(): string | undefined {
    if (this.#name_bytes > NAME_LIMIT_BYTES) return undefined;
    const written = this.#name.toString('utf8', 0, this.#name_bytes);
    return written.includes('\\') ? String(parseJson(`"${written}"`)) : written;
  }

  /** Passes a value that is kept or left out whole, as far as it is there. */
  #pass(bytes: Uint8Array, from: number): number {
    let depth = this.#depth;
    let in_text = this.#in_text;
    let escaped = this.#escaped;
    let ended = false;
    let at = from;
    for (; at < bytes.length && !ended; at++) {
      const byte = bytes[at]!;
      if (in_text) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          in_text = false;
          ended = depth === 0;
        }
      } else if (byte === QUOTE) {
        in_text = true;
      } else if (byte === LIST || byte === OBJECT) {
        depth += 1;
        if (this.#keeps && depth > DEPTH_LIMIT) return this.#noJson(at);
      } else if (depth > 0) {
        if (byte === LIST_END || byte === OBJECT_END) ended = --depth === 0;
      } else if (byte <= 0x20 || byte === COMMA || byte === LIST_END || byte === OBJECT_END) {
        break; // It is no part of the number or word that ends here.
      }
    }
    if (this.#keeps) this.#keepPart(bytes.subarray(from, at));
    ended ||= at < bytes.length;
    [this.#depth, this.#in_text, this.#escaped] = [depth, in_text, escaped];
    if (ended) this.#expected = this.#holders.length === 0 ? 'end' : 'next';
    return at;
  }

  #close(at: number): number {
    this.#keep(Buffer.of(endOf(this.#holders.pop()!)));
    this.#expected = this.#holders.length === 0 ? 'end' : 'next';
    return at + 1;
  }

  /** Writes what comes before an item or a member. */
  #announce(holder: Holder): void {
    if (holder.filled) this.#keep(COMMA_TEXT);
    holder.filled = true;
    if (holder.is_list) return;
    this.#keep(NAME_START);
    this.#keep(this.#name.subarray(0, this.#name_bytes));
    this.#keep(NAME_END);
  }

  #keep(bytes: Uint8Array): void {
    if (!this.#kept.append(bytes)) this.#fault ??= 'too_much';
  }

  #keepPart(bytes: Uint8Array): void {
    const from = this.#short_from;
    if (from !== null && this.#kept.length + bytes.length - from > SIGN_LIMIT_BYTES) {
      this.#kept.shorten(from);
      this.#keep(EMPTY_TEXT);
      this.#keeps = false;
    } else {
      this.#keep(bytes);
    }
  }

  #noJson(at: number): number {
    this.#fault = 'no_json';
    return at;
  }
}

function endOf({ is_list }: Holder): number {
  return is_list ? LIST_END : OBJECT_END;
}
