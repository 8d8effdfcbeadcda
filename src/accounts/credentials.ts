import { LRUCache } from 'lru-cache';
import type { Caller } from '../caller.ts';
import { coalesce } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { GatehouseError, invalidKey } from '../errors.ts';
import type { Log } from '../log.ts';
import { findAdminToken, touchAdminTokens } from '../store/adminTokens.ts';
import { findApiKey, goodKeys, touchApiKeys } from '../store/apiKeys.ts';
import type { Sql } from '../store/database.ts';
import { hashToken, isWellFormed, sameHash } from './token.ts';

/**
 * A key that was good is taken as good for this long, unless news of its revocation come before: so
 * it is refused within a second, also where the news are lost.
 */
const TRUST_MS = 900;
/** Keys held at most; beyond that all are looked up anew. */
const TRUSTED_KEYS = 10_000;
/** Keys and admin tokens known to have been valid here, the last used of them. */
const SEEN_TOKENS = 10_000;
/** How often the keys of open answers are looked up, for the same reason. */
const REVIEW_MS = 800;
/** How often uses of keys are noted. */
const NOTE_MS = 10_000;

/** Tells whose a bearer token is. */
export class Credentials {
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #now_ms: () => number;
  readonly #adminHash: Buffer | null;
  readonly #trusted = new Map<string, { caller: Caller; until_ms: number }>();
  /** Hashes of tokens that were valid when they were last looked up. */
  readonly #seen = new LRUCache<string, true>({ max: SEEN_TOKENS });
  readonly #asking = new Map<string, Promise<Caller>>();
  readonly #used = new Map<string, Caller>();
  readonly #usedAdminTokens = new Set<string>();
  /** Whose answers are open. */
  readonly #open = new Map<AbortController, Caller>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #reviewing = coalesce(() => this.review());
  /** How often anything was revoked: what was looked up before does not count any more. */
  #revocations = 0;

  /** `now_ms` is the clock that trust is measured with; a test brings its own. */
  constructor(sql: Sql, config: Config, log: Log, now_ms: () => number = Date.now) {
    this.#sql = sql;
    this.#log = log;
    this.#now_ms = now_ms;
    this.#adminHash = config.admin_token === null ? null : hashToken(config.admin_token);
  }

  /** Begins to look after open answers and to note uses. */
  open(): void {
    this.#timers.push(setInterval(() => this.#reviewing.request(), REVIEW_MS),
      setInterval(() => void this.#noteUses(), NOTE_MS));
    for (const timer of this.#timers) timer.unref();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#reviewing.idle();
    await this.#noteUses();
  }

  /** This key was revoked, or this workspace archived: holds from now on, for open answers too. */
  revoked(id: string): void {
    const isOf = ({ api_key_id, workspace_id }: Caller) => api_key_id === id || workspace_id === id;
    this.#forget(isOf);
    for (const [stop, caller] of this.#open) if (isOf(caller)) stop.abort(invalidKey());
  }

  /** News may have been missed: everything is looked up anew. */
  doubt(): void {
    this.#forget(() => true);
    this.#reviewing.request();
  }

  #forget(isOf: (caller: Caller) => boolean): void {
    this.#revocations += 1;
    // Answers that are under way may be from before.
    this.#asking.clear();
    for (const [name, { caller }] of this.#trusted) if (isOf(caller)) this.#trusted.delete(name);
  }

  /**
   * The caller whose api key this is. Throws invalid_api_key, also if it is revoked or expired.
   * `beforeLookup` is called before a key is looked up that has not been valid here; what it throws
   * is thrown instead.
   */
  async authenticate(token: string, beforeLookup = () => {}): Promise<Caller> {
    if (!isWellFormed('gth', token)) throw invalidKey();
    const hash = hashToken(token);
    const name = hash.toString('base64');
    const trusted = this.#trusted.get(name);
    const fresh = trusted && trusted.until_ms > this.#now_ms();
    if (!fresh && !this.#seen.has(name)) beforeLookup();
    const caller = fresh ? trusted.caller : await this.#ask(name, hash);
    this.#used.set(caller.api_key_id, caller);
    return caller;
  }

  /**
   * The id of this admin token; null for that of the configuration. Asks the database each time, so
   * that a token is refused as soon as it is revoked. Throws as `authenticate`.
   */
  async authenticateAdmin(token: string, beforeLookup = () => {}): Promise<string | null> {
    const hash = hashToken(token);
    if (this.#adminHash && sameHash(hash, this.#adminHash)) return null;
    if (isWellFormed('gta', token)) {
      const name = hash.toString('base64');
      if (!this.#seen.has(name)) beforeLookup();
      const row = await findAdminToken(this.#sql, hash);
      if (row?.status === 'active') {
        this.#seen.set(name, true);
        this.#usedAdminTokens.add(row.id);
        return row.id;
      }
      this.#seen.delete(name);
    }
    throw new GatehouseError('invalid_api_key',
      'The admin token is not valid. Api keys do not open this operation.');
  }

  /**
   * A signal that aborts as the caller's key is revoked or has expired, for an answer that stays
   * open; its reason is the error to answer with. `release` ends the watch.
   */
  whileValid(caller: Caller): { signal: AbortSignal; release(): void } {
    const stop = new AbortController();
    this.#open.set(stop, caller);
    return { signal: stop.signal, release: () => this.#open.delete(stop) };
  }

  /** Aborts the open answers of keys that are not good any more. */
  async review(): Promise<void> {
    if (this.#open.size === 0) return;
    try {
      const byKey = Map.groupBy(this.#open, ([, { api_key_id }]) => api_key_id);
      const good = await goodKeys(this.#sql, [...byKey.values()].map(([one]) => one![1]));
      for (const [api_key_id, answers] of byKey) {
        if (!good.has(api_key_id)) for (const [stop] of answers) stop.abort(invalidKey());
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'api keys could not be reviewed');
    }
  }

  /** Looks a key up. All who ask for the same key at that time share one query. */
  #ask(name: string, hash: Buffer): Promise<Caller> {
    const asking = this.#asking.get(name)
      ?? this.#lookUp(name, hash).finally(() => {
        if (this.#asking.get(name) === asking) this.#asking.delete(name);
      });
    this.#asking.set(name, asking);
    return asking;
  }

  async #lookUp(name: string, hash: Buffer): Promise<Caller> {
    // Counted from before the query: a key that is revoked after it must not be trusted longer.
    const until_ms = this.#now_ms() + TRUST_MS;
    const revocations = this.#revocations;
    const row = await findApiKey(this.#sql, hash);
    if (row?.status !== 'active') {
      this.#seen.delete(name);
      throw invalidKey();
    }
    const caller = { workspace_id: row.workspace_id, api_key_id: row.id, agent: null };
    if (this.#trusted.size >= TRUSTED_KEYS) this.#trusted.clear();
    // What was found before a revocation holds for those who had asked before it, and no longer.
    if (revocations === this.#revocations) this.#trusted.set(name, { caller, until_ms });
    this.#seen.set(name, true);
    return caller;
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
