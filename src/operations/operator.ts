/** What operations of the operator have in common. */
import type { Caller, Operator } from '../caller.ts';
import type { Actor } from '../gateway/face.ts';
import { sanitizeJson } from '../sanitize.ts';

/** The operator as the author of a change, for the room that makes it and tells the audit log. */
export function operatorOf(
  { operator: { actor }, request_id, signal }:
  { operator: Operator; request_id: string; signal: AbortSignal }): Actor {
  return { actor, request_id, signal };
}

/** Who acts in the dashboard, for the verb that tells the audit log; null for an application. */
export function signedInOf(
  { caller, request_id }: { caller: Caller; request_id: string }) {
  return caller.operator ? { actor: caller.operator.actor, request_id } : null;
}

/** Who asks, a person in the dashboard or an application, for what the audit log tells of both. */
export function authorOf({ caller, request_id }: { caller: Caller; request_id: string }) {
  const { operator, api_key_id } = caller;
  return { actor: operator?.actor ?? { type: 'api_key' as const, id: api_key_id }, request_id };
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
