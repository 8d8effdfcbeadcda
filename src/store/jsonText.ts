/** The text of a json column; null and undefined are the null of SQL, which the checks read. */
export function jsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
