/**
 * How much of this process a key, a workspace and an address may take, and what is said of it: the
 * fields RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers (11), and 429.
 *
 * Each process counts for itself, in its memory: a count that all share would cost each request a
 * statement, and what is to be kept free is this process.
 *
 * By default nobody who means well comes near these limits: requests cost from half a millisecond
 * to seconds, so that a count that keeps the costly ones away refuses the others. What is scarce is
 * shared by what it costs (`turns.ts`, `fairQueue.ts`); a count bounds what is held in memory.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { BlockList } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { ExpiredTokenError, GatehouseError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Meters } from '../telemetry/metrics.ts';
import { clientAddress, isWithin, parseNetworks } from './clientAddress.ts';
import { ConcurrencyLimiter } from './concurrencyLimiter.ts';
import { strangerAt } from './strangers.ts';
import { TokenBuckets } from './tokenBuckets.ts';

/**
 * Whose share a request takes from: a key's and its workspace's. Without a workspace it is that of
 * an admin token, or of who is signed in to the dashboard, under the id of the session.
 */
export interface LimitSubject { workspace_id: string | null; api_key_id: string }

/** Whose share something is taken from. */
interface Share {
  /** In the fields and, with underscores, in the metric. */
  policy: string;
  who: string;
  /** Null: this asker has none. */
  nameOf(asker: LimitSubject): string | null;
}

const OF_KEY = {
  who: 'This key', nameOf: (asker: LimitSubject) => asker.api_key_id,
};
const OF_WORKSPACE = {
  who: 'This workspace', nameOf: (asker: LimitSubject) => asker.workspace_id,
};

interface Rate extends Share { buckets: TokenBuckets }
interface Bound extends Share { limiter: ConcurrencyLimiter; what: string; advice: string }

/** Where a request comes from. */
export interface RequestOrigin { peer_address: string | undefined; headers: IncomingHttpHeaders }

/** A request that was let in. */
export interface Admission {
  /** The fields for its answer. */
  fields: Readonly<Record<string, string>>;
  /** Gives back what it holds; repeating it is fine. */
  release(): void;
}

export type LimitSettings = Pick<Config,
  'rate_per_key' | 'rate_per_workspace' | 'requests_per_key' | 'requests_per_workspace'
  | 'streams_per_key' | 'streams_per_workspace' | 'auth_failures_per_minute' | 'trusted_proxies'>;

function boundsOf(
  kind: string, what: string, advice: string, per_key: number, per_workspace: number): Bound[] {
  return [
    { ...OF_KEY, policy: `key-${kind}`, limiter: new ConcurrencyLimiter(per_key), what, advice },
    { ...OF_WORKSPACE, policy: `workspace-${kind}`, limiter: new ConcurrencyLimiter(per_workspace),
      what, advice },
  ];
}

const NO_FIELDS: Readonly<Record<string, string>> = {};
const CONCURRENT = 'qu="concurrent-requests"';
const RETRY_AFTER_S = 1;
/** Requests of so many seconds may come at once, after a pause as long. */
const BURST_S = 4;

export class Limits {
  readonly #rates: readonly Rate[];
  readonly #requests: readonly Bound[];
  readonly #streams: readonly Bound[];
  readonly #failures: TokenBuckets | null;
  readonly #trusted: BlockList;
  readonly #policies: Record<'caller' | 'operator', string>;
  readonly #meters: Meters;
  readonly #log: Log | undefined;
  #open_streams = 0;
  #told_of_proxy = false;

