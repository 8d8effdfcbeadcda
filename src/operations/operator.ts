/** What operations of the operator have in common. */
import type { Actor } from '../gateway/integrations/administration.ts';
import { sanitizeJson } from '../sanitize.ts';

/** The operator as the author of a change, for the room that makes it and tells the audit log. */
export function operatorOf(
  { admin_token_id, request_id, signal }:
  { admin_token_id: string | null; request_id: string; signal: AbortSignal }): Actor {
  return { actor: { type: 'admin', id: admin_token_id }, request_id, signal };
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
