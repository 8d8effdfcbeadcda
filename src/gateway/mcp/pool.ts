/** The sessions with one server: opened when they are first used, shared, and ended when idle. */
import { hash } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { untilAborted } from '../../deadline.ts';
import type { Credentials } from '../action/credentials.ts';
import { failure } from '../action/failure.ts';
import type { Session } from './session.ts';

/** Equal ones share a session; for each owner, only the session of the key used last is kept. */
export interface SessionKey {
  /** The connection that the session belongs to. */
  owner: string;
  credentials: Credentials;
}

export interface PoolOptions {
  open(credentials: Credentials, signal: AbortSignal): Promise<Session>;
  /** Null: sessions are kept until the end. */
  idle_ms: number | null;
  sessions_limit: number;
}

interface Entry {
  owner: string;
  identity: string;
  session: Promise<Session>;
  opened: Session | null;
  users: number;
  idle_timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * A session belongs to a connection and to the credentials that it was opened with: no account ever
 * reaches what a server keeps for another, not even after a reconnection.
 */
export class SessionPool {
  readonly #options: PoolOptions;
  /** By owner; the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** Retired, and in use still. */
  readonly #leaving = new Set<Entry>();
  readonly #ending = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** Set by `drain`; resolved when nobody uses a session any more. */
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Does `work` in the session of `key`. `signal` ends the waiting for a session that is being
   * opened, not the opening: others may wait for it too. Throws whatever `work` throws.
   */
  async use<T>(
    key: SessionKey, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted) throw failure('The service is stopping.');
    const entry = this.#entryOf(key);
    entry.users += 1;
    clearTimeout(entry.idle_timer);
    try {
      return await work(await untilAborted(entry.session, signal));
    } finally {
      entry.users -= 1;
      if (entry.users === 0) this.#rest(entry);
      this.#checkDrained();
    }
  }

  /** The session is of no use any more: the next user gets another. */
  drop({ owner }: SessionKey, session: Session): void {
    const entry = this.#entries.get(owner);
    if (entry?.opened === session) this.#retire(entry);
  }

  /** Every session looks at its server's tools anew before the next call. */
  forgetTools(): void {
    for (const { opened } of this.#entries.values()) opened?.lookAgain();
  }

  /**
   * Ends each session when its last user leaves. A session opened after this call ends with its
   * first use. Resolves when all have ended.
   */
  async drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers();
    for (const entry of this.#entries.values()) this.#retire(entry);
    this.#checkDrained();
    await this.#drained.promise;
    await this.#allEnded();
  }

  /** Ends all sessions, with whatever is going on in them. */
  async close(): Promise<void> {
    this.#closing.abort(failure('The service is stopping.'));
    for (const entry of this.#entries.values()) this.#retire(entry);
    for (const entry of this.#leaving) this.#end(entry);
    await this.#allEnded();
  }

  async #allEnded(): Promise<void> {
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  #checkDrained(): void {
    if (this.#entries.size === 0 && this.#leaving.size === 0) this.#drained?.resolve();
  }

  #entryOf({ owner, credentials }: SessionKey): Entry {
    const identity = digest(credentials);
    const known = this.#entries.get(owner);
    if (known !== undefined) {
      this.#entries.delete(owner);
      if (known.identity === identity && known.opened?.is_open !== false) {
        this.#entries.set(owner, known); // as the most recently used
        return known;
      }
      this.#retire(known);
    }
    this.#makeRoom();
    const session = this.#options.open(credentials, this.#closing.signal);
    const entry: Entry = {
      owner, identity, session, opened: null, users: 0, idle_timer: undefined,
    };
    session.then((opened) => { entry.opened = opened; }, () => {
      if (this.#entries.get(owner) === entry) this.#entries.delete(owner);
    });
    this.#entries.set(owner, entry);
    if (this.#drained !== undefined) this.#leave(entry);
    return entry;
  }

  #makeRoom(): void {
    if (this.#entries.size < this.#options.sessions_limit) return;
    const idle = this.#entries.values().find(({ users }) => users === 0);
    if (idle === undefined) {
      throw failure('Too many connections to the server are in use at once.');
    }
    this.#retire(idle);
  }

  #retire(entry: Entry): void {
    this.#leave(entry);
    if (entry.users === 0) this.#end(entry);
  }

  /** Its present users keep it; nobody else gets it. */
  #leave(entry: Entry): void {
    if (this.#entries.get(entry.owner) === entry) this.#entries.delete(entry.owner);
    this.#leaving.add(entry);
  }

  #rest(entry: Entry): void {
    if (this.#entries.get(entry.owner) !== entry) {
      this.#end(entry);
    } else if (this.#options.idle_ms !== null) {
      entry.idle_timer = setTimeout(() => this.#retire(entry), this.#options.idle_ms);
      entry.idle_timer.unref();
    }
  }

  #end(entry: Entry): void {
    clearTimeout(entry.idle_timer);
    this.#leaving.delete(entry);
    const ended = entry.session.then((session) => session.close(), () => {});
    this.#ending.add(ended);
    void ended.then(() => this.#ending.delete(ended));
  }
}

/** Keys of a Map are not the place for credentials. */
function digest(credentials: Credentials): string {
  const entries = Object.entries(credentials).sort();
  return hash('sha256', JSON.stringify(entries), 'hex');
}
