import { unhurried } from '../patience.ts';
import type { Operation } from './operation.ts';

// A million entries take some seconds.
const LIMIT_MS = 5 * 60 * 1_000;

/** GET /admin/audit_log/verification */
export const verifyAuditLog: Operation<'verifyAuditLog'> = async ({ params, services }) => {
  const found = await unhurried(() => services.verifyAudit(params.query.anchor, LIMIT_MS));
  const ok = found.problems.length === 0;
  return { status: 200, body: { object: 'audit_log_verification', ok, ...found } };
};
