import type { Grant } from '../store/grants.ts';
import type { AuditEvent, Author } from './audit.ts';

/** What the audit log says of a grant. */
export function grantEvent(
  event: 'grant.created' | 'grant.changed' | 'grant.removed', grant: Grant,
  { actor, request_id }: Author): AuditEvent {
  const { id, workspace_id, actions, decision, approval_scope } = grant;
  const details = { actions, decision, ...(approval_scope !== 'api_key' && { approval_scope }) };
  return { actor, request_id, workspace_id, event, target: id, details };
}
