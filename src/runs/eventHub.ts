import { EventEmitter } from 'node:events';
import { Background } from '../coalesce.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { openNotifications, type Notifications } from '../store/notifications.ts';
import { lastNumbers } from '../store/runs.ts';
import { newId } from '../ids.ts';

/** A page of a stream has at most so many events, and ends at this size. */
export const STREAMED = { events: 256, bytes: 32_768 };
/** Longest time an event stays unseen when every hint was lost. */
const SAFETY_POLL_MS = 1_500;

/** What a commit has added to a run, as its events were stored. */
export interface Commit {
  run_id: string;
  /** Number of the first of the events; the others follow. */
  first_seq: number;
  /** As `EventRow` has it. */
  created_at: string;
  events: readonly { type: string; data: string }[];
  ends_run: boolean;
}

/** A commit, and the moment when it was announced. */
export interface Announced { commit: Commit; at: number }

interface Watched {
  workspace_id: string;
  watchers: Set<Watcher>;
}

/**
 * Wakes readers when something happens to a run: those of this process at once, those of others by
 * NOTIFY, which carries no data. A woken reader goes on at its own cursor: with what this process
 * has just committed if that is what comes next, else with what the tables hold. So no event is
 * lost or repeated between "stored" and "live".
 */
export class EventHub {
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #watched = new Map<string, Watched>();
  readonly #signals = new EventEmitter().setMaxListeners(0);
  #notifications: Notifications | undefined;
  readonly #polling = new Background(() => this.#poll(), SAFETY_POLL_MS);
  #clock = 0;

  constructor(sql: Sql, log: Log) {
    this.#sql = sql;
    this.#log = log;
  }

