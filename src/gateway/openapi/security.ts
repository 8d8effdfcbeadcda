/** What a document says about who may call: its schemes, and which an operation asks for. */
import type { components } from '../../../generated/types.ts';
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { prefixWithin } from '../../truncate.ts';
import { resolve } from '../schema/references.ts';

/** One way to authenticate, as the operator is shown it. */
export type SecurityScheme = components['schemas']['SecurityScheme'];
type OAuthFlow = components['schemas']['OAuthFlow'];

/** One alternative: all of these schemes together; empty if none is needed. */
export type SecurityRequirement = { scheme: string, scopes: string[] }[];

const SCHEMES_LIMIT = 50;
const SCOPES_LIMIT = 200;
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

function readScheme(
  name: string, scheme: JsonObject, addressOf: (url: string) => string | null): SecurityScheme {
  const said = textOf(scheme.description);
  const description = said === undefined ? null : shortened(said);
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

/** The scopes of each scheme that actions need at least. */
export class NeededScopes {
  readonly #read = new Map<string, Set<string>>();
  readonly #other = new Map<string, Set<string>>();

  add(effect: string, security: readonly SecurityRequirement[]): void {
    // An empty alternative: it needs no account at all.
    if (security.some((alternative) => alternative.length === 0)) return;
    const needed = effect === 'read' ? this.#read : this.#other;
    for (const scheme of new Set(security.flat().map((one) => one.scheme))) {
      const scopes = needed.get(scheme) ?? new Set();
      for (const scope of fewest(security, scheme)) scopes.add(scope);
      needed.set(scheme, scopes);
    }
  }

  /** Sorted; at most 200 of each. */
  of(scheme: string): NonNullable<SecurityScheme['required_scopes']> {
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
