/** What is kept of a result: what was asked for of it, storable, and bounded. */
import { sanitizeJson } from '../../sanitize.ts';
import { truncateResult } from '../../truncate.ts';
import { projectFields, unknownFields } from './fields.ts';

/** `is_cut`: it is not the whole answer, of whose rest nobody knows what was in it. */
export interface KeepOptions {
  /** Null: all of it. */
  fields: readonly string[] | null;
  limit_bytes: number;
  is_cut: boolean;
}

export interface KeptResult {
  result: unknown;
  truncated: boolean;
  /** Those of the fields that it does not have, if there are any. */
  unknown_fields?: string[];
}

export function keptOf(result: unknown, { fields, limit_bytes, is_cut }: KeepOptions): KeptResult {
  const chosen = fields === null ? result : projectFields(result, fields);
  const unknown = fields === null || is_cut ? [] : unknownFields(result, fields);
  const cut = truncateResult(sanitizeJson(chosen ?? null), limit_bytes);
  return {
    result: cut.result, truncated: cut.truncated || is_cut,
    ...(unknown.length > 0 && { unknown_fields: unknown }),
  };
}
