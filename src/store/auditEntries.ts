import { createHash } from 'node:crypto';
import { GatehouseError } from '../errors.ts';
import type { Sql, Transaction } from './database.ts';
import {
  conditions, jsonText, keyset, only, some, type Filter, type Page, type RowOf,
} from './rows.ts';

/** What an entry says. Its JSON text is what is stored and hashed. */
export type AuditRecord = RowOf<'AuditEntry', 'sequence_number' | 'hash' | 'created_at'>;

export interface AuditEntry extends AuditRecord {
  seq: number;
  hash: string;
  created_at: string;
}

/** Appends to the chain, in this order; in a transaction, it commits with it. */
export async function appendAudit(
  sql: Sql | Transaction, records: readonly AuditRecord[]): Promise<void> {
  const texts = records.map((record) => JSON.stringify(record));
  await sql`select append_audit(${texts}::text[])`;
}

/** An entry that may tell of a call in the name of a key. */
export interface CallRecord {
  record: AuditRecord;
  /** The key that the call was made with; null if the entry is not of a call. */
  api_key_id: string | null;
  /** What is written once that key is revoked: null, nothing. */
  late: AuditRecord | null;
}

/** As `appendAudit`. Answers for each entry whether its key was good; see `late`. */
export async function appendCallsToAudit(
  sql: Sql, calls: readonly CallRecord[]): Promise<boolean[]> {
  const { good } = await only(sql<{ good: boolean[] }[]>`
    select append_calls_to_audit(
      ${calls.map(({ record }) => JSON.stringify(record))}::text[],
      ${calls.map(({ late }) => jsonText(late))}::text[],
      ${calls.map(({ record }) => record.workspace_id)}::text[],
      ${calls.map(({ api_key_id }) => api_key_id)}::text[]) as good`);
  return good;
}

export interface AuditFilter extends Filter<
  'workspace_id' | 'event' | 'target' | 'actor' | 'created_after' | 'created_before'> {
  sequence_number?: number | undefined;
}

/** A page of entries, one more than its limit if there are more; `after_id` is a number. */
export async function listAudit(
  sql: Sql, filter: AuditFilter, page: Page): Promise<AuditEntry[]> {
  const { workspace_id, event, target, actor, created_after, created_before } = filter;
  const { sequence_number: seq } = filter;
  const rows = await sql<{ seq: number; entry: string; hash: string; created_at: string }[]>`
    select seq, entry, hash, created_at from audit_entries
    where true ${conditions(sql, { workspace_id, event, target })}
      ${seq === undefined ? sql`` : sql`and seq = ${seq}`}
      ${actor === undefined ? sql`` : by(sql, actor)}
      ${created_after === undefined ? sql`` : sql`and created_at > ${created_after}::timestamptz
        and seq >= ${numberAt(sql, created_after, 'before')}`}
      ${created_before === undefined ? sql`` : sql`and created_at < ${created_before}::timestamptz
        and seq <= ${numberAt(sql, created_before, 'after')}`}
      ${keyset(sql, page, sql`seq`)}`;
  return rows.map(({ entry, ...row }) => ({ ...JSON.parse(entry) as AuditRecord, ...row }));
}

/**
 * The first line is that of an index, to the first quote in an id; the second one is exact. By the
 * `coalesce` the planner does not take it for rare: it would read all that an actor ever did.
 */
const by = (sql: Sql, actor: string) => sql`
  and split_part(split_part(entry, '"actor":{"type":"', 2), '"', 5)
    = split_part(${JSON.stringify(actor)}, '"', 2)
  and coalesce(entry::json->'actor'->>'id' = ${actor}, false)`;

/** The clock of a database may have been set back by this, any time. */
const SET_BACK = '1 hour';

/**
 * A number that no entry from a time on is below, or that none until then is above. So a page is
 * found by numbers, whatever the planner thinks of times. Numbers follow the clock but for what it
 * was set back. Where that was by more, the entry of well before the time, or well after it, may be
 * one of the wrong clock; the one nearest to the time, on its other side, is of the right one then,
 * unless the time is one that the wrong clock went through itself.
 */
