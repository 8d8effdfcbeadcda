/** The header Prefer (RFC 7240), by which a request chooses how the mock answers it. */
import { GatehouseError } from '../errors.ts';

export interface Preferences {
  scenario: string | undefined;
  /** Milliseconds before each piece of what the model says. */
  pace_ms: number | undefined;
  /** An example of the document is wanted, which Prism answers with; null: none is. */
  example: ExampleChoice | null;
}

/** Which example is wanted; what is left out, Prism chooses. */
export interface ExampleChoice {
  /** The status. */
  code?: number | undefined;
  /** The name in the document. */
  example?: string | undefined;
  /** Values are made up by the schema, and by `seed`, if that is there. */
  dynamic?: boolean | undefined;
  seed?: string | undefined;
}

const PACE_LIMIT_MS = 60_000;

/** What stands between commas, but for those in quotes: a preference and its parameters. */
const ITEM = /(?:"(?:\\.|[^"\\])*"|[^",])+/g;
/** Its beginning. The parameters, each after a semicolon, belong to it and to none that we know. */
const PREFERENCE = /^\s*([\w-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s,;"]+))/;

/**
 * Reads the header; what it does not know is ignored, and of a preference that is given twice the
 * first counts, as RFC 7240 has it. Throws invalid_request.
 */
export function readPreferences(header: string | string[] | undefined): Preferences {
  const given = new Map<string, string>();
  for (const [item] of String(header ?? '').matchAll(ITEM)) {
    const [, name, quoted, bare] = PREFERENCE.exec(item) ?? [];
    const known = name?.toLowerCase();
    if (known === undefined || given.has(known)) continue;
    given.set(known, quoted?.replace(/\\(.)/g, '$1') ?? bare!);
  }
  return {
    scenario: given.get('scenario'),
    pace_ms: paceOf(given.get('pace')),
    example: ['code', 'example', 'dynamic'].some((name) => given.has(name))
      ? exampleIn(given) : null,
  };
}

function exampleIn(given: ReadonlyMap<string, string>): ExampleChoice {
  const [code, dynamic] = [given.get('code'), given.get('dynamic')];
  if (code !== undefined && !/^\d{3}$/.test(code)) throw unlike('code', code, 'a status');
  if (dynamic !== undefined && !/^(?:true|false)$/.test(dynamic)) {
    throw unlike('dynamic', dynamic, 'true or false');
  }
  return {
    code: code === undefined ? undefined : Number(code), example: given.get('example'),
    dynamic: dynamic === 'true', seed: given.get('seed'),
  };
}

function paceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= PACE_LIMIT_MS) return Number(text);
  throw unlike('pace', text, `milliseconds from 0 to ${PACE_LIMIT_MS}`);
}

function unlike(name: string, text: string, what: string): GatehouseError {
  return new GatehouseError('invalid_request', `Prefer: ${name} is ${JSON.stringify(text)}; it must`
    + ` be ${what}.`, { param: 'prefer' });
}