  /** Begins to listen and to poll. Throws if the database cannot be reached. */
  async open(): Promise<void> {
    this.#notifications = await openNotifications({
      sql: this.#sql,
      node_id: newId('req'),
      onNotification: (topic, ids) => {
        if (topic === 'queue') this.#signals.emit('queue');
        if (topic === 'cancelled') for (const id of ids) this.#signals.emit('cancelled', id);
        if (topic === 'revoked') for (const id of ids) this.#signals.emit('revoked', id);
        for (const id of ids) this.#wake(id, topic !== 'events');
      },
      onConnected: () => {
        for (const id of this.#watched.keys()) this.#wake(id, true);
        this.#signals.emit('connected');
      },
      onError: (error) => this.#log.warn({ err: error }, 'a notification was not sent'),
    });
    this.#polling.open();
  }

  async close(): Promise<void> {
    void this.#polling.close(); // A look may take long, and changes nothing here.
    await this.#notifications?.close();
  }

  committed(commits: readonly Commit[]): void {
    for (const commit of commits) this.#wake(commit.run_id, commit.ends_run, commit);
    this.#notifications?.send('events', commits.map(({ run_id }) => run_id));
    const ended = commits.filter(({ ends_run }) => ends_run);
    if (ended.length > 0) this.#notifications?.send('ended', ended.map(({ run_id }) => run_id));
  }

  /** These runs have new events, which are committed. */
  changed(run_ids: string[]): void {
    for (const id of run_ids) this.#wake(id, false);
    this.#notifications?.send('events', run_ids);
  }

  /** These runs were cancelled and that is committed: workers that execute them should stop. */
  cancelled(run_ids: string[]): void {
    for (const id of run_ids) {
      this.#signals.emit('cancelled', id);
      this.#wake(id, true);
    }
    this.#notifications?.send('cancelled', run_ids);
  }

  /** A key was revoked, or a workspace archived, and that is committed. */
  revoked(id: string): void {
    this.#signals.emit('revoked', id);
    this.#notifications?.send('revoked', [id]);
  }

  /** There may be runs to claim. */
  queued(): void {
    this.#signals.emit('queue');
    this.#notifications?.send('queue', []);
  }

  /**
   * Calls back when there may be runs to claim, when a run was cancelled, when a key was revoked or
   * a workspace archived (with its id), or when the connection to the other processes stands again
   * and anything may have been missed; returns the undo.
   */
  on(signal: 'queue' | 'cancelled' | 'revoked' | 'connected',
    listener: (id: string) => void): () => void {
    this.#signals.on(signal, listener);
    return () => this.#signals.off(signal, listener);
  }

  /** A moment in the order of all wakes: a reading begun now sees what was announced before. */
  now(): number {
    return ++this.#clock;
  }

  /**
   * Begins to watch a run, for any event or for its end alone, until a signal aborts; the caller
   * closes the watcher.
   */
  watch(workspace_id: string, run_id: string, wake_for: 'events' | 'end',
    ...signals: AbortSignal[]): Watcher {
    const watched = this.#watched.get(run_id) ?? { workspace_id, watchers: new Set() };
    this.#watched.set(run_id, watched);
    const watcher = new Watcher(wake_for, signals, () => {
      watched.watchers.delete(watcher);
      if (watched.watchers.size === 0) this.#watched.delete(run_id);
    });
    watched.watchers.add(watcher);
    return watcher;
  }

  #wake(run_id: string, ended: boolean, commit?: Commit): void {
    const now = this.now();
    const announced = commit && isShort(commit) ? { commit, at: now } : undefined;
    for (const watcher of this.#watched.get(run_id)?.watchers ?? []) {
      if (ended || watcher.wake_for === 'events') watcher.wake(now, announced);
    }
  }

  async #poll(): Promise<void> {
    if (this.#watched.size === 0) return;
    const runs = [...this.#watched].map(([run_id, { workspace_id }]) => ({ workspace_id, run_id }));
    try {
      for (const { run_id, last_seq } of await lastNumbers(this.#sql, runs)) {
        for (const watcher of this.#watched.get(run_id)?.watchers ?? []) {
          if (watcher.seen < last_seq) watcher.wake(this.now());
        }
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'watched runs could not be polled');
    }
  }
}

/** What is longer is read in pages: a reader that stalls holds what it was told of. */
function isShort({ events }: Commit): boolean {
  return events.length <= STREAMED.events
    && events.reduce((sum, { data }) => sum + data.length, 0) <= STREAMED.bytes;
}

/** One waiting reader. */
export class Watcher {
  readonly wake_for: 'events' | 'end';
  /** The last event number that the reader has; what the poll compares. */
  seen = 0;
  readonly #signals: AbortSignal[];
  readonly #onClose: () => void;
  /** When it was woken last, by the hub's clock. */
  #woken = 0;
  #noticed = 0;
  #announced: Announced | undefined;
  #stopped: boolean;
  #onChange: (() => void) | undefined;

  constructor(wake_for: 'events' | 'end', signals: AbortSignal[], onClose: () => void) {
    this.wake_for = wake_for;
    this.#signals = signals;
    this.#onClose = onClose;
    this.#stopped = signals.some(({ aborted }) => aborted);
    // Listened to once, not in each wait, and without a signal that stands for all of them: both
    // took as long as all else of a wait, of which there is one for each reader of an event.
    for (const signal of signals) signal.addEventListener('abort', this.#stop);
  }

  /** Whether one of its signals has aborted: it waits for nothing any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  close(): void {
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#stop);
    this.#onClose();
  }

  wake(now: number, announced?: Announced): void {
    this.#woken = now;
    // The newest alone: one before it was missed, and is read together with this one.
    this.#announced = this.wake_for === 'events' ? announced : undefined;
    this.#notice();
  }

  /** The commit that it was woken by last, if it goes on after event number `seen`; once. */
  takeNext(seen: number): Announced | undefined {
    const announced = this.#announced;
    this.#announced = undefined;
    return announced?.commit.first_seq === seen + 1 ? announced : undefined;
  }

  /** Whether it was woken after that moment. */
  wokenAfter(moment: number): boolean {
    return this.#woken > moment;
  }

  /** Resolves when something has happened since it last did, or when a signal aborts. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.whenChanged(resolve, this.#noticed));
  }

  /**
   * Calls back once when something has happened since that moment, or a signal aborts, which may be
   * now: a reader that waits so holds no promise.
   */
  whenChanged(onChange: () => void, since: number): void {
    this.#onChange = onChange;
    if (this.wokenAfter(since) || this.#stopped) this.#notice();
  }

  #notice(): void {
    const onChange = this.#onChange;
    if (onChange === undefined) return;
    this.#noticed = this.#woken;
    this.#onChange = undefined;
    onChange();
  }

  readonly #stop = () => {
    this.#stopped = true;
    this.#notice();
  };
}
