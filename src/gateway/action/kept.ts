/** What is kept of a result: what was asked for of it, storable, and bounded. */
import { jsonOrText } from '../../jsonText.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { truncatedText } from '../../truncate.ts';
import { projectFields, unknownFields } from './fields.ts';

/** `is_cut`: it is not the whole answer, of whose rest nobody knows what was in it. */
export interface KeepOptions {
  /** Null: all of it. */
  fields: readonly string[] | null;
  limit_bytes: number;
  is_cut: boolean;
}

/** As JSON text, which leaves a thread faster than its value. */
export interface KeptText {
  text: string;
  truncated: boolean;
  /** Those of the fields that it does not have, if there are any. */
  unknown_fields?: string[];
}

/** `result`: the value, or a JsonText. */
export type KeptResult = { result: unknown } & Omit<KeptText, 'text'>;

export function keptText(result: unknown, { fields, limit_bytes, is_cut }: KeepOptions): KeptText {
  const chosen = fields === null ? result : projectFields(result, fields);
  const unknown = fields === null || is_cut ? [] : unknownFields(result, fields);
  const whole = JSON.stringify(sanitizeJson(chosen ?? null));
  const cut = truncatedText(whole, limit_bytes);
  return {
    text: cut ?? whole, truncated: cut !== null || is_cut,
    ...(unknown.length > 0 && { unknown_fields: unknown }),
  };
}

export function keptOf(result: unknown, options: KeepOptions): KeptResult {
  return resultOfKept(keptText(result, options));
}

/** The same with the value in place of its text; a long one stays text. */
export function resultOfKept<Kept extends KeptText>(
  { text, ...rest }: Kept): { result: unknown } & Omit<Kept, 'text'> {
  return { result: jsonOrText(text), ...rest };
}
