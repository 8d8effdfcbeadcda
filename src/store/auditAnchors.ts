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
}

/** The newest entry. */
export async function auditHead(sql: Sql): Promise<AuditHead | undefined> {
  return await first(sql<AuditHead[]>`
    select seq, hash from audit_entries order by seq desc limit 1`);
}

export async function hashOfEntry(sql: Sql, seq: number): Promise<string | null> {
  const [row] = await sql<{ hash: string }[]>`
    select hash from audit_entries where seq = ${seq}`;
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
    select a.seq, a.sealed, e.hash from audit_anchors a left join audit_entries e on e.seq = a.seq
    where a.seq > ${seq} order by a.seq limit ${limit}`;
}
