/**
 * Large JSON, passed on as its text: what an action answered is stored and told as it is, and to
 * read and to write a megabyte of small members keeps the event loop for 100 to 200 ms each time.
 */

/** What is no longer is read and written in less than a millisecond or two. */
const LONG_CHARS = 16_384;

/** A long JSON text in place of its value: one that is storable, and without secrets. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For who does not know of it. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** What a JSON text stands for: its value, or a JsonText if it is long. */
export function jsonOrText(text: string): unknown {
  return text.length > LONG_CHARS ? new JsonText(text) : JSON.parse(text);
}

/** The value, of whatever length. */
export function plainJson(value: unknown): unknown {
  return value instanceof JsonText ? value.toJSON() : value;
}

/** As JSON.stringify; a JsonText, alone or as a member of the object, is written as it is. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const long = Object.entries(value).filter(([, member]) => member instanceof JsonText);
  if (long.length === 0) return JSON.stringify(value);
  const short = { ...value, ...Object.fromEntries(long.map(([name]) => [name, undefined])) };
  const members = long.map(([name, { text }]) => `${JSON.stringify(name)}:${text}`);
  const rest = JSON.stringify(short).slice(1, -1);
  return `{${[...(rest === '' ? [] : [rest]), ...members].join(',')}}`;
}
