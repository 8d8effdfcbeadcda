import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { isObject, parseJson, type JsonObject } from '../json.ts';
import { EXIT, Failure } from './failure.ts';

/** The JSON object that a flag gives: as its text, as @file, or as - for standard input. */
export async function jsonObject(
  given: string, { what, example }: { what: string; example: string },
): Promise<JsonObject> {
  const text = given === '-' ? await readAll(process.stdin)
    : given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given;
  const value = parseJson(text);
  if (isObject(value)) return value;
  throw new Failure(`${what} must be a JSON object, such as '${example}'.`, EXIT.usage);
}
