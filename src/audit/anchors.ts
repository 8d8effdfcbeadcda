/** Anchors of the audit log: what is before them cannot be rewritten unnoticed. */
import { Background } from '../coalesce.ts';
import { GatehouseError } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  anchoringSince, anchorsAfter, auditHead, hashOfEntry, insertAnchor, newestAnchor,
  type AnchoredEntry, type AnchorRow, type AuditHead,
} from '../store/auditAnchors.ts';
import {
  checkTime, NO_NUMBER, verifyAudit, type AuditVerification,
} from '../store/auditEntries.ts';
import type { Sql } from '../store/database.ts';

/** What an anchor says of its entry. */
interface AnchorStatement {
  hash: string;
  /** The entry of the anchor before it. */
  previous: number | null;
}

/** Seals with a key that the database does not have. */
export interface AnchorSeal {
  seal(seq: number, statement: AnchorStatement): Promise<string>;
  /** Null: it was not made with this key for this entry. */
  open(seq: number, sealed: string): Promise<AnchorStatement | null>;
}

export interface AuditAnchorsOptions {
  sql: Sql;
  log: Log;
  /** Null: there is no master key, and so there are no anchors. */
  seal: AnchorSeal | null;
  /** Between two anchors; a minute by default. */
  interval_ms?: number | undefined;
}

/** What a walk finds; `more` are problems that no other member tells of. */
type Walked = Omit<AuditVerification, 'anchor_ok' | 'problems'> & { more: string[] };

/** What was appended for this long may be rewritten unnoticed. */
const INTERVAL_MS = 60_000;
const BATCH_ROWS = 1_000;
/** The first anchor is late after so many intervals; clocks are set, and a database can be slow. */
const LATE_INTERVALS = 10;
const TEXT = /^([1-9]\d{0,15}):([0-9a-f]{64}):(\S+)$/;

/**
 * Anchors the newest entry once a minute, if there is a new one; of many nodes one does. The
 * chain of hashes alone can be made anew by whoever can write into the database, from any entry
 * on. An anchor cannot: it is sealed by a key that the master key wraps. (Alternatives: a keyed
 * hash in each entry would need the key in the database's function, or the chain outside of it,
 * with a lock over all nodes.)
 *
 * Who removes the newest anchors too is noticed by a process that has seen them, and by whoever
 * keeps one elsewhere: each is also logged. Who removes all of them leaves the data key that sealed
 * them, by whose age a row of anchors that begins anew is too late.
 */
export class AuditAnchors {
  readonly #options: AuditAnchorsOptions;
  readonly #interval_ms: number;
  readonly #anchoring: Background;
  /** What this process knows that the log has held. */
  #seen: AuditHead | undefined;
  /** The newest anchor when this process last looked; null: there was none. */
  #newest: number | null | undefined;
  #at_once = false;
  #walk: Promise<Walked> | undefined;

  constructor(options: AuditAnchorsOptions) {
    this.#options = options;
    this.#interval_ms = options.interval_ms ?? INTERVAL_MS;
    this.#anchoring = new Background(() => this.#anchor(), this.#interval_ms);
  }