  constructor(
    settings: LimitSettings, meters: Meters, { clock, log }: { clock?: Clock; log?: Log } = {}) {
    const { auth_failures_per_minute: failures } = settings;
    this.#rates = [
      { ...OF_KEY, policy: 'key', per_s: settings.rate_per_key },
      { ...OF_WORKSPACE, policy: 'workspace', per_s: settings.rate_per_workspace },
    ].filter(({ per_s }) => per_s > 0).map(({ per_s, ...share }) =>
      ({ ...share, buckets: new TokenBuckets(per_s * BURST_S, BURST_S, clock) }));
    this.#requests = boundsOf('requests', 'requests', 'Wait for one to be answered',
      settings.requests_per_key, settings.requests_per_workspace);
    this.#streams = boundsOf('streams', 'event streams', 'Close one, or poll the run',
      settings.streams_per_key, settings.streams_per_workspace);
    this.#trusted = parseNetworks(settings.trusted_proxies ?? '');
    this.#failures = failures === 0 ? null : new TokenBuckets(failures, 60, clock);
    const policiesOf = (asker: LimitSubject) => sharesOf(asker, this.#rates)
      .map(({ policy, buckets }) => `"${policy}";q=${buckets.quota};w=${buckets.window_s}`)
      .join(', ');
    this.#policies = {
      caller: policiesOf({ api_key_id: '', workspace_id: '' }),
      operator: policiesOf({ api_key_id: '', workspace_id: null }),
    };
    this.#meters = meters;
    this.#log = log;
  }

  /** How many event streams are open. */
  get openStreams(): number {
    return this.#open_streams;
  }

  /**
   * Lets a request in whose asker is known. Throws `rate_limited` if the key or its workspace asks
   * too often, or has too many requests open. One that is `urgent` is never refused, and one that
   * ends something is not counted as open: whoever waits for many runs can still cancel one.
   */
  admit(asker: LimitSubject, kind: 'usual' | 'ending' | 'urgent' = 'usual'): Admission {
    if (kind === 'urgent') return { fields: this.#fieldsOf(asker), release: () => {} };
    const rates = sharesOf(asker, this.#rates);
    // A request that is refused takes from none.
    const empty = rates.find(({ buckets, nameOf }) => buckets.left(nameOf(asker)!) < 1);
    if (empty) throw this.#askedTooOften(empty, asker);
    const release = this.#hold(kind === 'ending' ? [] : this.#requests, asker);
    for (const { buckets, nameOf } of rates) buckets.take(nameOf(asker)!);
    return { fields: this.#fieldsOf(asker), release };
  }

  /** Holds an event stream; the function gives it back. Throws `rate_limited`. */
  holdStream(asker: LimitSubject): () => void {
    const giveBack = this.#hold(this.#streams, asker);
    this.#open_streams += 1;
    let open = true;
    return () => {
      if (open) this.#open_streams -= 1;
      open = false;
      giveBack();
    };
  }

  /**
   * Runs `authenticate` for a request from an address where somebody may be guessing credentials.
   * Before it looks up a credential that it does not know yet, it calls the function that it is
   * given: that takes one of the address's guesses, and throws `rate_limited` if none is left. A
   * known credential takes none, so whoever uses one goes on working while somebody else behind the
   * same address guesses. A look that succeeded gives its guess back; `isGood` says whether what
   * was found is a success.
   */
  async guarded<T>(
    { peer_address, headers }: RequestOrigin,
    authenticate: (beforeLookup: () => void) => Promise<T>,
    isGood: (found: T) => boolean = () => true): Promise<T> {
    let taken: string | undefined;
    // Taken before the look, or a thousand guesses at once would all be looked up.
    const take = () => {
      if (this.#failures === null) return;
      const address = this.addressOf({ peer_address, headers });
      if (!this.#failures.take(address)) throw this.#failedTooOften(this.#failures);
      taken = address;
    };
    try {
      const found = await authenticate(take);
      if (taken !== undefined && isGood(found)) this.#failures!.giveBack(taken);
      return found;
    } catch (error) {
      const failed = error instanceof GatehouseError && error.code === 'invalid_api_key'
        && !(error instanceof ExpiredTokenError);
      if (failed && taken === undefined) take();
      else if (!failed && taken !== undefined) this.#failures!.giveBack(taken);
      throw error;
    }
  }

  /** Whom a request counts for that has shown no credential: a share, as `isStranger` knows. */
  addressOf({ peer_address, headers }: RequestOrigin): string {
    const forwarded = headers['x-forwarded-for'] as string | undefined;
    if (forwarded !== undefined && !this.#told_of_proxy) this.#tellOfProxy(peer_address);
    return strangerAt(clientAddress(peer_address, forwarded, this.#trusted));
  }

  /** Once: the header is anybody's to send, and must not fill the log. */
  #tellOfProxy(peer_address: string | undefined): void {
    // Of a connection that was reset nobody knows whose it was.
    if (peer_address === undefined || isWithin(this.#trusted, peer_address)) return;
    this.#told_of_proxy = true;
    this.#log?.warn({ peer_address }, `X-Forwarded-For came from ${peer_address}, which is not in`
      + ' GATEHOUSE_TRUSTED_PROXIES. If that is a proxy of yours, name it there: as it is, all who'
      + ' come by it count as one address, and share what one may fail.');
  }

  #fieldsOf(asker: LimitSubject): Readonly<Record<string, string>> {
    const policies = this.#policies[asker.workspace_id === null ? 'operator' : 'caller'];
    if (policies === '') return NO_FIELDS;
    let left = '';
    for (const { policy, buckets, nameOf } of sharesOf(asker, this.#rates)) {
      left += `${left && ', '}"${policy}";r=${buckets.left(nameOf(asker)!)};t=${buckets.another_s}`;
    }
    return { 'RateLimit-Policy': policies, RateLimit: left };
  }

  #hold(bounds: readonly Bound[], asker: LimitSubject): () => void {
    const own = sharesOf(asker, bounds);
    const full = own.find(({ limiter, nameOf }) => !limiter.isFree(nameOf(asker)!));
    if (full) throw this.#holdsTooMany(full, asker);
    for (const { limiter, nameOf } of own) limiter.take(nameOf(asker)!);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      for (const { limiter, nameOf } of own) limiter.giveBack(nameOf(asker)!);
    };
  }

  #askedTooOften({ policy, who, buckets }: Rate, asker: LimitSubject): GatehouseError {
    const per_s = buckets.quota / buckets.window_s;
    return this.#refusal(`${policy}-rate`, buckets.another_s,
      `${nameOf(asker, who)} asks more often than ${per_s} times a second.`
        + ' Nothing was done. Ask more slowly, and repeat this after Retry-After.',
      this.#fieldsOf(asker));
  }

  #holdsTooMany(
    { policy, who, what, advice, limiter }: Bound, asker: LimitSubject): GatehouseError {
    const { 'RateLimit-Policy': policies } = this.#fieldsOf(asker);
    const own = `"${policy}";q=${limiter.limit};${CONCURRENT}`;
    return this.#refusal(policy, RETRY_AFTER_S,
      `${nameOf(asker, who)} has ${limiter.limit} ${what} open, which is the`
        + ` limit. Nothing was done. ${advice}.`,
      { 'RateLimit-Policy': policies === undefined ? own : `${policies}, ${own}`,
        RateLimit: `"${policy}";r=0;t=${RETRY_AFTER_S}` });
  }

  #failedTooOften({ quota, window_s, another_s }: TokenBuckets): GatehouseError {
    return this.#refusal('address', another_s,
      'From this address too many requests came with a credential that is not valid. This one was'
        + ' not looked at. Check the key, and repeat this after Retry-After.',
      { 'RateLimit-Policy': `"address";q=${quota};w=${window_s}`,
        RateLimit: `"address";r=0;t=${another_s}` });
  }

  #refusal(
    limit: string, retry_after_s: number, message: string,
    headers: Readonly<Record<string, string>>): GatehouseError {
    this.#meters.limits_reached_total.add(1, { limit: limit.replace('-', '_') });
    return new GatehouseError('rate_limited', message, { retry_after_s, headers });
  }
}

function sharesOf<S extends Share>(asker: LimitSubject, shares: readonly S[]): readonly S[] {
  return shares.filter(({ nameOf }) => nameOf(asker) !== null);
}

function nameOf({ workspace_id }: LimitSubject, who: string): string {
  return workspace_id === null ? 'The operator' : who;
}
