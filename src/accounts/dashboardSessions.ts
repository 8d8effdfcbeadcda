/**
 * Who is signed in to the dashboard. Each session that begins or ends commits with its entry in the
 * audit log.
 */
import { AuditLog, type Author } from '../audit/audit.ts';
import type { DashboardRole, Operator } from '../caller.ts';
import { Background } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { sanitizeText } from '../sanitize.ts';
import { getAdminToken } from '../store/adminTokens.ts';
import * as store from '../store/dashboardSessions.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { configuredSign, isConfigured } from './configured.ts';
import { OpenAnswers, REVIEW_MS, type Watch } from './openAnswers.ts';
import { Refusals } from './refusals.ts';
import { hashToken, isWellFormed, newToken } from './token.ts';
import { NOTE_MS, Trusted, type Found } from './trusted.ts';

const USER_AGENT_CHARS = 300;
const CONFIGURED_NAME = 'GATEHOUSE_ADMIN_TOKEN';

/** What signs somebody in. */
export type SignInRequest = { admin_token: string } | { ticket: string };

/** What is known of the request that signs somebody in. */
export interface SignInFrom {
  request_id: string;
  user_agent: string | null;
  /** Of the session that the browser has had, which ends; null: it had none, or has not said. */
  cookie_secret: string | null;
}

/** Whom an identity provider knows. */
export interface Person { id: string; name: string; role: DashboardRole }

export interface BegunSession {
  session: store.DashboardSessionRow;
  /** For the cookie: shown this once, and not stored. */
  secret: string;
}

export interface DashboardSessionsOptions {
  sql: Sql;
  config: Config;
  log: Log;
  /** As that of Authenticator. */
  authenticateAdmin(token: string, beforeLookup: () => void): Promise<string | null>;
  /** Tells this node and the others that this session was revoked, which is committed. */
  announce(id: string): void;
}

type WantedSession =
  Omit<store.NewDashboardSession, 'id' | 'sha256' | 'configured' | 'user_agent'>;
type SignedIn = Operator & { session: NonNullable<Operator['session']> };

export class DashboardSessions {
  readonly #options: DashboardSessionsOptions;
  readonly #sql: Sql;
  readonly #operators = new Trusted<SignedIn>();
  readonly #open = new OpenAnswers<SignedIn>(signedOut);
  readonly #used = new Set<string>();
  readonly #refusals: Refusals;
  readonly #reviewing = new Background(() => this.#review(), REVIEW_MS);
  readonly #noting = new Background(() => this.#note(), NOTE_MS);

  constructor(options: DashboardSessionsOptions) {
    this.#options = options;
    this.#sql = options.sql;
    this.#refusals = new Refusals(options);
  }

  /** Begins to look after open answers and to note uses. */
  open(): void {
    this.#reviewing.open();
    this.#noting.open();
  }

  async close(): Promise<void> {
    await this.#reviewing.close();
    await this.#noting.finish();
    await this.#refusals.close();
  }

  /** This session, or the admin token of sessions, was revoked: holds from now on. */
  revoked(id: string): void {
    const isOf = ({ session, actor }: SignedIn) =>
      session.id === id || (actor.type === 'admin' && actor.id === id);
    this.#operators.forget(isOf);
    this.#open.end(isOf);
  }

  /** News may have been missed: everything is looked up anew. */
  doubt(): void {
    this.#operators.forget(() => true);
    this.#reviewing.request();
  }

  /**
   * Who is signed in by this secret of a cookie. Throws missing_api_key if the session has ended,
   * and invalid_api_key if there never was one, which may be a guess; `beforeLookup` as for keys.
   */
  async authenticate(secret: string, beforeLookup: () => void): Promise<Operator> {
    if (!isWellFormed('gts', secret)) throw unknownSession();
    const hash = hashToken(secret);
    const name = hash.toString('base64');
    const operator = this.#operators.trusted(name)
      ?? await this.#operators.lookUp(name, () => this.#operatorOf(secret, hash), beforeLookup);
    this.#used.add(operator.session.id);
    return operator;
  }

