/** Operations of the operator: who did it, for the audit log. */
import type { AuditEvent } from '../audit/audit.ts';
import type { Actor } from '../gateway/integrations/administration.ts';
import { sanitizeJson } from '../sanitize.ts';

/** The operator, as the gateway's administration wants to know them. */
export function adminOf(context: { request_id: string; signal: AbortSignal }): Actor {
  const { request_id, signal } = context;
  return { actor: { type: 'admin', id: null }, request_id, signal };
}

/** An entry for what an operator did to `target`; `details` never hold a secret. */
export function byAdmin(
  context: { request_id: string }, event: string,
  target: { id: string; workspace_id?: string | null }, details: Record<string, unknown> = {},
): AuditEvent {
  return {
    workspace_id: target.workspace_id ?? null, actor: { type: 'admin', id: null }, event,
    target: target.id, details, request_id: context.request_id,
  };
}

/** A request with storable text, and a document that was sent as an object as its text. */
export function documentText<T extends { document?: string | object }>(
  request: T): Omit<T, 'document'> & { document?: string } {
  const { document, ...others } = request;
  const rest = sanitizeJson(others);
  if (document === undefined) return rest;
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return { ...rest, document: text.replaceAll('\0', '') };
}
