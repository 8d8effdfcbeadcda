import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { EXIT, Failure } from './failure.ts';

/** The JSON object that an option gives: itself, by @file, or - for standard input. */
export async function jsonObject(
  given: string, { what, example }: { what: string; example: string },
): Promise<Record<string, unknown>> {
  const text = given === '-' ? await readAll(process.stdin)
    : given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch { /* said below */ }
  throw new Failure(`${what} must be a JSON object, such as '${example}'.`, EXIT.usage);
}
