/** What a document says about who may call: its schemes, and which an operation asks for. */
import { isObject, objectOf, textOf, type JsonObject } from '../../json.ts';
import { resolve } from '../schema/references.ts';

/** An endpoint is null if the document does not give it. */
export interface OAuthFlow {
  authorization_url: string | null;
  token_url: string | null;
  refresh_url: string | null;
  /** What each scope is for. */
  scopes: Record<string, string>;
}

/** One way to authenticate, by the name that the document gives it. */
export interface SecurityScheme {
  name: string;
  type: 'bearer' | 'basic' | 'api_key' | 'oauth2' | 'unsupported';
  description: string | null;
  /** Of an api key. */
  placement?: { in: 'header' | 'query' | 'cookie', name: string };
  /** The flows of OAuth 2.0 that a service can use; the implicit flow is for browsers alone. */
  flows?: { authorization_code?: OAuthFlow, client_credentials?: OAuthFlow };
  /** Of OpenID Connect. */
  openid_connect_url?: string;
}

/** One alternative: all of these schemes together; empty if none is needed. */
export type SecurityRequirement = { scheme: string, scopes: string[] }[];

export function readSecuritySchemes(document: JsonObject): SecurityScheme[] {
  const schemes = objectOf(objectOf(document.components).securitySchemes);
  return Object.entries(schemes).map(([name, value]) => readScheme(name, resolve(document, value)));
}

function readScheme(name: string, scheme: JsonObject): SecurityScheme {
  const description = textOf(scheme.description) ?? null;
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
  if (type === 'oauth2') return { name, type: 'oauth2', description, flows: readFlows(scheme) };
  const discovery = textOf(scheme.openIdConnectUrl);
  if (type === 'openidconnect' && discovery !== undefined) {
    return { name, type: 'oauth2', description, flows: {}, openid_connect_url: discovery };
  }
  return { name, type: 'unsupported', description };
}

function readFlows(scheme: JsonObject): NonNullable<SecurityScheme['flows']> {
  const { authorizationCode, clientCredentials } = objectOf(scheme.flows);
  return {
    ...(isObject(authorizationCode) ? { authorization_code: readFlow(authorizationCode) } : {}),
    ...(isObject(clientCredentials) ? { client_credentials: readFlow(clientCredentials) } : {}),
  };
}

function readFlow(flow: JsonObject): OAuthFlow {
  const scopes = Object.entries(objectOf(flow.scopes))
    .map(([scope, description]) => [scope, textOf(description) ?? ''] as const);
  return {
    authorization_url: textOf(flow.authorizationUrl) ?? null,
    token_url: textOf(flow.tokenUrl) ?? null,
    refresh_url: textOf(flow.refreshUrl) ?? null,
    scopes: Object.fromEntries(scopes),
  };
}

/** The alternatives of an operation, else of the document; empty if neither says anything. */
export function readSecurity(document: JsonObject, operation: JsonObject): SecurityRequirement[] {
  const security = Array.isArray(operation.security) ? operation.security : document.security;
  if (!Array.isArray(security)) return [];
  return security.filter(isObject).map((alternative) =>
    Object.entries(alternative).map(([scheme, scopes]) => ({
      scheme,
      scopes: Array.isArray(scopes)
        ? scopes.filter((scope): scope is string => typeof scope === 'string') : [],
    })));
}

/** The scopes of the alternative that asks for the fewest, but for at least one. */
export function requiredScopes(security: readonly SecurityRequirement[]): string[] {
  const asked = security
    .map((alternative) => [...new Set(alternative.flatMap(({ scopes }) => scopes))])
    .filter((scopes) => scopes.length > 0)
    .sort((a, b) => a.length - b.length);
  return asked[0]?.sort() ?? [];
}
