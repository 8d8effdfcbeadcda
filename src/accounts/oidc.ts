/** Signing in by an identity provider, by OpenID Connect. */
import {
  authorizationCodeGrant, AuthorizationResponseError, buildAuthorizationUrl,
  calculatePKCECodeChallenge, fetchUserInfo, randomNonce, randomPKCECodeVerifier, randomState,
  ResponseBodyError, type Configuration, type ServerMetadata, WWWAuthenticateChallengeError,
} from 'openid-client';
import { steadyClock, type Clock } from '../clock.ts';
import { oidcScopes, type Config } from '../config.ts';
import type { Log } from '../log.ts';
import { sanitizeText } from '../sanitize.ts';
import type { BegunSession, DashboardSessions, SignInFrom } from './dashboardSessions.ts';
import { askProvider, whyUnknown } from './oidcProvider.ts';
import {
  auditNameOf, completed, groupsOf, hasUnverifiedEmail, ID_CHARS, namesGroups, roleOf, type Claims,
} from './oidcRoles.ts';

/** What the provider says of itself is asked for again after this. */
const SETTINGS_MS = 3_600_000;
/** While it does not answer, no sooner than after this, whoever comes. */
const AGAIN_MS = 10_000;
/** So much of what the provider says in its own words is logged. */
const SAID_CHARS = 300;
const ERROR_CODE = /^[\w.-]{1,64}$/;
const BY_CODE = ', which does not let this client sign people in by an authorization code';
/** What is nobody's doing who signs in, and how it is mended. */
const OF_OPERATOR: ReadonlyMap<string, string> = new Map([
  ['invalid_scope', 'by the setting GATEHOUSE_OIDC_SCOPES'],
  ['unauthorized_client', `at the provider${BY_CODE}`],
]);
const UNVERIFIED = 'The e-mail address does not count, because the identity provider does not say'
  + ' that it is verified (email_verified).';

/** So many groups of somebody who is not let in are named, each with so many characters. */
const GROUPS_NAMED = { count: 10, chars: 64 };

/** What the browser keeps while somebody is at the provider. */
export interface Flow {
  state: string;
  nonce: string;
  code_verifier: string;
}

/** Why nobody was signed in, in words for the person who tried. */
export class SignInFailed extends Error {
  override name = 'SignInFailed';
}

/** The provider has named somebody whom nothing here lets in. */
export class SignInRefused extends SignInFailed {
  override name = 'SignInRefused';
}

export interface OidcOptions {
  config: Config;
  log: Log;
  sessions: DashboardSessions;
  /** Where people come back to; known to the provider. */
  redirectUri(): string;
  clock?: Clock;
}

