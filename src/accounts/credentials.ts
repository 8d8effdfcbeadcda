import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import type { Log } from '../log.ts';
import { findApiKey, isAdminToken, touchApiKeys } from '../store/apiKeys.ts';
import type { Sql } from '../store/database.ts';
import { hashToken, isWellFormed, sameHash } from './token.ts';

/** A key that was good is taken as good for this long: a revoked one is refused within a second. */
const TRUST_MS = 900;
/** Keys held at most; beyond that all are looked up anew. */
const TRUSTED_KEYS = 10_000;
/** How often the keys of open streams are checked, and uses of keys are noted. */
const REVIEW_MS = 10_000;

/** Tells whose a bearer token is. */
export class Credentials {
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #now_ms: () => number;
  readonly #adminHash: Buffer | null;
  readonly #trusted = new Map<string, { caller: Caller; until_ms: number }>();
  readonly #asking = new Map<string, Promise<Caller>>();
  readonly #used = new Map<string, Caller>();
  /** The hashes of the keys of open streams. */
  readonly #streams = new Map<AbortController, Buffer>();
  readonly #hashes = new Map<string, Buffer>();
  #review: NodeJS.Timeout | undefined;

  /** `now_ms` is the clock that trust is measured with; a test brings its own. */
  constructor(sql: Sql, config: Config, log: Log, now_ms: () => number = Date.now) {
    this.#sql = sql;
    this.#log = log;
    this.#now_ms = now_ms;
    this.#adminHash = config.admin_token === null ? null : hashToken(config.admin_token);
  }

  /** Begins to review open streams and to note uses. */
  open(): void {
    this.#review = setInterval(() => void this.review(), REVIEW_MS);
    this.#review.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#review);
    await this.#noteUses();
  }

  /** The caller whose api key this is. Throws invalid_api_key, also if it is revoked or expired. */
  async authenticate(token: string): Promise<Caller> {
    if (!isWellFormed('gth', token)) throw invalidKey();
    const hash = hashToken(token);
    const name = hash.toString('base64');
    const trusted = this.#trusted.get(name);
    const caller = trusted && trusted.until_ms > this.#now_ms()
      ? trusted.caller : await this.#ask(name, hash);
    this.#used.set(caller.api_key_id, caller);
    return caller;
  }

  /** Resolves if this is the operator's token. Throws invalid_api_key. */
  async authenticateAdmin(token: string): Promise<void> {
    const hash = hashToken(token);
    if (this.#adminHash && sameHash(hash, this.#adminHash)) return;
    if (isWellFormed('gta', token) && await isAdminToken(this.#sql, hash)) return;
    throw new GatehouseError('invalid_api_key',
      'The admin token is not valid. Api keys do not open this operation.', UNAUTHORIZED);
  }

  /**
   * A signal that aborts soon after the caller's key is revoked or has expired, for an answer that
   * stays open. `release` ends the watch.
   */
  whileValid(caller: Caller): { signal: AbortSignal; release(): void } {
    const stop = new AbortController();
    const token_hash = this.#hashes.get(caller.api_key_id);
    if (token_hash) this.#streams.set(stop, token_hash);
    return { signal: stop.signal, release: () => this.#streams.delete(stop) };
  }

  /** Aborts the streams of keys that are no longer valid, and notes which keys were used. */
  async review(): Promise<void> {
    try {
      await this.#noteUses();
      const byKey = Map.groupBy(this.#streams, ([, token_hash]) => token_hash.toString('base64'));
      for (const streams of byKey.values()) {
        const row = await findApiKey(this.#sql, streams[0]![1]);
        if (row?.status !== 'active') for (const [stop] of streams) stop.abort();
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'api keys could not be reviewed');
    }
  }

  /** Looks a key up. All who ask for the same key at that time share one query. */
  #ask(name: string, hash: Buffer): Promise<Caller> {
    const asking = this.#asking.get(name)
      ?? this.#lookUp(name, hash).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  async #lookUp(name: string, hash: Buffer): Promise<Caller> {
    // Counted from before the query: a key that is revoked after it must not be trusted longer.
    const until_ms = this.#now_ms() + TRUST_MS;
    const row = await findApiKey(this.#sql, hash);
    if (row?.status !== 'active') throw invalidKey();
    const caller = { workspace_id: row.workspace_id, api_key_id: row.id, agent: null };
    if (this.#trusted.size >= TRUSTED_KEYS) this.#trusted.clear();
    if (this.#hashes.size >= TRUSTED_KEYS) this.#hashes.clear();
    this.#trusted.set(name, { caller, until_ms });
    this.#hashes.set(caller.api_key_id, hash);
    return caller;
  }

  async #noteUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used.values()];
    this.#used.clear();
    await touchApiKeys(this.#sql, used).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'uses of api keys could not be noted'));
  }
}

const UNAUTHORIZED = { headers: { 'WWW-Authenticate': 'Bearer' } };

function invalidKey(): GatehouseError {
  return new GatehouseError('invalid_api_key',
    'The api key is not valid. It may be mistyped, revoked or expired.', UNAUTHORIZED);
}
