import { isUtf8 } from 'node:buffer';

/**
 * The text of a file or an answer: in UTF-16 if its mark of the byte order says so, as PowerShell
 * writes files, else in UTF-8. The mark is no part of it; .NET writes one before UTF-8, too.
 */
export function textOfBytes(bytes: Uint8Array): string {
  return new TextDecoder(markedUtf16(bytes) ?? 'utf-8').decode(bytes);
}

/** UTF-16 if a mark of the byte order says so; undefined: there is none. */
export function markedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  return mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : undefined;
}

/** The text of a header: it is read as Latin-1, and many servers write letters as UTF-8 there. */
export function textOfHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : value;
}