export class Oidc {
  readonly #options: OidcOptions;
  readonly #clock: Clock;
  #known: Configuration | undefined;
  #asked: { settings: Promise<Configuration>; again_at_ms: number } | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
  }

  /** What the provider says of itself. Throws SignInFailed. */
  async provider(): Promise<Readonly<ServerMetadata>> {
    return (await this.#settings()).serverMetadata();
  }

  /** Where to send somebody who wants to sign in. Throws SignInFailed. */
  async begin(): Promise<{ url: string; flow: Flow }> {
    const flow = {
      state: randomState(), nonce: randomNonce(), code_verifier: randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(await this.#settings(), {
      redirect_uri: this.#options.redirectUri(),
      scope: oidcScopes(this.#options.config).join(' '),
      state: flow.state, nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.code_verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, flow };
  }

  /**
   * Signs in whoever comes back with this query. The library checks the state, the server's name,
   * the token's signature, its issuer, audience, nonce and times. Throws SignInFailed.
   */
  async finish(query: string, flow: Flow, from: SignInFrom): Promise<BegunSession> {
    const { config, sessions } = this.#options;
    const claims = await this.#claims(query, flow);
    const id = auditNameOf(claims);
    const role = roleOf(claims, config);
    if (role === null) throw this.#refused(claims, id, from);
    const name = typeof claims.name === 'string' && claims.name !== '' ? claims.name : id;
    return await sessions.signInPerson({ id, name: name.slice(0, ID_CHARS), role }, from);
  }

  #refused(claims: Claims, id: string, from: SignInFrom): SignInRefused {
    const { config, sessions } = this.#options;
    const is_unverified = hasUnverifiedEmail(claims);
    sessions.refusePerson(id, from, is_unverified ? UNVERIFIED : null);
    return new SignInRefused([
      `You are ${id} to ${config.oidc_issuer}, and nobody of that name is let in here.`,
      ...(is_unverified ? [UNVERIFIED] : []),
      ...(namesGroups(config) ? [whichGroups(groupsOf(claims))] : []),
      'Ask the operator of this service: the settings GATEHOUSE_OIDC_VIEWERS,'
        + ' GATEHOUSE_OIDC_OPERATORS and GATEHOUSE_OIDC_ADMINS say who is.',
    ].join(' '));
  }

  async #claims(query: string, flow: Flow): Promise<Claims> {
    const settings = await this.#settings();
    const url = new URL(this.#options.redirectUri());
    url.search = query;
    try {
      const tokens = await authorizationCodeGrant(settings, url, {
        expectedState: flow.state, expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.code_verifier, idTokenExpected: true,
      }).catch((error: unknown) => {
        throw isClientRefused(error) ? this.#clientRefused(error) : error;
      });
      const claims: Claims = tokens.claims()!;
      return this.#isEnough(claims, settings.serverMetadata()) ? claims
        : completed(claims, await fetchUserInfo(settings, tokens.access_token, claims.sub));
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Whether the token says all that the settings ask for; some providers say it elsewhere. */
  #isEnough(claims: Claims, { userinfo_endpoint }: ServerMetadata): boolean {
    const { config } = this.#options;
    return userinfo_endpoint === undefined || (claims.email !== undefined
      && claims.email_verified !== undefined
      && (claims.groups !== undefined || !namesGroups(config)));
  }

  /**
   * How to speak to the provider. All who ask at a time share one look, and nobody waits for it who
   * can go by what it said before.
   */
  async #settings(): Promise<Configuration> {
    if (this.#asked === undefined || this.#asked.again_at_ms < this.#clock()) {
      const asked = this.#asked = { settings: this.#discover(), again_at_ms: Infinity };
      asked.settings.then((known) => {
        this.#known = known;
        asked.again_at_ms = this.#clock() + SETTINGS_MS;
      }, () => {
        asked.again_at_ms = this.#clock() + AGAIN_MS;
      });
    }
    return this.#known ?? await this.#asked.settings;
  }

  async #discover(): Promise<Configuration> {
    const { config, log } = this.#options;
    try {
      return await askProvider(config);
    } catch (error) {
      log.warn({ err: error, issuer: config.oidc_issuer, why: whyUnknown(error as Error) },
        'the identity provider (GATEHOUSE_OIDC_ISSUER) could not be asked for its settings');
      throw new SignInFailed('The identity provider does not answer as it should. Try again, or'
        + ' sign in with an admin token; the log of the service says more.', { cause: error });
    }
  }

  #clientRefused(error: RefusedClient): SignInFailed {
    const code = error instanceof ResponseBodyError ? error.error : 'invalid_client';
    this.#options.log.warn({ reason: error.message, code }, 'the identity'
      + ' provider does not accept this service as its client: GATEHOUSE_OIDC_CLIENT_ID and'
      + ' GATEHOUSE_OIDC_CLIENT_SECRET have to be what the provider knows');
    return new SignInFailed('The identity provider does not accept this service as its client'
      + ` (${code}). Only the operator of this service can mend that, by the settings`
      + ' GATEHOUSE_OIDC_CLIENT_ID and GATEHOUSE_OIDC_CLIENT_SECRET'
      + `${code === 'unauthorized_client' ? `, or at the provider${BY_CODE}` : ''}.`,
    { cause: error });
  }

  #failure(error: unknown): SignInFailed {
    if (error instanceof SignInFailed) return error;
    const code = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
      ? error.error : '';
    if (error instanceof AuthorizationResponseError && ERROR_CODE.test(code)) {
      // Who changes their mind is nothing to look after.
      this.#options.log[code === 'access_denied' ? 'info' : 'warn'](
        { code, description: error.error_description?.slice(0, SAID_CHARS) },
        'the identity provider did not sign somebody in');
      const how = OF_OPERATOR.get(code);
      return new SignInFailed(`The identity provider did not sign you in: ${code}.`
        + (how ? ` Only the operator of this service can mend that, ${how}.` : ''));
    }
    const { message, code: kind } = error as Error & { code?: string };
    this.#options.log.warn({ reason: message, kind, code }, 'a sign-in by OpenID Connect failed');
    if (kind === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
      return new SignInFailed('By the clock of this service, what the identity provider sent with'
        + ' you has ended, or has not begun. Try again; if it stays, one of the two clocks is'
        + ' wrong, and the operator of this service is to look.', { cause: error });
    }
    return new SignInFailed('What the identity provider sent with you is not good, or not any more.'
      + ' Try again; the log of the service says more.', { cause: error });
  }
}

/** Where groups are let in: the operator sees how the provider writes them, or that it does not. */
function whichGroups(groups: readonly string[]): string {
  const named = groups.slice(0, GROUPS_NAMED.count)
    .map((group) => JSON.stringify(sanitizeText(group.slice(0, GROUPS_NAMED.chars))));
  return named.length === 0
    ? 'Groups are let in, too, and the identity provider names none that you are in (groups).'
    : `Nor are your groups, as the identity provider names them: ${named.join(', ')}`
      + `${groups.length > named.length ? ', …' : ''}.`;
}

type RefusedClient = WWWAuthenticateChallengeError | ResponseBodyError;

/**
 * Of the token endpoint, which says so in its body, or by a challenge to authenticate. Keycloak
 * says `unauthorized_client` of a wrong secret, and Microsoft of a client that it does not know.
 */
function isClientRefused(error: unknown): error is RefusedClient {
  return error instanceof WWWAuthenticateChallengeError ? error.status === 401
    : error instanceof ResponseBodyError
      && ['invalid_client', 'unauthorized_client'].includes(error.error);
}
