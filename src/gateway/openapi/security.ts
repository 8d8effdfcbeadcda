/** What a document says about who may call: its schemes, and which an operation asks for. */
import type { Schemas } from '../../../generated/types.ts';
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { prefixWithin } from '../../truncate.ts';
import { resolve } from '../schema/references.ts';

/** One way to authenticate, as the operator is shown it. */
export type SecurityScheme = Schemas['SecurityScheme'];
export type SecurityAlternative = Schemas['SecurityAlternative'];
type OAuthFlow = Schemas['OAuthFlow'];

/** One alternative: all of these schemes together; empty if none is needed. */
export type SecurityRequirement = { scheme: string, scopes: string[] }[];

const SCHEMES_LIMIT = 50;
const SCOPES_LIMIT = 200;
const ALTERNATIVES_LIMIT = 20;
const NAME_LIMIT_CHARACTERS = 200;
const DESCRIPTION_LIMIT_CHARACTERS = 500;

/**
 * The schemes of a document. `addressOf` makes an address absolute, and answers null for one that
 * is of no use.
 */
export function readSecuritySchemes(
  document: JsonObject, addressOf: (url: string) => string | null): SecurityScheme[] {
  const schemes = Object.entries(objectOf(objectOf(document.components).securitySchemes));
  return schemes.filter(([name]) => name.length <= NAME_LIMIT_CHARACTERS).slice(0, SCHEMES_LIMIT)
    .map(([name, value]) => readScheme(name, resolve(document, value), addressOf));
}

/**
 * The kinds of account that these schemes take. OAuth 2.0 by the implicit flow or with a password
 * (FastAPI's) is not done here: what is left of it is a token that somebody has got elsewhere.
 */
export function authMethodsOf(schemes: readonly SecurityScheme[]): string[] {
  const methods = schemes.map(({ type, flows = {}, openid_connect_url }) =>
    (type === 'oauth2' && Object.keys(flows).length === 0 && openid_connect_url === undefined
      ? 'bearer' : type));
  return [...new Set(methods)].filter((type) => type !== 'unsupported');
}

function readScheme(
  name: string, scheme: JsonObject, addressOf: (url: string) => string | null): SecurityScheme {
  const said = textOf(scheme.description);
  const description = said === undefined ? null : shortened(said);
  if (unservedKind(scheme) !== undefined) return { name, type: 'unsupported', description };
  const type = textOf(scheme.type)?.toLowerCase();
  if (type === 'http') {
    const kind = textOf(scheme.scheme)?.toLowerCase();
    const known = kind === 'bearer' || kind === 'basic' ? kind : 'unsupported';
    return { name, type: known, description };
  }
  if (type === 'apikey') {
    const place = textOf(scheme.in);
    const key = textOf(scheme.name);
    if (key !== undefined && (place === 'header' || place === 'query' || place === 'cookie')) {
      return { name, type: 'api_key', description, placement: { in: place, name: key } };
    }
  }
  if (type === 'oauth2') {
    return { name, type: 'oauth2', description, flows: readFlows(scheme, addressOf) };
  }
  const discovery = addressOf(textOf(scheme.openIdConnectUrl) ?? '');
  if (type === 'openidconnect' && discovery !== null) {
    return { name, type: 'oauth2', description, flows: {}, openid_connect_url: discovery };
  }
  return { name, type: 'unsupported', description };
}

const UNSERVED: Readonly<Record<string, string>> = {
  digest: 'HTTP Digest', negotiate: 'Negotiate', hoba: 'HOBA', mutual: 'HTTP Mutual',
  'scram-sha-1': 'SCRAM', 'scram-sha-256': 'SCRAM', vapid: 'VAPID', dpop: 'DPoP', hawk: 'Hawk',
  signature: 'HTTP signatures', hmac: 'HMAC signatures', oauth: 'OAuth 1.0',
  'aws4-hmac-sha256': 'AWS Signature Version 4',
};

/**
 * By name, the schemes for which each request would have to be signed, or the connection itself,
 * and what they are. A static header may stand for any other scheme, whatever it is called.
 */
export function unservedSchemes(document: JsonObject): ReadonlyMap<string, string> {
  const schemes = Object.entries(objectOf(objectOf(document.components).securitySchemes));
  return new Map(schemes.flatMap(([name, value]) => {
    const kind = unservedKind(resolve(document, value));
    return kind === undefined ? [] : [[name, kind] as const];
  }));
}

function unservedKind(scheme: JsonObject): string | undefined {
  const signed = textOf(scheme['x-amazon-apigateway-authtype'])?.toLowerCase();
  if (signed === 'awssigv4') return UNSERVED['aws4-hmac-sha256'];
  const type = textOf(scheme.type)?.toLowerCase();
  if (type === 'mutualtls') return 'mutual TLS';
  const kind = type === 'http' ? textOf(scheme.scheme)?.toLowerCase() ?? '' : '';
  return Object.hasOwn(UNSERVED, kind) ? UNSERVED[kind] : undefined;
}

/** Those that a service can use: the implicit flow is for browsers, a password for nobody. */
function readFlows(
  scheme: JsonObject, addressOf: (url: string) => string | null,
): NonNullable<SecurityScheme['flows']> {
  const { authorizationCode, clientCredentials } = objectOf(scheme.flows);
  const read = (flow: JsonObject): OAuthFlow => ({
    authorization_url: addressOf(textOf(flow.authorizationUrl) ?? ''),
    token_url: addressOf(textOf(flow.tokenUrl) ?? ''),
    refresh_url: addressOf(textOf(flow.refreshUrl) ?? ''),
    scopes: Object.fromEntries(Object.entries(objectOf(flow.scopes))
      .filter(([scope]) => isScope(scope)).slice(0, SCOPES_LIMIT)
      .map(([scope, description]) => [scope, shortened(textOf(description) ?? '')])),
  });
  return {
    ...(isObject(authorizationCode) && { authorization_code: read(authorizationCode) }),
    ...(isObject(clientCredentials) && { client_credentials: read(clientCredentials) }),
  };
}

