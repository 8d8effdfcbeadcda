/**
 * How values travel, by the numbers that PostgreSQL gives to its types. Arrays are spelled out here
 * because postgres.js would ask the server for them in each new connection (a round trip, and a
 * crash of the process when the server ends the connection just then: nobody awaits that query) and
 * reads a null in an array as the text "NULL".
 */
interface Codec {
  serialize(value: any): string;
  parse(text: string): any;
}
interface Type extends Codec { to: number; from: number[] }

const asText: Codec = { serialize: String, parse: (text) => text };
const asNumber: Codec = { serialize: String, parse: Number };
const bigint: Codec = { serialize: String, parse: exactInteger };
const time: Codec = { serialize: timestampText, parse: (text) => text };
const timestamptz: Codec = { serialize: timestampText, parse: isoTimestamp };
const boolean: Codec = {
  serialize: (value) => value === true || value === 't' ? 't' : 'f', parse: (text) => text === 't',
};
const json: Codec = { serialize: (value) => JSON.stringify(value), parse: JSON.parse };
const bytea: Codec = {
  serialize: (value) => `\\x${Buffer.from(value).toString('hex')}`,
  parse: (text) => Buffer.from(text.slice(2), 'hex'),
};

export const TYPES: Record<string, Type> = {
  bigint: type(bigint, 20),
  timestamptz: type(timestamptz, 1184),
  times: type(time, 1114, 1082), // timestamp, date
  booleans: type(arrayOf(boolean), 1000),
  byteas: type(arrayOf(bytea), 1001),
  texts: type(arrayOf(asText), 1009, 1003, 1015, 1231, 2951), // text, name, varchar, numeric, uuid
  numbers: type(arrayOf(asNumber), 1007, 1005, 1021, 1022, 1028), // int4, int2, float4, float8, oid
  bigints: type(arrayOf(bigint), 1016),
  timestamptzs: type(arrayOf(timestamptz), 1185),
  timeLists: type(arrayOf(time), 1115, 1182), // timestamp, date
  jsons: type(arrayOf(json), 199, 3807), // json, jsonb
};

/** A codec for these numbers. postgres.js writes and reads each of `from` by it. */
function type(codec: Codec, ...from: number[]): Type {
  return { to: from[0]!, from, ...codec };
}

/** {a,"b, c",NULL}, nested for more dimensions. */
function arrayOf(element: Codec): Codec {
  const serialize = (values: unknown): string => {
    if (!Array.isArray(values)) return String(values);
    const parts = values.map((value) => {
      if (value === null) return 'NULL';
      if (value === undefined) throw new TypeError('an array for the database holds undefined');
      if (Array.isArray(value)) return serialize(value);
      // A regular expression takes twice as long.
      const text = element.serialize(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
      return `"${text}"`;
    });
    return `{${parts.join(',')}}`;
  };
  return { serialize, parse: (text) => parseArray(text, element) };
}

function parseArray(text: string, element: Codec): unknown[] {
  // Lower bounds other than 1 stand before: [0:1]={a,b}.
  let at = text.indexOf('{');
  const list = (): unknown[] => {
    const values: unknown[] = [];
    at++;
    while (at < text.length && text[at] !== '}') {
      if (text[at] === '{') values.push(list());
      else if (text[at] === '"') values.push(element.parse(quoted()));
      else {
        const word = bare();
        values.push(word === 'NULL' ? null : element.parse(word));
      }
      if (text[at] === ',') at++;
    }
    at++;
    return values;
  };
  const quoted = (): string => {
    let value = '';
    for (at++; at < text.length && text[at] !== '"'; at++) {
      value += text[at] === '\\' ? text[++at] : text[at];
    }
    at++;
    return value;
  };
  const bare = (): string => {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at++;
    return text.slice(start, at);
  };
  const values = list();
  if (at !== text.length) throw new RangeError('what the database sent is no array');
  return values;
}

function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`the bigint ${text} is beyond what a JavaScript number holds exactly`);
  }
  return value;
}

function timestampText(value: unknown): string {
  return typeof value === 'string' ? value : new Date(value as Date | number).toISOString();
}

/** "2026-11-21 03:41:58.123456+00" → "2026-11-21T03:41:58.123Z"; infinity and BC stay. */
function isoTimestamp(text: string): string {
  if (text[10] === ' ' && text.endsWith('+00')) {
    const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
  }
  const time_ms = Date.parse(text);
  return Number.isNaN(time_ms) ? text : new Date(time_ms).toISOString();
}
