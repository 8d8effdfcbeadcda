/**
 * Access tokens of the identity provider, with which MCP clients ask in place of an api key: the
 * service is an OAuth 2.1 protected resource, as the MCP authorization specification has it.
 */
import {
  createLocalJWKSet, createRemoteJWKSet, customFetch, errors, jwtVerify, type JSONWebKeySet,
  type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { ExpiredTokenError, GatehouseError } from '../errors.ts';
import type { Log } from '../log.ts';
import { sanitizeText } from '../sanitize.ts';
import { keysOfIdentities } from '../store/apiKeys.ts';
import type { Sql } from '../store/database.ts';
import { identitiesOf, mostExact } from './identities.ts';
import { SignInFailed, type Oidc } from './oidc.ts';
import { auditNameOf, type Claims } from './oidcRoles.ts';
import { hashToken } from './token.ts';
import { KNOWN } from './trusted.ts';

/** Three parts of base64url. Api keys have no dots. */
const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** Only what is checked with a public key. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384',
  'ES512', 'EdDSA', 'Ed25519'];
/** What clocks may differ by. */
const SKEW_S = 30;
const FETCH_MS = 5_000;
/** More keys than this that stand for one person are not told apart. */
const KEYS_LIMIT = 1_000;
/** So many of them are named to somebody who has to choose. */
const NAMED = 10;
/** What an access token may say of its type; many providers say no more than JWT. */
const TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
/** ID tokens and logout tokens have these, and access tokens never. */
const OF_OTHERS = ['at_hash', 'c_hash', 's_hash', 'events'];
/** After a look that has failed nobody asks the provider again for so long. */
const PAUSE_MS = 10_000;
const AUDIENCE_CHARS = 200;
const KEY_ID = /^\w{1,64}$/;

/** What jose says when it cannot have the public keys: no answer, or no keys. */
const AWAY = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

export interface AccessTokensOptions {
  sql: Sql;
  config: Pick<Config, 'mcp_audience' | 'oidc_client_id' | 'oidc_issuer'>;
  log: Log;
  oidc: Pick<Oidc, 'provider'>;
  /** The address of the resource that the tokens are for. */
  resource(): string;
  /** A key was used. */
  noteUse(caller: Caller): void;
}

interface IdentityProvider { issuer: string; jwks_uri: string }

export class AccessTokens {
  readonly #options: AccessTokensOptions;
  /** The provider's public keys, by the address where it shows them. */
  readonly #keys = new LRUCache<string, JWTVerifyGetKey>({ max: 4 });
  /** Tokens that were good here: their look-up is no guess. */
  readonly #known = new LRUCache<string, true>({ max: KNOWN });
  #failed_ms = -Infinity;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /** What tokens are for, as clients write it. */
  get resource(): string {
    return new URL(this.#options.resource()).href;
  }

  /** The provider, by the name that it has for itself. Throws unavailable. */
  async issuer(): Promise<string> {
    return (await this.#ask()).issuer;
  }

  /** Whether a bearer token is to be looked at here. */
  isOne(token: string): boolean {
    return FORM.test(token);
  }

  /**
   * As which api key somebody with this token acts: the one that names them most exactly, or the
   * one that they ask for (`api_key_id`). Looks each time, so that what an operator changes holds
   * at once. Throws invalid_api_key for a token that is not good, or not for this service;
   * not_permitted where no key stands for them, or several do; unavailable without the provider's
   * public keys. `beforeLookup` is called before a token is looked at that has not been good here.
   */
  async authenticate(
    token: string, api_key_id: string | null, beforeLookup: () => void): Promise<Caller> {
    const name = hashToken(token).toString('base64');
    if (!this.#known.has(name)) beforeLookup();
    const claims = await this.#verified(token);
    this.#known.set(name, true);
    const person = auditNameOf(claims);
    if (api_key_id !== null && !KEY_ID.test(api_key_id)) {
      throw new GatehouseError('invalid_request', 'api_key_id is no id of an api key, key_….');
    }
    const [key, ...others] = mostExact(
      await keysOfIdentities(this.#options.sql, identitiesOf(claims), api_key_id, KEYS_LIMIT));
    if (key === undefined) throw this.#refused(person, claims, api_key_id);
    if (others.length > 0) throw severalKeys(person, [key, ...others]);
    const caller = { workspace_id: key.workspace_id, api_key_id: key.id, agent: null, person };
    this.#options.noteUse(caller);
    return caller;
  }

  async #verified(token: string): Promise<Claims> {
    const { issuer, jwks_uri } = await this.#ask();
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.#keysAt(jwks_uri), {
        issuer, audience: this.#audience, algorithms: ALGORITHMS,
        clockTolerance: SKEW_S, requiredClaims: ['exp', 'sub'],
      });
      if (typeof payload.sub !== 'string' || payload.sub === '') throw notGood('it names nobody');
      if (!this.#isAccessToken(payload, protectedHeader)) {
        throw notGood('it is a token of another kind; an access token belongs here');
      }
      return payload as Claims;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  get #audience(): string {
    return this.#options.config.mcp_audience ?? this.resource;
  }

  /** The provider signs other tokens with the same keys; RFC 9068, where kept, tells them apart. */
  #isAccessToken(payload: JWTPayload, { typ }: JWTHeaderParameters): boolean {
    const type = typ?.toLowerCase();
    if (!TYPES.includes(type) || OF_OTHERS.some((claim) => claim in payload)) return false;
    if (type?.endsWith('at+jwt')) return true;
    // Keycloak says the kind here.
    if (['ID', 'Refresh', 'Logout', 'Offline'].includes(String(payload.typ))) return false;
    // An ID token is for the client: where that is the audience too, only its scope tells.
    return this.#audience !== this.#options.config.oidc_client_id
      || typeof (payload.scope ?? payload.scp) === 'string' || Array.isArray(payload.scp);
  }

  async #ask(): Promise<IdentityProvider> {
    try {
      const { issuer, jwks_uri = '' } = await this.#options.oidc.provider();
      // A key that somebody on the way can change makes tokens for anybody.
      if (URL.parse(jwks_uri)?.protocol !== URL.parse(issuer)?.protocol) {
        throw new SignInFailed(`its jwks_uri is ${JSON.stringify(jwks_uri)}`);
      }
      return { issuer, jwks_uri };
    } catch (error) {
      throw away(error);
    }
  }

