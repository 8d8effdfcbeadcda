import type { Sql, Transaction } from './database.ts';
import { conditions, jsonText, keyset, only, type Filter, type Page, type RowOf } from './rows.ts';

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

/** A page of entries, one more than its limit if there are more; `after_id` is a number. */
export async function listAudit(
  sql: Sql, filter: Filter<'workspace_id' | 'event' | 'target'>, page: Page,
): Promise<AuditEntry[]> {
  const { workspace_id, event, target } = filter;
  const rows = await sql<{ seq: number; entry: string; hash: string; created_at: string }[]>`
    select seq, entry, hash, created_at from audit_entries
    where true ${conditions(sql, { workspace_id, event, target })}
      ${keyset(sql, page, sql`seq`)}`;
  return rows.map(({ entry, ...row }) => ({ ...JSON.parse(entry) as AuditRecord, ...row }));
}

/** What a verification of the log and of its anchors finds. */
export type AuditVerification = RowOf<'AuditLogVerification', 'ok'>;

/** Walks the chain from its beginning, without the anchors. */
export async function verifyAudit(
  sql: Sql, limit_ms: number,
): Promise<Pick<AuditVerification, 'entries' | 'head' | 'first_broken'>> {
  return await sql.begin((tx) => only(
    tx<AuditVerification[]>`select * from verify_audit()`), { limit_ms });
}