  async #operatorOf(secret: string, hash: Buffer): Promise<Found<SignedIn>> {
    const found = await store.findSession(this.#sql, hash);
    if (!found) throw unknownSession();
    if (!found.good || !isConfigured(this.#options.config, secret, found)) throw signedOut();
    return { good_for_ms: null,
      found: { actor: actorOf(found), session: { id: found.id, role: found.role } } };
  }

  /** A signal that aborts as the operator's session ends, for an answer that stays open. */
  whileValid(operator: Operator): Watch | null {
    return operator.session && this.#open.watch(operator as SignedIn);
  }

  /**
   * Begins a session by an admin token, or by a ticket, which is used up. Throws invalid_api_key;
   * the audit log then tells of it. `beforeLookup` as for keys.
   */
  async signIn(
    request: SignInRequest, from: SignInFrom, beforeLookup: () => void): Promise<BegunSession> {
    const method = 'ticket' in request ? 'ticket' : 'admin_token';
    try {
      if ('ticket' in request) return await this.#byTicket(request.ticket, from, beforeLookup);
      const id = await this.#options.authenticateAdmin(request.admin_token, beforeLookup);
      return await this.#instead(from, async (tx) => ({
        method, role: 'admin', person: null, admin_token_id: id, name: await nameOfToken(tx, id),
        parent_id: null, ends_at: null,
      }));
    } catch (error) {
      if (error instanceof GatehouseError && error.code === 'invalid_api_key') {
        this.#refusals.count({ type: 'system', id: null }, method, from.request_id);
      }
      throw error;
    }
  }

  /** Begins a session of somebody whom the identity provider has named. */
  async signInPerson({ id, name, role }: Person, from: SignInFrom): Promise<BegunSession> {
    return await this.#instead(from, async () => ({
      method: 'oidc', role, name, person: id, admin_token_id: null, parent_id: null, ends_at: null,
    }));
  }

  /** Somebody whom the identity provider has named was not let in. */
  refusePerson(id: string, { request_id }: SignInFrom, reason: string | null): void {
    this.#refusals.count({ type: 'person', id }, 'oidc', request_id, reason);
  }

  async #byTicket(
    ticket: string, from: SignInFrom, beforeLookup: () => void): Promise<BegunSession> {
    beforeLookup();
    if (!isWellFormed('gtk', ticket)) throw unknownTicket();
    return await this.#instead(from, async (tx) => {
      const taken = await store.takeTicket(tx, hashToken(ticket));
      if (!taken || !isConfigured(this.#options.config, ticket, taken)) throw unknownTicket();
      return { ...taken, method: 'ticket' };
    });
  }

  /**
   * Begins the session that `want` answers, and ends that which the browser has had: both or none.
   * The old one ends first, as that takes along what began with a link made in it; also if it was
   * ended before, by whoever had stolen its cookie and used a link of it.
   */
  async #instead(
    from: SignInFrom, want: (tx: Transaction) => Promise<WantedSession>): Promise<BegunSession> {
    const { begun, ended } = await this.#sql.begin(async (tx) => {
      const old = from.cookie_secret === null || !isWellFormed('gts', from.cookie_secret)
        ? undefined : await store.lockReplacedSession(tx, hashToken(from.cookie_secret));
      const wanted = await want(tx);
      const ended = old?.ends_others ? await this.#end(tx, old.id, null, {
        actor: actorOf(old), request_id: from.request_id,
      }, 'dashboard_session.ended') : [];
      return { begun: await this.#begin(tx, wanted, from), ended };
    });
    for (const id of ended ?? []) this.#options.announce(id);
    return begun;
  }

  async #begin(
    tx: Transaction, wanted: WantedSession, { request_id, user_agent }: SignInFrom,
  ): Promise<BegunSession> {
    const secret = newToken('gts');
    const { method, role, name } = wanted;
    const session = await store.insertSession(tx, {
      ...wanted, id: newId('dbs'), sha256: hashToken(secret), name: sanitizeText(name),
      configured: configuredSign(this.#options.config, secret, wanted),
      user_agent: user_agent && sanitizeText(user_agent).slice(0, USER_AGENT_CHARS),
    });
    await AuditLog.within(tx, {
      actor: actorOf(wanted), request_id, workspace_id: null, event: 'dashboard_session.created',
      target: session.id, details: { method, role, name },
    });
    return { session, secret };
  }

  /** Makes a ticket that signs in once as this operator; `expires_at`: until when. */
  async createTicket(
    operator: Operator, request_id: string): Promise<{ ticket: string; expires_at: string }> {
    const { actor, session } = operator;
    const ticket = newToken('gtk');
    const person = actor.type === 'person' ? actor.id : null;
    const admin_token_id = actor.type === 'admin' ? actor.id : null;
    return await this.#sql.begin(async (tx) => {
      const name = session ? await store.holdSession(tx, session.id)
        : await nameOfToken(tx, admin_token_id);
      if (name === undefined) throw signedOut();
      const expires_at = await store.insertTicket(tx, {
        sha256: hashToken(ticket), role: session?.role ?? 'admin', name, person, admin_token_id,
        configured: configuredSign(this.#options.config, ticket, { person, admin_token_id }),
        parent_id: session && session.id,
      });
      await AuditLog.within(tx, {
        actor, request_id, workspace_id: null, event: 'dashboard_ticket.created',
        details: { expires_at },
      });
      return { ticket, expires_at };
    });
  }

  /** Whose sessions an operator sees and ends: this person's alone; null: everybody's. */
  personOf({ actor, session }: Operator): string | null {
    return session === null || session.role === 'admin' ? null : String(actor.id);
  }

  /**
   * Ends a session, and those that began with a link made in it; again is fine. Who is signed in as
   * another than an admin ends their own alone. Throws not_found.
   */
  async revoke(id: string, operator: Operator, by: Author): Promise<void> {
    const person = this.personOf(operator);
    const event = operator.session?.id === id
      ? 'dashboard_session.ended' : 'dashboard_session.revoked';
    const revoked = await this.#sql.begin((tx) => this.#end(tx, id, person, by, event));
    if (revoked === undefined) throw notFound('dashboard session', id);
    for (const one of revoked) this.#options.announce(one);
  }

  /** Answers whose end is to be announced once it is committed; the rest as `revokeSession`. */
  async #end(
    tx: Transaction, id: string, person: string | null, by: Author,
    event: 'dashboard_session.ended' | 'dashboard_session.revoked',
  ): Promise<string[] | undefined> {
    const ids = await store.revokeSession(tx, id, person);
    for (const target of ids ?? []) {
      await AuditLog.within(tx, { ...by, workspace_id: null, event, target });
    }
    return ids;
  }

  async #review(): Promise<void> {
    await this.#open.review(({ session }) => session.id,
      (asked) => store.goodSessions(this.#sql, asked.map(({ session }) => session.id)))
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'dashboard sessions could not be reviewed'));
  }

  async #note(): Promise<void> {
    const ids = [...this.#used];
    this.#used.clear();
    if (ids.length === 0) return;
    await store.touchSessions(this.#sql, ids).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'uses of dashboard sessions could not be noted'));
  }
}

/** Whom the audit log names for what is done in a session. */
export function actorOf(
  { person, admin_token_id }: Omit<store.Origin, 'configured'>): Operator['actor'] {
  return person === null ? { type: 'admin', id: admin_token_id } : { type: 'person', id: person };
}

async function nameOfToken(tx: Transaction, id: string | null): Promise<string> {
  if (id === null) return CONFIGURED_NAME;
  return (await getAdminToken(tx, id))?.name ?? id;
}

function signedOut(): GatehouseError {
  return new GatehouseError('missing_api_key',
    'You are signed out of the dashboard: the session has ended. Sign in again.');
}

function unknownSession(): GatehouseError {
  return new GatehouseError('invalid_api_key',
    'Nobody is signed in by this cookie. Sign in again.');
}

function unknownTicket(): GatehouseError {
  return new GatehouseError('invalid_api_key', 'The link was used already, or is too old: it is'
    + ' good once, and for ten minutes. `gatehouse dashboard` makes a new one.');
}