  /** Whoever sends tokens must not drive requests to a provider that does not answer. */
  get #isPausing(): boolean {
    return performance.now() - this.#failed_ms < PAUSE_MS;
  }

  /**
   * jose asks again for a key that it does not know, at most twice a minute, and for all of them
   * every ten minutes. Older ones do not count, not even while the provider is away: it may have
   * taken them back, and tokens that end within minutes would not get far by them.
   */
  #keysAt(jwks_uri: string): JWTVerifyGetKey {
    let keys = this.#keys.get(jwks_uri);
    if (keys === undefined) {
      keys = createRemoteJWKSet(new URL(jwks_uri), {
        timeoutDuration: FETCH_MS,
        [customFetch]: async (url, init) => {
          if (this.#isPausing) throw new errors.JWKSTimeout();
          try {
            const answer = await fetch(url, { ...init, redirect: 'error' });
            if (!answer.ok) throw new Error(`it answered ${answer.status}`);
            const shown = await answer.json() as JSONWebKeySet;
            createLocalJWKSet(shown); // Throws if they are none.
            return Response.json(shown);
          } catch (error) {
            this.#failed_ms = performance.now();
            this.#options.log.warn({ err: error },
              'the identity provider does not show its public keys');
            throw error;
          }
        },
      });
      this.#keys.set(jwks_uri, keys);
    }
    return keys;
  }

  #failure(error: unknown): GatehouseError {
    if (error instanceof GatehouseError) return error;
    if (error instanceof errors.JWTExpired) return new ExpiredTokenError();
    if (error instanceof errors.JWTClaimValidationFailed) {
      if (error.claim === 'nbf' && error.reason === 'check_failed') {
        return notGood('by the clock of this service it does not count yet (nbf). If it stays so,'
          + " one of the two clocks is wrong, the provider's or this one");
      }
      const { aud } = error.payload;
      return notGood(error.claim === 'aud'
        ? `it is for ${aud === undefined ? 'nobody (aud)' : audienceOf(aud)}, not for this service.`
          + ` Ask for one for ${this.#audience}`
        : `its claim ${JSON.stringify(error.claim)} is not as it should be`);
    }
    return isOfToken(error) ? notGood('its provider has not signed it') : away(error);
  }

  #refused(person: string, { sub }: Claims, api_key_id: string | null): GatehouseError {
    this.#options.log.info({ person, api_key_id }, 'no api key stands for a person who asks');
    return new GatehouseError('not_permitted', api_key_id === null
      ? `You are ${person} (sub:${sub}) to ${this.#options.config.oidc_issuer}, and no api key`
        + ' stands for you. Ask the operator of this service to name you among the identities of'
        + ' a key (gatehouse keys update).'
      : `The api key ${JSON.stringify(api_key_id)} is none that stands for ${person}.`);
  }
}

function severalKeys(person: string, keys: { id: string }[]): GatehouseError {
  return new GatehouseError('not_permitted', `Several api keys stand for ${person}:`
    + ` ${keys.slice(0, NAMED).map(({ id }) => id).join(', ')}${keys.length > NAMED ? ', …' : ''}.`
    + ` Name one in the address: /mcp?api_key_id=${keys[0]!.id}`);
}

/** As the provider writes it: whoever sets it up there sees what is wrong. */
function audienceOf(aud: unknown): string {
  return sanitizeText(JSON.stringify(aud).slice(0, AUDIENCE_CHARS));
}

/** Whether a token is to blame, whatever it is for: anybody may send one. */
function isOfToken(error: unknown): boolean {
  return error instanceof errors.JOSEError && !AWAY.has(error.code);
}

function notGood(why: string): GatehouseError {
  return new GatehouseError('invalid_api_key', `The access token is not good: ${why}.`);
}

function away(cause: unknown): GatehouseError {
  return new GatehouseError('unavailable', 'The identity provider cannot be asked for its public'
    + ' keys just now. Try again, or use an api key.', { cause });
}
