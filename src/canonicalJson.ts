import { hash } from 'node:crypto';

/** A digest that is equal for equal values, whatever the order of their keys. */
export function canonicalSha256(value: unknown): Buffer {
  return hash('sha256', canonicalJson(value), 'buffer');
}

/** JSON text that is equal for equal values. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const fields = entries.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
