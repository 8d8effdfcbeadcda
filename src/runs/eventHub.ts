import { EventEmitter } from 'node:events';
import { untilAborted } from '../deadline.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { openNotifications, type Notifications } from '../store/notifications.ts';
import { lastNumbers } from '../store/runs.ts';
import { newId } from '../ids.ts';

/** Longest time an event stays unseen when every hint was lost. */
const SAFETY_POLL_MS = 1_500;

interface Watched {
  workspace_id: string;
  watchers: Set<Watcher>;
}

/**
 * Wakes readers when something happens to a run: those of this process at once, those of others by
 * NOTIFY. It carries no data. A woken reader reads the tables from its own cursor, so no event is
 * lost or repeated between "stored" and "live".
 */
export class EventHub {
  readonly #sql: Sql;
  readonly #log: Log;
  readonly #watched = new Map<string, Watched>();
  readonly #signals = new EventEmitter().setMaxListeners(0);
  #notifications: Notifications | undefined;
  #poll: NodeJS.Timeout | undefined;
  #polling = false;
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
    this.#poll = setInterval(() => void this.#pollOnce(), SAFETY_POLL_MS);
    this.#poll.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    await this.#notifications?.close();
  }

  /** These runs have new events, which are committed; `ended` are those among them that ended. */
  changed(run_ids: string[], ended: string[]): void {
    for (const id of run_ids) this.#wake(id, false);
    for (const id of ended) this.#wake(id, true);
    this.#notifications?.send('events', run_ids);
    if (ended.length > 0) this.#notifications?.send('ended', ended);
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

  /** Begins to watch a run, for any event or for its end alone; the caller closes the watcher. */
  watch(workspace_id: string, run_id: string, wake_for: 'events' | 'end' = 'events'): Watcher {
    const watched = this.#watched.get(run_id) ?? { workspace_id, watchers: new Set() };
    this.#watched.set(run_id, watched);
    const watcher = new Watcher(wake_for, () => {
      watched.watchers.delete(watcher);
      if (watched.watchers.size === 0) this.#watched.delete(run_id);
    });
    watched.watchers.add(watcher);
    return watcher;
  }

  #wake(run_id: string, ended: boolean): void {
    const now = this.now();
    for (const watcher of this.#watched.get(run_id)?.watchers ?? []) {
      if (ended || watcher.wake_for === 'events') watcher.wake(now);
    }
  }

  async #pollOnce(): Promise<void> {
    if (this.#polling || this.#watched.size === 0) return;
    this.#polling = true;
    try {
      const runs = [...this.#watched].map(
        ([run_id, { workspace_id }]) => ({ workspace_id, run_id }));
      for (const { run_id, last_seq } of await lastNumbers(this.#sql, runs)) {
        for (const watcher of this.#watched.get(run_id)?.watchers ?? []) {
          if (watcher.seen < last_seq) watcher.wake(this.now());
        }
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'watched runs could not be polled');
    } finally {
      this.#polling = false;
    }
  }
}

/** One waiting reader. */
export class Watcher {
  readonly wake_for: 'events' | 'end';
  readonly close: () => void;
  /** The last event number that the reader has; what the poll compares. */
  seen = 0;
  /** When it was woken last, by the hub's clock. */
  #woken = 0;
  #noticed = 0;
  #resolve: (() => void) | undefined;

  constructor(wake_for: 'events' | 'end', close: () => void) {
    this.wake_for = wake_for;
    this.close = close;
  }

  wake(now: number): void {
    this.#woken = now;
    this.#resolve?.();
  }

  /** Whether it was woken after that moment. */
  wokenAfter(moment: number): boolean {
    return this.#woken > moment;
  }

  /**
   * Resolves when something has happened since that moment, or when the signal aborts. Without a
   * moment: since the last time it resolved.
   */
  async changed(signal: AbortSignal, since: number = this.#noticed): Promise<void> {
    if (!this.wokenAfter(since) && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resolve = resolve;
      await untilAborted(promise, signal).catch(() => {});
      this.#resolve = undefined;
    }
    this.#noticed = this.#woken;
  }
}
