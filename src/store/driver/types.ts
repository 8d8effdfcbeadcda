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
  bigint: type(20, bigint),
  timestamptz: type(1184, timestamptz),
  timestamp: type(1114, time),
  date: type(1082, time),
  booleans: type(1000, arrayOf(boolean)),
  byteas: type(1001, arrayOf(bytea)),
  names: type(1003, arrayOf(asText)),
  smallints: type(1005, arrayOf(asNumber)),
  integers: type(1007, arrayOf(asNumber)),
  texts: type(1009, arrayOf(asText)),
  varchars: type(1015, arrayOf(asText)),
  bigints: type(1016, arrayOf(bigint)),
  reals: type(1021, arrayOf(asNumber)),
  doubles: type(1022, arrayOf(asNumber)),
  oids: type(1028, arrayOf(asNumber)),
  timestamps: type(1115, arrayOf(time)),
  dates: type(1182, arrayOf(time)),
  timestamptzs: type(1185, arrayOf(timestamptz)),
  numerics: type(1231, arrayOf(asText)),
  jsons: type(199, arrayOf(json)),
  jsonbs: type(3807, arrayOf(json)),
  uuids: type(2951, arrayOf(asText)),
};

function type(number: number, codec: Codec): Type {
  return { to: number, from: [number], ...codec };
}

/** {a,"b, c",NULL}, nested for more dimensions. */
function arrayOf(element: Codec): Codec {
  const serialize = (values: unknown): string => {
    if (!Array.isArray(values)) return String(values);
    const parts = values.map((value) => {
      if (value === null) return 'NULL';
      if (value === undefined) throw new TypeError('an array for the database holds undefined');
      if (Array.isArray(value)) return serialize(value);
      return `"${element.serialize(value).replace(/["\\]/g, '\\$&')}"`;
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
    for (at++; text[at] !== '"'; at++) value += text[at] === '\\' ? text[++at] : text[at];
    at++;
    return value;
  };
  const bare = (): string => {
    const start = at;
    while (text[at] !== ',' && text[at] !== '}') at++;
    return text.slice(start, at);
  };
  return list();
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
