import { listAudit } from '../store/auditEntries.ts';
import type { Operation } from './operation.ts';
import { invalidCursor, listOf, pageOf } from './pages.ts';
import { presentAuditEntry } from './presentGateway.ts';

const SEQUENCE_NUMBER = /^\d{1,15}$/;

/** GET /admin/audit_entries */
export const listAuditEntries: Operation<'listAuditEntries'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('audit_entries', null, query);
  // The place of an entry is a number; one that is made up may be anything.
  if (page.after_id != null && !SEQUENCE_NUMBER.test(page.after_id)) throw invalidCursor();
  const { workspace_id, event, target } = query;
  const rows = await listAudit(sql, { workspace_id, event, target }, page);
  const body = listOf('audit_entries', null, page.limit, rows, (row) => String(row.seq),
    presentAuditEntry);
  return { status: 200, body };
};