  /** Anchors at once what a process left that was killed; from then on, what is new. */
  async open(): Promise<void> {
    const { sql, seal } = this.#options;
    if (seal === null) return;
    this.#anchoring.open();
    const head = await auditHead(sql);
    if (head !== undefined && head.age_ms > this.#interval_ms) await this.anchor();
  }

  /**
   * What happens once in an interval: anchors what is new, unless another node has anchored since
   * the last time. Never rejects.
   */
  async beat(): Promise<void> {
    this.#anchoring.request();
    await this.#anchoring.idle();
  }

  /** Anchors what is new, at once. Never rejects: a fault is logged. */
  async anchor(): Promise<void> {
    this.#at_once = true;
    await this.beat();
  }

  async close(): Promise<void> {
    this.#at_once = true;
    await this.#anchoring.finish();
  }

  /**
   * Walks the chain and its anchors, and looks for an anchor that was kept elsewhere. Throws
   * invalid_request if that is none, and unavailable after `limit_ms` or if there is no master key
   * to look for it. Without one, anchors are only counted.
   */
  async verify(text: string | undefined, limit_ms: number): Promise<AuditVerification> {
    const kept = text === undefined ? null : anchorOf(text);
    const { seal } = this.#options;
    if (kept && seal === null) {
      throw new GatehouseError('unavailable', 'This node has no master key, so it cannot open'
        + ' anchors. Ask one that has GATEHOUSE_MASTER_KEYS, or leave the anchor out.');
    }
    // One walk at a time, for all who ask meanwhile: it takes this thread's time, and goes on when
    // who asked is gone.
    const walk = this.#walk ??= this.#walkAll(limit_ms).finally(() => { this.#walk = undefined; });
    const { more, ...found } = await walk;
    const anchor_ok = kept && await this.#holds(kept);
    return { ...found, anchor_ok, problems: [...problemsOf({ ...found, anchor_ok }), ...more] };
  }

  async #walkAll(limit_ms: number): Promise<Walked> {
    const until = performance.now() + limit_ms;
    // The anchors before the entries: meanwhile another node may append and anchor.
    const { first, ...anchors } = await this.#verifyAnchors(until);
    const entries = await verifyAudit(this.#options.sql, until - performance.now());
    return { ...entries, ...anchors, more: await this.#noticed(first) };
  }

  /** What neither the chain nor its anchors show, as sentences. */
  async #noticed(first: AnchoredEntry | null): Promise<string[]> {
    const { sql, seal } = this.#options;
    if (seal === null) return [];
    const problems: string[] = [];
    const since = await anchoringSince(sql);
    // By the time of the entry: it was read before the key was made that seals its anchor.
    const at = first === null ? (await auditHead(sql))?.at : first.at;
    if (since !== null && at === undefined) {
      problems.push('There is no entry, and this service has had a key for anchors since'
        + ` ${new Date(since).toISOString()}. It is made for the first entry: all were removed.`);
    }
    if (since !== null && at != null && at - since > LATE_INTERVALS * this.#interval_ms) {
      const wanted = `this service has sealed anchors since ${new Date(since).toISOString()}.`
        + ' Earlier anchors were removed: what is before the first one that you kept elsewhere, or'
        + ' that the log of the service names, may have been rewritten.';
      problems.push(first === null ? `There is no anchor, and ${wanted}`
        : `The first anchor is of entry ${first.seq}, of ${new Date(at).toISOString()}, and`
          + ` ${wanted}`);
    }
    if (this.#seen && await this.#isRewritten(this.#seen)) {
      problems.push(`The answering node has seen entry ${this.#seen.seq} with the hash`
        + ` ${this.#seen.hash}, which it has no more: the log was rewritten or cut off while the`
        + ' node ran. If you have put back a backup, or a failover has lost commits, start the'
        + ' nodes anew.');
    }
    return problems;
  }

  async #isRewritten({ seq, hash }: AuditHead): Promise<boolean> {
    return await hashOfEntry(this.#options.sql, seq) !== hash;
  }

  async #anchor(): Promise<void> {
    const { sql, log, seal } = this.#options;
    if (seal === null) return;
    const at_once = this.#at_once;
    this.#at_once = false;
    try {
      if (this.#seen && await this.#isRewritten(this.#seen)) {
        log.error({ sequence_number: this.#seen.seq, hash: this.#seen.hash },
          'the audit log was rewritten: this entry had this hash, and has it no more. It is not'
          + ' anchored by this process again');
        return;
      }
      const head = await auditHead(sql);
      if (head === undefined) return;
      const { seq: previous = null } = await newestAnchor(sql) ?? {};
      // (Not by the created_at of the anchor: the owner of the database can keep that new.)
      const by_another = this.#newest !== undefined && this.#newest !== previous;
      this.#newest = previous;
      if (previous !== null && previous > head.seq) return;
      if (previous === head.seq || (by_another && !at_once)) {
        this.#seen = head;
        return;
      }
      const sealed = await seal.seal(head.seq, { hash: head.hash, previous });
      if (!await insertAnchor(sql, { seq: head.seq, previous, sealed })) return;
      this.#seen = head;
      this.#newest = head.seq;
      log.info({ anchor: textOf(head, sealed) }, 'the audit log is anchored');
    } catch (error) {
      log.warn({ err: error }, 'the audit log could not be anchored');
    }
  }

  async #verifyAnchors(until: number): Promise<
    Pick<AuditVerification, 'anchors' | 'first_broken_anchor' | 'latest_anchor'>
    & { first: AnchoredEntry | null }> {
    let first: AnchoredEntry | null = null;
    let last: AnchoredEntry | null = null;
    let anchors = 0;
    let first_broken_anchor: number | null = null;
    for await (const anchor of this.#all(until)) {
      anchors += 1;
      if (this.#options.seal === null) continue;
      const said = await this.#open(anchor);
      const fits = said !== null && anchor.hash === said.hash
        && said.previous === (last?.seq ?? null);
      if (!fits) first_broken_anchor ??= anchor.seq;
      first ??= anchor;
      last = anchor;
    }
    const latest_anchor = last === null || last.hash === null ? null
      : textOf({ seq: last.seq, hash: last.hash }, last.sealed);
    return { anchors, first_broken_anchor, latest_anchor, first };
  }

  async* #all(until: number): AsyncGenerator<AnchoredEntry> {
    let after = 0;
    for (;;) {
      checkTime(until);
      const batch = await anchorsAfter(this.#options.sql, after, BATCH_ROWS);
      yield* batch;
      if (batch.length < BATCH_ROWS) return;
      after = batch.at(-1)!.seq;
    }
  }

  /** Whether the log still has the entry of an anchor, and the service made that anchor. */
  async #holds({ seq, hash, sealed }: AuditHead & AnchorRow): Promise<boolean> {
    const said = await this.#open({ seq, sealed });
    return said?.hash === hash && await hashOfEntry(this.#options.sql, seq) === hash;
  }

  async #open({ seq, sealed }: AnchorRow): Promise<AnchorStatement | null> {
    return await this.#options.seal?.open(seq, sealed) ?? null;
  }
}

function problemsOf(
  { first_broken, first_broken_anchor, anchor_ok }:
    Pick<AuditVerification, 'first_broken' | 'first_broken_anchor' | 'anchor_ok'>): string[] {
  return [
    first_broken === NO_NUMBER
      && 'There is an entry without a number, which this service did not write.',
    first_broken !== null && first_broken !== NO_NUMBER
      && `Entry ${first_broken} does not fit. Everything before it does.`,
    first_broken_anchor !== null && `The anchor of entry ${first_broken_anchor} does not fit. The`
      + ' log was rewritten before it, or the anchor was.',
    anchor_ok === false
      && 'It does not hold what the given anchor says: it was cut off or rewritten.',
  ].filter((words) => words !== false);
}

function textOf({ seq, hash }: AuditHead, sealed: string): string {
  return `${seq}:${hash}:${sealed}`;
}

function anchorOf(text: string): AuditHead & AnchorRow {
  const [, seq, hash, sealed] = TEXT.exec(text.trim()) ?? [];
  if (sealed !== undefined) return { seq: Number(seq), hash: hash!, sealed };
  throw new GatehouseError('invalid_request', 'This is no anchor. One is a text such as'
    + ' 42:5e88…:v1.…, as `gatehouse audit anchor` prints it.', { param: 'anchor' });
}
