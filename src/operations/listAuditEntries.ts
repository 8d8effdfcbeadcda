import { listAudit } from '../store/auditEntries.ts';
import { createdBetween } from './instants.ts';
import type { Operation } from './operation.ts';
import { presentAuditEntry } from './presentGateway.ts';
import { invalidCursor, listOperation } from './reads.ts';

const SEQUENCE_NUMBER = /^\d{1,15}$/;

/** GET /admin/audit_entries */
export const listAuditEntries: Operation<'listAuditEntries'> = listOperation('audit_entries',
  async ({ params: { query }, services: { sql } }, page) => {
    // The place of an entry is a number; a made-up cursor may hold anything.
    if (page.after_id != null && !SEQUENCE_NUMBER.test(page.after_id)) throw invalidCursor();
    const filter = { ...query, ...createdBetween(query) };
    return (await listAudit(sql, filter, page)).map((row) => ({ ...row, id: String(row.seq) }));
  }, (row) => presentAuditEntry(row));