function numberAt(sql: Sql, time: string, side: 'before' | 'after') {
  return side === 'before'
    ? sql`least(coalesce((select a.seq from audit_entries a
        where a.created_at < ${time}::timestamptz - ${SET_BACK}::interval
        order by a.created_at desc, a.seq desc limit 1), 0), (select a.seq from audit_entries a
        where a.created_at >= ${time}::timestamptz order by a.created_at, a.seq limit 1))`
    : sql`greatest(coalesce((select a.seq from audit_entries a
        where a.created_at > ${time}::timestamptz + ${SET_BACK}::interval
        order by a.created_at, a.seq limit 1), ${Number.MAX_SAFE_INTEGER}),
        (select a.seq from audit_entries a where a.created_at <= ${time}::timestamptz
        order by a.created_at desc, a.seq desc limit 1))`;
}

/** What a verification of the log and of its anchors finds. */
export type AuditVerification = RowOf<'AuditLogVerification', 'ok'>;

interface StoredEntry {
  seq: number;
  workspace_id: string | null;
  event: string;
  target: string | null;
  entry: string;
  hash: string;
  /** Seconds, as `append_audit` hashes them. */
  at: string;
}

const BATCH_ROWS = 1_000;
/** In place of the number of an entry that has none. */
export const NO_NUMBER = 0;

/**
 * Walks the chain from its beginning, without the anchors. Hashes here what `append_audit` hashes:
 * a function of the database says whatever its owner wants. Throws unavailable after `limit_ms`.
 */
export async function verifyAudit(
  sql: Sql, limit_ms: number,
): Promise<Pick<AuditVerification, 'entries' | 'head' | 'first_broken'>> {
  const until = performance.now() + limit_ms;
  let entries = 0;
  let last: StoredEntry | undefined;
  let first_broken: number | null = null;
  for (;;) {
    checkTime(until);
    const batch = await entriesFrom(sql, last?.seq);
    // The last one is read again: there may be two of its number.
    if (last !== undefined && batch.shift()?.hash !== last.hash) first_broken ??= last.seq;
    for (const entry of batch) {
      entries += 1;
      if (entry.seq !== entries || !follows(entry, last?.hash ?? '')) {
        first_broken ??= entry.seq ?? NO_NUMBER;
      }
      last = entry;
    }
    if (batch.length < BATCH_ROWS) break;
  }
  if (await some(sql`select from audit_entries where seq is null limit 1`)) {
    first_broken ??= NO_NUMBER;
  }
  return { entries, head: last?.hash ?? null, first_broken };
}

/** Throws unavailable if the time of a verification is over, by `performance.now()`. */
export function checkTime(until: number): void {
  if (performance.now() < until) return;
  throw new GatehouseError('unavailable', 'The audit log could not be verified in time. Try again'
    + ' when the database has less to do.');
}

/** An entry and those that follow it, in their order; without a number, from the first one. */
function entriesFrom(sql: Sql, seq: number | undefined): Promise<StoredEntry[]> {
  // Names of the catalog are written out: a search_path could put others before them.
  const from = seq === undefined ? sql`` : sql`where seq operator(pg_catalog.>=) ${seq}`;
  return sql<StoredEntry[]>`
    select seq, workspace_id, event, target, entry::pg_catalog.text as entry, hash,
      extract(epoch from created_at)::pg_catalog.text as at
    from audit_entries ${from} order by seq limit ${BATCH_ROWS + (seq === undefined ? 0 : 1)}`;
}

/** Whether an entry has the hash that it must have after another, and its columns say the same. */
function follows({ seq, at, entry, hash, ...columns }: StoredEntry, previous: string): boolean {
  const text = `${previous}\n${seq}\n${at}\n${entry}`;
  if (createHash('sha256').update(text).digest('hex') !== hash) return false;
  try {
    const record = JSON.parse(entry) as AuditRecord;
    return record.workspace_id === columns.workspace_id && record.event === columns.event
      && record.target === columns.target;
  } catch {
    return false; // It is no JSON: the service has not written it.
  }
}
