import { verifyAudit } from '../store/auditEntries.ts';
import type { Operation } from './operation.ts';

// A million entries take some seconds.
const LIMIT_MS = 5 * 60 * 1_000;

/** GET /admin/audit_log/verification */
export const verifyAuditLog: Operation<'verifyAuditLog'> = async ({ services: { sql } }) => {
  const { first_broken, ...chain } = await verifyAudit(sql, LIMIT_MS);
  const ok = first_broken === null;
  return { status: 200, body: { object: 'audit_log_verification', ok, ...chain, first_broken } };
};
