/**
 * The text of a file: in UTF-16 if its mark of the byte order says so, as PowerShell writes files,
 * else in UTF-8. The mark is no part of it.
 */
export function textOfBytes(bytes: Uint8Array): string {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
