/** Texts of files and of standard input, of a size that can be sent. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { EXIT, Failure } from './failure.ts';

export const STANDARD_INPUT = '-';

/** The largest body that a service can be told to take. */
const LIMIT_BYTES = 104_857_600;

/**
 * The text of a file, or of standard input if it is `-`. Throws Failure if it cannot be read, is no
 * UTF-8, or is larger than what any service takes; no more of it is read then.
 */
export async function readText(file: string, limit_bytes = LIMIT_BYTES): Promise<string> {
  const name = inputName(file);
  const stream: Readable = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > limit_bytes) {
        throw new Failure(`${name} is larger than what a service takes (${limit_bytes} bytes at`
          + ' most).', EXIT.usage);
      }
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${name} cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Failure(`${name} is no text in UTF-8, and nothing else is taken.`, EXIT.usage);
  }
}

/** What a flag gives: its text, that of `@file`, or with `-` standard input's. Throws Failure. */
export async function textGiven(given: string): Promise<string> {
  if (given === STANDARD_INPUT) return await readText(given);
  return given.startsWith('@') ? await readText(given.slice(1)) : given;
}

/** What a file is called to a person. */
export function inputName(file: string): string {
  return file === STANDARD_INPUT ? 'Standard input' : file || '""';
}