function isScope(scope: unknown): scope is string {
  return typeof scope === 'string' && scope !== '' && scope.length <= NAME_LIMIT_CHARACTERS;
}

function shortened(text: string): string {
  return text.slice(0, prefixWithin(text, DESCRIPTION_LIMIT_CHARACTERS, 'characters'));
}

/** The alternatives of an operation, else of the document; empty if neither says anything. */
export function readSecurity(document: JsonObject, operation: JsonObject): SecurityRequirement[] {
  const security = Array.isArray(operation.security) ? operation.security : document.security;
  if (!Array.isArray(security)) return [];
  return security.filter(isObject).map((alternative) =>
    Object.entries(alternative).map(([scheme, scopes]) => ({
      scheme,
      scopes: Array.isArray(scopes) ? scopes.filter(isScope) : [],
    })));
}

/**
 * The schemes of each alternative of an operation, to be kept with it: none if it says itself that
 * it needs no account; null if the document does not say, or leaves it open.
 */
export function askedBy(document: JsonObject, operation: JsonObject): string[][] | null {
  const { security: own } = operation;
  if (Array.isArray(own) && own.length === 0) return [];
  const ways = distinctWays(readSecurity(document, operation));
  return ways.length === 0 || ways.some((schemes) => schemes.length === 0) ? null : ways;
}

/** The schemes of alternatives, whatever their scopes. */
function distinctWays(security: readonly SecurityRequirement[]): string[][] {
  const ways = security.map((alternative) => alternative.map(({ scheme }) => scheme));
  return [...new Map(ways.map((schemes) => [keyOf(schemes), schemes])).values()];
}

function keyOf(schemes: readonly string[]): string {
  return JSON.stringify(schemes.toSorted());
}

/** What a document declares, as its import reports it. */
export interface DeclaredSecurity {
  security_schemes?: SecurityScheme[];
  security_alternatives?: SecurityAlternative[];
}

/** The schemes that an account needs together, if no single one suffices for as many actions. */
export function neededTogether(
  { security_schemes = [], security_alternatives = [] }: DeclaredSecurity): SecurityScheme[] {
  const [most] = security_alternatives.filter(({ schemes }) => schemes.length > 0);
  const best = security_alternatives.find(({ schemes }) => schemes.length > 1);
  if (best === undefined || best.actions < most!.actions) return [];
  const byName = new Map(security_schemes.map((scheme) => [scheme.name, scheme]));
  return best.schemes.flatMap((name) => byName.get(name) ?? []);
}

/** What the actions of a document ask for, together. */
export class AskedSecurity {
  /** How many actions each alternative suffices for. */
  readonly #alternatives = new Map<string, SecurityAlternative>();
  /** The scopes of each scheme that actions need at least. */
  readonly #read = new Map<string, Set<string>>();
  readonly #other = new Map<string, Set<string>>();

  /** `security`: the alternatives of one action. */
  add(effect: string, security: readonly SecurityRequirement[]): void {
    for (const schemes of distinctWays(security)) {
      const known = this.#alternatives.get(keyOf(schemes));
      if (known) known.actions += 1;
      else this.#alternatives.set(keyOf(schemes), { schemes, actions: 1 });
    }
    // An empty alternative: it needs no account at all.
    if (security.some((alternative) => alternative.length === 0)) return;
    const needed = effect === 'read' ? this.#read : this.#other;
    for (const scheme of new Set(security.flat().map((one) => one.scheme))) {
      const scopes = needed.get(scheme) ?? new Set();
      for (const scope of fewest(security, scheme)) scopes.add(scope);
      needed.set(scheme, scopes);
    }
  }

  /** `schemes`: those of the document. Alternatives for the most actions come first. */
  report(schemes: readonly SecurityScheme[]): Required<DeclaredSecurity> {
    return {
      security_schemes: schemes.map((scheme) => (scheme.type !== 'oauth2' ? scheme
        : { ...scheme, required_scopes: this.#scopesOf(scheme.name) })),
      security_alternatives: [...this.#alternatives.values()]
        .sort((a, b) => b.actions - a.actions).slice(0, ALTERNATIVES_LIMIT),
    };
  }

  #scopesOf(scheme: string): NonNullable<SecurityScheme['required_scopes']> {
    const read = this.#read.get(scheme) ?? new Set();
    const other = (this.#other.get(scheme) ?? new Set()).difference(read);
    const list = (scopes: Set<string>) => [...scopes].sort().slice(0, SCOPES_LIMIT);
    return { read: list(read), other: list(other) };
  }
}

/**
 * The scopes of the alternative that asks for the fewest. Among equals, the one whose names say
 * that they read: Google's documents name `drive`, which may do anything, before `drive.readonly`.
 */
function fewest(security: readonly SecurityRequirement[], scheme: string): readonly string[] {
  const [least = []] = security
    .flatMap((alternative) => alternative.filter((one) => one.scheme === scheme))
    .map(({ scopes }) => scopes)
    .sort((a, b) => a.length - b.length || beyondReading(a) - beyondReading(b));
  return least;
}

function beyondReading(scopes: readonly string[]): number {
  return scopes.filter((scope) => !/read/i.test(scope)).length;
}
