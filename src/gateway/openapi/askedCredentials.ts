/** What an operation asks for, by its document, of the credentials that a connection has. */
import {
  AUTHORIZATION, placeKey, type ApiKey, type Credentials, type KeyPlace,
} from '../action/credentials.ts';
import { schemeInWords } from '../action/missing.ts';
import type { DeclaredSecurity, SecurityScheme } from './security.ts';

export interface AskedCredentials {
  /** What of them is sent. */
  sent: Credentials;
  /** A sentence on what else is asked for, or that nothing is; null: they are what is asked for. */
  otherwise: string | null;
}

const SHOWN = 3;

/**
 * `asks_for`: as the operation is stored. Documents say loosely what a token has to be, so what
 * goes to the same place suffices, and all is sent; but keys in addresses and cookies, which get
 * into logs of what is public, are not sent where a document says that nothing is needed. (Of 2,639
 * real ones five say so where such a key is declared, and are right. Some of those with headers are
 * wrong: Webflow's deletes.) A document that asks for what the connection gives nowhere says
 * nothing of it.
 */
export function askedOf(
  asks_for: readonly (readonly string[])[] | null,
  { security_schemes = [], security_alternatives = [] }: DeclaredSecurity,
  credentials: Credentials): AskedCredentials {
  const all = { sent: credentials, otherwise: null };
  if (asks_for === null || credentials.type === 'none') return all;
  const schemes = new Map(security_schemes.map((scheme) => [scheme.name, scheme]));
  const given = placesIn(credentials);
  const given_keys = new Set(given.map(placeKey));
  const suffices = (names: readonly string[]) => names.every((name) => {
    const place = placeOf(schemes.get(name));
    return place === null || given_keys.has(placeKey(place));
  });
  const isSpokenOf = security_alternatives.some(({ schemes: names }) =>
    names.length > 0 && suffices(names));
  if (!isSpokenOf || asks_for.some(suffices)) return all;
  if (asks_for.length > 0) {
    const ways = asks_for.slice(0, SHOWN).map((names) => names.map((name) =>
      schemeInWords(schemes.get(name) ?? { name, type: 'unsupported' })).join(' and '));
    return { sent: credentials, otherwise: `Its document asks for ${ways.join(', or ')} there, and`
      + ` the connection gives ${given.map(inWords).join(' and ')}.` };
  }
  const { sent, kept } = withoutShown(credentials,
    new Set(security_schemes.flatMap((scheme) => placeOf(scheme) ?? []).map(placeKey)));
  const unsent = kept.length === 0 ? '' : `, so ${kept.map(inWords).join(' and ')} ${
    kept.length === 1 ? 'was' : 'were'} not sent`;
  return { sent,
    otherwise: `Its document says that no credentials are needed there${unsent}.` };
}

/** Credentials without those keys in addresses and cookies whose place is one of the `unwanted`. */
function withoutShown(
  credentials: Exclude<Credentials, { type: 'none' }>, unwanted: ReadonlySet<string>,
): { sent: Credentials, kept: KeyPlace[] } {
  const isKept = (key: ApiKey) => key.in !== 'header' && unwanted.has(placeKey(key));
  const { also = [], ...first } = credentials;
  const keys = [...first.type === 'api_key' ? [first] : [], ...also];
  const kept = keys.filter(isKept);
  const rest = also.filter((key) => !isKept(key));
  if (first.type !== 'api_key' || !isKept(first)) return { sent: { ...first, also: rest }, kept };
  const [next, ...others] = rest;
  return { sent: next === undefined ? { type: 'none' } : { ...next, also: others }, kept };
}

function placesIn(credentials: Exclude<Credentials, { type: 'none' }>): KeyPlace[] {
  const { also = [], ...first } = credentials;
  return [first.type === 'api_key' ? first : AUTHORIZATION, ...also];
}

function inWords({ in: place, name }: KeyPlace): string {
  return `${place} ${name}`;
}

/** Null: nobody knows, or whatever the operator gives may stand for it. */
function placeOf(scheme: SecurityScheme | undefined): KeyPlace | null {
  if (scheme === undefined || scheme.type === 'unsupported') return null;
  return scheme.placement ?? AUTHORIZATION;
}
