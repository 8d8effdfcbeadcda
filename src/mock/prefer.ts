/** The header Prefer (RFC 7240), by which a request chooses how the mock answers it. */
import { GatehouseError } from '../errors.ts';

export interface Preferences {
  scenario: string | undefined;
  /** Milliseconds before each piece of what the model says. */
  pace_ms: number | undefined;
  /** An example of the document is wanted, which Prism answers with. */
  example: boolean;
}

export const PACE_LIMIT_MS = 60_000;

const PREFERENCE = /([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/g;

/** Reads the header; what it does not know is ignored. Throws invalid_request. */
export function readPreferences(header: string | string[] | undefined): Preferences {
  const given = new Map<string, string>();
  for (const [, name, quoted, bare] of String(header ?? '').matchAll(PREFERENCE)) {
    given.set(name!.toLowerCase(), quoted ?? bare!);
  }
  return {
    scenario: given.get('scenario'),
    pace_ms: paceOf(given.get('pace')),
    example: ['code', 'example', 'dynamic'].some((name) => given.has(name)),
  };
}

function paceOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= PACE_LIMIT_MS) return Number(text);
  throw new GatehouseError('invalid_request', `Prefer: pace is ${JSON.stringify(text)}; it must be`
    + ` milliseconds from 0 to ${PACE_LIMIT_MS}.`, { param: 'prefer' });
}
