import { verifyAudit } from '../store/auditEntries.ts';
import type { Operation } from './operation.ts';

// A million entries take some seconds.
const LIMIT_MS = 5 * 60 * 1_000;

/** GET /admin/audit_log/verification */
export const verifyAuditLog: Operation<'verifyAuditLog'> = async ({ services: { sql } }) => {
  const { entries, head, first_broken } = await verifyAudit(sql, LIMIT_MS);
  return {
    status: 200,
    body: {
      object: 'audit_log_verification', ok: first_broken === null, entries, head, first_broken,
    },
  };
};
