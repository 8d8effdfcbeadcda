import type { Sql } from './database.ts';
import { first, some } from './rows.ts';

/** An entry of the audit log, as its place in the chain. */
export interface AuditHead {
  seq: number;
  hash: string;
}

export interface AnchorRow {
  seq: number;
  sealed: string;
}

/** An anchor, and the hash that its entry has now; null: the entry is gone. */
export interface AnchoredEntry extends AnchorRow {
  hash: string | null;
  /** When its entry was appended, in milliseconds since 1970. */
  at: number | null;
}

/** The newest entry, and how long it has been there by the clock of the database. */
export async function auditHead(
  sql: Sql): Promise<AuditHead & { at: number; age_ms: number } | undefined> {
  return await first(sql<(AuditHead & { at: number; age_ms: number })[]>`
    select seq, hash, (extract(epoch from created_at) * 1000)::float8 as at,
      (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms
    from audit_entries order by seq desc limit 1`);
}

/**
 * When the service's own data key was made, in milliseconds since 1970; null if there is none. The
 * first anchor makes it, unless the environment of an MCP server was sealed before: that is an
 * entry of the log, which is anchored soon after. So about since then the log has been anchored.
 */
export async function anchoringSince(sql: Sql): Promise<number | null> {
  const row = await first(sql<{ since: number }[]>`
    select (extract(epoch from created_at) * 1000)::float8 as since
    from workspace_keys where workspace_id = '_service' order by number limit 1`);
  return row?.since ?? null;
}

export async function hashOfEntry(sql: Sql, seq: number): Promise<string | null> {
  const row = await first(sql<{ hash: string }[]>`
    select hash from audit_entries where seq = ${seq}`);
  return row?.hash ?? null;
}

export async function newestAnchor(sql: Sql): Promise<AnchorRow | undefined> {
  return await first(sql<AnchorRow[]>`
    select seq, sealed from audit_anchors order by seq desc limit 1`);
}

/** Answers false if another node has anchored from the same place. */
export async function insertAnchor(
  sql: Sql, { seq, previous, sealed }: AnchorRow & { previous: number | null }): Promise<boolean> {
  return await some(sql`
    insert into audit_anchors (seq, previous, sealed) values (${seq}, ${previous}, ${sealed})
    on conflict do nothing`);
}

/** The next anchors after an entry, oldest first. */
export function anchorsAfter(sql: Sql, seq: number, limit: number): Promise<AnchoredEntry[]> {
  return sql<AnchoredEntry[]>`
    select a.seq, a.sealed, e.hash, (extract(epoch from e.created_at) * 1000)::float8 as at
    from audit_anchors a left join audit_entries e on e.seq = a.seq
    where a.seq > ${seq} order by a.seq limit ${limit}`;
}
