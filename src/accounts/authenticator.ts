import { LRUCache } from 'lru-cache';
import type { Caller, Operator } from '../caller.ts';
import type { Clock } from '../clock.ts';
import { Background } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { GatehouseError, invalidKey } from '../errors.ts';
import type { Log } from '../log.ts';
import { findAdminToken, touchAdminTokens } from '../store/adminTokens.ts';
import { findApiKey, goodKeys, touchApiKeys } from '../store/apiKeys.ts';
import type { Sql } from '../store/database.ts';
import { dashboardKey } from './dashboardKeys.ts';
import { OpenAnswers, REVIEW_MS, type Watch } from './openAnswers.ts';
import { hashToken, isWellFormed, sameHash } from './token.ts';
import { KNOWN, NOTE_MS, Trusted, type Found } from './trusted.ts';

/** Tells whose a bearer token is. */
export class Authenticator {
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #adminHash: Buffer | null;
  readonly #callers: Trusted<Caller>;
  readonly #dashboardCallers: Trusted<Caller>;
  readonly #knownAdminTokens = new LRUCache<string, true>({ max: KNOWN });
  readonly #used = new Map<string, Caller>();
  readonly #usedAdminTokens = new Set<string>();
  readonly #open = new OpenAnswers<Caller>(invalidKey);
  readonly #reviewing = new Background(() => this.review(), REVIEW_MS);
  readonly #noting = new Background(() => this.#noteUses(), NOTE_MS);

  constructor(sql: Sql, config: Config, log: Log, clock?: Clock) {
    this.#sql = sql;
    this.#log = log;
    this.#adminHash = config.admin_token === null ? null : hashToken(config.admin_token);
    this.#callers = new Trusted(clock);
    this.#dashboardCallers = new Trusted(clock);
  }

  /** Begins to look after open answers and to note uses. */
  open(): void {
    this.#reviewing.open();
    this.#noting.open();
  }

  async close(): Promise<void> {
    await this.#reviewing.close();
    await this.#noting.finish();
  }

  /** This key was revoked, or this workspace archived: holds from now on, for open answers too. */
  revoked(id: string): void {
    const isOf = ({ api_key_id, workspace_id }: Caller) => api_key_id === id || workspace_id === id;
    this.#forget(isOf);
    this.#open.end(isOf);
  }

  /** News may have been missed: everything is looked up anew. */
  doubt(): void {
    this.#forget(() => true);
    this.#reviewing.request();
  }

  #forget(isOf: (caller: Caller) => boolean): void {
    this.#callers.forget(isOf);
    this.#dashboardCallers.forget(isOf);
  }

  /**
   * The caller whose api key this is. Throws invalid_api_key, also if it is revoked or expired.
   * `beforeLookup` is called before a key is looked up that has not been valid here; what it throws
   * is thrown instead.
   */
  async authenticate(token: string, beforeLookup?: () => void): Promise<Caller> {
    const hash = hashToken(token);
    const name = hash.toString('base64');
    let caller = this.#callers.trusted(name);
    if (caller === undefined) {
      // Its check characters take longer than its hash, and are right if it is known.
      if (!isWellFormed('gth', token)) throw wrongKind(token);
      caller = await this.#callers.lookUp(name, () => this.#callerOf(hash), beforeLookup);
    }
    this.noteUse(caller);
    return caller;
  }

  async #callerOf(hash: Buffer): Promise<Found<Caller>> {
    const row = await findApiKey(this.#sql, hash);
    if (row?.status !== 'active') throw invalidKey();
    return { good_for_ms: row.good_for_ms,
      found: { workspace_id: row.workspace_id, api_key_id: row.id, agent: null } };
  }

  /**
   * As whom the dashboard asks for something of a workspace: its dashboard key, which is made if
   * there is none yet. Throws invalid_request for a workspace that is unknown or archived.
   */
  async authenticateDashboard(workspace_id: string, operator: Operator): Promise<Caller> {
    const caller = this.#dashboardCallers.trusted(workspace_id)
      ?? await this.#dashboardCallers.lookUp(workspace_id, async () => ({ good_for_ms: null,
        found: { workspace_id, agent: null,
          api_key_id: await dashboardKey(this.#sql, workspace_id, { actor: operator.actor }) },
      }));
    this.noteUse(caller);
    return { ...caller, operator };
  }

  /**
   * The id of this admin token; null for that of the configuration. Asks the database each time, so
   * that a token is refused as soon as it is revoked. Throws as `authenticate`.
   */
  async authenticateAdmin(token: string, beforeLookup = () => {}): Promise<string | null> {
    const hash = hashToken(token);
    const name = hash.toString('base64');
    const has_form = isWellFormed('gta', token);
    // The configured one has any form: to compare with it is to look, too.
    const is_looked_at = has_form || this.#adminHash !== null;
    if (is_looked_at && !this.#knownAdminTokens.has(name)) beforeLookup();
    if (this.#adminHash && sameHash(hash, this.#adminHash)) {
      this.#knownAdminTokens.set(name, true);
      return null;
    }
    if (has_form) {
      const row = await findAdminToken(this.#sql, hash);
      if (row?.status === 'active') {
        this.#knownAdminTokens.set(name, true);
        this.#usedAdminTokens.add(row.id);
        return row.id;
      }
      this.#knownAdminTokens.delete(name);
    }
    throw new GatehouseError('invalid_api_key', `The admin token is not valid${
      token.startsWith('gth_') ? ': it is an api key, and those do not open this operation.'
        : '. It may be revoked or expired; if there is no other, give the service one as'
          + ' GATEHOUSE_ADMIN_TOKEN.'}`);
  }

  /**
   * A signal that aborts as the caller's key is revoked or has expired, for an answer that stays
   * open; its reason is the error to answer with.
   */
  whileValid(caller: Caller): Watch {
    return this.#open.watch(caller);
  }

  /** Aborts the open answers of keys that are not good any more. */
  async review(): Promise<void> {
    try {
      await this.#open.review(({ api_key_id }) => api_key_id,
        (callers) => goodKeys(this.#sql, callers));
    } catch (error) {
      this.#log.warn({ err: error }, 'api keys could not be reviewed');
    }
  }

  /** The key of this caller is in use: the list of keys will say so. */
  noteUse(caller: Caller): void {
    this.#used.set(caller.api_key_id, caller);
  }

  async #noteUses(): Promise<void> {
    const used = [...this.#used.values()];
    this.#used.clear();
    const ids = [...this.#usedAdminTokens];
    this.#usedAdminTokens.clear();
    await Promise.all([
      used.length > 0 && touchApiKeys(this.#sql, used),
      ids.length > 0 && touchAdminTokens(this.#sql, ids),
    ]).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'uses of keys and tokens could not be noted'));
  }
}

/** Of what cannot be an api key; an admin token is what is given most often instead of one. */
function wrongKind(token: string): GatehouseError {
  return token.startsWith('gta_') ? new GatehouseError('invalid_api_key', 'The api key is not'
    + ' valid: it is an admin token, which opens what the operator does. `gatehouse keys create`'
    + ' makes an api key.') : invalidKey();
}
